"""What the page of the studio costs: pictures of iCub, and how a log of ten minutes feels.

    FOOTFALL_COMMAND=build/release/bin/footfall .venv/bin/python benchmarks/studio/page_bench.py [pictures] [log] [--against FOOTFALL]

With another program to compare to (one that reads the same logs), both are open at once and asked by turns, so that what else
the machine does is the same for both. Of everything: medians of the time until it is done, of the processor time that the server and the
page took for it (which others on the machine do not change much), and the worst.

Draw calls are counted and not carried out, and shaders not compiled: software needs seconds for what a graphics card does at once. Every
part ends after some seconds, and the whole after ten minutes, on a busy machine too. Prints one JSON object.
"""

import argparse
import glob
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

SOURCE = pathlib.Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("FOOTFALL_CHROMIUM") or shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
             "--enable-precise-memory-info", "--js-flags=--expose-gc"]
PART_SECONDS = 8.0  # by turns, of all programs together
ROUNDS, WARM = 60, 4  # at most; not counted
WHOLE_SECONDS = 600

# WebGL that only answers: no shader is compiled, no number sent, nothing drawn.
NO_CARD = """{
    const gl = WebGL2RenderingContext.prototype, heavy = /^(draw|clear|tex|compressedTex|copyTex|buffer|uniform|vertexAttrib|generate|blit|renderbuffer|framebuffer|compile|link|useProgram|readPixels|finish|flush)/;
    for (const name of Object.getOwnPropertyNames(gl))
        if (heavy.test(name) && typeof Object.getOwnPropertyDescriptor(gl, name).value === 'function') gl[name] = () => {};
    gl.getShaderParameter = () => true;
    gl.getProgramParameter = (program, what) => what === 0x8B86 || what === 0x8B89 ? 0 : true;  // no uniforms, no attributes, no errors
    gl.checkFramebufferStatus = () => 0x8CD5;  // complete
}"""

# What parts share: `k` counts the rounds; a part answers how many of its kind it did.
PREPARE = """async () => {
    const app = footfall.app, view = app.viewport, source = app.source;
    view.goEasy = () => {};
    const names = ['position', 'velocity'].flatMap((kind) => ['l_hip_pitch', 'l_hip_roll', 'l_knee', 'l_ankle_pitch'].map((joint) => `${joint}.${kind}`));
    app.plots.setLayout([names.slice(0, 4), names.slice(4)]);
    window.bench = { app, view, source, stop: source.extent.stop, columns: source.scene.columns.map((_, i) => i), rows: await source.rows(0, 1e9, 20) };
    bench.eight = bench.columns.slice(20, 28);
    bench.picture = (row) => {
        app.player.row = row;
        app.player.cursor = row.time;
        app.show(row, false);
        app.plots.drawn = 0;
        app.showPanel();
        view.drawIfNeeded(performance.now());
    };
    bench.zoomTo = (width, k) => source.series(bench.eight, bench.stop * 0.05 * (k % 8), bench.stop * 0.05 * (k % 8) + width, 800);
}"""
EVERY_LAYER = """async () => {
    const view = footfall.app.viewport;
    view.setLayers(Object.fromEntries(Object.keys(view.layers).map((name) => [name, true])));
    for (const frame of [0, 1, 2]) await view.addTrace(frame);
}"""
PICTURE = "for (const row of bench.rows) bench.picture(row); return bench.rows.length;"
LOG_PARTS = {
    "scrub": "for (let i = 0; i < 10; ++i) await bench.app.player.seek(bench.stop * (((10 * k + i) * 0.618034) % 1)); return 10;",
    "120 rows at once": "await bench.source.rows(bench.stop * 0.05 * (k % 18), bench.stop * 0.05 * (k % 18) + 2, 120); return 1;",
    "the run of one column": "await bench.source.series([20], 0, bench.stop, 800); return 1;",
    "the run of all columns": "await bench.source.series(bench.columns, 0, bench.stop, 800); return 1;",
    "eight columns of 100 s": "await bench.zoomTo(100, k); return 1;",
    "eight columns of 30 s": "await bench.zoomTo(30, k); return 1;",
    "eight columns of 10 s": "await bench.zoomTo(10, k); return 1;",
    "eight columns of 1 s": "await bench.zoomTo(1, k); return 1;",
    "zoom of two plots to 60 s": """
        const plots = bench.app.plots;
        plots.zoom = [bench.stop * 0.05 * (k % 10), bench.stop * 0.05 * (k % 10) + 60];
        await Promise.all(plots.plots.map((plot) => plot.load(plots.zoom, false, false)));
        plots.moved();
        return 1;""",
    "time line of two plots": "for (let i = 0; i < 20; ++i) { bench.app.plots.drawn = 0; bench.app.plots.moved(); } return 20;",
}
ROUND = "async (k) => { const start = performance.now(), count = await (async () => { %s })(); return [(performance.now() - start) / count, count]; }"


