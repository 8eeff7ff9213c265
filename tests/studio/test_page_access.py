"""Who sees the page of the studio: browsers that were given the token, their other tabs, and nobody else."""

import contextlib
import http.server
import pathlib
import threading
import unittest

from footfall_process import BOX, View, run, temporary_folder
from page_case import Browser


@contextlib.contextmanager
def neighbour():
    """A server of somebody else on this machine; yields its port and the cookies that browsers send to it."""
    cookies = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            cookies.append(self.headers.get("Cookie") or "")
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><link rel=icon href='data:,'><title>neighbour</title>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1], cookies
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def address(view):
    """Without the token: what a bookmark is."""
    return f"http://127.0.0.1:{view.port}/"


class Access(Browser):
    expected = (*Browser.expected, "status of 401", "status of 403", "Content Security Policy", "blocked by CORS", "WebSocket connection to",
                "net::ERR_FAILED", "net::ERR_BLOCKED_BY_RESPONSE", "does not know this browser")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.view = View(BOX, "--paused")
        cls.addClassCleanup(cls.view.stop)

    def fresh(self):
        """A browser that knows nothing yet."""
        context = self.browser.new_context(viewport={"width": 500, "height": 300})
        self.addCleanup(context.close)
        return context

    def stranger_sees(self, page, text):
        self.assertIn(text, page.locator("body").inner_text())
        self.assertTrue(page.evaluate("window.footfall === undefined"))

    def test_the_token_leaves_the_address_and_no_script_sees_the_cookie(self):
        page = self.open_in(self.fresh(), self.view.url)
        self.assertEqual(page.url, address(self.view))
        self.assertEqual(page.evaluate("document.cookie"), "")
        cookies = page.context.cookies()
        self.assertEqual([(c["name"], c["httpOnly"], c["sameSite"]) for c in cookies], [(f"footfall_{self.view.port}", True, "Strict")])
        self.assertNotIn(self.view.token, page.evaluate("JSON.stringify(localStorage)"))

    def test_a_known_browser_needs_no_token_again(self):
        context = self.fresh()
        first = self.open_in(context, self.view.url)
        second = self.open_in(context, address(self.view))
        for page in (first, second):
            page.reload()
            self.eventually(page, "window.footfall !== undefined && footfall.row !== null && footfall.connected")

    def test_a_link_in_another_page_opens_it(self):
        with neighbour() as (port, _):
            page = self.tab_in(self.fresh())
            page.goto(f"http://localhost:{port}/")
            # Leaving is what is asked for: the question whether that worked must not be asked of the page that is left.
            page.evaluate(f"setTimeout(() => {{ location.href = {self.view.url!r} }}, 50)")
            page.wait_for_url(address(self.view) + "**")
            page.wait_for_load_state()
            self.eventually(page, "window.footfall !== undefined && footfall.row !== null && footfall.connected")

    def test_a_stranger_is_told_what_to_do(self):
        page = self.tab_in(self.fresh())
        page.goto(address(self.view))
        self.stranger_sees(page, "footfall view")
        page.goto(address(self.view) + "?token=wrong")
        self.stranger_sees(page, "The token is missing")

    def test_a_browser_that_forgot_is_told_what_to_do(self):
        page = self.open_in(self.fresh(), self.view.url)
        page.evaluate("localStorage.clear()")
        page.reload()
        self.eventually(page, "document.querySelector('.failure')?.textContent.includes('has printed')")
        page.context.clear_cookies()
        page.reload()
        self.stranger_sees(page, "The token is missing")
        page.goto(self.view.url)
        self.eventually(page, "window.footfall !== undefined && footfall.row !== null")

    def test_two_studios_do_not_disturb_each_other(self):
        with View(BOX, "--paused") as other:
            context = self.fresh()
            pages = [self.open_in(context, view.url) for view in (self.view, other)]
            self.assertEqual(len(context.cookies()), 2)
            for page in pages:
                page.reload()
                self.eventually(page, "window.footfall !== undefined && footfall.row !== null && footfall.connected")

    def test_a_neighbour_that_is_sent_the_cookie_cannot_use_it(self):
        with neighbour() as (port, cookies):
            context = self.fresh()
            self.open_in(context, self.view.url)
            page = self.tab_in(context)
            page.goto(f"http://127.0.0.1:{port}/")
            self.assertIn(f"footfall_{self.view.port}=", cookies[-1], "ports of a host share their cookies")
            attempts = page.evaluate("""async (studio) => {
                const socket = (path) => new Promise((done) => {
                    const it = new WebSocket(`ws://127.0.0.1:${studio}${path}`);
                    it.onopen = () => done('open');
                    it.onerror = () => done('refused');
                });
                const read = (path) => fetch(`http://127.0.0.1:${studio}${path}`, { credentials: 'include' }).then((r) => r.text(), () => 'refused');
                const image = (path) => new Promise((done) => {
                    const it = new Image();
                    it.onload = () => done('shown');
                    it.onerror = () => done('refused');
                    it.src = `http://127.0.0.1:${studio}${path}`;
                });
                return [await socket('/ws'), await read('/'), await read('/scene/0'), await image('/scene/0')];
            }""", self.view.port)
            self.assertEqual(attempts, ["refused"] * 4)

    def test_the_page_asks_nobody_else(self):
        with neighbour() as (port, cookies):
            page = self.open_in(self.fresh(), self.view.url)
            attempts = page.evaluate("""async (port) => {
                const read = (url) => fetch(url).then(() => 'open', () => 'refused');
                let socket = 'refused';
                try { socket = await new Promise((done) => { const it = new WebSocket(`ws://127.0.0.1:${port}/`); it.onopen = () => done('open'); it.onerror = () => done('refused'); }); } catch { }
                const script = document.createElement('script');
                script.textContent = 'window.injected = true';
                document.body.append(script);
                return [await read(`http://127.0.0.1:${port}/`), socket, window.injected ?? 'refused'];
            }""", port)
            self.assertEqual(attempts, ["refused"] * 3)
            self.assertEqual(cookies, [])


class HostileNames(Browser):
    """A robot whose name would end the element that it is written into, or begin another."""

    NAME = "a<!--<script>b</script><img src=x onerror=window.injected=1>"

    def test_are_only_shown(self):
        with temporary_folder() as folder:
            robot = pathlib.Path(folder) / "robot.urdf"
            escaped = self.NAME.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            robot.write_text(f"""<robot name="{escaped}"><link name="body"><inertial><mass value="1"/>
                <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
                <visual><geometry><box size="0.2 0.2 0.2"/></geometry></visual></link></robot>""")
            scene = pathlib.Path(folder) / "scene.yaml"
            scene.write_text("robot: {model: robot.urdf, base: {position: [0, 0, 1]}}\ncontacts: [{frame: body}]\n")
            log, report = str(pathlib.Path(folder) / "a.mcap"), str(pathlib.Path(folder) / "a.html")
            run("run", str(scene), "--quiet", "--duration", "0.1", "--log", log)
            run("report", log, "-o", report)
            with View(str(scene), "--paused") as live, View(log) as logged:
                for url in (pathlib.Path(report).as_uri(), live.url, logged.url):
                    page = self.open(url)
                    self.assertEqual(page.locator("header .robot").inner_text(), self.NAME, url)
                    self.assertEqual(page.evaluate("footfall.app.source.scene.robot.name"), self.NAME)
                    self.assertTrue(page.evaluate("window.injected === undefined"))
                    page.context.close()


if __name__ == "__main__":
    unittest.main()
