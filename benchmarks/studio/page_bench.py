"""What the page of the studio costs: JavaScript for each picture of iCub, and how a log of ten minutes feels.

    FOOTFALL_COMMAND=build/release/bin/footfall .venv/bin/python benchmarks/studio/page_bench.py [pictures] [log]

Chromium draws in software here, so the time of a graphics card is not measured: only what the page itself does for a
picture, and how much it asks the card to draw. Prints one JSON object.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

SOURCE = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ["FOOTFALL_COMMAND"]
CHROMIUM = os.environ.get("FOOTFALL_CHROMIUM") or shutil.which("chromium")
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
             "--enable-precise-memory-info", "--js-flags=--expose-gc"]

# Time of the page's own code for one picture, all parts of it; the software renderer catches up in between.
PICTURES = """async ({ layers, count }) => {
    const app = footfall.app, view = app.viewport, names = Object.keys(view.layers);
    view.goEasy = () => {};
    view.setLayers(layers === 'all' ? Object.fromEntries(names.map((name) => [name, true])) : view.layers);
    view.resize(64, 64);  // pixels are the graphics card's work
    view.sun.shadow.map?.dispose();
    view.sun.shadow.map = null;
    view.sun.shadow.mapSize.set(64, 64);
    if (layers === 'all') for (const frame of [0, 1, 2]) await view.addTrace(frame);
    const rows = await app.source.rows(0, 1e9, count + 10), gl = view.renderer.getContext(), times = [];
    const wait = () => { gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); return new Promise((done) => setTimeout(done, 0)); };
    let garbage = 0;
    for (const [i, row] of rows.entries()) {
        await wait();
        if (i === 9) gc();
        const before = performance.memory.usedJSHeapSize, start = performance.now();
        app.player.row = row;
        app.player.cursor = row.time;
        app.show(row, false);
        app.plots.drawn = 0;
        app.showPanel();
        view.drawIfNeeded(start);
        if (i < 10) continue;
        times.push(performance.now() - start);
        garbage += Math.max(0, performance.memory.usedJSHeapSize - before);
    }
    times.sort((a, b) => a - b);
    const at = (part) => Number(times[Math.floor(part * (times.length - 1))].toFixed(2));
    return { pictures: times.length, javascript_ms: { p50: at(0.5), p90: at(0.9), p99: at(0.99) }, draw_calls: view.cost.calls,
             triangles: view.cost.triangles, garbage_kB: Math.round(garbage / times.length / 1024) };
}"""

# Questions to the server, scrubbing and plotting, as a user has them.
LONG_LOG = """async () => {
    const app = footfall.app, source = app.source, columns = source.scene.columns.map((_, i) => i), { stop } = source.extent;
    const took = async (action) => { const start = performance.now(); await action(); return performance.now() - start; };
    const spread = (list) => { list.sort((a, b) => a - b); return { p50: Math.round(list[list.length >> 1]), worst: Math.round(list[list.length - 1]) }; };
    const out = { columns: columns.length, seconds: Math.round(stop) };
    out.first_plot_ms = Math.round(await took(() => source.series([20], 0, stop, 800)));
    out.whole_run_all_columns_ms = Math.round(await took(() => source.series(columns, 0, stop, 800)));
    const windows = [300, 100, 30, 10, 3, 1, 0.3], eight = columns.slice(20, 28);
    out.zoom_eight_columns_ms = {};
    for (const width of windows)
        out.zoom_eight_columns_ms[width] = Math.round(await took(() => source.series(eight, stop / 3, stop / 3 + width, 800)));
    const names = eight.map((column) => source.scene.columns[column][0]);
    app.plots.setLayout([names.slice(0, 4), names.slice(4)]);
    const scrubs = [], redraws = [];
    for (let i = 0; i < 40; ++i) {
        const time = stop * ((i * 0.618034) % 1);
        scrubs.push(await took(() => app.player.seek(time)));
        redraws.push(await took(() => { app.plots.drawn = 0; app.plots.moved(); }));
    }
    out.scrub_ms = spread(scrubs);
    out.move_plot_cursor_ms = spread(redraws);
    const zooms = [];
    for (let i = 0; i < 10; ++i)
        zooms.push(await took(async () => {
            app.plots.zoom = [stop * 0.05 * i, stop * 0.05 * i + 60];
            await Promise.all(app.plots.plots.map((plot) => plot.load(app.plots.zoom, false, false)));
            app.plots.moved();
        }));
    out.zoom_two_plots_to_60_s_ms = spread(zooms);
    return out;
}"""


class View:
    def __init__(self, log):
        self.process = subprocess.Popen([COMMAND, "view", "--no-browser", "--port", "0", log], stdout=subprocess.PIPE, text=True)
        self.url = re.match(r"\S+", self.process.stdout.readline()).group(0)

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def write_log(folder, name, scene, duration):
    path = str(pathlib.Path(folder) / name)
    subprocess.run([COMMAND, "run", str(SOURCE / "scenes" / scene), "-q", "--duration", str(duration), "--log", path], check=True)
    return path


def opened(browser, url):
    """The page with all of its meshes, and the seconds until it was there."""
    page = browser.new_page(viewport={"width": 1200, "height": 700})
    page.set_default_timeout(600_000)
    begin = time.monotonic()
    page.goto(url)
    while not page.evaluate("window.footfall !== undefined && footfall.row !== null"):
        time.sleep(0.01)
    page.evaluate("footfall.meshesReady()")
    return page, round(time.monotonic() - begin, 2)


def pictures(browser, folder):
    with View(write_log(folder, "push.mcap", "demo.yaml", 3)) as url:
        page, _ = opened(browser, url)
        return {f"picture of iCub, {layers} layers": page.evaluate(PICTURES, {"layers": layers, "count": count})
                for layers, count in (("usual", 40), ("all", 20))}


def long_log(browser, folder):
    with View(write_log(folder, "long.mcap", "icub.yaml", 600)) as url:
        page, seconds = opened(browser, url)
        return {"ten minutes at 1 kHz": {"open_s": seconds, **page.evaluate(LONG_LOG)}}


def main():
    parts = {"pictures": pictures, "log": long_log}
    results = {}
    with tempfile.TemporaryDirectory(prefix="footfall-page-") as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in sys.argv[1:] or parts:
            results.update(parts[name](browser, folder))
        browser.close()
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
