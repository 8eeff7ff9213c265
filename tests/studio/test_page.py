"""The page of the studio in a real browser."""

import pathlib
import unittest

from footfall_process import BALANCING, BOX, ICUB, SOURCE, View, run, temporary_folder, write_log
from page_case import Browser


class LivePage(Browser):
    """One view of a scene for all tests of a class, which starts anew for each."""

    scene = ICUB
    first_tab = "Plots"
    layers = {"shadows": False}  # half of the triangles that software has to draw: on a busy machine clicks wait for pictures

    @classmethod
    def show(cls, **layers):
        cls.page.evaluate("(layers) => footfall.app.viewport.setLayers({ ...footfall.app.viewport.layers, ...layers })", layers)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(cls.scene, "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url)
        cls.show(**cls.layers)

    def setUp(self):
        self.page.evaluate("footfall.app.source.command({do: 'pause'}); footfall.app.source.command({do: 'reset'})")
        self.eventually(self.page, "footfall.time === 0 && !footfall.playing")
        self.tab(self.page, self.first_tab)

    def pull_at_the_base(self, until):
        """With the mouse, while the simulation plays, until something is true in the page."""
        page = self.page
        self.show(body=True)
        self.look_at_robot(page)
        self.click(page, "play")
        place = page.evaluate("footfall.project(0)")
        page.mouse.move(place["x"], place["y"])
        page.keyboard.down("Control")
        page.mouse.down()
        page.mouse.move(place["x"] + 90, place["y"] - 10, steps=5)
        self.eventually(page, until)
        page.mouse.up()
        page.keyboard.up("Control")
        self.show(**self.layers)


class LiveRobot(LivePage):
    """iCub on its feet."""

    def test_shows_the_robot(self):
        self.assertGreater(self.page.evaluate("footfall.meshesReady()"), 30)
        # Blank, or nearly, it would have fewer colors.
        self.eventually(self.page, """(() => {
            const view = document.querySelector('.stage canvas'), copy = document.createElement('canvas');
            copy.width = 200; copy.height = 150;
            const pen = copy.getContext('2d');
            pen.drawImage(view, 0, 0, 200, 150);
            const data = pen.getImageData(0, 0, 200, 150).data, seen = new Set();
            for (let i = 0; i < data.length; i += 4) seen.add((data[i] >> 4) << 8 | (data[i + 1] >> 4) << 4 | data[i + 2] >> 4);
            return seen.size > 12;
        })()""")

    def test_plays_pauses_steps_and_scrubs(self):
        page = self.page
        self.click(page, "play")
        self.eventually(page, "footfall.playing && footfall.time > 0.2")
        self.click(page, "play")
        self.wait_for_pause(page)
        paused = page.evaluate("footfall.time")
        for _ in range(20):  # answers of the server, each of which takes longer than a step would
            self.assertEqual(page.evaluate("footfall.app.source.rowAt(1e9).then((newest) => newest.time)"), paused)
        self.assertEqual(page.evaluate("footfall.time"), paused)
        self.click(page, "step")
        self.eventually(page, f"footfall.time > {paused + 0.0005}")
        self.assertAlmostEqual(page.evaluate("footfall.time"), paused + 1e-3, places=9)
        self.click(page, "back")
        self.eventually(page, f"Math.abs(footfall.time - {paused}) < 1e-9")
        page.locator("[data-test=scrub]").evaluate("(bar) => { bar.value = 5000; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change')); }")
        half = 0.5 * (paused + 1e-3)
        self.eventually(page, f"Math.abs(footfall.row.time - {half}) < 1.1e-3")
        self.click(page, "play")  # replays what was recorded, and goes on from its end
        self.eventually(page, f"footfall.playing && footfall.time > {paused + 0.1}")

    def test_plots_a_channel_that_was_searched_for(self):
        page = self.page
        self.tab(page, "Plots")
        page.locator("[data-test=channel-search]").fill("l_knee tor")
        item = page.locator("[data-channel='l_knee.torque']")
        item.drag_to(page.locator("[data-test=drop]"))
        self.click(page, "play")
        self.eventually(page, "footfall.plots.some((plot) => plot.names.includes('l_knee.torque') && plot.points > 100)")
        self.click(page, "play")
        self.wait_for_pause(page)
        self.click(page, "whole")
        self.eventually(page, "footfall.plots.at(-1).points > 100")
        recorded = page.evaluate("""async () => {
            const column = footfall.app.source.scene.columns.findIndex(([name]) => name === 'l_knee.torque');
            const rows = await footfall.app.source.rows(0, 1e9, 2000);
            const values = rows.map((row) => row.values[column]);
            return [Math.min(...values), Math.max(...values)];
        }""")
        # The plot asks the server for the whole run, and gets it a moment later.
        self.eventually(page, f"footfall.plots.at(-1).low[0] <= {recorded[0]!r} && footfall.plots.at(-1).high[0] >= {recorded[1]!r}")

    def test_pushes_the_robot_with_the_mouse(self):
        still = self.page.evaluate("footfall.value('base.position.x')")
        self.pull_at_the_base(f"Math.abs(footfall.value('base.position.x') - {still}) > 2e-3")

    def test_picks_a_link_and_shows_its_data(self):
        page = self.page
        self.look_at_robot(page)
        place = page.evaluate("footfall.project(0)")
        page.mouse.click(place["x"], place["y"])
        self.assertIsNotNone(page.evaluate("footfall.selected"))
        self.assertIn("kg", page.locator("[data-test=link]").inner_text())

    def test_contacts_carry_the_weight(self):
        page = self.page
        self.click(page, "play")
        self.eventually(page, "footfall.time > 0.3")
        self.click(page, "play")
        self.wait_for_pause(page)
        carried = page.evaluate("footfall.contacts().reduce((sum, contact) => sum + contact.force[2], 0)")
        self.assertAlmostEqual(carried, 324.3, delta=3.0)
        self.tab(page, "Contacts")
        self.eventually(page, "document.querySelectorAll('[data-test=contacts] tbody tr').length === 8")
        self.assertIn("sticking", page.locator("[data-test=contacts] tbody").inner_text())
        self.tab(page, "Balance")
        self.eventually(page, "document.querySelector('[data-test=balance]').innerText.includes('from outside')")
        self.tab(page, "Diagram")
        self.eventually(page, "document.querySelectorAll('[data-test=diagram] .block').length >= 9")
        self.eventually(page, "document.querySelectorAll('[data-test=block-times] [data-time]').length === 2")
        self.assertIn("µs", page.locator("[data-test=stage-times]").inner_text())

    def test_changes_parameters_saves_and_restores(self):
        page = self.page
        self.tab(page, "Live")
        page.locator("[data-parameter=friction]").evaluate("(bar) => { bar.value = 0.25; bar.dispatchEvent(new Event('change')); }")
        self.eventually(page, "footfall.app.source.scene.grounds[0].friction === 0.25 && footfall.contacts()[0]?.friction === 0.25")
        self.click(page, "save")
        self.eventually(page, "footfall.app.source.scene.saved.length === 1")
        saved = page.evaluate("footfall.app.source.scene.saved[0].time")
        self.click(page, "play")
        self.eventually(page, f"footfall.time > {saved + 0.2}")
        self.click(page, "play")
        self.eventually(page, "!footfall.playing")
        page.locator("[data-test=restore]").first.click()
        self.eventually(page, f"Math.abs(footfall.time - {saved}) < 1e-9")
        page.locator("[data-parameter=incline]").evaluate("(bar) => { bar.value = 5; bar.dispatchEvent(new Event('change')); }")
        self.eventually(page, "Math.abs(footfall.app.source.scene.grounds[0].incline - 5 * Math.PI / 180) < 1e-6")
        self.eventually(page, "footfall.contacts().length === 8")  # carried along with the ground


class LiveDiagram(LivePage):
    """iCub with a controller: the scene has a diagram of its own."""

    scene = BALANCING
    first_tab = "Diagram"
    layers = {"shadows": False, "body": False}

    def play_until(self, time_reached):
        self.click(self.page, "play")
        self.eventually(self.page, f"footfall.time > {time_reached}")
        self.click(self.page, "play")
        self.wait_for_pause(self.page)

    def label(self, signal):
        return self.page.locator(f"[data-value='{signal}']").first.text_content()

    def test_values_on_its_lines_change(self):
        self.assertEqual(self.page.locator("[data-test=diagram] [data-block]").count(), 6)
        names = ["robot.nu", "com.position", "controller.torque", "motors.torque"]
        before = {name: self.label(name) for name in names}
        self.play_until(0.3)
        for name in names:
            self.assertNotEqual(self.label(name), before[name], name)
        self.assertIn(" m", self.label("com.position"))
        # Scrubbing shows what was there.
        later = self.label("controller.torque")
        self.page.evaluate("footfall.seek(0)")
        self.eventually(self.page, "footfall.row.index === 0")
        self.eventually(self.page, f"document.querySelector(\"[data-value='controller.torque']\").textContent !== {later!r}")
        self.assertEqual(self.label("controller.torque"), before["controller.torque"])

    def test_a_click_shows_the_whole_signal(self):
        self.play_until(0.1)
        self.page.locator("[data-value='controller.torque']").first.click()
        numbers = self.page.locator("[data-test=signal] .numbers span")
        self.assertEqual(numbers.count(), 23)
        shown = self.page.evaluate("footfall.value('controller.torque.3')")
        self.assertAlmostEqual(float(numbers.nth(3).evaluate("(cell) => cell.lastChild.textContent")), shown, delta=1e-4 * abs(shown) + 1e-9)
        self.page.locator("[data-value='controller.torque']").first.click()

    def test_is_not_cut_off_beside_the_robot(self):
        inside = """(() => {
            const box = (selector) => document.querySelector(selector).getBoundingClientRect(), panel = box('[data-test=diagram]'), view = box('.diagram-view'), bar = box('.timeline');
            return view.top >= panel.top && view.left >= panel.left && view.right <= panel.right && view.bottom <= bar.top
                && [...document.querySelectorAll('.diagram-view .block')].every((block) => { const b = block.getBoundingClientRect(); return b.top >= view.top && b.bottom <= view.bottom; });
        })()"""
        self.eventually(self.page, inside)
        self.click(self.page, "wide")
        self.click(self.page, "wide")
        self.eventually(self.page, inside)

    def test_two_fingers_zoom(self):
        page = self.page
        width = "document.querySelector('.diagram-view .zoomed').viewBox.baseVal.width"
        before = page.evaluate(width)
        page.evaluate("""() => {
            const picture = document.querySelector('.diagram-view .zoomed'), box = picture.getBoundingClientRect(), y = box.top + box.height / 2;
            const finger = (type, id, part) => picture.dispatchEvent(new PointerEvent(type, {pointerId: id, pointerType: 'touch', clientX: box.left + part * box.width, clientY: y, bubbles: true}));
            finger('pointerdown', 1, 0.45);
            finger('pointerdown', 2, 0.55);
            finger('pointermove', 1, 0.3);
            finger('pointermove', 2, 0.7);
            finger('pointerup', 1, 0.3);
            finger('pointerup', 2, 0.7);
        }""")
        self.assertAlmostEqual(page.evaluate(width), before / 4, delta=0.02 * before)
        page.locator("[data-test=diagram] .diagram-bar button", has_text="Fit").click()
        self.assertEqual(page.evaluate(width), before)

    def test_idle_ports_are_counted_and_named_on_demand(self):
        robot = self.page.locator("[data-block=robot]")
        self.assertRegex(robot.text_content(), r"\+ \d+ idle")
        ports = self.page.evaluate("footfall.app.source.scene.diagram.drawing.blocks.find((block) => block.path === 'robot').outputs")
        idle = [port["name"] for port in ports if not port["connected"]]
        self.assertGreater(len(idle), 2)
        self.assertNotIn(idle[0], robot.text_content())
        robot.locator("rect").first.click()
        self.assertIn(idle[0], self.page.locator("[data-test=signal]").inner_text())
        robot.locator("rect").first.click()

    def test_entries_of_vectors_are_called_by_their_joints(self):
        self.play_until(0.1)
        self.page.locator("[data-value='controller.torque']").first.click()
        names = self.page.locator("[data-test=signal] .numbers small").all_inner_texts()
        self.assertEqual(names, self.page.evaluate("footfall.app.source.scene.robot.dofs.map((dof) => dof.name)"))
        self.page.locator("[data-value='controller.torque']").first.click()
        self.page.locator("[data-value='com.position']").first.click()
        self.assertNotIn("knee", self.page.locator("[data-test=signal] .numbers").inner_text())
        self.page.locator("[data-value='com.position']").first.click()

    def test_the_profile_has_medians_and_99th_percentiles(self):
        self.play_until(0.3)
        self.eventually(self.page, "document.querySelectorAll('[data-test=stage-times] [data-time]').length === 7")
        self.assertIn("median", self.page.locator("[data-test=stage-times]").inner_text())
        cells = "[...document.querySelector('[data-test=block-times] [data-time=robot]').cells].slice(3).map((cell) => parseFloat(cell.textContent))"
        mean, median, most, worst = self.page.evaluate(cells)
        self.assertLessEqual(median, most)
        self.assertLessEqual(most, worst)
        self.assertLessEqual(mean, worst)
        self.assertGreater(median, 0)

    def test_says_how_long_blocks_and_stages_take(self):
        self.play_until(0.3)
        self.eventually(self.page, "document.querySelectorAll('[data-test=block-times] [data-time]').length === 6")
        self.assertEqual(self.page.locator("[data-test=stage-times] [data-time]").count(), 7)
        for block in ("robot", "controller"):
            text = self.page.locator(f"[data-test=block-times] [data-time={block}]").inner_text()
            self.assertRegex(text, r"[1-9].*%")
        self.assertIn("µs", self.page.locator("[data-test=block-times]").inner_text())
        self.assertIn("µs", self.page.locator("[data-block=robot] .time").text_content())

    def test_pauses_steps_and_resets(self):
        self.play_until(0.05)
        paused = self.page.evaluate("footfall.time")
        self.click(self.page, "step")
        self.eventually(self.page, f"Math.abs(footfall.time - {paused} - 1e-3) < 1e-9")
        self.tab(self.page, "Live")
        self.click(self.page, "reset")
        self.eventually(self.page, "footfall.time === 0")

    def row(self, index):
        """Time, state and forces of a row that was recorded."""
        self.page.evaluate(f"footfall.seek({index / 1000 + 1e-4})")
        self.eventually(self.page, f"footfall.row.index === {index}")
        return self.page.evaluate("Array.from(footfall.row.values).slice(0, 60)")

    def test_is_pushed_with_the_mouse_and_restored(self):
        page = self.page
        self.tab(page, "Live")
        self.click(page, "save")
        self.eventually(page, "footfall.app.source.scene.saved.length > 0")
        self.play_until(0.5)
        undisturbed = self.row(400)
        page.evaluate("footfall.app.source.command({do: 'restore', name: footfall.app.source.scene.saved[0].name})")
        self.eventually(page, "footfall.extent.end === 1")
        page.evaluate("footfall.app.source.command({do: 'speed', value: 0.05})")  # time for the mouse, on a busy machine too
        self.pull_at_the_base("footfall.time > 0.45")
        page.evaluate("footfall.app.source.command({do: 'speed', value: 1})")
        self.click(page, "play")
        self.eventually(page, "!footfall.playing")
        self.assertNotEqual(self.row(400), undisturbed)
        page.locator("[data-test=restore]").first.click()
        self.eventually(page, "footfall.extent.end === 1")
        self.play_until(0.5)
        self.assertEqual(self.row(400), undisturbed)


class DiagramLog(Browser):
    def test_shows_the_signals_that_were_logged(self):
        with temporary_folder() as folder, View(write_log(folder, "a.mcap", BALANCING, "--duration", "0.5", "--no-log-meshes")) as view:
            page = self.open(view.url)
            self.tab(page, "Diagram")
            self.assertEqual(page.locator("[data-test=diagram] [data-block]").count(), 6)
            page.evaluate("footfall.seek(0.3001)")
            self.eventually(page, "footfall.row.index === 300")
            logged = page.evaluate("footfall.value('controller.torque.0')")
            self.eventually(page, f"Math.abs(parseFloat(document.querySelector(\"[data-value='controller.torque']\").textContent) / {logged} - 1) < 0.06")
            missing = page.locator("[data-value='motors.torque']").first
            self.assertIn("missing", missing.get_attribute("class"))
            self.assertIn("23", missing.text_content())
            self.assertIn("Only live", page.locator("[data-test=block-times]").inner_text())
            self.assertEqual(page.locator("[data-test=diagram] h3:visible").all_inner_texts(), ["TIME OF EACH BLOCK", "INSIDE THE ROBOT’S STEP"], "none with nothing below it")


class Restart(Browser):
    expected = (*Browser.expected, "status of 401")  # until the new server knows the browser

    def test_comes_back_after_the_server_did_and_its_address_was_opened(self):
        first = View(BOX)
        context = self.browser.new_context(viewport={"width": 500, "height": 300})
        page = self.open_in(context, first.url)
        self.eventually(page, "footfall.time > 0.1")
        first.stop()
        self.eventually(page, "!footfall.connected")
        with View(BOX, port=first.port) as second:
            self.eventually(page, "document.querySelector('[data-test=connection]').textContent.includes('open the address')")
            self.open_in(context, second.url)
            self.eventually(page, "footfall.connected && footfall.playing && footfall.time > 0.05")
            self.assertEqual(page.locator("[data-test=connection]").inner_text(), "live")


class Logs(Browser):
    """Two runs of the same robot: one is pushed less than the other."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = temporary_folder()
        cls.addClassCleanup(cls.folder.cleanup)
        demo = str(SOURCE / "scenes" / "demo.yaml")
        cls.log = write_log(cls.folder.name, "a.mcap", demo, "--duration", "1.5")
        cls.other = write_log(cls.folder.name, "b.mcap", demo, "--duration", "1.5", "--set", "ground.friction=0.2")
        cls.csv = write_log(cls.folder.name, "a.csv", demo, "--duration", "1.5")

    def rows_of_csv(self):
        lines = [line for line in pathlib.Path(self.csv).read_text().splitlines() if not line.startswith("#")]
        names = [name.split(" [")[0] for name in lines[0].split(",")]
        return names, [line.split(",") for line in lines[1:]]

    def test_shows_the_forces_of_the_log(self):
        names, rows = self.rows_of_csv()
        with View(self.log) as view:
            page = self.open(view.url)
            for index in (0, 400, 1100):
                time_of_row = float(rows[index][0])
                page.evaluate(f"footfall.seek({time_of_row} + 1e-6)")
                self.eventually(page, f"footfall.row.index === {index}")
                shown = page.evaluate("Array.from(footfall.row.values)")
                columns = page.evaluate("footfall.app.source.scene.columns.map(([name]) => name)")
                for name, text in zip(names, rows[index]):
                    if text:
                        self.assertEqual(shown[columns.index(name)], float(text), name)
                # The arrows: normal forces of the points are those of the log.
                for contact in page.evaluate("footfall.contacts()"):
                    if contact["candidate"] < 0:
                        continue
                    name = page.evaluate(f"footfall.app.source.scene.robot.candidates[{contact['candidate']}].name")
                    logged = float(rows[index][names.index(name + ".force.z")])
                    normal = sum(f * n for f, n in zip(contact["force"], contact["normal"]))
                    self.assertAlmostEqual(normal, logged, delta=1e-9 * (1 + abs(logged)))

    def test_replays_loops_and_finds_impacts(self):
        with View(self.log) as view:
            page = self.open(view.url)
            self.assertFalse(page.evaluate("footfall.live"))
            self.click(page, "play")
            self.eventually(page, "footfall.time > 0.3")
            self.click(page, "play")
            self.eventually(page, "!footfall.playing")
            page.evaluate("footfall.seek(footfall.extent.stop - 0.05)")
            self.click(page, "loop")
            self.click(page, "play")
            self.eventually(page, "footfall.time < 0.5")

    def test_compares_two_runs(self):
        with View(self.log, self.other, self.csv) as view:
            page = self.open(view.url)
            page.evaluate("footfall.seek(1.2)")
            page.evaluate("footfall.plot('base.position.x')")
            names = ["base.position.x", "base.position.x (b.mcap)", "base.position.x (a.csv)"]
            self.eventually(page, f"JSON.stringify(footfall.plots.at(-1).names) === JSON.stringify({names})")
            legend = page.locator(".plot-legend").last.inner_text()
            for name in ("a.mcap", "b.mcap", "a.csv"):
                self.assertIn(name, legend)
            page.locator("[data-test=difference]").check()
            self.eventually(page, "footfall.plots.at(-1).names.length === 2 && footfall.plots.at(-1).points > 100")
            # The table holds the same run as the first log, the second log another one.
            spans = page.evaluate("footfall.plots.at(-1).high.map((high, k) => high - footfall.plots.at(-1).low[k])")
            self.assertGreater(spans[0], 1e-7)
            self.assertLess(spans[1], 1e-9)

    def test_writes_a_report_that_needs_no_server(self):
        report = str(pathlib.Path(self.folder.name) / "report.html")
        run("report", self.log, "-o", report)
        asked = []
        page = self.open(pathlib.Path(report).as_uri(), lambda request: asked.append(request.url))
        self.assertGreater(page.evaluate("footfall.meshesReady()"), 30)
        names, rows = self.rows_of_csv()
        page.evaluate("footfall.seek(1.0 + 1e-6)")
        self.eventually(page, "footfall.row.index === 1000")
        self.assertEqual(page.evaluate("footfall.value('base.position.z')"), float(rows[1000][names.index("base.position.z")]))
        page.evaluate("footfall.plot('base.position.z')")
        self.eventually(page, "footfall.plots.at(-1).points > 1000")
        self.click(page, "play")
        self.eventually(page, "footfall.time > 1.2")
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:", "blob:"))], [], "it asked the network")


if __name__ == "__main__":
    unittest.main()
