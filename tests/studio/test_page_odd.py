"""What nobody plans for: states that are not numbers, empty logs, heaps of contacts, names without end, hands that never leave the keys."""

import pathlib
import unittest

from footfall_process import BOX, SOURCE, View, write_log
from page_case import Browser

LONG = "a_name_that_a_program_has_made_of_everything_it_knew_about_this_one_body_and_then_some_more_number"
LONG_NAMES = f"""\
bodies:
  - {{name: {LONG}_1, shape: box, size: [0.2, 0.2, 0.1], mass: 3, position: [0, 0, 0.05]}}
  - {{name: {LONG}_2, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 0.21]}}
loops:
  - {{name: {LONG}_tie, between: [{LONG}_1, {LONG}_2], joint: weld, from: 0 s, within: 2 cm}}
ground: {{shape: plane, friction: 0.6}}
"""


def rows_of(table):
    """Lines in front of the rows of a table, the names of its columns, and the rows."""
    lines = pathlib.Path(table).read_text().splitlines()
    head = next(k for k, line in enumerate(lines) if not line.startswith("#"))
    return lines[:head + 1], lines[head].split(","), [line.split(",") for line in lines[head + 1:]]


def write_rows(path, head, rows):
    path.write_text("\n".join([*head, *(",".join(row) for row in rows)]) + "\n")
    return str(path)


