"""The diagram editor in a browser: a controller is drawn from nothing, runs, is saved, and the command runs the file to the same bits."""

import json
import unittest

from footfall_process import SOURCE, View, run
from page_case import Browser

ARM = """\
robot: {model: rr_arm, base: {fixed: true}, initial: {shoulder: 0.3, elbow: -0.2}}
hold: {enabled: false}
physics: {step: 1 ms}
run: {duration: 1 s}
"""


class EditorCase(Browser):
    """An arm without a controller, one view for all tests of a class; every test begins with an empty diagram."""

    scene = ARM
    size = {"width": 1440, "height": 900}
    device = {}  # more about it

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = cls.make_folder()
        path = cls.folder / "arm.yaml"
        path.write_text(cls.scene)
        cls.view = View(str(path), "--paused")
        cls.addClassCleanup(cls.view.stop)
        cls.page = cls.open(cls.view.url, viewport=cls.size, accept_downloads=True, **cls.device)

    def setUp(self):
        if not self.page.locator("[data-test=editor]").is_visible():  # in a small window it covers the tabs
            self.tab(self.page, "Diagram")
            self.click(self.page, "edit")
        self.settled()
        self.eventually(self.page, "document.querySelectorAll('[data-kind]').length > 20")
        revision = self.editor()["revision"]
        self.click(self.page, "editor-new")
        self.wait_for_revision_after(revision)  # the page shows a change before the server has it
        self.eventually(self.page, "footfall.editor.document.blocks.length === 0")

    def tearDown(self):
        super().tearDown()
        self.page.keyboard.press("Escape")
        self.page.locator("[data-test=palette-search]").evaluate("(field) => { field.value = ''; field.dispatchEvent(new Event('input')); }")  # it may be hidden

    # ---- what a person does ----

    def settled(self):
        self.eventually(self.page, "window.footfall?.editor?.revision > 0")

    def editor(self):
        return self.page.evaluate("footfall.editor")

    def document(self):
        return self.editor()["document"]

    def wait_for_revision_after(self, revision):
        self.eventually(self.page, f"footfall.editor.revision > {revision}")

    def box_of(self, locator):
        """Where it is. The picture is drawn anew when an answer comes: what was there a moment ago may be gone for another one."""
        for _ in range(100):
            box = locator.bounding_box()
            if box is not None:
                return box
            self.page.wait_for_timeout(20)
        self.fail(f"{locator} is nowhere")

    def add(self, kind, at=None):
        """By a click, or by a drag to a place of the picture; returns the name of the block."""
        revision = self.editor()["revision"]
        self.page.locator("[data-test=palette-search]").fill(kind)
        item = self.page.locator(f"[data-kind='{kind}']")
        if at is None:
            item.click()
        else:
            canvas = self.page.locator(".editor-picture").bounding_box()
            box = self.box_of(item)
            self.page.mouse.move(box["x"] + 20, box["y"] + 10)
            self.page.mouse.down()
            self.page.mouse.move(canvas["x"] + at[0] - 30, canvas["y"] + at[1] - 30)
            self.page.mouse.move(canvas["x"] + at[0], canvas["y"] + at[1])
            self.page.mouse.up()
        self.wait_for_revision_after(revision)
        return self.editor()["selected"][0]

    def set(self, field, value):
        revision = self.editor()["revision"]
        entry = self.page.locator(f"[data-test=editor-form] [data-field='{field}']")
        entry.fill(value)
        entry.press("Enter")
        self.wait_for_revision_after(revision)

    def port(self, end, side):
        dot = self.page.locator(f"[data-port='{end}'][data-side={side}] .dot")
        box = self.box_of(dot)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def place_on_line(self, line):
        """On the screen; the middle of its box need not lie on it."""
        return self.page.evaluate("""(line) => {
            const path = document.querySelector(`[data-line='${line}'] .near`), place = path.getPointAtLength(0.3 * path.getTotalLength()).matrixTransform(path.getScreenCTM());
            return [place.x, place.y];
        }""", line)

    def drag_line(self, source, target):
        self.page.mouse.move(*self.port(source, "out"))
        self.page.mouse.down()
        self.page.mouse.move(*self.port(target, "in"), steps=4)
        self.page.mouse.up()

    def connect(self, source, target):
        revision = self.editor()["revision"]
        self.drag_line(source, target)
        self.wait_for_revision_after(revision)

    def select(self, *blocks):
        for k, block in enumerate(blocks):
            self.page.locator(f"[data-node='{block}'] .name").click(modifiers=["Control"] if k else [])
        self.eventually(self.page, f"footfall.editor.selected.length === {len(blocks)}")

    def message(self):
        return self.page.locator("[data-test=editor-message]").text_content()

    def draw_controller(self):
        """A PD controller on both joints that follows a sine."""
        robot = self.add("Robot", (620, 40))
        pd = self.add("PD", (330, 60))
        self.set("kp", "60")
        self.set("kd", "6")
        wave = self.add("Sine", (60, 80))
        self.set("amplitude", "[0.5, 0.3]")
        self.set("frequency", "1")
        self.connect(f"{wave}.out", f"{pd}.desired_position")
        self.select(robot)  # shows the fields of its buses
        self.click(self.page, "editor-fit")
        self.connect(f"{robot}.state.joints_position", f"{pd}.position")
        self.select(robot)
        self.connect(f"{robot}.state.joints_velocity", f"{pd}.velocity")
        self.connect(f"{pd}.out", f"{robot}.torque")
        self.assertEqual(self.editor()["problems"], [])
        return robot, pd, wave

    def run_it(self, time):
        """Simulates the drawn diagram up to a time, and pauses."""
        epoch = self.page.evaluate("footfall.extent.epoch")
        self.click(self.page, "editor-run")
        # Other blocks have other channels: the page loads itself anew.
        self.eventually(self.page, f"window.footfall?.row && footfall.editor?.runs && footfall.extent.epoch > {epoch} && footfall.extent.stop > {time}")
        self.page.evaluate("footfall.app.source.command({do: 'pause'})")
        self.eventually(self.page, "!footfall.playing")

    def states(self, rows):
        """q and nu of the first rows, to the last bit."""
        return self.page.evaluate("""async (rows) => {
            const { source } = footfall.app, { q, nu } = source.scene.state, columns = [0, ...q, ...nu].filter((column) => column >= 0);
            const values = [];
            for (let k = 0; k < rows; ++k) { const row = await source.rowByIndex(k); values.push(columns.map((column) => row.values[column])); }
            return { names: columns.map((column) => source.scene.columns[column][0]), values };
        }""", rows)

    def save(self):
        with self.page.expect_download() as download:
            self.click(self.page, "editor-save")
        path = self.folder / "saved.yaml"
        download.value.save_as(path)
        return path

    def table(self, scene):
        """What the command's log holds, by name; its numbers have all digits."""
        log = self.folder / "run.csv"
        run("run", str(scene), "--quiet", "--log", str(log))
        lines = [line for line in log.read_text().splitlines() if not line.startswith("#")]
        names = [name.split(" [")[0].strip('"') for name in lines[0].split(",")]
        rows = [[float(value or "nan") for value in line.split(",")] for line in lines[1:]]
        return {name: [row[k] for row in rows] for k, name in enumerate(names)}


