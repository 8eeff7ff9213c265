"""What the page shows of a live simulation is what the server does: for several pages, after reloads, without a server, and back in time."""

import pathlib
import unittest

from footfall_process import BOX, SOURCE, View, temporary_folder
from page_case import Browser
from web_socket import Pass, WebSocket


def scene(name):
    return str(SOURCE / "scenes" / f"{name}.yaml")


class LiveBox(Browser):
    """A box that falls, one view for all tests of a class."""

    scene = BOX

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(cls.scene, "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.context = cls.browser.new_context(viewport={"width": 1100, "height": 700})
        cls.page = cls.open_in(cls.context, cls.view.url)

    def setUp(self):
        self.do("pause")
        self.do("speed", value=1)
        self.do("reset")
        self.eventually(self.page, "footfall.time === 0 && !footfall.playing && footfall.extent.end === 1 && footfall.app.player.speed === 1")

    def do(self, verb, **fields):
        self.page.evaluate("(message) => footfall.app.source.command(message)", {"do": verb, **fields})

    def simulate(self, steps):
        self.do("step", count=steps)
        self.eventually(self.page, f"footfall.extent.end === {steps} + 1 && footfall.row.index === {steps}")

    def look_back(self, time):
        self.page.evaluate(f"footfall.seek({time} + 1e-6)")
        self.eventually(self.page, f"Math.abs(footfall.row.time - {time}) < 1e-9")


class Truth(LiveBox):
    def second_tab(self):
        page = self.open_in(self.context, f"http://127.0.0.1:{self.view.port}/")
        self.addCleanup(page.close)
        return page

    def test_a_second_tab_and_a_reload_show_what_the_server_does(self):
        page = self.page
        page.locator("[data-test=speed]").select_option("0.25")
        self.eventually(page, "footfall.app.source.pace.speed === 0.25")
        self.tab(page, "Live")
        page.locator("[data-parameter=friction]").evaluate("(bar) => { bar.value = 0.35; bar.dispatchEvent(new Event('change')); }")
        self.click(page, "play")
        other = self.second_tab()
        for each in (other, page):
            self.eventually(each, "footfall.playing && footfall.app.player.speed === 0.25 && document.querySelector('[data-test=speed]').value === '0.25'")
            self.assertEqual(each.locator("[data-test=play]").get_attribute("data-state"), "true")
            self.tab(each, "Live")
            self.eventually(each, "document.querySelector('[data-parameter=friction]').value === '0.35'")
        page.reload()
        self.eventually(page, "window.footfall?.row && footfall.playing && footfall.app.player.speed === 0.25")
        self.assertEqual(page.locator("[data-test=speed]").input_value(), "0.25")

    def test_a_speed_that_is_not_in_the_list_is_shown_too(self):
        self.do("speed", value=0.37)
        self.eventually(self.page, "document.querySelector('[data-test=speed]').value === '0.37'")

    def test_pages_read_what_the_others_do(self):
        other = self.second_tab()
        self.eventually(self.page, "document.querySelector('[data-test=pages]').textContent === '2 pages'")
        self.do("set", key="ground.friction", value="0.4")
        said = "document.querySelector('[data-test=others]')?.textContent === 'Another page: ground.friction = 0.4'"
        self.eventually(other, said)
        self.assertFalse(self.page.evaluate(said))  # what another test has left there may still be shown
        # What is refused, only who has asked for it reads.
        self.do("set", key="ground.friction", value="-1")
        self.eventually(self.page, "document.querySelector('.toast.error')?.textContent.includes('friction')")
        self.assertEqual(other.locator(".toast.error").count(), 0)
        self.page.locator(".toast.error").evaluate("(toast) => toast.remove()")

    def test_a_bar_whose_value_was_refused_goes_back(self):
        page = self.page
        self.tab(page, "Live")
        before = page.locator("[data-parameter=friction]").input_value()
        page.locator("[data-parameter=friction]").evaluate("(bar) => { bar.min = -5; bar.value = -2; bar.dispatchEvent(new Event('change')); }")
        self.eventually(page, "document.querySelector('.toast.error') !== null")
        self.eventually(page, f"document.querySelector('[data-parameter=friction]').value === {before!r}")
        page.locator(".toast.error").evaluate("(toast) => toast.remove()")

    def test_space_plays_wherever_the_focus_is(self):
        page = self.page
        playing = False
        for control in ("[data-tab=Contacts]", "[data-test=theme]", "[data-layer=contacts]", "[data-test=loop]", "[data-test=loop]", ".layers summary", ".layers summary"):
            page.locator(control).click()
            self.assertFalse(page.evaluate("document.activeElement === document.body"), control)
            before = page.evaluate("[document.documentElement.dataset.theme, document.querySelector('[data-layer=contacts]').checked, document.querySelector('.layers').open]")
            if control == "[data-test=loop]" and page.evaluate("footfall.app.player.loop"):
                continue  # replays: tried elsewhere
            page.keyboard.press("Space")
            playing = not playing
            self.eventually(page, f"footfall.playing === {str(playing).lower()}")
            after = page.evaluate("[document.documentElement.dataset.theme, document.querySelector('[data-layer=contacts]').checked, document.querySelector('.layers').open]")
            self.assertEqual(after, before, f"{control} was pressed as well")
        page.locator("[data-test=speed]").focus()
        page.keyboard.press("Space")
        self.eventually(page, f"footfall.playing === {str(not playing).lower()}")
        self.tab(page, "Live")
        page.locator("[aria-label='Its value']").click()
        page.keyboard.type("1 2")
        self.assertEqual(page.locator("[aria-label='Its value']").input_value(), "1 2")

    def test_pulling_while_paused_says_so_and_is_drawn_later(self):
        page = self.page
        self.look_at_robot(page)
        place = page.evaluate("footfall.project(0)")
        page.mouse.move(place["x"], place["y"])
        page.keyboard.down("Control")
        page.mouse.down()
        page.mouse.move(place["x"] + 60, place["y"] - 60, steps=4)
        self.eventually(page, "document.querySelector('[data-test=hint]').textContent.startsWith('paused')")
        page.evaluate("footfall.app.player.play()")
        self.eventually(page, "footfall.row.pushes.length === 1 && footfall.time > 0.05")
        # Somebody else sees it as well.
        other = self.second_tab()
        self.eventually(other, "footfall.app.viewport.pushes.forces.count === 1")
        page.mouse.up()
        page.keyboard.up("Control")
        self.eventually(page, "footfall.row.pushes.length === 0")
        page.evaluate("footfall.app.player.pause()")
        self.eventually(page, "!footfall.playing")
        page.evaluate("footfall.seek(0.03)")
        self.eventually(page, "Math.abs(footfall.row.time - 0.03) < 2e-3 && footfall.app.viewport.pushes.forces.count === 1")
        self.assertIn("push", page.locator("[data-test=legend]").inner_text())

    @staticmethod
    def let_the_scene_take_its_time(page):
        """As a busy machine does."""
        page.evaluate("""(() => {
          const fetchNow = window.fetch;
          window.fetch = async (address, options) => {
            const answer = await fetchNow(address, options);
            if (options?.method !== 'HEAD') await new Promise((done) => setTimeout(done, 400));
            return answer;
          };
        })()""")

    def test_plots_and_traces_have_no_hole_where_the_connection_was_lost(self):
        page = self.page
        self.tab(page, "Plots")
        page.evaluate("footfall.app.plots.setLayout([['base.position.z']]); footfall.app.viewport.addTrace(0)")
        page.evaluate("footfall.app.player.play()")
        self.eventually(page, "footfall.time > 0.3 && footfall.plots[0].points > 20")
        self.let_the_scene_take_its_time(page)
        page.evaluate("footfall.app.source.connection.socket.close()")
        self.eventually(page, "!footfall.connected")
        lost = page.evaluate("footfall.extent.stop")
        self.eventually(page, f"footfall.connected && footfall.extent.stop > {lost} + 0.4")
        page.evaluate("footfall.app.player.pause()")
        self.wait_for_pause(page)
        widest = "Math.max(...times.map((time, k) => time - (times[k - 1] ?? time)))"
        self.eventually(page, f"(() => {{ const times = [...footfall.plots[0].x]; return times.at(-1) > {lost} + 0.4 && {widest} < 0.1; }})()")
        self.eventually(page, f"(() => {{ const times = footfall.app.viewport.traces[0].points.map(({{ time }}) => time); return times.at(-1) > {lost} + 0.4 && {widest} < 0.1; }})()")
        page.evaluate("footfall.app.viewport.clearTraces()")

    def test_traces_are_fine_where_pictures_are_far_apart(self):
        """Ten times as quick as time, or on a machine that draws seldom."""
        page = self.page
        page.evaluate("footfall.app.viewport.addTrace(0); footfall.app.source.command({ do: 'speed', value: 10 })")
        page.evaluate("footfall.app.player.play()")
        self.eventually(page, "footfall.time > 4")
        page.evaluate("footfall.app.player.pause()")
        self.wait_for_pause(page)
        self.eventually(page, """(() => {
            const times = footfall.app.viewport.traces[0].points.map(({ time }) => time);
            return times.at(-1) === footfall.extent.stop && Math.max(...times.map((time, k) => time - (times[k - 1] ?? time))) < 0.05;
        })()""")
        page.evaluate("footfall.app.viewport.clearTraces(); footfall.app.source.command({ do: 'speed', value: 1 })")

    def test_names_of_others_are_only_numbers(self):
        """A client without a page is one of the others, too."""
        known = Pass(self.view)
        with WebSocket(self.view.port, known.headers(), known.path("/ws")) as client:
            self.assertGreaterEqual(client.receive_json("welcome")["client"], 0)
            client.send_json({"do": "speed", "value": 2})
            self.eventually(self.page, "document.querySelector('[data-test=others]')?.textContent === 'Another page: speed 2'")


class BackInTime(LiveBox):
    def test_save_keeps_the_shown_instant(self):
        self.simulate(600)
        self.look_back(0.25)
        state = self.page.evaluate("Array.from(footfall.row.values).slice(0, 14)")
        self.tab(self.page, "Live")
        self.click(self.page, "save")
        self.eventually(self.page, "footfall.app.source.scene.saved.some(({ time }) => Math.abs(time - 0.25) < 1e-9)")
        self.page.locator("[data-test=restore]").last.click()
        self.eventually(self.page, "footfall.extent.end === 251 && footfall.row.index === 250")
        self.assertEqual(self.page.evaluate("Array.from(footfall.row.values).slice(0, 14)"), state)

    def test_play_goes_on_from_the_shown_instant_and_the_old_future_stays(self):
        page = self.page
        self.simulate(900)
        old = page.evaluate("footfall.value('base.position.z')")
        self.look_back(0.3)
        self.assertIn("from here", page.locator("[data-test=play]").get_attribute("title"))
        page.keyboard.press("Space")
        self.eventually(page, "footfall.playing && footfall.time > 0.35 && footfall.app.source.scene.former?.time > 0.29")
        page.keyboard.press("Space")
        self.eventually(page, "!footfall.playing && footfall.app.comparison.ghosts.length === 1")
        page.evaluate("footfall.seek(0.9 + 1e-6)")
        self.assertEqual(page.evaluate("footfall.app.source.former.rowAt(0.9 + 1e-6).then((row) => row.values[footfall.app.source.scene.columns.findIndex(([name]) => name === 'base.position.z')])"), old)
        self.eventually(page, "footfall.app.comparison.ghosts[0].row !== null && footfall.app.comparison.ghosts[0].view.group.visible")
        self.assertIn("former run", page.locator("[data-test=legend]").inner_text())
        page.keyboard.press("u")
        self.eventually(page, "footfall.extent.end === 901")

    def test_a_reset_can_be_undone(self):
        page = self.page
        self.simulate(400)
        self.tab(page, "Live")
        self.click(page, "reset")
        self.eventually(page, "footfall.extent.end === 1")
        self.click(page, "undo")
        self.eventually(page, "footfall.extent.end === 401 && footfall.row.index === 400")

    def test_what_was_recorded_can_be_watched_again(self):
        page = self.page
        self.simulate(900)
        self.look_back(0.1)
        epoch = page.evaluate("footfall.extent.epoch")
        page.keyboard.press("Shift+Space")
        self.eventually(page, "footfall.app.player.replaying && footfall.time > 0.2")
        page.keyboard.press("Space")
        self.eventually(page, "!footfall.playing")
        self.assertEqual(page.evaluate("footfall.extent.epoch"), epoch)

    def test_a_time_can_be_typed(self):
        page = self.page
        self.simulate(600)
        field = page.locator("[data-test=time]")
        for text, expected in (("0.25", 0.25), ("300 ms", 0.3), ("0,4 s", 0.4)):
            field.fill(text)
            field.press("Enter")
            self.eventually(page, f"Math.abs(footfall.row.time - {expected}) < 1.1e-3")
        self.assertRegex(field.input_value(), r"^0\.4\d* s|^0\.400 s")
        field.fill("soon")
        field.press("Enter")
        self.eventually(page, "document.querySelector('.toast')?.textContent.includes('is no time')")
        field.press("Escape")

    def test_the_address_says_what_is_shown(self):
        page = self.page
        self.simulate(600)
        self.look_back(0.25)
        self.tab(page, "Contacts")
        self.eventually(page, "location.hash === '#t=0.250001&tab=contacts'")
        other = self.open_in(self.context, f"http://127.0.0.1:{self.view.port}/#t=0.4&tab=balance")
        self.addCleanup(other.close)
        self.eventually(other, "Math.abs(footfall.row.time - 0.4) < 1.1e-3 && !document.querySelector('[data-test=balance]').hidden")
        other.evaluate("location.hash = '#t=0.1&tab=link'")
        self.eventually(other, "Math.abs(footfall.row.time - 0.1) < 1.1e-3 && !document.querySelector('[data-test=link]').hidden")

    def test_keys_move_a_bar_again_and_again(self):
        """Each change describes the scene anew: the bar that was held stays so, and arrows go nowhere else."""
        page = self.page
        self.tab(page, "Live")
        page.locator("[data-parameter=friction]").focus()
        for _ in range(3):
            before = page.evaluate("footfall.app.source.scene.grounds[0].friction")
            page.keyboard.press("ArrowLeft")
            self.eventually(page, f"footfall.app.source.scene.grounds[0].friction < {before!r}")
            self.assertEqual(page.evaluate("document.activeElement.dataset.parameter"), "friction")
        self.do("unset", key="ground.friction")

    def test_long_hints_leave_room_for_the_legend(self):
        page = self.page
        width = "document.querySelector('.below .legend').offsetWidth"
        page.evaluate("footfall.app.showHint('paused: nothing moves; play, and the pull at a_link_with_quite_a_name acts')")
        self.assertGreater(page.evaluate(width), 150)
        page.evaluate("footfall.app.showHint()")

    def test_changes_are_listed_taken_back_and_kept_as_a_scene(self):
        page = self.page
        self.tab(page, "Live")
        for key in page.evaluate("footfall.app.source.scene.changes.map((change) => change.key)"):
            self.do("unset", key=key)
        self.eventually(page, "document.querySelector('[data-test=changes]').textContent.includes('as in the file')")
        self.do("set", key="ground.friction", value="0.25")
        self.do("set", key="physics.step", value="2 ms")
        self.eventually(page, "document.querySelectorAll('[data-test=changes] li').length === 2")
        with page.expect_download() as download:
            self.click(page, "yaml")
        self.assertEqual(download.value.suggested_filename, "falling_box_changed.yaml")
        text = pathlib.Path(download.value.path()).read_text()
        self.assertIn("# changed: ground.friction = 0.25", text)
        with temporary_folder() as folder:
            path = pathlib.Path(folder) / "again.yaml"
            path.write_text(text)
            with View(str(path), "--paused") as again:
                shown = self.open(again.url)
                self.assertEqual(shown.evaluate("[footfall.app.source.scene.grounds[0].friction, footfall.app.source.scene.physics.step]"), [0.25, 0.002])
                shown.context.close()
        for _ in range(2):
            left = page.locator("[data-test=unset]").count()
            page.locator("[data-test=unset]").first.click()
            self.eventually(page, f"document.querySelectorAll('[data-test=unset]').length === {left - 1}")
        self.assertEqual(page.evaluate("footfall.app.source.scene.physics.step"), 0.001)


class Joints(LiveBox):
    scene = scene("quadruped")

    def setUp(self):
        super().setUp()
        self.tab(self.page, "Live")
        if not self.page.evaluate("document.querySelector('[data-test=joints]').open"):
            self.page.locator("[data-test=joints] summary").click()

    def move(self, joint, value):
        self.page.locator(f"[data-joint={joint}]").evaluate("(bar, value) => { bar.value = value; bar.dispatchEvent(new Event('input')); bar.dispatchEvent(new Event('change')); }", value)

    def test_bars_move_joints_while_paused_and_targets_while_it_runs(self):
        page = self.page
        joint = page.evaluate("footfall.app.source.scene.robot.dofs[0].name")
        position = "footfall.row.values[footfall.app.source.scene.state.q[7]]"
        start = page.evaluate(position)
        self.move(joint, start + 0.1)
        self.eventually(page, f"Math.abs({position} - {start + 0.1}) < 1e-9")
        self.do("reset")
        self.eventually(page, f"{position} === {start!r}")
        page.evaluate("footfall.app.player.play()")
        self.eventually(page, "footfall.playing && document.querySelector('[data-test=joints-note]').textContent.startsWith('Running: a bar')")
        self.move(joint, start + 0.2)
        self.eventually(page, f"Math.abs(footfall.app.source.scene.targets[0] - {start + 0.2}) < 1e-9")
        self.eventually(page, f"{position} > {start + 0.1}")
        self.do("unset", key=f"hold.target.{joint}")


class Gone(Browser):
    expected = (*Browser.expected, "status of 401")

    def test_controls_are_off_and_say_so(self):
        view = View(BOX)
        page = self.open(view.url)
        self.eventually(page, "footfall.playing && footfall.time > 0.1")
        self.assertFalse(page.locator("[data-test=gone]").is_visible())
        self.tab(page, "Diagram")
        self.click(page, "edit")
        self.eventually(page, "footfall.editor?.revision > 0")
        view.stop()
        self.eventually(page, "!footfall.connected")
        self.assertIn("server is gone", page.locator("[data-test=gone]").inner_text())
        for part in (".timeline", "[data-test=live]", "[data-test=editor]"):
            self.assertTrue(page.evaluate("(part) => document.querySelector(part).inert", part), part)
        box = page.locator("[data-test=gone]").bounding_box()  # nothing lies over what is said
        self.assertEqual(page.evaluate("([x, y]) => document.elementFromPoint(x, y).dataset.test", [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]), "gone")
        # The time that is told stays that of what is shown.
        shown = page.evaluate("footfall.row.time")
        page.evaluate("footfall.seek(0.05)")
        self.eventually(page, f"footfall.time === {shown!r} && footfall.row.time === {shown!r}")
        self.assertFalse(page.evaluate("footfall.playing"))
        page.keyboard.press("Space")
        self.eventually(page, "document.querySelector('.toast.error')?.textContent.includes('server is gone')")
        self.assertFalse(page.evaluate("footfall.playing"))
        page.evaluate("footfall.app.viewport.events.pull({ link: 0, point: new footfall.Vector3(), target: new footfall.Vector3() }, 10)")
        self.assertEqual(page.locator("[data-test=hint]").inner_text(), "the server is gone: nothing moves")


if __name__ == "__main__":
    unittest.main()