class Odd(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_folder()

    def test_a_state_that_is_not_a_number_leaves_the_camera_where_it_was(self):
        head, names, rows = rows_of(write_log(self.folder, "box.csv", BOX, "--duration", "0.3"))
        for row in rows[100:150]:
            for k, name in enumerate(names):
                if name.startswith("base."):
                    row[k] = "nan"
        with View(write_rows(self.folder / "nan.csv", head, rows)) as view:
            page = self.open(view.url)
            camera = "[...footfall.app.viewport.rig.camera.position.toArray(), ...footfall.app.viewport.rig.controls.target.toArray()]"
            for time in (0.12, 0.2):
                page.evaluate(f"footfall.seek({time} + 1e-6)")
                self.eventually(page, f"Math.abs(footfall.row.time - {time}) < 1e-3")
                self.after_a_picture(page, "")
                self.assertTrue(page.evaluate(f"{camera}.every(Number.isFinite)"))
                self.assertEqual(page.evaluate("footfall.app.viewport.things.visible"), time > 0.15, "what has no place is not drawn")
            self.assertTrue(page.evaluate("footfall.value('base.position.z') > 0"))
            # In one go: it does not stay for long.
            said = page.evaluate("footfall.seek(0.12 + 1e-6).then(() => [...document.querySelectorAll('.toast.error')].map((toast) => toast.textContent).join())")
            self.assertIn("not made of numbers", said)

    def test_a_log_that_begins_with_no_numbers_is_looked_at_later(self):
        head, names, rows = rows_of(write_log(self.folder, "box2.csv", BOX, "--duration", "0.3"))
        for row in rows[:50]:
            for k, name in enumerate(names):
                if name.startswith("base."):
                    row[k] = "nan"
        with View(write_rows(self.folder / "nan2.csv", head, rows)) as view:
            page = self.open(view.url)
            page.evaluate("footfall.seek(0.2 + 1e-6)")
            self.eventually(page, "Math.abs(footfall.row.time - 0.2) < 1e-3")
            self.after_a_picture(page, "")
            self.assertTrue(page.evaluate("(() => { const { x, y } = footfall.app.viewport.motion.com.clone().project(footfall.app.viewport.rig.camera); return Math.abs(x) < 1 && Math.abs(y) < 1; })()"))

    def test_an_empty_log_says_so(self):
        head, _, _ = rows_of(write_log(self.folder, "box3.csv", BOX, "--duration", "0.01"))
        with View(write_rows(self.folder / "empty.csv", head, [])) as view:
            page = self.tab_in(self.browser.new_context())
            page.goto(view.url)
            self.eventually(page, "document.querySelector('.toast.error')?.textContent.includes('no rows')")

    def test_the_last_row_of_a_log_says_that_no_step_follows(self):
        with View(write_log(self.folder, "end.mcap", BOX, "--duration", "0.3")) as view:
            page = self.open(view.url)
            self.tab(page, "Contacts")
            facts = page.locator("[data-test=contacts] .facts")
            page.evaluate("footfall.seek(0.2)")
            self.eventually(page, "document.querySelector('[data-test=contacts] .facts').innerText.includes('solve')")
            page.evaluate("footfall.seek(1e9)")
            self.eventually(page, "footfall.row.index === footfall.extent.end - 1 && document.querySelector('[data-test=contacts] .facts').innerText.includes('ends here')")
            self.assertNotIn("NaN", facts.inner_text())

    def test_arrows_fit_to_a_robot_of_three_centimetres(self):
        """tippe_top.yaml: a force of its weight is drawn about as long as it is high."""
        with View(str(SOURCE / "scenes" / "tippe_top.yaml"), "--paused") as view:
            page = self.open(view.url)
            page.evaluate("footfall.meshesReady()")
            high, long = page.evaluate("""(() => { const { viewport } = footfall.app, box = viewport.robot.boxOf(0);
                return [box.max.z - box.min.z, viewport.size]; })()""")
            self.assertLess(long, 2 * high)

    def test_every_contact_of_a_heap_is_drawn(self):
        with View(BOX, "--paused") as view:
            page = self.open(view.url)
            page.evaluate("footfall.app.source.command({ do: 'step', count: 600 })")
            self.eventually(page, "footfall.row.index === 600 && footfall.contacts().length > 0")
            self.after_a_picture(page, "footfall.app.viewport.contacts.show(Array(1500).fill({ ...footfall.contacts()[0], mode: 1, force: [0, 0, 5] }), null)")
            self.assertEqual(page.evaluate("[footfall.app.viewport.contacts.balls.mesh.count, footfall.app.viewport.contacts.forces.count]"), [1500, 1500])

    def test_keys_alone_go_through_trees_and_tables(self):
        focused = "[document.activeElement.tagName, document.activeElement.dataset.group ?? document.activeElement.dataset.contact]"
        with View(BOX, "--paused") as view:
            page = self.open(view.url)
            page.evaluate("footfall.app.source.command({ do: 'step', count: 600 })")
            self.eventually(page, "footfall.row.index === 600 && footfall.contacts().length > 0")
            page.locator("[data-group=base]").focus()
            page.keyboard.press("Enter")
            self.assertEqual(page.evaluate(focused), ["LI", "base"], "the keys go on where they were")
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
            self.assertEqual(page.evaluate("[document.activeElement.type, document.activeElement.checked]"), ["checkbox", True])
            self.tab(page, "Contacts")
            row = page.locator("[data-test=contacts] tr[data-contact]").first
            row.focus()
            page.keyboard.press("Enter")
            self.eventually(page, "document.activeElement.classList.contains('picked')")

    def test_what_rises_stays_in_the_picture(self):
        outside = """() => { const { viewport } = footfall.app, { min, max } = viewport.robot.box();
            return [min, max].flatMap((a) => [min, max].flatMap((b) => [min, max].map((c) => new footfall.Vector3(a.x, b.y, c.z).project(viewport.rig.camera))))
                .filter(({ x, y }) => Math.abs(x) > 1 || Math.abs(y) > 1).length; }"""
        with View(str(SOURCE / "scenes" / "gripper.yaml"), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1100, "height": 640})
            self.eventually(page, "footfall.app.viewport.measured")
            self.after_a_picture(page, "")
            self.assertEqual(page.evaluate(outside), 0)
            page.evaluate("footfall.app.source.command({ do: 'step', count: 1000 })")
            self.eventually(page, "footfall.row.time > 0.9")
            self.after_a_picture(page, "")
            self.assertEqual(page.evaluate(outside), 0)
            # A camera that follows leaves it no more room than there is above it.
            left = page.evaluate("""(() => { const { rig, motion } = footfall.app.viewport, up = motion.com.clone();
                rig.look(motion.com);
                const before = rig.camera.position.z;
                up.z += 0.5 * rig.radius;
                rig.follow(up, true);
                return (0.5 * rig.radius - (rig.camera.position.z - before)) / rig.radius; })()""")
            self.assertLess(left, 0.2)

    def test_every_tab_is_in_sight(self):
        hidden = """() => { const box = document.querySelector('.tabs').getBoundingClientRect();
            return [...document.querySelectorAll('.tabs button')].filter((tab) => { const r = tab.getBoundingClientRect();
                return r.left < box.left || r.right > box.right + 0.5 || r.bottom > box.bottom + 1
                    || document.elementFromPoint(r.right - 2, r.top + r.height / 2) !== tab; }).map((tab) => tab.textContent); }"""
        with View(str(SOURCE / "scenes" / "falling_box.yaml"), "--paused") as view:
            page = self.open(view.url)
            for size in ((1000, 700), (900, 560), (820, 600), (761, 600), (760, 600), (390, 844), (844, 390)):
                page.set_viewport_size({"width": size[0], "height": size[1]})
                self.assertEqual(page.evaluate(hidden), [], size)

    def test_long_names_stay_within_the_page(self):
        scene = self.folder / "long.yaml"
        scene.write_text(LONG_NAMES)
        wide = "() => [...document.querySelectorAll('header, .side, .panel:not([hidden]), .timeline')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1).length"
        with View(str(scene), "--paused") as view:
            for size in ({"width": 1024, "height": 700}, {"width": 390, "height": 844}):
                page = self.open(view.url, viewport=size)
                for tab in ("Plots", "Contacts", "Balance", "Diagram", "Link", "Live"):
                    self.tab(page, tab)
                    self.assertEqual(page.evaluate(wide), 0, tab)
                    self.assertEqual(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True, tab)
                page.context.close()


if __name__ == "__main__":
    unittest.main()