class Drawing(EditorCase):
    def test_a_controller_from_nothing_runs_and_its_file_gives_the_same_bits(self):
        self.draw_controller()
        self.run_it(0.6)
        rows = 500
        seen = self.states(rows)
        saved = self.save()
        table = self.table(saved)
        moved = 0.0
        for k, name in enumerate(seen["names"]):
            mine, theirs = [row[k] for row in seen["values"]], table[name][:rows]
            self.assertEqual(mine, theirs, name)
            moved = max(moved, max(mine) - min(mine)) if k else 0.0
        self.assertGreater(moved, 0.3)
        # The same file opens in the studio with the same blocks at the same places.
        with View(str(saved), "--paused") as view:
            page = self.open(view.url, viewport=self.size)
            self.tab(page, "Diagram")
            self.click(page, "edit")
            self.eventually(page, "footfall.editor?.revision > 0")
            mine, theirs = self.document(), page.evaluate("footfall.editor.document")
            self.assertEqual(sorted(block["name"] for block in mine["blocks"]), sorted(block["name"] for block in theirs["blocks"]))
            self.assertEqual({b["name"]: b["at"] for b in mine["blocks"]}, {b["name"]: b["at"] for b in theirs["blocks"]})
            self.assertTrue(page.evaluate("footfall.editor.runs"))
            page.close()

    def test_a_group_runs_to_the_same_bits_and_comes_apart_again(self):
        robot, pd, wave = self.draw_controller()
        before = self.document()
        self.run_it(0.3)
        plain = self.states(250)
        self.select(wave, pd)
        revision = self.editor()["revision"]
        self.page.keyboard.press("Control+g")
        self.wait_for_revision_after(revision)
        self.assertEqual(self.editor()["problems"], [])
        grouped = self.document()
        self.assertEqual(sorted(block["kind"] for block in grouped["blocks"]), ["Group", "Robot"])
        self.run_it(0.3)
        self.assertEqual(self.states(250)["values"], plain["values"])
        # Open it, look at what is inside, close it.
        self.page.locator("[data-node=group] .name").dblclick()
        self.eventually(self.page, "footfall.editor.path.length === 1 && document.querySelector('[data-node=pd]')")
        self.assertEqual(self.page.locator("[data-pin]:not([data-pin='+'])").count(), 3)  # position and velocity come in, the torque goes out
        self.page.locator("[data-test=crumbs] button").first.click()
        self.eventually(self.page, "footfall.editor.path.length === 0")
        self.select("group")
        revision = self.editor()["revision"]
        self.click(self.page, "editor-ungroup")
        self.wait_for_revision_after(revision)
        after = self.document()
        lines = lambda document: sorted((line["from"], line["to"]) for line in document["lines"])
        self.assertEqual(lines(after), lines(before))
        self.assertEqual(sorted(block["name"] for block in after["blocks"]), sorted(block["name"] for block in before["blocks"]))
        self.assertEqual(after["subdiagrams"], [])
        self.run_it(0.3)
        self.assertEqual(self.states(250)["values"], plain["values"])

    def test_undo_and_redo_go_through_the_same_documents(self):
        documents = [self.document()]
        for kind in ("Sine", "Gain", "Scope"):
            self.add(kind)
            documents.append(self.document())
        self.set("inputs", "[a, b]")
        documents.append(self.document())
        self.connect("sine.out", "gain.in")
        documents.append(self.document())
        self.select("gain")
        revision = self.editor()["revision"]
        self.page.keyboard.press("Delete")
        self.wait_for_revision_after(revision)
        documents.append(self.document())
        self.assertEqual(documents[-1]["lines"], [])
        for expected in reversed(documents[:-1]):
            revision = self.editor()["revision"]
            self.page.keyboard.press("Control+z")
            self.wait_for_revision_after(revision)
            self.assertEqual(self.document(), expected)
        for expected in documents[1:]:
            revision = self.editor()["revision"]
            self.page.keyboard.press("Control+Shift+z")
            self.wait_for_revision_after(revision)
            self.assertEqual(self.document(), expected)

    def test_a_line_that_does_not_fit_is_refused_with_the_reason(self):
        self.add("Robot", (620, 40))
        self.add("Constant", (60, 80))
        self.set("value", "[1, 2, 3]")
        self.drag_line("constant.out", "robot.torque")
        self.eventually(self.page, "!document.querySelector('[data-test=editor-message]').hidden")
        self.assertIn("'constant.out' cannot go into 'robot.torque'", self.message())
        self.assertEqual(self.document()["lines"], [])
        self.set("value", "[1, 2]")
        self.connect("constant.out", "robot.torque")
        # From an output to an output, there is no line.
        self.page.mouse.move(*self.port("robot.q", "out"))
        self.page.mouse.down()
        self.page.mouse.move(*self.port("constant.out", "out"), steps=3)
        self.page.mouse.up()
        self.assertIn("both are outputs", self.message())

    def test_what_is_wrong_with_a_value_stands_at_its_field(self):
        self.add("Gain")
        required = self.page.locator("[data-test=editor-form] label:has([data-field=factor]) .required")
        self.assertEqual(required.count(), 1)
        self.set("factor", "many")
        self.eventually(self.page, "document.querySelector('[data-problem=factor]')")
        self.assertNotIn("blocks/", self.page.locator("[data-problem=factor]").text_content())
        # What is no YAML the server does not take at all; the field keeps what was typed.
        self.page.locator("[data-field=factor]").fill("[1")
        self.page.locator("[data-field=factor]").press("Enter")
        self.eventually(self.page, "document.querySelector('[data-problem=factor]')?.textContent.includes('not YAML')")
        self.assertEqual(self.page.locator("[data-field=factor]").input_value(), "[1")
        self.assertEqual(self.document()["blocks"][0]["parameters"], [["factor", "many"]])
        self.set("factor", "2")
        self.assertEqual(self.page.locator("[data-problem=factor]").count(), 0)

    def test_a_reload_keeps_the_document_and_what_is_open(self):
        self.add("Sine")
        self.add("Gain")
        before = self.editor()
        self.page.reload()
        self.eventually(self.page, "window.footfall?.editor?.revision > 0")
        after = self.editor()
        self.assertTrue(self.page.locator("[data-test=editor]").is_visible())
        self.assertEqual((before["revision"], before["document"]), (after["revision"], after["document"]))
        # A second page shows it, and what is done there comes here.
        other = self.open_in(self.page.context, f"http://127.0.0.1:{self.view.port}/")
        self.tab(other, "Diagram")
        if not other.locator("[data-test=editor]").is_visible():
            self.click(other, "edit")
        self.eventually(other, f"footfall.editor?.revision === {after['revision']}")
        other.locator("[data-node=gain] .name").click()
        other.keyboard.press("Delete")
        self.eventually(self.page, "footfall.editor.document.blocks.length === 1")
        other.close()

    def test_names_can_be_changed_and_lines_follow(self):
        self.draw_controller()
        self.select("pd")
        self.set("name", "controller")
        self.assertEqual(self.editor()["problems"], [])
        self.assertIn("controller.out", [line["from"] for line in self.document()["lines"]])
        self.page.locator("[data-field=name]").fill("robot")
        self.page.locator("[data-field=name]").press("Enter")
        self.eventually(self.page, "document.querySelector('[data-test=editor-message]').textContent.includes('taken')")

    def test_the_palette_has_no_files_and_tells_about_each_block(self):
        for name in ("FromFile", "Log", "Fmu"):
            self.page.locator("[data-test=palette-search]").fill(name)
            self.assertEqual(self.page.locator(f"[data-kind='{name}']").count(), 0, name)
        self.page.locator("[data-test=palette-search]").fill("spring damper")
        self.assertEqual(self.page.locator("[data-kind]").first.get_attribute("data-kind"), "PD")
        self.page.locator("[data-kind=PD]").hover()
        about = self.page.locator("[data-test=palette-about]").text_content()
        for text in ("desired_position", "kp *", "must be given", "spring and damper"):
            self.assertIn(text, about)

    def test_the_server_refuses_files_however_they_are_sent(self):
        for block in ({"name": "a", "kind": "FromFile", "parameters": [["file", "/etc/passwd"]]}, {"name": "a", "kind": "python:os.system", "parameters": []}):
            told = self.page.evaluate("""async (block) => {
                const { source } = footfall.app, { revision } = footfall.editor;
                try { await source.ask({ ask: 'edit', revision, document: { blocks: [block] } }); return 'taken'; } catch (error) { return error.message; }
            }""", block)
            self.assertIn("names a file or a plug-in", told)

    def test_ctrl_click_adds_to_what_is_selected_and_takes_away(self):
        names = [self.add(kind) for kind in ("Gain", "Sine", "Scope")]
        self.page.keyboard.press("Control")  # the browser takes what is focused from now on for focused by keys
        self.select(*names)
        self.page.locator("[data-node=sine] .name").click(modifiers=["Control"])
        self.eventually(self.page, "footfall.editor.selected.length === 2")
        self.assertEqual(sorted(self.editor()["selected"]), ["gain", "scope"])

    def test_space_plays_here_too(self):
        self.page.evaluate("footfall.app.source.command({do: 'pause'})")
        self.eventually(self.page, "!footfall.playing")
        self.add("Gain")
        self.page.locator("[data-kind=Gain]").click()
        self.eventually(self.page, "footfall.editor.document.blocks.length === 2 && document.activeElement.dataset.kind === 'Gain'")
        for playing in ("true", "false"):
            self.page.keyboard.press("Space")
            self.eventually(self.page, f"footfall.playing === {playing}")
        self.assertEqual(len(self.document()["blocks"]), 2)

    def test_keys_move_copy_and_open(self):
        self.add("Gain")
        at = self.document()["blocks"][0]["at"]
        self.page.locator("[data-node=gain]").focus()
        for key, expected in (("ArrowRight", [at[0] + 8, at[1]]), ("ArrowDown", [at[0] + 8, at[1] + 8])):
            revision = self.editor()["revision"]
            self.page.keyboard.press(key)
            self.wait_for_revision_after(revision)
            self.assertEqual(self.document()["blocks"][0]["at"], expected)
        revision = self.editor()["revision"]
        self.page.keyboard.press("Control+d")
        self.wait_for_revision_after(revision)
        self.assertEqual([block["name"] for block in self.document()["blocks"]], ["gain", "gain2"])


