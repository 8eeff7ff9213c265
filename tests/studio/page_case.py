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
# While a server restarts its clients cannot reach it; a test that looks at pixels makes the software renderer wait.
EXPECTED = ("net::ERR_CONNECTION", "GPU stall due to ReadPixels", "Canvas2D: Multiple readback")


def chromium_path():
    path = os.environ.get("FOOTFALL_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not path:
        raise unittest.SkipTest("there is no chromium")
    return path


class Browser(unittest.TestCase):
    """One browser for all tests of a class; every test fails on errors in the console."""

    errors = []
    expected = EXPECTED

    @classmethod
    def setUpClass(cls):
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
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: cls.errors.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: cls.errors.append(str(error)))
        if on_request:
            page.on("request", on_request)
        return page

    def tearDown(self):
        unexpected = [text for text in self.errors if not any(expected in text for expected in self.expected)]
        self.errors.clear()
        self.assertEqual(unexpected, [])

    @staticmethod
    def eventually(page, condition):
        """Waits until something is true in the page, whose policy forbids the browser to do the waiting."""
        end = time.monotonic() + PATIENCE
        while not Browser.holds(page, condition):
            if time.monotonic() > end:
                raise AssertionError(f"never came true: {condition}")
            page.wait_for_timeout(40)

    @staticmethod
    def holds(page, condition):
        try:
            return page.evaluate(f"Boolean({condition})")
        except Error as error:
            if "context was destroyed" not in str(error):
                raise
            return False  # the page loads itself anew

    def click(self, page, name):
        page.locator(f"[data-test={name}]").first.click()

    def tab(self, page, title):
        page.locator(f"[data-tab={title}]").click()
