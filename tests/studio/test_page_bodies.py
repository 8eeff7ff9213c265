"""Bodies beside the robot, and what is between them: contacts of pairs are contacts, but the ground does not carry by them."""

import unittest

from footfall_process import View, write_log
from page_case import Browser

# Three boxes on each other; the lowest one stands on the ground.
TOWER = """\
bodies:
  - {name: low, shape: box, size: [0.2, 0.2, 0.1], mass: 3, position: [0, 0, 0.05]}
  - {name: middle, shape: box, size: [0.2, 0.2, 0.1], mass: 2, position: [0.01, 0, 0.15]}
  - {name: top, shape: box, size: [0.1, 0.1, 0.1], mass: 1, position: [0, 0.02, 0.25]}
ground: {shape: plane, friction: 0.6}
run: {duration: 0.3 s}
"""
WEIGHT = 6 * 9.80665  # [N]


class Tower(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_folder()
        cls.scene = cls.folder / "tower.yaml"
        cls.scene.write_text(TOWER)

    def live_and_in_a_log(self, expect):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            page.evaluate("footfall.app.source.command({do: 'step', count: 200})")
            self.eventually(page, "footfall.row.index === 200")
            expect(page)
            page.context.close()
        with View(write_log(self.folder, "tower.mcap", str(self.scene))) as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            page.evaluate("footfall.seek(0.2 + 1e-6)")
            self.eventually(page, "footfall.row.index === 200")
            expect(page)

    def fact(self, page, panel, name):
        """What stands beside a name."""
        return page.evaluate("""([panel, name]) => [...document.querySelectorAll(`[data-test=${panel}] dt`)].find((each) => each.textContent === name)?.nextSibling.textContent""", [panel, name])

    def numbers(self, text):
        return [float(part) for part in text.split("(")[1].split(")")[0].split(",")]

    def expect_what_the_ground_carries(self, page):
        pairs = page.evaluate("footfall.contacts().filter((contact) => contact.other >= 0).length")
        self.assertGreater(pairs, 4)
        ground = page.evaluate("footfall.contacts().filter((contact) => contact.other < 0 && contact.mode !== 0)")
        self.assertAlmostEqual(sum(contact["force"][2] for contact in ground), WEIGHT, delta=0.01 * WEIGHT)
        plotted = page.evaluate("footfall.plots.flatMap((plot) => plot.names)")
        self.assertIn("com.position.z", plotted)
        self.assertNotIn("base.position.z", plotted, "there is no base that could move")
        self.tab(page, "Contacts")
        said = self.fact(page, "contacts", "contacts")
        self.assertIn(f"; {pairs} between links", said)
        carried = float(said.split("carry ")[1].split(" N")[0])
        self.assertAlmostEqual(carried, WEIGHT, delta=0.01 * WEIGHT)
        # The point below which all of it weighs: boxes are put side by side by their masses.
        x, y = self.numbers(self.fact(page, "contacts", "zero-moment point"))
        self.assertAlmostEqual(x, 2 * 0.01 / 6, delta=2e-4)
        self.assertAlmostEqual(y, 1 * 0.02 / 6, delta=2e-4)
        highest = page.evaluate("Math.max(...footfall.app.viewport.balance.border.geometry.getAttribute('position').array.filter((_, k) => k % 3 === 2))")
        self.assertLess(highest, 0.01, "the support polygon lies on the ground")
        self.tab(page, "Balance")
        self.eventually(page, "document.querySelector('[data-test=balance]').innerText.includes('from outside')")
        self.assertAlmostEqual(self.numbers(self.fact(page, "balance", "contact forces"))[2], WEIGHT, delta=0.01 * WEIGHT)
        for part in self.numbers(self.fact(page, "balance", "from outside (pushes)")):
            self.assertAlmostEqual(part, 0.0, delta=1e-3 * WEIGHT)

    def test_what_the_ground_carries_does_not_count_contacts_of_pairs(self):
        self.live_and_in_a_log(self.expect_what_the_ground_carries)

    def test_values_of_bodies_can_be_changed(self):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url)
            page.evaluate("footfall.app.source.command({do: 'set', key: 'bodies.2.mass', value: '4'})")
            self.eventually(page, "footfall.app.source.scene.changes.some(({ key }) => key === 'bodies.2.mass')")
            page.evaluate("footfall.app.source.command({do: 'step', count: 200})")
            self.eventually(page, "footfall.row.index >= 200")
            carried = page.evaluate("footfall.contacts().filter(({ other }) => other < 0).reduce((sum, { force }) => sum + force[2], 0)")
            self.assertAlmostEqual(carried, 9 * 9.80665, delta=0.01 * WEIGHT)

    def expect_selection(self, page):
        self.tab(page, "Contacts")
        line = page.locator("[data-contact*=' – ']").first
        name = line.get_attribute("data-contact")
        line.click()
        self.eventually(page, "document.querySelectorAll('[data-test=contacts] tr.picked').length > 0")
        self.assertEqual(set(page.evaluate("[...document.querySelectorAll('[data-test=contacts] tr.picked')].map((row) => row.dataset.contact)")), {name})
        # The mouse is still there: it is seen to be picked all the same.
        self.assertEqual(len(set(page.evaluate("[...document.querySelectorAll('[data-test=contacts] tr.picked')].map((row) => getComputedStyle(row).backgroundColor)"))), 1)
        link = page.evaluate("footfall.app.source.scene.robot.links[footfall.selected].name")
        self.assertIn(link, name.split(" – "))
        self.tab(page, "Plots")
        self.click(page, "own-channels")
        self.assertIn(f"{link}.position.z", page.evaluate("[...document.querySelectorAll('[data-channel]')].map((each) => each.dataset.channel)"))
        page.keyboard.press("Escape")
        # A link marks the contacts on both of its sides.
        self.tab(page, "Contacts")
        page.evaluate("footfall.app.selection.pickLink(footfall.link('middle'))")
        self.eventually(page, "document.querySelectorAll('[data-test=contacts] tr.near').length > 0")
        near = set(page.evaluate("[...document.querySelectorAll('[data-test=contacts] tr.near')].map((row) => row.dataset.contact)"))
        self.assertEqual(len(near), 2, near)
        page.keyboard.press("Escape")

    def test_a_contact_of_a_pair_is_picked_like_any_other(self):
        self.live_and_in_a_log(self.expect_selection)

    def test_a_point_between_two_bodies_picks_its_line(self):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1300, "height": 800})
            page.evaluate("footfall.app.source.command({do: 'step', count: 200})")
            self.eventually(page, "footfall.row.index === 200")
            self.after_a_picture(page, "footfall.app.viewport.lookAtRobot()")
            x, y = page.evaluate("""footfall.contacts().filter(({ other }) => other >= 0).map(({ point }) => {
                const { viewport } = footfall.app, { camera } = viewport.rig, box = viewport.element.getBoundingClientRect();
                const p = new footfall.Vector3(...point), far = p.distanceTo(camera.position);
                p.project(camera);
                const [x, y] = [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height], hit = viewport.pointer.hit({ clientX: x, clientY: y });
                return !hit || hit.point.distanceTo(camera.position) > far - 0.002 ? [x, y] : null;
            }).find((each) => each !== null)""")
            page.mouse.click(x, y)
            self.eventually(page, "document.querySelector('[data-test=contacts] tr.picked')?.dataset.contact.includes(' – ')")


if __name__ == "__main__":
    unittest.main()
