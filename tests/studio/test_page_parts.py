"""Parts of the page, one by one, on scenes that are cheap to draw."""

import csv
import io
import pathlib
import unittest

from footfall_process import BOX, SOURCE, View, temporary_folder, write_log
from page_case import Browser

# Names of things that can be pressed or typed into, and how far text stands out (WCAG AA asks for 4.5).
UNREADABLE = """() => {
    const bad = [], name = (e) => e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.[0]?.textContent.trim();
    for (const e of document.querySelectorAll('button, input, select, [role=separator]')) if (!name(e)) bad.push(e.outerHTML);
    const light = (color) => {
        const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (e) => {
        for (; e; e = e.parentElement) { const color = getComputedStyle(e).backgroundColor; if (/^rgb\\(/.test(color)) return color; }
        return 'rgb(255, 255, 255)';
    };
    for (const e of document.querySelectorAll('body *')) {
        const text = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent.trim()).join(''), color = getComputedStyle(e).color;
        if (!e.offsetParent || !text || !color.startsWith('rgb(')) continue;
        const a = light(color), b = light(behind(e)), contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (contrast < 4.5) bad.push(`${text}: ${contrast.toFixed(2)}`);
    }
    return bad;
}"""


def scene(name):
    return str(SOURCE / "scenes" / f"{name}.yaml")