class SmallWindow(EditorCase):
    size = {"width": 1024, "height": 700}

    def test_everything_can_be_reached(self):
        for name in ("undo", "redo", "delete", "group", "ungroup", "tidy", "fit", "new", "run", "save", "close"):
            box = self.page.locator(f"[data-test=editor-{name}]").bounding_box()
            self.assertGreaterEqual(box["x"], 0, name)
            self.assertLessEqual(box["x"] + box["width"], 1024, name)
            self.assertLessEqual(box["y"] + box["height"], 700, name)
        timeline = self.page.locator(".timeline").bounding_box()
        editor = self.page.locator("[data-test=editor]").bounding_box()
        self.assertLessEqual(editor["y"] + editor["height"], timeline["y"] + 1)

    def test_a_controller_can_be_drawn_and_tidied_up(self):
        robot = self.add("Robot")
        pd = self.add("PD")
        self.set("kp", "60")
        self.click(self.page, "editor-tidy")
        self.click(self.page, "editor-fit")
        self.connect(f"{pd}.out", f"{robot}.torque")
        revision = self.editor()["revision"]
        self.click(self.page, "editor-tidy")
        self.wait_for_revision_after(revision)
        places = {block["name"]: block["at"] for block in self.document()["blocks"]}
        self.assertLess(places[pd][0], places[robot][0])
        # A line is selected by a click and goes by a key.
        self.page.mouse.click(*self.place_on_line(0))
        self.eventually(self.page, "document.querySelector('.wire.selected')")
        revision = self.editor()["revision"]
        self.page.keyboard.press("Delete")
        self.wait_for_revision_after(revision)
        self.assertEqual(self.document()["lines"], [])


