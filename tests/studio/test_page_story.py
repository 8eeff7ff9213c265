"""How scenes open, what turns is seen to turn, and what can be taken away: pictures, films, reports."""

import json
import pathlib
import re
import unittest

from footfall_process import BALANCING, BOX, SOURCE, View, run, temporary_folder, write_log
from page_case import Browser

STORY = """
robot: {model: box, base: {position: [0, 0, 0.3]}}
contacts: [{frame: box, collision: true}]
pushes:
  - {link: box, force: [3, 0, 0], start: 0.1 s, duration: 0.2 s}
view:
  camera: {position: [0.5, -3, 1], target: [0, 0, 0.25]}
  layers: {cones: true, com: false}
  plots: [[base.position.x, base.position.z], [energy.kinetic]]
  tab: contacts
  speed: 0.5
"""


class Story(Browser):
    def story(self, folder):
        path = pathlib.Path(folder) / "story.yaml"
        path.write_text(STORY)
        return str(path)

    def expect_story(self, page):
        self.eventually(page, "footfall.app.viewport.measured")
        camera = page.evaluate("[...footfall.app.viewport.rig.camera.position.toArray(), ...footfall.app.viewport.rig.controls.target.toArray()]")
        for shown, asked in zip(camera, (0.5, -3, 1, 0, 0, 0.25)):
            self.assertAlmostEqual(shown, asked, places=6)
        self.assertTrue(page.locator("[data-test=contacts]").is_visible())
        self.assertEqual(page.evaluate("footfall.plots.map((plot) => plot.names)"), [["base.position.x", "base.position.z"], ["energy.kinetic"]])
        self.assertEqual(page.evaluate("[footfall.app.viewport.layers.cones, footfall.app.viewport.layers.com]"), [True, False])
        self.assertEqual(page.evaluate("footfall.app.player.speed"), 0.5)

    def test_a_scene_and_its_log_open_as_the_scene_asks_for(self):
        with temporary_folder() as folder:
            path = self.story(folder)
            with View(path, "--paused") as view:
                page = self.open(view.url, viewport={"width": 1300, "height": 700})
                self.expect_story(page)
                # What somebody chooses counts more, the next time.
                page.locator("[data-layer=cones]").uncheck()
                page.reload()
                self.eventually(page, "window.footfall?.row && true")
                self.assertFalse(page.evaluate("footfall.app.viewport.layers.cones"))
                page.context.close()
            with View(write_log(folder, "story.mcap", path, "--duration", "0.5")) as view:
                self.expect_story(self.open(view.url))

    def live_and_in_a_log(self, folder, scene, expect):
        """What is seen after 400 steps of a live run, and in a log of half a second."""
        with View(scene, "--paused") as view:
            page = self.open(view.url)
            page.evaluate("footfall.app.source.command({ do: 'step', count: 400 })")
            self.eventually(page, "footfall.extent.end === 401")
            expect(page)
            page.context.close()
        with View(write_log(folder, "run.mcap", scene, "--duration", "0.5")) as view:
            expect(self.open(view.url))

    def expect_bodies(self, page):
        page.evaluate("footfall.seek(0.3 + 1e-6)")
        self.eventually(page, "Math.abs(footfall.row.time - 0.3) < 2e-3")
        place = page.evaluate("""(() => { const { robot } = footfall.app.source.scene, k = robot.links.findIndex((link) => link.name === 'ball');
            const column = (name) => footfall.row.values[footfall.app.source.scene.columns.findIndex(([each]) => each === name)];
            const e = footfall.app.viewport.robot.tree.links[k].matrixWorld.elements;
            return [e[12], e[13], e[14], column('ball.position.x'), column('ball.position.y'), column('ball.position.z')]; })()""")
        self.assertEqual(place[:3], place[3:])
        self.tab(page, "Link")
        page.locator("[data-link=ball]").click()
        self.assertIn("Plot ball.velocity", page.locator("[data-test=plot-joint]").all_text_contents())

    def test_bodies_are_where_they_are_live_and_in_logs(self):
        with temporary_folder() as folder:
            self.live_and_in_a_log(folder, str(SOURCE / "scenes" / "thrown_ball.yaml"), self.expect_bodies)

    def test_pushes_of_the_scene_are_drawn_live_and_in_logs(self):
        with temporary_folder() as folder:
            self.live_and_in_a_log(folder, self.story(folder), self.expect_push)

    def expect_push(self, page):
        for time, count in ((0.05, 0), (0.15, 1), (0.299, 1), (0.35, 0)):
            page.evaluate(f"footfall.seek({time} + 1e-6)")
            self.eventually(page, f"Math.abs(footfall.row.time - {time}) < 1e-3 && footfall.app.viewport.pushes.forces.count === {count}")

    def test_plots_that_there_are_not_are_named(self):
        with temporary_folder() as folder:
            path = pathlib.Path(folder) / "wrong.yaml"
            path.write_text(STORY.replace("energy.kinetic", "energy.kinetik"))
            with View(str(path), "--paused") as view:
                page = self.open(view.url)
                self.assertIn("energy.kinetik", page.locator(".toast.error").inner_text())

    def test_the_camera_sees_the_stairs_with_the_robot(self):
        with View(str(SOURCE / "scenes" / "stairs.yaml"), "--paused", "--set", "view.camera={}") as view:  # as if it asked for none
            page = self.open(view.url, viewport={"width": 1300, "height": 700})
            self.eventually(page, "footfall.app.viewport.measured")
            # The stairs nearest to the ball, with its edges, in the free part of the picture.
            outside = page.evaluate("""() => {
                const { viewport, source } = footfall.app, com = viewport.motion.com;
                const boxes = source.scene.grounds.flatMap((ground) => ground.boxes ?? []);
                const away = ({ pose }) => Math.hypot(pose.p[0] - com.x, pose.p[1] - com.y);
                const [{ pose, size }] = boxes.sort((a, b) => away(a) - away(b));
                return [-0.5, 0.5].flatMap((x) => [-0.3, 0.3].map((y) => new footfall.Vector3(pose.p[0] + x * size[0], pose.p[1] + y, pose.p[2] + 0.5 * size[2])))
                    .map((p) => p.project(viewport.rig.camera)).filter((p) => Math.abs(p.x) > 1 || Math.abs(p.y) > 1).length;
            }""")
            self.assertEqual(outside, 0)

    def test_all_of_the_stairs_are_beside_the_list(self):
        """Their own camera, in a window that has room for the list."""
        with View(str(SOURCE / "scenes" / "stairs.yaml"), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1440, "height": 900})
            self.eventually(page, "footfall.app.viewport.measured && document.querySelector('.layers').open")
            across = page.evaluate("""() => {
                const { viewport, source } = footfall.app, corners = [];
                for (const { pose, size } of source.scene.grounds.flatMap((ground) => ground.boxes ?? []))
                    for (const x of [-0.5, 0.5]) for (const y of [-0.5, 0.5]) corners.push(new footfall.Vector3(pose.p[0] + x * size[0], pose.p[1] + y * size[1], pose.p[2] + 0.5 * size[2]));
                viewport.rig.camera.updateMatrixWorld();
                const shown = corners.map((p) => p.project(viewport.rig.camera).x), covered = document.querySelector('.layers').getBoundingClientRect().right;
                return [Math.min(...shown), Math.max(...shown), -1 + (2 * covered) / document.querySelector('.stage').clientWidth];
            }""")
            left, right, covered = across
            self.assertGreater(left, covered)
            self.assertLess(right, 1)

    def test_a_camera_that_stays_sees_the_start_and_the_ground_whenever_it_comes(self):
        """Of a ball that falls a metre and lies still in the end."""
        seen = """[[0, 0, 1.2], [0, 0, 0]].every((p) => { const { x, y } = new footfall.Vector3(...p).project(footfall.app.viewport.rig.camera); return Math.abs(x) < 1 && Math.abs(y) < 1; })"""
        ball = str(SOURCE / "scenes" / "bouncing_ball.yaml")
        log = write_log(self.make_folder(), "ball.mcap", ball, "--duration", "5")
        for what, place in (((ball, "--paused"), ""), ((log,), "#t=5")):
            with View(*what) as view:
                page = self.open(view.url + place, viewport={"width": 1300, "height": 700})
                self.eventually(page, seen)
                page.context.close()

    def test_a_wide_diagram_has_the_width_of_a_large_window(self):
        wide = "document.querySelector('.diagram-view').classList.contains('wide')"
        with View(BALANCING, "--paused") as view:
            small = self.open(view.url)
            self.assertFalse(small.evaluate(wide))
            large = self.open(view.url, viewport={"width": 1440, "height": 900})
            self.assertTrue(large.evaluate(wide))
            self.click(large, "wide")
            large.reload()
            self.eventually(large, "window.footfall && footfall.row !== null")
            self.assertFalse(large.evaluate(wide), "what somebody chose counts more")


    def test_a_view_that_changes_its_size_is_drawn_at_once(self):
        """Its canvas is empty from then on: on a busy machine the next picture may come seconds later."""
        with View(BOX, "--paused") as view:
            page = self.open(view.url)
            drawn = page.evaluate("""() => {
                const { viewport } = footfall.app, frames = () => footfall.frames, before = frames();
                viewport.resize(321, 234);
                const once = frames() - before;
                viewport.resize(321, 234);
                return [once, frames() - before, viewport.element.width, viewport.element.height];
            }""")
            self.assertEqual(drawn, [1, 1, 321, 234], "once for each size")

    def test_menus_and_help_are_whole_in_every_window(self):
        with View(BOX, "--paused") as view:
            for width, height in ((1440, 900), (1024, 700), (390, 844), (844, 390)):
                page = self.open(view.url, viewport={"width": width, "height": height}, has_touch=width in (390, 844))
                for button, part in (("layouts", ".menu[open] .menu-list"), ("help-button", "[data-test=help] h2")):
                    self.click(page, button)
                    # The page moves a menu into the window when the browser says that it is open, which is after the click.
                    self.eventually(page, f"""(() => {{
                        const box = document.querySelector("{part}").getBoundingClientRect();
                        return box.width > 0 && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight;
                    }})()""")
                page.context.close()