class Studio:
    """`footfall view` of a log, and its page in a tab."""

    def __init__(self, browser, command, log):
        self.process = subprocess.Popen([command, "view", "--no-browser", "--port", "0", log], stdout=subprocess.PIPE, text=True)
        url = re.match(r"\S+", self.process.stdout.readline()).group(0)
        self.page = browser.new_page(viewport={"width": 1200, "height": 700})
        self.page.add_init_script(NO_CARD)
        begin = time.monotonic()
        self.page.goto(url)
        while not self.page.evaluate("window.footfall !== undefined && footfall.row !== null"):
            time.sleep(0.01)
        self.page.evaluate("footfall.meshesReady()")
        self.opened_s = round(time.monotonic() - begin, 2)
        self.tools = self.page.context.new_cdp_session(self.page)
        self.tools.send("Performance.enable")
        self.page.evaluate(PREPARE)

    def spent(self):
        """Processor time of the server and of the page until now [ms]."""
        tasks = glob.glob(f"/proc/{self.process.pid}/task/*/schedstat")
        server = sum(int(pathlib.Path(task).read_text().split()[0]) for task in tasks) * 1e-6
        metrics = {metric["name"]: metric["value"] for metric in self.tools.send("Performance.getMetrics")["metrics"]}
        return server, 1e3 * metrics["TaskDuration"]

    def ask(self, part, k):
        """Time until it was done, and what server and page spent, each for one of its kind [ms]."""
        self.page.bring_to_front()
        before = self.spent()
        took, count = self.page.evaluate(ROUND % part, k)
        after = self.spent()
        return took, *((b - a) / count for a, b in zip(before, after))

    def close(self):
        self.page.close()
        self.process.terminate()
        self.process.wait()


class Studios:
    """Ours, and that which it is compared to, with the same log."""

    def __init__(self, browser, commands, log):
        self.all = []
        try:
            for command in commands:
                self.all.append(Studio(browser, command, log))
        except BaseException:
            self.close()
            raise

    def close(self):
        for studio in self.all:
            studio.close()

    def measure(self, name, part):
        """By turns, and in the other order in every second round; the first rounds, in which the browser compiles, are not counted."""
        print(name, file=sys.stderr, flush=True)
        rounds = {studio: [] for studio in self.all}
        end = time.monotonic() + PART_SECONDS
        for k in range(ROUNDS):
            for studio in self.all if k % 2 else self.all[::-1]:
                rounds[studio].append(studio.ask(part, k))
            if time.monotonic() > end and k >= 2 * WARM:
                break
        return self.beside([self.told(rounds[studio][WARM:]) for studio in self.all])

    @staticmethod
    def told(rounds):
        took, server, page = zip(*rounds)
        middle = {"ms": took, "server_ms": server, "page_ms": page}
        return {**{key: round(statistics.median(values), 3) for key, values in middle.items()}, "worst_ms": round(max(took), 1)}

    @staticmethod
    def beside(told):
        if len(told) == 1:
            return told[0]
        return {"new": told[0], "old": told[1], "new/old": {key: round(told[0][key] / told[1][key], 2) for key in told[0] if told[1][key] > 0}}

    def cost(self):
        """What the last picture asked the card for, and the garbage that a picture leaves."""
        return [studio.page.evaluate("""() => {
            gc();
            const before = performance.memory.usedJSHeapSize;
            for (const row of bench.rows) bench.picture(row);
            const garbage = (performance.memory.usedJSHeapSize - before) / bench.rows.length / 1024;
            return { draw_calls: bench.view.cost.calls, triangles: bench.view.cost.triangles, garbage_kB: Math.round(garbage) };
        }""") for studio in self.all]


def write_log(folder, name, scene, duration):
    path = str(pathlib.Path(folder) / name)
    command = os.environ["FOOTFALL_COMMAND"]
    subprocess.run([command, "run", str(SOURCE / "scenes" / scene), "-q", "--duration", str(duration), "--log", path], check=True)
    return path


def pictures(browser, commands, folder):
    studios = Studios(browser, commands, write_log(folder, "push.mcap", "demo.yaml", 3))
    try:
        usual = {**studios.measure("a picture of iCub", PICTURE), "asks for": studios.cost()}
        for studio in studios.all:
            studio.page.evaluate(EVERY_LAYER)
        every = {**studios.measure("a picture with every layer", PICTURE), "asks for": studios.cost()}
        return {"a picture of iCub": usual, "a picture of iCub with every layer": every}
    finally:
        studios.close()


def long_log(browser, commands, folder):
    path = write_log(folder, "long.mcap", "icub.yaml", 600)
    studios = Studios(browser, commands, path)
    try:
        size = {"log_MB": round(os.path.getsize(path) * 1e-6), "columns": studios.all[0].page.evaluate("bench.columns.length"),
                "opened_s": [studio.opened_s for studio in studios.all]}
        for studio in studios.all:
            studio.page.evaluate("bench.source.series([20], 0, bench.stop, 800)")  # the summary of the run is there from now on
        return {"ten minutes at 1 kHz": {**size, **{name: studios.measure(name, part) for name, part in LOG_PARTS.items()}}}
    finally:
        studios.close()


def too_long(*_):
    raise SystemExit(f"page_bench: not done after {WHOLE_SECONDS} s; the line above says with what")


def main():
    parts = {"pictures": pictures, "log": long_log}
    parser = argparse.ArgumentParser(description="What the page of the studio costs.")
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help="all of them, unless some are named")
    parser.add_argument("--against", help="another footfall to compare to")
    arguments = parser.parse_args()
    commands = [os.environ["FOOTFALL_COMMAND"], *([arguments.against] if arguments.against else [])]
    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(WHOLE_SECONDS)
    results = {}
    with tempfile.TemporaryDirectory(prefix="footfall-page-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in arguments.parts or parts:
            results.update(parts[name](browser, commands, folder))
        browser.close()
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
