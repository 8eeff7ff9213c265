"""Loops, and ties: joints that are made and released while it runs. Drawn where they hold, and said in the tab Link."""

import unittest

from footfall_process import SOURCE, View, run, write_log
from page_case import Browser

# A ball hangs from the sky, falls at 0.1 s onto a plate, and sticks to it from 0.5 s on.
MAGNET = """\
bodies:
  - {name: plate, shape: box, size: [0.4, 0.4, 0.1], mass: 5, position: [0, 0, 0.05]}
  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 0.5]}
loops:
  - {name: crane, between: [world, ball], joint: ball, until: 0.1 s}
  - {name: glue, between: [plate, ball], joint: weld, from: 0.5 s, within: 1 cm}
ground: {shape: plane, friction: 0.6}
physics: {step: 1 ms}
run: {duration: 0.7 s}
"""
WEIGHT = 2 * 9.80665  # [N]


class Ties(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_folder()
        cls.scene = cls.folder / "magnet.yaml"
        cls.scene.write_text(MAGNET)
        cls.log = write_log(cls.folder, "magnet.mcap", str(cls.scene))

    def at(self, page, time):
        page.evaluate(f"footfall.seek({time} + 1e-6)")
        self.eventually(page, f"Math.abs(footfall.row.time - {time}) < 2e-3")

    def lines(self, page):
        """Of the table, by name: what stands in it, or nothing where it does not hold."""
        self.tab(page, "Link")
        self.eventually(page, "document.querySelectorAll('[data-test=loops] tbody tr').length > 0")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return {cells[0]: (cells[1:] if held == "true" else None) for held, *cells in page.evaluate(
            "[...document.querySelectorAll('[data-test=loops] tbody tr')].map((row) => [row.dataset.held, ...[...row.children].map((cell) => cell.textContent)])")}

    def expect_ties(self, page):
        self.at(page, 0.05)
        self.assertEqual(page.evaluate("footfall.app.viewport.loopsDrawn"), 1)
        lines = self.lines(page)
        self.assertEqual(lines["crane"][:3], ["ball", "world – ball", "0"])
        self.assertAlmostEqual(float(lines["crane"][3]), WEIGHT, delta=1e-3 * WEIGHT)
        self.assertIsNone(lines["glue"])
        self.at(page, 0.3)
        self.assertEqual(page.evaluate("footfall.app.viewport.loopsDrawn"), 0)
        self.assertEqual(self.lines(page), {"crane": None, "glue": None})
        self.at(page, 0.6)
        self.assertEqual(page.evaluate("footfall.app.viewport.loopsDrawn"), 1)
        lines = self.lines(page)
        self.assertIsNone(lines["crane"])
        self.assertEqual(lines["glue"][:2], ["weld", "plate – ball"])
        self.assertAlmostEqual(float(lines["glue"][3]), WEIGHT, delta=1e-2 * WEIGHT)
        page.locator("[data-test=loops] tr[data-held=true]").click()
        self.assertEqual(page.evaluate("footfall.app.source.scene.robot.links[footfall.selected].name"), "ball")
        self.assertIn("tie", page.locator("[data-test=legend]").inner_text())

    def test_ties_are_drawn_and_said_live_and_after_undo(self):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            page.evaluate("footfall.app.source.command({do: 'step', count: 650})")
            self.eventually(page, "footfall.row.index === 650")
            self.expect_ties(page)
            # Rows from here on are taken back, and come again.
            self.at(page, 0.3)
            page.evaluate("footfall.app.source.command({do: 'branch', index: footfall.row.index})")
            self.eventually(page, "footfall.extent.end < 310")
            page.evaluate("footfall.app.source.command({do: 'undo'})")
            self.eventually(page, "footfall.extent.end > 640")
            self.expect_ties(page)

    def test_ties_are_drawn_and_said_in_logs(self):
        with View(self.log) as view:
            self.expect_ties(self.open(view.url, viewport={"width": 1300, "height": 800}))

    def test_ties_are_drawn_and_said_in_reports(self):
        report = self.folder / "magnet.html"
        run("report", self.log, "-o", str(report))
        self.expect_ties(self.open(report.as_uri(), viewport={"width": 1300, "height": 800}))

    def test_a_table_says_that_it_only_counts_them(self):
        with View(write_log(self.folder, "magnet.csv", str(self.scene))) as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            self.at(page, 0.6)
            self.tab(page, "Link")
            self.eventually(page, "document.querySelector('[data-test=loops]').innerText.includes('1 tie holds now')")

    def test_loops_are_listed_with_what_they_carry(self):
        with View(str(SOURCE / "scenes" / "four_bar.yaml"), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            name, force = page.evaluate("""(() => { const [{ name }] = footfall.app.source.scene.robot.loops;
                return [name, Math.hypot(...['x', 'y', 'z'].map((axis) => footfall.value(`loop.${name}.force.${axis}`)))]; })()""")
            joint, _, gap, carried, _ = self.lines(page)[name]
            self.assertIn(joint, ("ball", "hinge"))
            self.assertLess(float(gap), 1e-6)
            self.assertAlmostEqual(float(carried), force, delta=1e-3 * force)
            self.assertEqual(page.evaluate("footfall.app.viewport.loopsDrawn"), page.evaluate("footfall.app.source.scene.robot.loops.length"))


if __name__ == "__main__":
    unittest.main()
