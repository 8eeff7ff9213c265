"""A real browser for tests of the page."""

import os
import pathlib
import shutil
import time
import unittest

from footfall_process import temporary_folder
from playwright.sync_api import Error, sync_playwright

# Software rendering: tests run on machines without a display.
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
PATIENCE = 60.0  # [s]
# Pages on a machine that is so many times as slow: a test that waits for time, and not for what it has asked for, fails there.
SLOWER = float(os.environ.get("FOOTFALL_SLOWER_PAGES", "1"))
# While a server restarts its clients cannot reach it; a test that looks at pixels makes the software renderer wait.
EXPECTED = ("net::ERR_CONNECTION", "GPU stall due to ReadPixels", "Canvas2D: Multiple readback")


def chromium_path():
    path = os.environ.get("FOOTFALL_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        raise unittest.SkipTest("there is no chromium")
    return path


class Browser(unittest.TestCase):
    """One browser for all tests of a class; a test fails on errors in the console of a page that is open meanwhile."""

    expected = EXPECTED

    @classmethod
    def setUpClass(cls):
        cls.errors = []  # of this class: a late one is not blamed on the next
        cls.addClassCleanup(cls.expect_no_errors)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_ARGUMENTS)
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def make_folder(cls):
        """An empty one, which goes with the class."""
        folder = temporary_folder()
        cls.addClassCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    @classmethod
    def open(cls, url, on_request=None, **options):
        """In a window of a fresh browser."""
        return cls.open_in(cls.browser.new_context(**{"viewport": {"width": 900, "height": 560}, **options}), url, on_request)

    @classmethod
    def open_in(cls, context, url, on_request=None):
        """In a new tab of a browser that may know the server already."""
        page = cls.tab_in(context, on_request)
        page.goto(url)
        cls.eventually(page, "window.footfall !== undefined && window.footfall.row !== null")
        return page

    @classmethod
    def tab_in(cls, context, on_request=None):
        page = context.new_page()
        if SLOWER > 1.0:
            context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: cls.errors.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: cls.errors.append(str(error)))
        if on_request:
            page.on("request", on_request)
        return page

    def run(self, result=None):
        """Notes which windows were there before the test: the others go with it."""
        self.windows_before = list(self.browser.contexts)
        return super().run(result)

    def tearDown(self):
        for context in self.browser.contexts:
            for page in context.pages:
                self.hear_out(page)
            if context not in self.windows_before:
                context.close()
        self.expect_no_errors()

    @staticmethod
    def hear_out(page):
        """What a page has said before it answers this has been heard."""
        try:
            page.evaluate("new Promise((done) => setTimeout(done))")
        except Error:
            pass  # it loads itself anew, or is gone

    @classmethod
    def expect_no_errors(cls):
        unexpected = [text for text in cls.errors if not any(expected in text for expected in cls.expected)]
        cls.errors.clear()
        if unexpected:
            raise AssertionError(f"the console has errors: {unexpected}")

    @staticmethod
    def eventually(page, condition):
        """Waits until something, or what it promises, is true in the page, whose policy forbids the browser to do the waiting."""
        end = time.monotonic() + PATIENCE
        while not Browser.holds(page, condition):
            if time.monotonic() > end:
                raise AssertionError(f"never came true: {condition}\nthe page: {Browser.about(page)}")
            page.wait_for_timeout(40)

    @staticmethod
    def holds(page, condition):
        try:
            return page.evaluate(f"Promise.resolve({condition}).then(Boolean)")
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            return False  # the page loads itself anew

    @staticmethod
    def about(page):
        """What it does, for who reads why a test failed."""
        try:
            return page.evaluate("""window.footfall ? { connected: footfall.connected, playing: footfall.playing, time: footfall.time, extent: footfall.extent,
                frames: footfall.frames, toasts: [...document.querySelectorAll('.toast')].map((each) => each.textContent) } : document.body?.innerText""")
        except Error as error:
            return str(error)

    def after_a_picture(self, page, action):
        """Does something in the page, and waits until a picture has been drawn since."""
        drawn = page.evaluate(f"(() => {{ {action}; footfall.app.viewport.invalidate(); return footfall.frames; }})()")
        self.eventually(page, f"footfall.frames > {drawn}")

    def look_at_robot(self, page):
        page.evaluate("footfall.meshesReady()")
        self.after_a_picture(page, "footfall.app.viewport.lookAtRobot()")

    def wait_for_pause(self, page):
        """Until the server stands still, and the page shows its newest row."""
        self.eventually(page, "!footfall.playing && footfall.app.source.rowAt(1e9).then((newest) => newest.index === footfall.row.index)")

    def click(self, page, name):
        page.locator(f"[data-test={name}]").first.click()

    def tab(self, page, title):
        page.locator(f"[data-tab={title}]").click()
