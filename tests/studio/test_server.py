"""The server of the studio, spoken to by clients that mean no good."""

import json
import os
import pathlib
import random
import re
import socket
import subprocess
import time
import unittest

from footfall_process import BOX, COMMAND, ICUB, View, temporary_folder, write_log
from web_socket import BINARY, Pass, WebSocket, ask, get, http


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.view = View(BOX)
        cls.port = cls.view.port
        cls.known = Pass(cls.view)

    @classmethod
    def tearDownClass(cls):
        assert cls.view.stop() == 0, "the server did not end as it should"

    def tearDown(self):
        self.assertTrue(self.view.alive(), "the server has died")
        self.assertEqual(self.get("/scene/0")[0], 200)

    def get(self, path, headers=None, method="GET"):
        """As a browser that has opened the page."""
        return get(self.port, self.known.path(path), self.known.headers(**(headers or {})), method)

    def client(self, headers=None, **options):
        return WebSocket(self.port, self.known.headers(**(headers or {})), self.known.path("/ws"), **options)

    def test_the_printed_address_is_one_that_other_machines_can_open(self):
        with View(BOX, "--paused", "--bind", "0.0.0.0") as view:
            host = re.match(r"http://([^:/]+):", view.url).group(1)
            self.assertNotEqual(host, "0.0.0.0")
            with socket.socket() as own:
                own.bind((host, 0))  # an address of this machine: only those can be bound
            self.assertEqual(ask(view.port, f"/?token={view.token}")[0], 200)
        with View(BOX, "--paused", "--bind", "localhost") as view:
            self.assertTrue(view.url.startswith("http://localhost:"))

    def test_says_whether_the_address_or_the_port_cannot_be_had(self):
        def refused(*arguments):
            ended = subprocess.run([COMMAND, "view", BOX, "--no-browser", *arguments], capture_output=True, text=True, timeout=60)
            self.assertNotEqual(ended.returncode, 0)
            return ended.stderr

        self.assertIn("error: --bind 192.0.2.1: cannot listen there", refused("--bind", "192.0.2.1"))  # of nobody (RFC 5737)
        self.assertIn(f"error: --port {self.port}: cannot listen on", refused("--port", str(self.port)))

    # ---- what it serves ----

    def test_serves_the_page_the_scene_and_nothing_else(self):
        self.assertEqual(self.get("/")[0], 200)
        status, scene = self.get("/scene/0")
        self.assertEqual((status, json.loads(scene)["robot"]["name"]), (200, "box"))
        for path in ("/index.html", "/scene/1", "/scene/", "/scene/00x", "/mesh/0/0", "/mesh/0", "/mesh/0/-1", "/favicon.ico", "/ws/x"):
            self.assertEqual(self.get(path)[0], 404, path)

    def test_leaves_its_folders_by_no_path(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/scene/../../../etc/passwd", "/mesh/0/../../etc/passwd",
                     "//etc/passwd", "/mesh/0/0%00", "/etc/passwd", "\\..\\..\\etc\\passwd", "/scene/0/../0", "/mesh/0/99999999999999999999"):
            status, body = self.get(path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"root:", body)

    def test_refuses_other_methods_and_bodies(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(self.get("/", method=method)[0], 405, method)
        answer = http(self.port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n" + 100000 * b"x")
        self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0])

    # ---- who may ask ----

    def test_refuses_pages_of_other_origins(self):
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{self.port + 1}", f"https://127.0.0.1:{self.port}"):
            self.assertEqual(self.get("/scene/0", {"Origin": origin})[0], 403, origin)
            with self.client({"Origin": origin}) as client:
                self.assertEqual(client.status, 403, origin)
        with self.client({"Origin": f"http://127.0.0.1:{self.port}"}) as client:
            self.assertEqual(client.status, 101)

    def test_refuses_names_that_were_bent_to_this_machine(self):
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example", ""):
            self.assertEqual(self.get("/", {"Host": host})[0], 403, host)

    def test_answers_nothing_without_a_token(self):
        for path in ("/", "/scene/0", "/mesh/0/0", "/favicon.ico", "/ws", "/nothing", "/?token=", "/?token", "/?key=", f"/?xtoken={self.view.token}",
                     f"/?token={self.view.token[:-1]}", f"/?token={self.view.token}0", f"/?token={self.view.token}&token={self.view.token}",
                     f"/scene/0?xtoken={self.view.token}", f"/scene/0#token={self.view.token}"):
            status, headers, body = ask(self.port, path)
            self.assertEqual(status, 401, path)
            self.assertNotIn("set-cookie", headers)
            self.assertNotIn(b'name="footfall-key"', body)
        with WebSocket(self.port) as client:
            self.assertEqual(client.status, 401)

    def test_finds_no_other_way_in_for_strangers(self):
        own, token = f"Host: 127.0.0.1:{self.port}", self.view.token
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
        for expected, line, *fields in (
                (403, f"GET /?token={token} HTTP/1.0"),
                (403, f"GET /?token={token} HTTP/1.1", own, "Host: evil.example"),
                (403, f"GET /?token={token} HTTP/1.1", own, f"Origin: http://127.0.0.1:{self.port}", "Origin: http://evil.example"),
                (403, f"GET /?token={token} HTTP/1.1", own, "Origin: "),
                (403, f"GET /?token={token} HTTP/1.1", own, f"Origin: http://localhost:{self.port}"),
                (403, f"GET /?token={token} HTTP/1.1", "Host: localhost:1;evil=1"),
                (403, f"GET /?token={token} HTTP/1.1", f"Host: localhost@evil.example:{self.port}"),
                (403, f"GET /?token={token} HTTP/1.1", f"Host: 2130706433:{self.port}"),
                (401, "GET http://evil.example/scene/0 HTTP/1.1", own),
                (401, f"GET http://127.0.0.1:{self.port}/scene/0 HTTP/1.1", own),
                (401, f"GET /scene/0?%74oken={token} HTTP/1.1", own),
                (401, f"GET /scene/0;token={token} HTTP/1.1", own),
                (401, f"GET /scene/0?key={self.known.key} HTTP/1.1", own, f"Cookie: {self.known.cookie}; {self.known.cookie.split('=')[0]}=x"),
                (401, f"GET /scene/0?key={self.known.key} HTTP/1.1", "Host: 127.0.0.1:80", f"Cookie: {self.known.cookie}"),
                (401, "GET /ws HTTP/1.1", own, f"Cookie: {self.known.cookie}", upgrade),
                (401, f"GET /ws?key={self.known.key} HTTP/1.1", own, upgrade),
                (404, f"GET /?token={token} HTTP/1.1", own, upgrade)):
            answer = http(self.port, "\r\n".join((line, *fields, "", "")).encode())
            self.assertEqual(int(answer.split()[1]), expected, (line, fields))
        # Who has shown the token once has shown it for that request only.
        asked = f"HEAD /?token={token} HTTP/1.1\r\n{own}\r\n\r\nGET /scene/0 HTTP/1.1\r\n{own}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall(asked.encode())
            answers = b""
            while answers.count(b"HTTP/1.1 ") < 2:
                part = connection.recv(65536)
                self.assertTrue(part, answers)
                answers += part
        self.assertEqual([int(part.split()[0]) for part in answers.split(b"HTTP/1.1 ")[1:]], [200, 401])

    def test_tells_a_stranger_what_to_do(self):
        status, body = get(self.port, "/")
        self.assertEqual(status, 401)
        self.assertIn(b"token is missing", body)
        self.assertIn(b"footfall view", body)

    def test_takes_the_token_for_everything(self):
        for path in ("/", "/scene/0"):
            self.assertEqual(get(self.port, f"{path}?token={self.view.token}")[0], 200, path)
        with WebSocket(self.port, path=f"/ws?token={self.view.token}") as client:
            self.assertEqual(client.status, 101)

    def test_a_browser_needs_its_cookie_and_its_key(self):
        for path in ("/scene/0", "/ws"):
            self.assertEqual(get(self.port, path, self.known.headers())[0], 401, "the cookie alone, which every port of the machine is sent")
            self.assertEqual(get(self.port, self.known.path(path))[0], 401, "the key alone")
            self.assertEqual(get(self.port, self.known.path(path), {"Cookie": "x" + self.known.cookie})[0], 401)
        self.assertEqual(get(self.port, "/", self.known.headers())[0], 200, "a bookmark")
        self.assertNotIn(b'name="footfall-key"', get(self.port, "/", self.known.headers())[1], "the cookie does not buy the key")

    def test_the_cookie_is_for_no_script_and_no_other_site(self):
        _, headers, _ = ask(self.port, f"/?token={self.view.token}")
        cookie = headers["set-cookie"].split("; ")
        self.assertTrue(cookie[0].startswith(f"footfall_{self.port}="))
        self.assertEqual(set(cookie[1:]), {"Path=/", "HttpOnly", "SameSite=Strict"})
        self.assertNotIn(self.view.token, cookie[0])

    def test_pages_may_ask_only_where_they_come_from(self):
        for path in ("/", self.known.path("/scene/0"), "/nothing"):
            for cookies in (self.known.headers(), {}):
                _, headers, body = ask(self.port, path, cookies)
                policy = {part.split()[0]: part.split()[1:] for part in headers["content-security-policy"].split("; ")}
                self.assertEqual(policy["default-src"], ["'none'"])
                self.assertEqual(policy["connect-src"], ["'self'"])
                self.assertEqual(policy["frame-ancestors"], ["'none'"])
                self.assertEqual((policy["base-uri"], policy["form-action"]), (["'none'"], ["'none'"]))
                self.assertNotIn("'unsafe-inline'", policy.get("script-src", []))
                self.assertEqual(headers["cache-control"], "no-store")
                self.assertEqual(headers["referrer-policy"], "no-referrer")
                self.assertEqual(headers["x-content-type-options"], "nosniff")
                self.assertEqual(headers["x-frame-options"], "DENY")
                self.assertNotIn("access-control-allow-origin", headers)
        nonces = set()
        for _ in range(3):
            _, headers, body = ask(self.port, "/", self.known.headers())
            nonce = re.search(r"script-src 'nonce-([0-9a-f]+)'", headers["content-security-policy"]).group(1)
            self.assertIn(f'<script nonce="{nonce}">'.encode(), body)
            nonces.add(nonce)
        self.assertEqual(len(nonces), 3)

    def test_needs_the_token_in_a_network_too(self):
        with View(BOX, "--bind", "0.0.0.0") as view:
            self.assertNotEqual(view.token, self.view.token)
            self.assertEqual(len(view.token), 48)
            self.assertEqual(get(view.port, "/")[0], 401)
            self.assertEqual(get(view.port, "/", {"Host": "robot.lab"})[0], 401)
            self.assertEqual(get(view.port, f"/?token={view.token}", {"Host": "robot.lab"})[0], 200)
            with WebSocket(view.port) as client:
                self.assertEqual(client.status, 401)
            with WebSocket(view.port, path=f"/ws?token={view.token}") as client:
                self.assertEqual(client.status, 101)

    def test_a_pass_is_good_for_one_server(self):
        with View(BOX) as other:
            self.assertEqual(get(other.port, self.known.path("/scene/0"), self.known.headers())[0], 401)
            renamed = self.known.cookie.replace(str(self.port), str(other.port))
            self.assertEqual(get(other.port, self.known.path("/scene/0"), {"Cookie": renamed})[0], 401)

    # ---- how much of it ----

    def test_strangers_keep_nobody_out(self):
        waiting = []
        try:
            for _ in range(300):  # more than it has places for, each in the middle of a request
                connection = socket.create_connection(("127.0.0.1", self.port))
                connection.sendall(b"GET / HTTP/1.1\r\nHost:")
                waiting.append(connection)
            self.assertEqual(self.get("/scene/0")[0], 200)
            with self.client() as client:
                self.assertEqual(client.status, 101)
                client.receive_frame()
        finally:
            for connection in waiting:
                connection.close()

    def test_a_request_without_end_is_given_up(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as slow:
            slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            slow.settimeout(0.5)
            for k in range(40):  # a letter now and then does not buy more time
                try:
                    slow.sendall(b"X")
                    if slow.recv(100) == b"":
                        break
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
            else:
                self.fail("it waits for ever")

    def test_long_requests_are_refused(self):
        for request in (b"GET /" + 20000 * b"x" + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + 20000 * b"x" + b"\r\n\r\n",
                        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + 2000 * b"X-A: b\r\n" + b"\r\n"):
            self.assertEqual(http(self.port, request), b"")

    def test_a_client_that_asks_without_end_is_answered_slowly(self):
        with self.client() as greedy, self.client() as good:
            try:
                for k in range(3000):
                    greedy.send_json({"ask": "impact", "id": k, "after": 0})
            except OSError:
                pass  # it took no answers, and was dropped
            begin = good.receive_frame()[5]
            self.assertGreater(good.receive_frame()[5], begin)

    # ---- what it is told ----

    def test_answers_messages_that_make_no_sense_with_an_error(self):
        with self.client() as client:
            for message in ("", "{", "null", "[]", "5", '"play"', "{}", '{"do": 5}', '{"do": "fly"}', '{"do": "step"}', '{"do": "step", "count": "x"}',
                            '{"do": "speed", "value": -1}', '{"do": "speed", "value": 1e999}', '{"do": "pull", "link": 99}',
                            '{"do": "pull", "link": 0.5, "point": [0,0,0], "target": [0,0,0], "stiffness": 1}',
                            '{"do": "pull", "link": 0, "point": [0,0], "target": [0,0,0], "stiffness": 1}', '{"do": "restore", "name": ""}',
                            '{"do": "set", "key": "ground.friction", "value": "-3"}', '{"do": "set", "key": "nonsense", "value": "1"}',
                            '{"do": "unset", "key": "ground.friction"}', '{"do": "unset", "key": "/etc/passwd"}', '{"do": "play", "session": 7}', '{"ask": "rows", "id": 1}', '{"ask": "columns", "id": 1, "columns": [1e9], "from": 0, "to": 1, "buckets": 9}',
                            '{"ask": "columns", "id": 1, "columns": "all", "from": 0, "to": 1, "buckets": 9}', '{"ask": "secrets", "id": 2}',
                            60000 * "[", '{"do": "' + 50000 * "x" + '"}'):
                client.send(message)
                self.assertTrue(client.receive_json("error")["text"], message[:40])

    def test_ends_connections_that_send_too_much_or_binary(self):
        with self.client() as client:
            client.send(70000 * "x")
            self.assertTrue(client.closed_by_server())
        with self.client() as client:
            client.send(b"\x00\x01", BINARY)
            self.assertTrue(client.closed_by_server())

    def test_takes_no_files_from_a_page(self):
        with temporary_folder() as folder, self.client() as client:
            secret = pathlib.Path(folder) / "secret.yaml"
            secret.write_text("canary-8c1f\n")
            for key in ("diagram", "robot.model", "ground.file", "run.log", "diagram.blocks.x.file", "physics.solver"):
                client.send_json({"do": "set", "key": key, "value": str(secret)})
                said = client.receive_json("error")["text"]
                self.assertIn("--allow-files", said)
                self.assertNotIn("canary", said)
            client.send_json({"do": "set", "key": "run.log", "value": str(pathlib.Path(folder) / "new.csv")})
            client.receive_json("error")
            self.assertEqual(os.listdir(folder), ["secret.yaml"])

    def test_allowed_files_are_read_and_told_to_the_terminal_only(self):
        with temporary_folder() as folder, View(BOX, "--paused", "--allow-files") as view:
            secret = pathlib.Path(folder) / "secret.yaml"
            secret.write_text("canary-8c1f \x1b]0;title\x1b\\\n")
            with WebSocket(view.port, path=f"/ws?token={view.token}") as client:
                client.send_json({"do": "set", "key": "diagram", "value": str(secret)})
                said = client.receive_json("error")["text"]
            self.assertNotIn("canary", said)
            self.assertIn("terminal", said)
            self.assertIn("canary-8c1f", view.terminal())
            self.assertNotIn("\x1b", view.terminal(), "terminals obey what they are shown")

    def test_windows_that_end_before_they_begin_are_empty(self):
        with self.client() as client:
            client.send_json({"do": "pause"})
            client.send_json({"ask": "columns", "id": 7, "columns": [1], "from": 5, "to": 0, "buckets": 9})
            client.send_json({"ask": "impact", "id": 8, "after": 0})
            self.assertEqual(client.receive_json("impact")["id"], 8)
            client.send_json({"do": "play"})

    def test_survives_noise(self):
        noise = random.Random(7)
        for _ in range(60):
            http(self.port, noise.randbytes(noise.randrange(1, 4000)) + b"\r\n\r\n", timeout=0.2)
        for _ in range(60):
            with self.client() as client:
                client.socket.sendall(noise.randbytes(noise.randrange(1, 3000)))
        words = ['{"do":', '"play"', '"ask":', '"rows"', '"columns"', "[", "]", "{", "}", ":", ",", "1e308", "-1", "null", '"id":1', '"from":', '"\\ud800"']
        with self.client() as client:
            for _ in range(400):
                client.send("".join(noise.choice(words) for _ in range(noise.randrange(1, 12))))

    def test_survives_clients_that_come_and_go(self):
        for k in range(150):
            connection = socket.create_connection(("127.0.0.1", self.port))
            if k % 3 == 0:
                connection.sendall(b"GET / HTTP/1.1\r\nHost:")
            connection.close()
        for _ in range(40):
            self.client().close()

    def test_goes_on_beside_a_client_that_reads_nothing(self):
        with self.client(receive_buffer=1024), self.client() as good:
            times = [good.receive_frame()[5] for _ in range(60)]
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[-1], times[0])


