"""Plots of the page: what stands at their axes, statistics, and what can be done with them."""

import pathlib
import unittest

from footfall_process import BOX, ICUB, SOURCE, View, temporary_folder, write_log
from page_case import Browser

# Puts a signal of ours in place of a channel: the plots of a log ask for nothing else.
INVENT = """([name, formula]) => {
    const source = footfall.app.source, ask = Object.getPrototypeOf(source).series.bind(source), value = new Function('t', 'return ' + formula);
    const column = source.scene.columns.findIndex(([each]) => each === name);
    source.series = async (columns, from, to, buckets) => {
        const series = await ask(columns, from, to, 1e6), { times } = series;
        columns.forEach((each, k) => {
            if (each !== column) return;
            const values = times.map(value), inside = values.filter((_, i) => times[i] >= from && times[i] <= to);
            series.columns[k] = { values, statistics: { low: Math.min(...inside), high: Math.max(...inside), mean: 0, rms: 0 } };
        });
        return series;
    };
}"""


class PlotsOfABox(Browser):
    """A log of two seconds of a box that falls."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = temporary_folder()
        cls.addClassCleanup(folder.cleanup)
        cls.view = View(write_log(folder.name, "box.mcap", BOX, "--duration", "2"))
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url, bypass_csp=True)  # INVENT makes functions of texts

    def setUp(self):
        self.tab(self.page, "Plots")
        self.page.evaluate("delete footfall.app.source.series; footfall.app.plots.setZoom(null)")

    def plot(self, *plots):
        self.page.evaluate("(layout) => footfall.app.plots.setLayout(layout)", [list(plot) for plot in plots])
        self.eventually(self.page, f"footfall.plots.length === {len(plots)} && footfall.plots.every((plot) => plot.points > 100 && plot.axes.x?.length > 2)")

    def axis(self, formula, name="base.position.z", unit="m"):
        """Title and labels of the axis of an invented signal."""
        self.page.evaluate(INVENT, [name, formula])
        self.plot([name])
        title, *labels = self.page.evaluate(f"footfall.plots[0].axes[{unit!r}]")
        return title, labels


class Axes(PlotsOfABox):
    def test_digits_come_from_the_increment(self):
        title, labels = self.axis("0.6 + 0.01 * t")
        self.assertEqual(title, "[m]")
        self.assertEqual(len(set(labels)), len(labels), labels)
        steps = [round(float(b) - float(a), 9) for a, b in zip(labels, labels[1:])]
        self.assertEqual(len(set(steps)), 1, labels)

    def test_small_numbers_have_a_power_of_ten_and_no_minus_zero(self):
        title, labels = self.axis("3e-7 * Math.sin(t)")
        self.assertEqual(title, "[10⁻⁹ m]")
        self.assertEqual(len(set(labels)), len(labels), labels)
        self.assertIn("0", labels)
        self.assertNotIn("-0", labels)

    def test_what_all_have_in_common_is_told_once(self):
        title, labels = self.axis("0.6 + 2e-7 * Math.sin(3 * t)")
        self.assertEqual(title, "[10⁻⁹ m] + 0.6 m")
        self.assertEqual(len(set(labels)), len(labels), labels)
        self.assertLess(max(abs(float(label)) for label in labels), 300)

    def test_noise_is_a_constant(self):
        for formula, middle in (("1e-15 * Math.sin(1e5 * t)", 0.0), ("0.25 + 1e-11 * Math.sin(1e5 * t)", 0.25)):
            _, labels = self.axis(formula)
            self.assertGreater(float(labels[-1]) - float(labels[0]), 0.01, "it is drawn as a zigzag")
            self.assertLessEqual(float(labels[0]), middle)
            self.assertGreaterEqual(float(labels[-1]), middle)
            self.assertIn("constant", self.page.locator(".plot-legend small").first.inner_text())

    def test_measures_of_error_are_small_by_nature(self):
        title, _ = self.axis("1e-13 * (2 + Math.sin(3 * t))", "solver.residual", "m/s")
        self.assertIn("10⁻¹⁵", title)
        self.assertNotIn("constant", self.page.locator(".plot-legend small").first.inner_text())

    def test_times_have_digits_enough(self):
        self.plot(["base.position.z"])
        self.page.evaluate("footfall.app.plots.setZoom([1.0, 1.006])")
        self.eventually(self.page, "footfall.plots[0].window[1] - footfall.plots[0].window[0] < 0.01")
        _, *labels = self.page.evaluate("footfall.plots[0].axes.x")
        self.assertEqual(len(set(labels)), len(labels), labels)

    def test_zoom_ends_at_the_ends_of_the_run(self):
        page = self.page
        self.plot(["base.position.z"])
        stop = page.evaluate("footfall.extent.stop")
        page.evaluate("footfall.app.plots.setZoom([-3, -2])")
        self.eventually(page, "footfall.plots[0].window[0] === 0 && footfall.plots[0].window[1] === 1")
        page.evaluate("footfall.app.plots.setZoom([1.5, 2.5])")
        self.eventually(page, f"footfall.plots[0].window[1] === {stop} && Math.abs(footfall.plots[0].window[0] - {stop - 1}) < 1e-9")
        page.evaluate("footfall.app.plots.setZoom([-3, 9])")
        self.eventually(page, f"footfall.plots[0].window[0] === 0 && footfall.plots[0].window[1] === {stop}")

    def test_statistics_are_those_of_the_window(self):
        self.plot(["base.position.z"])
        self.page.evaluate("footfall.app.plots.setZoom([0.1, 0.2])")
        rows = self.page.evaluate("""footfall.app.source.rows(0, 9, 9999).then((rows) => rows.filter(({ time }) => time >= 0.1 && time <= 0.2)
            .map((row) => row.values[footfall.app.plots.plots[0].columns[0]]))""")
        self.eventually(self.page, f"footfall.plots[0].low[0] === {min(rows)!r} && footfall.plots[0].high[0] === {max(rows)!r}")


class LivePlots(Browser):
    """A ball that bounces."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(str(SOURCE / "scenes" / "bouncing_ball.yaml"), "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url)

    # The extremes that are told are those of the rows in the window of the first plot.
    SHOWN = """(async () => {
        const [plot] = footfall.plots, [from, to] = plot.window, { times, columns } = await footfall.app.source.series(footfall.app.plots.plots[0].columns, from, to, 20000);
        const values = [...columns[0].values].filter((_, i) => times[i] >= from - 1e-12 && times[i] <= to + 1e-12);
        return Math.min(...values) === plot.low[0] && Math.max(...values) === plot.high[0];
    })()"""

    def eventually_true(self, promise):
        for _ in range(100):
            if self.page.evaluate(promise):
                return
            self.page.wait_for_timeout(50)
        self.fail(f"never came true: {promise}")

    def test_statistics_and_ticks_are_those_of_what_is_shown_after_pause_step_and_scrub(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([['base.position.z']])")
        self.click(page, "play")
        self.eventually(page, "footfall.time > 0.9")
        self.click(page, "play")
        self.eventually(page, "!footfall.playing")
        self.eventually_true(self.SHOWN)
        last = page.evaluate("footfall.app.source.previousImpact(1e9)")
        self.assertGreater(last, 0.0)
        self.eventually(page, f"Math.abs(footfall.app.timeline.marks.times.at(-1) - {last}) <= footfall.extent.stop / 500")
        self.click(page, "step")
        self.eventually_true(self.SHOWN)
        page.evaluate("for (let k = 0; k < 14; ++k) footfall.app.source.command({do: 'step', count: 1000})")
        self.eventually(page, "footfall.extent.end > 14000 && footfall.row.index === footfall.extent.end - 1")
        self.eventually_true(self.SHOWN)
        page.evaluate("footfall.seek(0.3)")
        self.eventually(page, "footfall.plots[0].window[0] === 0 && footfall.plots[0].window[1] < 11")
        self.eventually_true(self.SHOWN)


class GroundForces(Browser):
    """What the ground pushes with comes first, and soles carry: they do not pull."""

    def test_the_first_plot_shows_them_along_the_normal(self):
        with View(ICUB, "--paused") as view:
            page = self.open(view.url)
            self.tab(page, "Plots")
            self.assertEqual(page.evaluate("footfall.plots[0].names"), ["l_sole.ground_force.normal", "r_sole.ground_force.normal"])
            page.evaluate("footfall.app.source.command({do: 'step', count: 300})")
            self.eventually(page, "footfall.row.index >= 299")
            carried = page.evaluate("footfall.plots[0].names.map((name) => footfall.value(name))")
            self.assertGreater(min(carried), 0.0)
            self.assertAlmostEqual(sum(carried), 324.3, delta=3.0)

    def test_older_logs_open_with_what_they_have(self):
        with temporary_folder() as folder:
            new = write_log(folder, "new.csv", BOX, "--duration", "0.5")
            lines = pathlib.Path(new).read_text().splitlines()
            old = f"{folder}/old.csv"
            head = next(i for i, line in enumerate(lines) if not line.startswith("#"))
            keep = [i for i, name in enumerate(lines[head].split(",")) if ".ground_force" not in name]
            self.assertLess(len(keep), len(lines[head].split(",")))
            with open(old, "w") as file:
                for i, line in enumerate(lines):
                    file.write((line if i < head else ",".join(line.split(",")[k] for k in keep)) + "\n")
            with View(old) as view:
                page = self.open(view.url)
                self.tab(page, "Plots")
                self.eventually(page, "footfall.plots.length >= 2 && footfall.plots[0].points > 100")
                for name in page.evaluate("footfall.plots[0].names"):
                    self.assertRegex(name, r"\]\.force\.z$")


if __name__ == "__main__":
    unittest.main()
