"""A block Scope is a plot of its own: live, from a log, in the list of plots, and by a double click in the diagram."""

import unittest

from footfall_process import View, write_log
from page_case import Browser

SCENE = """\
robot: {model: rr_arm, base: {fixed: true}, initial: {shoulder: 0.3, elbow: -0.2}}
hold: {enabled: false}
physics: {step: 1 ms}
run: {duration: 0.5 s}
diagram:
  blocks:
    wave: {block: Sine, amplitude: [0.5, 0.3], frequency: 2}
    pd: {block: PD, kp: 60, kd: 6}
    robot: Robot
    tracking: {block: Scope, inputs: [wanted, real]}
    inner: Inner
  connect:
    - wave -> pd.desired_position, tracking.wanted
    - robot.state.joints_position -> pd.position, tracking.real
    - robot.state.joints_velocity -> pd.velocity
    - pd -> robot.torque, inner.in
  subdiagrams:
    Inner:
      inputs: {in: }
      blocks: {twice: {block: Gain, factor: 2}, look: Scope}
      connect: [in -> twice -> look]
"""
CHANNELS = ["wave.out.0", "wave.out.1", "robot.state.joints_position.0", "robot.state.joints_position.1"]
INNER = ["inner.twice.out.0", "inner.twice.out.1"]


class Scopes(Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_folder()
        cls.scene = cls.folder / "scope.yaml"
        cls.scene.write_text(SCENE)

    def titled(self, page):
        return {plot["spec"]["title"]: plot for plot in page.evaluate("footfall.plots") if plot["spec"]["title"]}

    def check_plots(self, page):
        """They stand in the list from the start, with their names, and have numbers."""
        plots = self.titled(page)
        self.assertEqual(sorted(plots), ["inner.look", "tracking"])
        self.assertEqual(plots["tracking"]["names"], CHANNELS)
        self.assertEqual(plots["inner.look"]["names"], INNER)
        self.assertIn("tracking", page.locator("[data-test=plot-what]").all_text_contents())
        self.eventually(page, "footfall.plots.filter((plot) => plot.spec.title).every((plot) => plot.points > 50 && plot.high[0] > 0.2)")
        high = self.titled(page)["tracking"]["high"]
        self.assertAlmostEqual(high[0], 0.5, delta=1e-3)  # the sine's own amplitude

    def check_double_click(self, page):
        page.evaluate("for (const button of document.querySelectorAll('[data-test=plot-remove]')) button.click()")
        self.eventually(page, "footfall.plots.length === 0")
        self.tab(page, "Diagram")
        page.locator("[data-block=tracking] .name").dblclick()
        self.eventually(page, "!document.querySelector('[data-test=plots]').hidden && footfall.plots.length === 1")
        self.assertEqual(list(self.titled(page)), ["tracking"])
        # Once more shows the same one.
        self.tab(page, "Diagram")
        page.locator("[data-block=tracking] .name").dblclick()
        self.eventually(page, "!document.querySelector('[data-test=plots]').hidden")
        self.assertEqual(len(page.evaluate("footfall.plots")), 1)

    def test_live(self):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1100, "height": 700})
            page.evaluate("footfall.app.source.command({do: 'step', count: 400})")
            self.eventually(page, "footfall.extent.end === 401")
            self.tab(page, "Plots")
            self.check_plots(page)
            self.check_double_click(page)
            page.close()

    def test_from_a_log(self):
        for ending in ("mcap", "csv"):
            log = write_log(self.folder, f"run.{ending}", str(self.scene))
            with View(log) as view:
                page = self.open(view.url, viewport={"width": 1100, "height": 700})
                self.tab(page, "Plots")
                self.check_plots(page)
                self.check_double_click(page)
                page.close()

    def test_a_scope_that_is_drawn_shows_up_by_itself(self):
        with View(str(self.scene), "--paused") as view:
            page = self.open(view.url, viewport={"width": 1440, "height": 900})
            self.tab(page, "Diagram")
            self.click(page, "edit")
            self.eventually(page, "footfall.editor?.revision > 0")
            page.evaluate("""async () => {
                const { document, revision } = footfall.editor, ask = (question) => footfall.app.source.ask(question);
                document.blocks.push({ name: 'torques', kind: 'Scope', sample: '', when: '', for: '', parameters: [] });
                document.lines.push({ from: 'pd.out', to: 'torques.in', for: '' });
                const state = await ask({ ask: 'edit', revision, document });
                footfall.app.source.command({ do: 'diagram', revision: state.revision });
            }""")
            self.eventually(page, "window.footfall?.row && footfall.plots.some((plot) => plot.spec.title === 'torques')")
            # In the editor a double click leads there, too.
            self.tab(page, "Diagram")
            self.eventually(page, "document.querySelector('[data-node=torques]')")
            page.locator("[data-node=torques] .name").dblclick()
            self.eventually(page, "!document.querySelector('[data-test=plots]').hidden")
            page.close()


if __name__ == "__main__":
    unittest.main()