class StartedBrowser(unittest.TestCase):
    """Arguments of processes can be read by every account of the machine."""

    def test_is_given_an_address_that_is_good_once(self):
        with temporary_folder() as folder:
            told, program = pathlib.Path(folder) / "told", pathlib.Path(folder) / "xdg-open"
            program.write_text(f'#!/bin/sh\nprintf %s "$1" > {told}.new && mv {told}.new {told}\n')
            program.chmod(0o755)
            with View(BOX, "--paused", browser=str(program)) as view:
                for _ in range(200):
                    if told.exists():
                        break
                    time.sleep(0.05)
                token = told.read_text().split("?token=")[1]
                self.assertNotEqual(token, view.token)
                self.assertEqual(get(view.port, f"/scene/0?token={token}")[0], 401)
                self.assertEqual(get(view.port, f"/?token={token}")[0], 200)
                status, body = get(view.port, f"/?token={token}")
                self.assertEqual(status, 401)
                self.assertIn(b"good once", body)
                self.assertEqual(get(view.port, f"/?token={view.token}")[0], 200)


class TwoRuns(unittest.TestCase):
    """A simulation with few columns, compared with a log that has many."""

    def test_columns_of_one_are_not_read_from_the_other(self):
        with temporary_folder() as folder:
            log = write_log(folder, "a.mcap", ICUB, "--duration", "0.1", "--no-log-meshes")
            with View(BOX, "--paused", log) as view, WebSocket(view.port, path=f"/ws?token={view.token}") as client:
                client.send_json({"ask": "subscribe", "session": 1, "columns": [150]})
                self.assertIn("first session", client.receive_json("error")["text"])


if __name__ == "__main__":
    unittest.main()