class Phone(EditorCase):
    """Upright, and touched by fingers only."""

    size = {"width": 390, "height": 844}
    device = {"has_touch": True, "is_mobile": True}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.screen = cls.page.context.new_cdp_session(cls.page)

    # ---- what fingers do ----

    def fingers(self, *moves):
        """Each move: where all fingers are. They rest before they are lifted, as one's do that puts something somewhere: who flings cannot tap at once."""
        points = lambda places: [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        before = 0
        for places in moves:
            kind = "touchStart" if len(places) > before else "touchMove"
            self.screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points(places)})
            before = len(places)
        self.page.wait_for_timeout(150)
        self.screen.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": points(moves[-1])})
        self.screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def way(self, start, end, steps=5):
        return [[(start[0] + (end[0] - start[0]) * k / steps, start[1] + (end[1] - start[1]) * k / steps)] for k in range(steps + 1)]

    def tap(self, name):
        self.page.locator(f"[data-test={name}]").tap()

    def add(self, kind, at=None):
        """From the list, which covers the picture and goes away by itself; `at` is for larger windows."""
        revision = self.editor()["revision"]
        if not self.page.locator("[data-test=palette]").is_visible():
            self.tap("editor-blocks")
        self.page.locator("[data-test=palette-search]").fill(kind)
        self.page.locator(f"[data-kind='{kind}']").tap()
        self.wait_for_revision_after(revision)
        self.assertFalse(self.page.locator("[data-test=palette]").is_visible())
        return self.editor()["selected"][0]

    def drag_line(self, source, target):
        self.fingers(*self.way(self.port(source, "out"), self.port(target, "in")))

    def select(self, *blocks):
        """The first one by a tap; a finger that rests adds one."""
        for k, block in enumerate(blocks):
            box = self.box_of(self.page.locator(f"[data-node='{block}'] .name"))
            at = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            if k == 0:
                self.page.touchscreen.tap(*at)
            else:
                self.screen.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": at[0], "y": at[1]}]})
                self.eventually(self.page, f"footfall.editor.selected.length === {k + 1}")
                self.screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.eventually(self.page, f"footfall.editor.selected.length === {len(blocks)}")

    def tidied(self):
        revision = self.editor()["revision"]
        self.tap("editor-tidy")
        self.wait_for_revision_after(revision)
        self.eventually(self.page, """[...document.querySelectorAll('[data-node]')].every((node) => {
            const box = node.getBoundingClientRect(), all = document.querySelector('.editor-canvas').getBoundingClientRect();
            return box.left >= all.left && box.right <= all.right && box.top >= all.top && box.bottom <= all.bottom;
        })""")

    def shown_width(self):
        return self.page.evaluate("document.querySelector('.editor-picture').viewBox.baseVal.width")

    # ---- tests ----

    def test_every_button_is_there_and_covered_by_nothing(self):
        self.add("Gain")
        for name in ("blocks", "undo", "redo", "delete", "group", "ungroup", "tidy", "fit", "new", "run", "save", "close"):
            box = self.page.locator(f"[data-test=editor-{name}]").bounding_box()
            self.assertGreaterEqual(box["x"], 0, name)
            self.assertLessEqual(box["x"] + box["width"], 390, name)
            self.assertGreaterEqual(box["height"], 28, name)
            hit = self.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.dataset.test", [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
            self.assertEqual(hit, f"editor-{name}")
        canvas, form = (self.page.locator(part).bounding_box() for part in (".editor-canvas", ".editor-form"))
        self.assertGreater(canvas["height"], 240)
        self.assertGreater(form["height"], 180)

    def test_a_whole_controller_is_drawn_runs_and_is_saved(self):
        robot, pd, wave = (self.add(kind) for kind in ("Robot", "PD", "Sine"))
        for block, values in ((pd, {"kp": "60", "kd": "6"}), (wave, {"amplitude": "[0.5, 0.3]", "frequency": "1"})):
            self.tidied()
            self.select(block)
            for field, value in values.items():
                self.set(field, value)
        self.tidied()
        self.connect(f"{wave}.out", f"{pd}.desired_position")
        self.connect(f"{pd}.out", f"{robot}.torque")
        for field, port in (("joints_position", "position"), ("joints_velocity", "velocity")):
            self.tidied()
            self.select(robot)  # shows the fields of its buses
            self.tap("editor-fit")
            self.connect(f"{robot}.state.{field}", f"{pd}.{port}")
        self.assertEqual(self.editor()["problems"], [])
        self.run_it(0.6)
        seen, table = self.states(400), self.table(self.save())
        for k, name in enumerate(seen["names"]):
            self.assertEqual([row[k] for row in seen["values"]], table[name][:400], name)
        self.assertGreater(max(table["shoulder.position"]) - min(table["shoulder.position"]), 0.3)

    def test_two_taps_connect_ports_that_are_not_in_sight_together(self):
        self.add("Gain")
        self.set("factor", "2")
        sine = self.add("Sine")
        self.tidied()
        revision = self.editor()["revision"]
        self.page.touchscreen.tap(*self.port(f"{sine}.out", "out"))
        self.eventually(self.page, "document.querySelector('.editor-picture.connecting')")
        self.assertIn("Tap the other port", self.message())
        canvas = self.page.locator(".editor-canvas").bounding_box()
        corner = canvas["x"] + 20, canvas["y"] + canvas["height"] - 60
        self.fingers(*self.way(corner, (corner[0] + 40, corner[1] - 40)))  # moves the picture, and gives up nothing
        self.page.touchscreen.tap(*self.port("gain.in", "in"))
        self.wait_for_revision_after(revision)
        self.assertEqual([(line["from"], line["to"]) for line in self.document()["lines"]], [(f"{sine}.out", "gain.in")])
        # Beside all ports a tap gives up.
        self.page.touchscreen.tap(*self.port("gain.out", "out"))
        self.eventually(self.page, "document.querySelector('.editor-picture.connecting')")
        self.page.touchscreen.tap(canvas["x"] + 20, canvas["y"] + canvas["height"] - 20)
        self.eventually(self.page, "!document.querySelector('.editor-picture.connecting')")

    def test_a_finger_need_not_hit_a_port_exactly(self):
        self.add("Gain")
        self.set("factor", "2")
        sine = self.add("Sine")
        self.tidied()
        revision = self.editor()["revision"]
        (x, y), (u, v) = self.port(f"{sine}.out", "out"), self.port("gain.in", "in")
        self.fingers(*self.way((x + 8, y + 8), (u - 8, v + 8)))
        self.wait_for_revision_after(revision)
        self.assertEqual(len(self.document()["lines"]), 1)

    def test_two_fingers_zoom_even_where_they_touch_blocks(self):
        self.add("Gain")
        self.tidied()
        before, places = self.shown_width(), self.document()
        box = self.box_of(self.page.locator("[data-node=gain]"))
        middle = box["x"] + box["width"] / 2, box["y"] + 8
        at = lambda d: (middle[0] - d, middle[1]), lambda d: (middle[0] + d, middle[1])
        self.fingers([at[0](10)], *([at[0](d), at[1](d)] for d in (10, 20, 30, 40)))
        self.eventually(self.page, f"document.querySelector('.editor-picture').viewBox.baseVal.width < 0.5 * {before}")
        self.assertEqual(self.document(), places)
        self.assertFalse(self.page.evaluate("document.querySelector('.editor-picture').classList.contains('connecting')"))
        self.tap("editor-fit")

    def test_a_finger_moves_a_block_and_one_that_rests_selects_more(self):
        self.add("Gain")
        self.add("Sine")
        self.tidied()
        at = {block["name"]: block["at"] for block in self.document()["blocks"]}
        box = self.box_of(self.page.locator("[data-node=gain] .name"))
        start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        revision = self.editor()["revision"]
        self.fingers(*self.way(start, (start[0] + 90, start[1])))  # away from the other one
        self.wait_for_revision_after(revision)
        moved = {block["name"]: block["at"] for block in self.document()["blocks"]}
        self.assertGreater(moved["gain"][0], at["gain"][0] + 90)
        self.assertEqual(moved["sine"], at["sine"])
        self.tap("editor-fit")
        self.select("gain", "sine")
        revision = self.editor()["revision"]
        self.tap("editor-group")
        self.wait_for_revision_after(revision)
        self.assertEqual([block["kind"] for block in self.document()["blocks"]], ["Group"])


if __name__ == "__main__":
    unittest.main()
