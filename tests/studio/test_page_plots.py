"""Plots of the page: what stands at their axes, statistics, and what can be done with them."""

import math
import pathlib
import unittest
import xml.etree.ElementTree

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
        cls.view = View(write_log(cls.make_folder(), "box.mcap", BOX, "--duration", "2"))
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
        for rate in (0.01, 0.034, 0.05, 0.09):  # in steps of 1, 2, 2.5 and 5
            title, labels = self.axis(f"0.6 + {rate} * t")
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

    def test_statistics_and_ticks_are_those_of_what_is_shown_after_pause_step_and_scrub(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([['base.position.z']])")
        self.click(page, "play")
        self.eventually(page, "footfall.time > 0.9")
        self.click(page, "play")
        self.eventually(page, "!footfall.playing")
        self.eventually(page, self.SHOWN)
        last = page.evaluate("footfall.app.source.previousImpact(1e9)")
        self.assertGreater(last, 0.0)
        self.eventually(page, f"Math.abs(footfall.app.timeline.marks.times.at(-1) - {last}) <= footfall.extent.stop / 500")
        self.click(page, "step")
        self.eventually(page, self.SHOWN)
        page.evaluate("for (let k = 0; k < 14; ++k) footfall.app.source.command({do: 'step', count: 1000})")
        self.eventually(page, "footfall.extent.end > 14000 && footfall.row.index === footfall.extent.end - 1")
        self.eventually(page, self.SHOWN)
        page.evaluate("footfall.seek(0.3)")
        self.eventually(page, "footfall.plots[0].window[0] === 0 && footfall.plots[0].window[1] < 11")
        self.eventually(page, self.SHOWN)


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


class Signals(PlotsOfABox):
    """What is done with channels before they are drawn."""

    def invent(self, spec, formula, name="base.position.z", window=None):
        """A plot of an invented signal; returns its abscissae and its curve."""
        self.page.evaluate(INVENT, [name, formula])
        if window:
            self.page.evaluate("(window) => footfall.app.plots.setZoom(window)", window)
        self.page.evaluate("(spec) => footfall.app.plots.setLayout([spec])", {"names": [name], **spec})
        self.eventually(self.page, "footfall.plots.length === 1 && footfall.plots[0].points > 100")
        return self.page.evaluate("[footfall.plots[0].x, footfall.plots[0].curves[0]]")

    def test_the_derivative_of_a_sine_is_a_cosine(self):
        x, y = self.invent({"change": "derivative"}, "Math.sin(3 * t)", window=[0.6, 0.9])
        # Central differences of steps h are wrong by h² f‴ / 6.
        for time, value in zip(x, y):
            self.assertAlmostEqual(value, 3 * math.cos(3 * time), delta=27 * 1e-6 / 6 + 1e-9)
        self.assertIn("m/s", self.page.evaluate("Object.keys(footfall.plots[0].axes)"))

    def test_the_low_pass_keeps_what_is_slow_and_comes_not_too_late(self):
        x, y = self.invent({"change": "lowpass", "cutoff": 10}, "Math.sin(2 * Math.PI * t) + Math.sin(2 * Math.PI * 200 * t)", window=[0.6, 0.9])
        # Twice second order: |H|² is 1 / (1 + (f / fc)⁴); 200 Hz is left with 6e-6, 1 Hz loses 1e-4; rows around the window let it settle.
        for time, value in zip(x, y):
            self.assertAlmostEqual(value, math.sin(2 * math.pi * time), delta=2e-4)

    def test_the_spectrum_of_a_sine_is_a_peak_of_its_amplitude(self):
        x, y = self.invent({"kind": "spectrum"}, "5 + 0.25 * Math.sin(2 * Math.PI * 60 * t)")
        highest = max(range(len(y)), key=lambda i: y[i])
        self.assertAlmostEqual(x[highest], 60, delta=0.6)
        self.assertAlmostEqual(y[highest], 0.25, delta=0.25 * 0.15, msg="between two frequencies Hann's window loses up to 15 %")
        self.assertAlmostEqual(x[-1], 500, delta=1)

    def test_the_menu_changes_a_plot_and_what_was_chosen_is_kept(self):
        page = self.page
        self.plot(["base.position.z"], ["base.velocity.z"])
        page.locator("[data-test=plot-menu]").first.click()
        page.locator("[data-test=plot-change]").first.select_option("lowpass")
        self.eventually(page, "footfall.plots[0].spec.change === 'lowpass'")
        page.locator("[data-test=plot-menu]").first.click()
        page.locator("[data-test=cutoff]").fill("25")
        page.locator("[data-test=cutoff]").press("Enter")
        self.eventually(page, "footfall.plots[0].spec.cutoff === 25")
        self.assertIn("low-pass 25 Hz", page.locator("[data-test=plot-what]").first.inner_text())
        page.reload()
        self.eventually(page, "window.footfall !== undefined && footfall.plots.length === 2 && footfall.plots[0].spec.cutoff === 25")

    def test_a_plot_that_is_changed_stays_in_sight(self):
        page = self.page
        self.plot(*[["base.position.z"]] * 5)
        page.locator("[data-test=plot-menu]").last.click()
        top = page.evaluate("document.querySelector('[data-test=plots]').scrollTop")
        self.assertGreater(top, 100)
        page.locator("[data-test=plot-change]").last.select_option("derivative")
        self.eventually(page, "footfall.plots.at(-1).spec.change === 'derivative'")
        self.assertAlmostEqual(page.evaluate("document.querySelector('[data-test=plots]').scrollTop"), top, delta=60)

    def test_a_channel_over_another_one(self):
        page = self.page
        page.evaluate("footfall.app.plots.setLayout([{names: ['base.position.z', 'base.velocity.z'], kind: 'xy'}])")
        self.eventually(page, "document.querySelector('.xy path')?.getAttribute('d').length > 500")
        place = "document.querySelector('.dot-now').getAttribute('cx')"
        page.evaluate("footfall.seek(0.05)")
        self.eventually(page, f"{place} !== null")
        before = page.evaluate(place)
        page.evaluate("footfall.seek(0.3)")
        self.eventually(page, f"{place} !== {before!r}")


class Handling(PlotsOfABox):
    """Plots are put together by the mouse or by fingers."""

    def over(self, x, y, plot=0):
        box = self.page.locator(".u-over").nth(plot).bounding_box()
        return box["x"] + x * box["width"], box["y"] + y * box["height"]

    def names(self):
        return self.page.evaluate("footfall.plots.map((plot) => plot.names)")

    def test_a_click_adds_a_channel_and_scrolls_there(self):
        page = self.page
        self.plot(["base.position.z"], ["base.velocity.z"], ["energy.kinetic"])
        page.locator("[data-test=channel-search]").fill("")
        page.locator("[data-group='momentum']").click()
        page.locator("[data-group='momentum.linear']").click()
        page.locator("[data-channel='momentum.linear.z']").click()
        self.eventually(page, "footfall.plots.length === 4 && footfall.plots[3].names[0] === 'momentum.linear.z'")
        self.eventually(page, "(() => { const plot = [...document.querySelectorAll('.plot')].at(-1).getBoundingClientRect(), panel = document.querySelector('.plots').getBoundingClientRect(); "
                              "return plot.top >= panel.top - 1 && plot.bottom <= panel.bottom + 1; })()")

    def test_several_channels_are_chosen_and_plotted_together_or_each(self):
        page = self.page
        self.plot(["base.position.z"])
        page.locator("[data-test=channel-search]").fill("base.velocity")
        for axis in "xz":
            page.locator(f"[data-channel='base.velocity.{axis}'] input").check()
        self.click(page, "plot-together")
        self.eventually(page, "footfall.plots.length === 2")
        self.assertEqual(self.names()[1], ["base.velocity.x", "base.velocity.z"])
        for axis in "xz":
            page.locator(f"[data-channel='base.velocity.{axis}'] input").check()
        self.click(page, "plot-each")
        self.eventually(page, "footfall.plots.length === 4")
        page.locator("[data-channel='base.velocity.y'] input").check()
        self.click(page, "plot-add")
        self.eventually(page, "footfall.plots[3].names.length === 2")
        self.assertEqual(self.names()[3], ["base.velocity.z", "base.velocity.y"])
        page.locator("[data-test=channel-search]").fill("")

    def test_a_drag_upwards_zooms_across_and_a_double_click_shows_all(self):
        page = self.page
        self.plot(["base.position.z"])
        window = page.evaluate("footfall.plots[0].window")
        page.mouse.move(*self.over(0.5, 0.7))
        page.mouse.down()
        page.mouse.move(*self.over(0.51, 0.3), steps=6)
        page.mouse.up()
        self.eventually(page, "footfall.plots[0].spec.ranges.m !== undefined")
        self.assertEqual(page.evaluate("footfall.plots[0].window"), window)
        low, high = page.evaluate("footfall.plots[0].spec.ranges.m")
        whole = page.evaluate("[footfall.plots[0].low[0], footfall.plots[0].high[0]]")
        self.assertAlmostEqual((high - low) / (1.16 * (whole[1] - whole[0])), 0.4, delta=0.05)
        page.mouse.dblclick(*self.over(0.5, 0.5))
        self.eventually(page, "footfall.plots[0].spec.ranges.m === undefined")

    def test_two_cursors_tell_what_is_between_them(self):
        page = self.page
        self.plot(["base.position.z"])
        self.click(page, "cursors")
        self.eventually(page, "!document.querySelector('[data-cursor=A]').hidden")
        for name, part in (("A", 0.1), ("B", 0.6)):
            box = page.locator(f"[data-cursor={name}]").bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.mouse.move(*self.over(part, 0.5), steps=4)
            page.mouse.up()
        a, b = page.evaluate("footfall.app.plots.cursors")
        self.assertAlmostEqual(a, 0.2, delta=0.02)
        self.assertAlmostEqual(b, 1.2, delta=0.02)
        heights = [page.evaluate(f"footfall.app.source.rowAt({time}).then((row) => row.values[footfall.app.plots.plots[0].columns[0]])") for time in (a, b)]
        told = page.locator(".plot-legend .delta").first.inner_text()
        self.assertAlmostEqual(float(told.split()[1]), heights[1] - heights[0], delta=0.01 * abs(heights[1] - heights[0]))
        self.assertIn("Hz", page.locator("[data-test=between]").inner_text())
        self.assertEqual(page.evaluate("footfall.plots[0].window"), [0, page.evaluate("footfall.extent.stop")], "dragging a cursor does not zoom")
        self.click(page, "cursors")

    def test_a_line_can_be_hidden(self):
        page = self.page
        self.plot(["base.position.z", "com.position.z"])
        page.locator(".plot-legend .swatch").first.click()
        self.assertEqual(page.evaluate("footfall.plots[0].spec.hidden"), ["base.position.z"])
        self.assertFalse(page.evaluate("footfall.app.plots.plots[0].lines.chart.series[1].show"))
        page.locator(".plot-legend .swatch").first.click()
        self.assertTrue(page.evaluate("footfall.app.plots.plots[0].lines.chart.series[1].show"))

    def test_plots_can_be_moved_and_resized(self):
        page = self.page
        self.plot(["base.position.z"], ["base.velocity.z"])
        page.locator("[data-test=plot-handle]").nth(1).drag_to(page.locator(".plot").first, target_position={"x": 200, "y": 60})
        self.eventually(page, "footfall.plots[0].names[0] === 'base.velocity.z'")
        page.locator("[data-test=plot-menu]").first.click()
        self.click(page, "plot-down")
        self.eventually(page, "footfall.plots[1].names[0] === 'base.velocity.z'")
        grip = page.locator("[data-test=plot-grip]").first
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        page.mouse.move(box["x"] + 20, box["y"] + 3)
        page.mouse.down()
        page.mouse.move(box["x"] + 20, box["y"] + 63, steps=4)
        page.mouse.up()
        self.eventually(page, "footfall.plots[0].spec.height === 230")
        self.assertAlmostEqual(page.locator(".chart").first.bounding_box()["height"], 230, delta=1)

    def test_layouts_have_names(self):
        page = self.page
        self.plot(["base.position.z"], ["base.velocity.z"])
        self.click(page, "layouts")
        page.locator("[data-test=layout-name]").fill("heights <b>")
        self.click(page, "layout-save")
        self.plot(["energy.kinetic"])
        page.reload()
        self.eventually(page, "window.footfall !== undefined && footfall.plots.length === 1")
        self.click(page, "layouts")
        page.locator("[data-layout='heights <b>']").click()
        self.eventually(page, "footfall.plots.length === 2")
        self.assertEqual(self.names(), [["base.position.z"], ["base.velocity.z"]])

    def test_a_layout_from_elsewhere_is_not_believed(self):
        self.page.evaluate("""footfall.app.plots.setLayout([null, 7, {names: 'x'}, {names: ['no such channel']}, {names: ['base.position.z', 3], kind: 'pie', height: 1e9, cutoff: -1,
            ranges: {m: [2, 1], s: 'x'}}])""")
        self.eventually(self.page, "footfall.plots.length === 1")
        spec = self.page.evaluate("footfall.plots[0].spec")
        self.assertEqual((spec["names"], spec["kind"], spec["cutoff"], spec["ranges"]), (["base.position.z"], "time", 10, {}))
        self.assertLessEqual(spec["height"], 900)

    def test_an_svg_has_the_curves_and_their_names(self):
        page = self.page
        self.plot(["base.position.z", "base.velocity.z"])
        with page.expect_download() as download:
            self.click(page, "svg")
        tree = xml.etree.ElementTree.fromstring(pathlib.Path(download.value.path()).read_text())
        svg = "{http://www.w3.org/2000/svg}"
        self.assertEqual(tree.tag, f"{svg}svg")
        self.assertEqual(sum(len(path.get("d")) > 1000 for path in tree.iter(f"{svg}path")), 2)
        texts = [text.text or "" for text in tree.iter(f"{svg}text")]
        self.assertTrue(any(text.startswith("base.position.z [m]") for text in texts), texts)
        self.assertIn("time [s]", texts)

    def test_legends_of_an_svg_end_within_it(self):
        page = self.page
        self.plot(["base.angular_velocity.x", "base.angular_velocity.y"])
        over = page.evaluate("""() => {
            const picture = footfall.app.plots.svg();
            document.body.append(picture);
            const edge = picture.getBoundingClientRect().right, texts = [...picture.querySelectorAll('text')].filter((text) => text.textContent.includes('rms'));
            const over = texts.map((text) => text.getBoundingClientRect().right - edge);
            picture.remove();
            return over;
        }""")
        self.assertEqual(len(over), 2)
        self.assertLess(max(over), 0)

    def test_fingers_zoom_and_move(self):
        page = self.page
        self.plot(["base.position.z"])
        finger = """([id, type, x, y]) => document.querySelector('.u-over').dispatchEvent(
            new PointerEvent(type, {pointerId: id, pointerType: 'touch', clientX: x, clientY: y, bubbles: true}))"""
        touch = lambda *what: page.evaluate(finger, list(what))
        for k, part in ((1, 0.4), (2, 0.6)):
            touch(k, "pointerdown", *self.over(part, 0.5))
        touch(1, "pointermove", *self.over(0.2, 0.5))
        touch(2, "pointermove", *self.over(0.8, 0.5))
        self.eventually(page, "footfall.plots[0].window[1] - footfall.plots[0].window[0] < 1")
        narrow = page.evaluate("footfall.plots[0].window")
        touch(2, "pointerup", *self.over(0.8, 0.5))
        touch(1, "pointermove", *self.over(0.1, 0.5))
        self.eventually(page, f"footfall.plots[0].window[0] > {narrow[0]} + 0.01")
        touch(1, "pointerup", *self.over(0.1, 0.5))


class OneSelection(Browser):
    """What is picked is picked everywhere."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(ICUB, "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url, viewport={"width": 1300, "height": 800})
        cls.page.evaluate("footfall.app.source.command({do: 'step', count: 50})")
        cls.eventually(cls.page, "footfall.contacts().length === 8 && footfall.row.index === 50")
        cls.page.evaluate("footfall.meshesReady()")

    def setUp(self):
        self.page.keyboard.press("Escape")
        self.page.evaluate("footfall.app.viewport.lookAtRobot()")

    def test_a_line_of_the_table_picks_the_point_the_link_and_the_channels(self):
        page = self.page
        self.tab(page, "Contacts")
        page.locator("[data-contact='l_sole[2]']").click()
        foot = page.evaluate("footfall.app.source.scene.robot.candidates.find((each) => each.name === 'l_sole[2]').link")
        self.assertEqual(page.evaluate("footfall.selected"), foot)
        self.assertEqual(page.evaluate("footfall.app.source.scene.robot.candidates[footfall.app.viewport.contacts.picked].name"), "l_sole[2]")
        self.tab(page, "Plots")
        self.click(page, "own-channels")
        names = page.evaluate("[...document.querySelectorAll('[data-channel]')].map((each) => each.dataset.channel)")
        self.assertIn("l_sole[2].force.z", names)
        self.assertIn("l_sole.ground_force.normal", names)
        self.assertNotIn("r_sole.ground_force.normal", names)
        self.tab(page, "Link")
        link = page.evaluate(f"footfall.app.source.scene.robot.links[{foot}].name")
        self.assertEqual(page.locator(".links .picked").get_attribute("data-link"), link)

    def test_a_point_in_the_view_picks_its_line(self):
        page = self.page
        before = page.evaluate("footfall.app.viewport.lookAtRobot('front'); footfall.frames")
        self.eventually(page, f"footfall.frames > {before}")
        # Of those that no part of the robot hides.
        candidate, x, y = page.evaluate("""footfall.contacts().map(({ candidate, point }) => {
            const { viewport } = footfall.app, { camera } = viewport.rig, box = viewport.element.getBoundingClientRect();
            const p = new footfall.Vector3(...point), far = p.distanceTo(camera.position);
            p.project(camera);
            const [x, y] = [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height], hit = viewport.pointer.hit({ clientX: x, clientY: y });
            return !hit || hit.point.distanceTo(camera.position) > far ? [candidate, x, y] : null;
        }).find((each) => each !== null)""")
        page.mouse.click(x, y)
        picked = page.evaluate("footfall.app.selection.picked.contact")
        self.assertEqual(picked, candidate)
        name = page.evaluate("(picked) => footfall.app.source.scene.robot.candidates[picked].name", picked)
        self.eventually(page, f"document.querySelector('[data-test=contacts] tr.picked')?.dataset.contact === {name!r}")

    def test_a_link_marks_its_contacts_and_a_channel_picks_its_link(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([['r_knee.torque']])")
        page.locator("[data-entry='r_knee.torque'] .name").click()
        knee = page.evaluate("footfall.selected")
        self.assertIsNotNone(knee)
        robot = page.evaluate("(({ joints, dofs }) => ({ joints, dofs }))(footfall.app.source.scene.robot)")
        self.assertEqual(robot["dofs"][robot["joints"][knee - 1]["dof"]]["name"], "r_knee")
        foot = page.evaluate("footfall.app.source.scene.robot.candidates.find((each) => each.name === 'l_sole[0]').link")
        self.tab(page, "Contacts")
        page.evaluate(f"footfall.app.selection.pickLink({foot})")
        self.eventually(page, "document.querySelectorAll('[data-test=contacts] tr.near').length === 4")

    def test_the_table_is_sorted_and_filtered(self):
        page = self.page
        self.tab(page, "Contacts")
        forces = "[...document.querySelectorAll('[data-test=contacts] tbody tr')].map((row) => parseFloat(row.cells[4].textContent))"
        page.locator("[data-sort='normal force']").click()
        shown = page.evaluate(forces)
        self.assertEqual(shown, sorted(shown, reverse=True))
        page.locator("[data-sort='normal force']").click()
        shown = page.evaluate(forces)
        self.assertEqual(shown, sorted(shown))
        page.locator("[data-sort='normal force']").click()
        page.locator("[data-test=contact-filter]").fill("r_ stick")
        self.eventually(page, "document.querySelectorAll('[data-test=contacts] tbody tr').length === 4")
        page.locator("[data-test=contact-filter]").fill("")

    def test_links_can_be_hidden_and_looked_at(self):
        page = self.page
        self.tab(page, "Link")
        row = page.locator("[data-link=chest]")
        self.assertGreater(page.locator("[data-link]").count(), 20)
        chest = page.evaluate("footfall.link('chest')")
        shown = f"(() => {{ const [batch] = footfall.app.viewport.robot.visual, k = batch.bodies.findIndex((body) => body.link === {chest}); return batch.mesh.getVisibleAt(k); }})()"
        row.locator("input").uncheck()
        self.assertFalse(page.evaluate(shown))
        self.click(page, "show-links")
        self.assertTrue(page.evaluate(shown))
        far = page.evaluate("footfall.app.viewport.rig.camera.position.distanceTo(footfall.app.viewport.rig.controls.target)")
        row.dblclick()
        self.assertEqual(page.evaluate("footfall.selected"), chest)
        near = page.evaluate("footfall.app.viewport.rig.camera.position.distanceTo(footfall.app.viewport.rig.controls.target)")
        self.assertLess(near, 0.8 * far)
        before = page.evaluate("footfall.app.viewport.invalidate(); footfall.frames")
        self.eventually(page, f"footfall.frames > {before}")
        box = page.locator(".stage canvas").bounding_box()
        place = page.evaluate(f"footfall.project({chest})")
        self.assertLess(abs(place["x"] - box["x"] - box["width"] / 2), 0.25 * box["width"])
        self.assertLess(abs(place["y"] - box["y"] - box["height"] / 2), 0.25 * box["height"])


if __name__ == "__main__":
    unittest.main()