class Turning(Browser):
    def test_wheels_spheres_and_discs_have_marks_that_turn_with_them(self):
        for name in ("rolling_wheel", "bouncing_ball", "euler_disc"):
            with View(str(SOURCE / "scenes" / f"{name}.yaml"), "--paused") as view:
                page = self.open(view.url)
                self.eventually(page, "footfall.app.viewport.measured")
                shades = page.evaluate("""[...new Set(footfall.app.viewport.robot.visual.filter((batch) => batch.material.vertexColors)
                    .flatMap((batch) => Array.from(batch.mesh.geometry.getAttribute('color').array)))].filter((shade) => shade > 0)""")
                self.assertEqual(len(shades), 2, name)
                page.context.close()


class Takeaway(Browser):
    def test_a_picture_and_a_film(self):
        with View(BOX) as view:
            page = self.open(view.url, viewport={"width": 700, "height": 420})
            with page.expect_download() as picture:
                self.click(page, "picture")
            self.assertEqual(pathlib.Path(picture.value.path()).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
            self.click(page, "film")
            self.eventually(page, "footfall.app.film.bytes > 2000")
            with page.expect_download() as film:
                self.click(page, "film")
            self.assertTrue(film.value.suggested_filename.endswith(".webm"))
            data = pathlib.Path(film.value.path()).read_bytes()
            self.assertEqual(data[:4], b"\x1a\x45\xdf\xa3")
            self.assertGreater(len(data), 2000)


class Compared(Browser):
    """Runs of one robot, and of another one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = temporary_folder()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.a = write_log(cls.folder.name, "a.mcap", BOX, "--duration", "1")
        cls.same = write_log(cls.folder.name, "same.mcap", BOX, "--duration", "1")
        cls.b = write_log(cls.folder.name, "b.mcap", BOX, "--duration", "1", "--set", "ground.friction=0.1", "--set", "robot.base.velocity=[0.5, 0, 0]")
        cls.ball = write_log(cls.folder.name, "ball.mcap", str(SOURCE / "scenes" / "bouncing_ball.yaml"), "--duration", "1")

    def test_says_where_runs_part_and_which_are_of_another_robot(self):
        with View(self.a, self.b, self.same, self.ball) as view:
            page = self.open(view.url, viewport={"width": 1200, "height": 640})
            self.eventually(page, "document.querySelectorAll('[data-test=first-difference]').length === 1")
            lines = page.locator(".runs .run").all_inner_texts()
            self.assertEqual(len(lines), 4)
            self.assertRegex(lines[1], r"b\.mcap\s*first differs at t = 0 s")
            self.assertRegex(lines[2], r"same\.mcap\s*the same at all common instants")
            self.assertRegex(lines[3], r"ball\.mcap\s*another robot: sphere")
            # A channel that another robot does not have leaves the others as they are.
            page.evaluate("footfall.plot('box.force.z')")
            self.eventually(page, "footfall.app.plots.plots.at(-1).lines.rangeOf('N')[1] > 5")
            legend = page.locator(".plot-legend").last.inner_text()
            self.assertIn("b.mcap", legend)
            self.assertNotIn("ball.mcap", legend)
            dashes = page.locator(".plot-legend").last.evaluate("(legend) => [...legend.querySelectorAll('i.dashed')].filter((i) => i.offsetParent).map((i) => getComputedStyle(i).backgroundImage)")
            self.assertEqual(len(dashes), 2)
            self.assertNotEqual(dashes[0], dashes[1], "b.mcap and same.mcap are told apart as in the plot")
            page.evaluate("footfall.seek(0.7)")
            self.click(page, "first-difference")
            self.eventually(page, "footfall.row.time === 0")
            page.context.close()

    def test_ghosts_can_be_switched_and_go_along_without_flickering(self):
        with View(self.a, self.b, self.same) as view:
            page = self.open(view.url, viewport={"width": 1200, "height": 640})
            self.eventually(page, "footfall.app.comparison.ghosts.every((ghost) => ghost.view.group.visible)")
            self.click(page, "play")
            seen = page.evaluate("""async () => {
                const hidden = [], behind = [];
                while (footfall.time < 0.8) {
                    await new Promise((done) => requestAnimationFrame(done));
                    for (const ghost of footfall.app.comparison.ghosts) {
                        hidden.push(!ghost.view.group.visible);
                        if (footfall.time > 0.2) behind.push(Math.abs(ghost.row.time - footfall.row.time));
                    }
                }
                return [hidden.some(Boolean), Math.max(...behind)];
            }""")
            self.assertFalse(seen[0])
            self.assertLess(seen[1], 0.1)
            page.locator("[data-ghost='b.mcap']").click()
            self.assertEqual(page.evaluate("footfall.app.comparison.ghosts.map((ghost) => ghost.view.group.visible)"), [False, True])
            page.locator("[data-layer=ghosts]").uncheck()
            self.assertEqual(page.evaluate("footfall.app.comparison.ghosts.map((ghost) => ghost.view.group.visible)"), [False, False])

    def test_reports_have_the_same_mesh_once_and_know_where_runs_part(self):
        icub = str(SOURCE / "scenes" / "icub.yaml")
        logs = [write_log(self.folder.name, name, icub, "--duration", "0.05") for name in ("first.mcap", "second.mcap")]
        report = str(pathlib.Path(self.folder.name) / "report.html")
        run("report", *logs, "-o", report)
        data = json.loads(re.search(r'<script id="footfall-report" type="application/json">(.*?)</script>', pathlib.Path(report).read_text()).group(1))
        self.assertEqual(data["runs"][0]["meshes"], data["runs"][1]["meshes"])
        self.assertEqual(sorted(set(data["runs"][0]["meshes"])), list(range(len(data["meshes"]))))
        page = self.open(pathlib.Path(report).as_uri() + "#t=0.02&tab=balance", viewport={"width": 1200, "height": 640})
        self.eventually(page, "Math.abs(footfall.row.time - 0.02) < 1.1e-3 && !document.querySelector('[data-test=balance]').hidden")
        self.eventually(page, "document.querySelector('[data-test=differs]').textContent.includes('the same')")
        self.eventually(page, "footfall.app.comparison.ghosts[0].view.bodyCount > 30")
        page.set_viewport_size({"width": 390, "height": 844})
        for button in page.locator("header > button").all():
            box = button.bounding_box()
            self.assertLessEqual(box["x"] + box["width"], 390.5)


if __name__ == "__main__":
    unittest.main()