class Time(Browser):
    """A ball that bounces."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(scene("bouncing_ball"), "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url)

    def setUp(self):
        self.page.evaluate("footfall.app.player.setRange(null); footfall.app.source.command({do: 'pause'}); footfall.app.source.command({do: 'reset'})")
        self.eventually(self.page, "footfall.time === 0 && !footfall.playing && footfall.extent.end === 1")

    def simulate(self, steps):
        """Exactly so many: rows arrive in parts, and whoever goes on after the first part meets the others later."""
        self.page.evaluate(f"for (let left = {steps}; left > 0; left -= 1000) footfall.app.source.command({{do: 'step', count: Math.min(left, 1000)}})")
        self.eventually(self.page, f"footfall.extent.end === {steps} + 1 && footfall.row.index === {steps}")

    def test_impulses_stay_in_the_view_while_time_runs(self):
        self.click(self.page, "play")
        self.eventually(self.page, """footfall.app.viewport.contacts.impulses.count > 0
            && footfall.contacts().every((contact) => contact.impulse.every((part) => part === 0))""")
        self.click(self.page, "play")
        self.eventually(self.page, "!footfall.playing && footfall.app.viewport.contacts.impulses.count === 0")

    def test_goes_to_the_impacts_on_either_side(self):
        page = self.page
        self.simulate(2000)
        page.evaluate("footfall.seek(0)")
        self.eventually(page, "footfall.row.index === 0")
        times = []
        for key in ("i", "i", "I"):
            before = page.evaluate("footfall.time")
            page.keyboard.press(key)
            self.eventually(page, f"footfall.time !== {before!r} && footfall.row.time === footfall.time")
            times.append(page.evaluate("footfall.time"))
            self.assertGreater(page.evaluate("Math.hypot(...footfall.contacts()[0].impulse)"), 0.0)
        self.assertLess(times[0], times[1])
        self.assertEqual(times[0], times[2])

    def test_repeats_a_part(self):
        page = self.page
        self.simulate(1000)
        for time, key in ((0.3, "["), (0.5, "]")):
            page.evaluate(f"footfall.seek({time})")
            self.eventually(page, f"Math.abs(footfall.row.time - {time}) < 1.1e-3")
            page.keyboard.press(key)
        self.assertTrue(page.locator("[data-test=range]").is_visible())
        seen = page.evaluate("""async () => {
            footfall.app.player.play();
            const times = [];
            let turns = 0;
            for (let last = footfall.time; turns < 3 && times.length < 3000; last = times.at(-1)) {
                await new Promise((done) => setTimeout(done, 10));
                times.push(footfall.time);
                turns += footfall.time < last;
            }
            return { turns, low: Math.min(...times), high: Math.max(...times) };
        }""")
        self.assertEqual(seen["turns"], 3)
        self.assertGreaterEqual(seen["low"], 0.3 - 1e-9)
        self.assertLessEqual(seen["high"], 0.5 + 1e-9)

    def test_traces_forget_what_was_taken_back(self):
        page = self.page
        self.simulate(1000)
        page.evaluate("footfall.app.viewport.addTrace(0)")
        self.eventually(page, "footfall.app.viewport.traces[0].length > 500")
        page.evaluate("footfall.app.source.command({do: 'reset'})")
        self.eventually(page, "footfall.extent.end === 1 && footfall.app.viewport.traces[0].length <= 2")
        page.evaluate("footfall.app.viewport.clearTraces()")

    def test_keys_do_what_the_help_says(self):
        page = self.page
        page.keyboard.press("?")
        self.assertTrue(page.locator("[data-test=help]").is_visible())
        self.assertIn("previous impact", page.locator("[data-test=help]").inner_text())
        page.keyboard.press("Escape")
        self.assertFalse(page.locator("[data-test=help]").is_visible())
        page.keyboard.press("-")
        self.assertEqual(page.evaluate("footfall.app.player.speed"), 0.5)
        page.keyboard.press("+")
        self.assertEqual(page.evaluate("footfall.app.player.speed"), 1)
        self.simulate(30)
        before = page.evaluate("footfall.row.index")
        page.keyboard.press("Shift+ArrowLeft")
        self.eventually(page, f"footfall.row.index === {before - 10}")
        page.keyboard.press("3")
        self.assertTrue(page.locator("[data-test=balance]").is_visible())

    def test_live_statistics_follow_the_rows(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([['base.position.z']])")
        start = page.evaluate("footfall.value('base.position.z')")
        self.click(page, "play")
        self.eventually(page, f"footfall.plots[0].low[0] < 0.5 * {start!r}")

    def test_waits_for_late_answers_instead_of_asking_again(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([])")
        page.evaluate("""(() => {
            const source = footfall.app.source, ask = source.series.bind(source);
            let open = 0;
            window.mostOpen = 0;
            source.series = async (...question) => {
                if (source.scene.columns[question[0][0]][0] !== 'base.position.x') return ask(...question);  // not a plot
                window.mostOpen = Math.max(window.mostOpen, ++open);
                const answer = await ask(...question);
                await new Promise((done) => setTimeout(done, 600));
                --open;
                return answer;
            };
        })()""")
        self.click(page, "play")
        page.evaluate("footfall.app.plots.setLayout([['base.position.x']])")
        self.eventually(page, "footfall.plots[0].points > 1500")
        self.assertEqual(page.evaluate("mostOpen"), 1)
        page.evaluate("delete footfall.app.source.series")


class Looks(Browser):
    """Anybody can read it, on any window."""

    def test_everything_has_a_name_and_can_be_read(self):
        with View(BOX) as view:
            for theme in ("dark", "light"):
                page = self.open(view.url, color_scheme=theme)
                for tab in ("Plots", "Contacts", "Balance", "Link", "Live"):
                    self.tab(page, tab)
                    self.assertEqual(page.evaluate(UNREADABLE), [], f"{theme}, {tab}")
                page.close()

    def test_small_windows_have_all_of_it(self):
        with View(BOX) as view:
            page = self.open(view.url, viewport={"width": 400, "height": 640})
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 400)
            for part in ("[data-test=play]", "[data-test=scrub]", ".stage canvas", "[data-tab=Live]", "[data-test=help-button]"):
                box = page.locator(part).bounding_box()
                self.assertLessEqual(box["x"] + box["width"], 400.5, part)
                self.assertGreater(box["height"], 8, part)
            # However long the name of the robot is.
            page.evaluate("document.querySelector('header .robot').textContent = 'robot_with_a_long_name '.repeat(9)")
            for button in page.locator("header > button").all():
                box = button.bounding_box()
                self.assertLessEqual(box["x"] + box["width"], 400.5)

    def test_phones_have_room_for_the_robot_and_for_plots_upright_and_on_their_side(self):
        with View(BOX, "--paused") as view:
            for width, height in ((390, 844), (844, 390)):
                page = self.open(view.url, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                stage, panel = page.locator(".stage").bounding_box(), page.locator(".side").bounding_box()
                self.assertGreater(stage["height"], 200)
                self.assertGreater(stage["width"], 300)
                self.assertGreater(panel["height"], 200)
                for part in ("[data-test=play]", "[data-test=scrub]", "[data-tab=Live]", "[data-test=theme]"):
                    box = page.locator(part).bounding_box()
                    self.assertLessEqual(box["x"] + box["width"], width + 0.5, part)
                    self.assertLessEqual(box["y"] + box["height"], height + 0.5, part)
                # A finger plots a channel, and what it plots is in sight.
                page.locator("[data-test=channel-search]").fill("kinetic")
                page.locator("[data-channel='energy.kinetic']").tap()
                self.eventually(page, "footfall.plots.at(-1).names[0] === 'energy.kinetic'")
                self.eventually(page, f"[...document.querySelectorAll('.plot')].at(-1).getBoundingClientRect().top < {height} - 100")
                page.close()

    def test_inertias_let_the_robot_be_seen(self):
        with View(scene("quadruped"), "--paused") as view:
            page = self.open(view.url, viewport={"width": 900, "height": 560})
            page.evaluate("footfall.meshesReady()")
            frames = page.evaluate("footfall.app.viewport.setLayers({...footfall.app.viewport.layers, inertia: true}); footfall.frames")
            self.eventually(page, f"footfall.frames > {frames}")
            opacity, wire = page.evaluate("(({ glass, rings }) => [glass.opacity, rings.mesh.material.wireframe])(footfall.app.viewport.inertia)")
            links = page.evaluate("footfall.app.source.scene.robot.links.length")
            self.assertLess(1 - (1 - opacity) ** links, 0.5, "all of them, in front of each other, hide less than half")
            self.assertTrue(wire)

    def test_the_camera_sees_the_whole_robot_beside_the_list(self):
        with View(scene("stewart_platform")) as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 640})
            self.eventually(page, "footfall.app.viewport.measured")
            list_right = page.evaluate("document.querySelector('.layers').getBoundingClientRect().right")
            stage = page.locator(".stage").bounding_box()
            for link in range(page.evaluate("footfall.app.source.scene.robot.links.length")):
                place = page.evaluate(f"footfall.project({link})")
                self.assertTrue(list_right < place["x"] < stage["x"] + stage["width"], place)
                self.assertTrue(stage["y"] < place["y"] < stage["y"] + stage["height"], place)


    def test_what_is_shown_can_be_chosen_and_is_kept(self):
        with View(BOX, "--paused") as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 640})
            page.evaluate("footfall.app.source.command({do: 'step', count: 1000})")
            self.eventually(page, "footfall.contacts().some((contact) => contact.mode !== 0)")
            arrows = "footfall.app.viewport.contacts.forces"
            self.assertGreater(page.evaluate(f"{arrows}.count"), 0)
            self.assertIn("sticking", page.locator("[data-test=legend]").inner_text())
            length = "footfall.app.viewport.contacts.forces.shafts.mesh.instanceMatrix.array.slice(8, 11).reduce((sum, x) => sum + x * x, 0) ** 0.5"
            before = page.evaluate(length)
            page.locator("[data-test=arrow-length]").evaluate("(bar) => { bar.value = 0.3; bar.dispatchEvent(new Event('input')); }")
            self.assertGreater(page.evaluate(length), 1.8 * before)
            for layer in ("contacts", "forces"):
                page.locator(f"[data-layer={layer}]").uncheck()
            self.assertFalse(page.evaluate(f"{arrows}.group.visible"))
            self.assertNotIn("sticking", page.locator("[data-test=legend]").inner_text())
            page.reload()
            self.eventually(page, "window.footfall !== undefined && footfall.row !== null")
            self.assertFalse(page.locator("[data-layer=forces]").is_checked())
            self.assertFalse(page.evaluate(f"{arrows}.group.visible"))


class Ground(Browser):
    """The ground that is drawn is the ground that carries."""

    BELOW = "(x, y, z) => footfall.app.viewport.ground.heightBelow(new footfall.Vector3(x, y, z))"

    def below(self, page, x, y, z):
        return page.evaluate(f"([x, y, z]) => ({self.BELOW})(x, y, z)", [x, y, z])

    def test_stairs_rise_step_by_step(self):
        with View(scene("stairs"), "--paused") as view:
            page = self.open(view.url)
            for step in range(8):
                self.assertAlmostEqual(self.below(page, 0.3 * step + 0.1, 0.0, 3.0), 0.15 * (step + 1), places=6)
            self.assertAlmostEqual(self.below(page, -1.0, 0.0, 3.0), 0.0, places=6)

    def test_every_ground_has_its_parameters(self):
        with View(scene("stairs"), "--paused") as view:
            page = self.open(view.url)
            self.tab(page, "Live")
            page.locator("[data-parameter='friction, stairs 1']").evaluate("(bar) => { bar.value = 0.25; bar.dispatchEvent(new Event('change')); }")
            self.eventually(page, "footfall.app.source.scene.grounds[1].friction === 0.25")
            self.assertEqual(page.evaluate("footfall.app.source.scene.grounds[0].friction"), 0.6)

    def test_contacts_lie_on_hills_and_on_what_moves(self):
        for name, tolerance in (("hills", 6e-3), ("lift", 1e-6), ("tilting_table", 1e-3)):
            with View(scene(name), "--paused") as view:
                page = self.open(view.url)
                page.evaluate("footfall.app.source.command({do: 'step', count: 900})")
                self.eventually(page, "footfall.row.index >= 900")
                contacts = [c for c in page.evaluate("footfall.contacts()") if c["mode"] != 0]
                self.assertGreater(len(contacts), 0, name)
                for contact in contacts:
                    x, y, z = contact["point"]
                    self.assertAlmostEqual(self.below(page, x, y, z + 0.02), z, delta=tolerance, msg=name)
                page.close()

    def test_belts_show_which_way_they_run(self):
        with View(scene("conveyor"), "--paused") as view:
            page = self.open(view.url)
            self.assertEqual(page.evaluate("footfall.app.viewport.ground.belts"), 1)


class PlotsOfALog(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = temporary_folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.log = write_log(cls.folder.name, "box.mcap", BOX, "--duration", "2")
        cls.view = View(cls.log)
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url)

    def setUp(self):
        self.tab(self.page, "Plots")
        self.page.evaluate("footfall.app.plots.setZoom(null)")
        self.page.evaluate("footfall.app.plots.setLayout([['base.position.z'], ['energy.kinetic', 'base.velocity.z']])")
        self.eventually(self.page, "footfall.plots.every((plot) => plot.points > 100)")

    def over(self, part, plot=0):
        box = self.page.locator(".u-over").nth(plot).bounding_box()
        return box["x"] + part * box["width"], box["y"] + 0.5 * box["height"]

    def window(self):
        return self.page.evaluate("footfall.plots[0].window")

    def test_a_click_goes_to_that_time_in_every_plot(self):
        self.page.mouse.click(*self.over(0.25))
        self.eventually(self.page, "Math.abs(footfall.row.time - 0.5) < 0.02")
        self.assertEqual(self.page.locator(".u-over .now").count(), 2)
        self.eventually(self.page, """Array.from(document.querySelectorAll('.u-over')).every((over) => {
            const line = over.querySelector('.now').getBoundingClientRect(), box = over.getBoundingClientRect();
            return Math.abs((line.left + line.width / 2 - box.left) / box.width - 0.25) < 0.01;
        })""")

    def test_legends_tell_the_values_below_the_mouse(self):
        page = self.page
        page.evaluate("footfall.seek(0)")
        self.eventually(page, "footfall.row.index === 0")
        page.mouse.move(*self.over(0.5))
        page.mouse.move(*self.over(0.75))
        self.eventually(page, "Math.abs(parseFloat(document.querySelectorAll('[data-test=under]')[1].textContent) - 1.5) < 0.02")
        height = page.evaluate("footfall.app.source.rowAt(1.5).then((row) => row.values[footfall.app.plots.plots[0].columns[0]])")
        shown = float(page.locator(".plot-legend b").first.inner_text().split()[0])
        self.assertAlmostEqual(shown, height, delta=1e-3 * abs(height))
        self.assertGreater(abs(page.evaluate("footfall.value('base.position.z')") - shown), 0.01)
        page.mouse.move(5, 5)
        self.eventually(page, "document.querySelectorAll('.plot-legend.hovered').length === 0")

    def test_times_lie_below_each_other(self):
        edges = self.page.evaluate("Array.from(document.querySelectorAll('.u-over')).map((o) => { const b = o.getBoundingClientRect(); return [b.left, b.right]; })")
        self.assertEqual(edges[0], edges[1])

    def test_wheel_zooms_and_shift_moves(self):
        page = self.page
        whole = self.window()
        page.mouse.move(*self.over(0.5))
        page.mouse.wheel(0, -100)
        self.eventually(page, f"footfall.plots[1].window[0] > {whole[0]} + 0.1")
        zoomed = self.window()
        self.assertAlmostEqual(zoomed[1] - zoomed[0], 0.8 * (whole[1] - whole[0]), delta=0.02)
        page.keyboard.down("Shift")
        page.mouse.wheel(0, 60)
        page.keyboard.up("Shift")
        self.eventually(page, f"footfall.plots[0].window[0] > {zoomed[0]} + 0.01")
        moved = self.window()
        self.assertAlmostEqual(moved[1] - moved[0], zoomed[1] - zoomed[0], places=9)
        page.mouse.dblclick(*self.over(0.5))
        self.eventually(page, f"footfall.plots[0].window[0] === {whole[0]}")

    def test_the_layout_is_kept(self):
        self.page.reload()
        self.eventually(self.page, "window.footfall !== undefined && footfall.plots.length === 2")
        self.assertEqual(self.page.evaluate("footfall.plots.map((plot) => plot.names)"), [["base.position.z"], ["energy.kinetic", "base.velocity.z"]])

    def test_a_table_has_every_row(self):
        with self.page.expect_download() as download:
            self.click(self.page, "csv")
        rows = list(csv.reader(io.StringIO(pathlib.Path(download.value.path()).read_text())))
        self.assertEqual(rows[0], ["time [s]", "base.position.z [m]", "energy.kinetic [J]", "base.velocity.z [m/s]"])
        self.assertEqual(len(rows), 1 + self.page.evaluate("footfall.extent.end"))
        self.page.evaluate("footfall.seek(1.0 + 1e-6)")
        self.eventually(self.page, "footfall.row.index === 1000")
        self.assertEqual(float(rows[1001][1]), self.page.evaluate("footfall.value('base.position.z')"))

    def test_pictures_can_be_taken_along(self):
        for button in ("png", "picture"):
            with self.page.expect_download() as download:
                self.click(self.page, button)
            self.assertEqual(pathlib.Path(download.value.path()).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_a_picked_link_shows_its_motion_and_plots_it(self):
        page = self.page
        page.evaluate("footfall.seek(0.2)")
        self.eventually(page, "footfall.row.index >= 199")
        self.tab(page, "Link")
        page.locator("[data-test=link-choice]").select_option("0")
        self.eventually(page, "document.querySelector('[data-test=link]').innerText.includes('angular velocity')")
        velocity = page.evaluate("footfall.app.viewport.linkMotion(0).v.z")
        self.assertEqual(velocity, page.evaluate("footfall.value('base.velocity.z')"))
        self.assertNotEqual(velocity, 0.0)
        page.locator("[data-test=plot-joint]").first.click()
        self.eventually(page, "footfall.plots.length === 3 && footfall.plots[2].names.every((name) => name.startsWith('base.'))")


if __name__ == "__main__":
    unittest.main()
