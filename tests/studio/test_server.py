"""The server of the studio, spoken to by clients that mean no good."""

import json
import random
import socket
import unittest

from footfall_process import BOX, View
from web_socket import BINARY, WebSocket, get, http


class Server(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.view = View(BOX)
        cls.port = cls.view.port

    @classmethod
    def tearDownClass(cls):
        assert cls.view.stop() == 0, "the server did not end as it should"

    def tearDown(self):
        self.assertTrue(self.view.alive(), "the server has died")
        self.assertEqual(get(self.port, "/scene/0")[0], 200)

    # ---- what it serves ----

    def test_serves_the_page_the_scene_and_nothing_else(self):
        self.assertEqual(get(self.port, "/")[0], 200)
        status, scene = get(self.port, "/scene/0")
        self.assertEqual((status, json.loads(scene)["robot"]["name"]), (200, "box"))
        for path in ("/index.html", "/scene/1", "/scene/", "/scene/00x", "/mesh/0/0", "/mesh/0", "/mesh/0/-1", "/favicon.ico", "/ws/x"):
            self.assertEqual(get(self.port, path)[0], 404, path)

    def test_leaves_its_folders_by_no_path(self):
        for path in ("/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/scene/../../../etc/passwd", "/mesh/0/../../etc/passwd",
                     "//etc/passwd", "/mesh/0/0%00", "/etc/passwd", "\\..\\..\\etc\\passwd", "/scene/0/../0", "/mesh/0/99999999999999999999"):
            status, body = get(self.port, path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"root:", body)

    def test_refuses_other_methods_and_bodies(self):
        for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
            self.assertEqual(get(self.port, "/", method=method)[0], 405, method)
        answer = http(self.port, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n" + 100000 * b"x")
        self.assertNotIn(b" 200 ", answer.split(b"\r\n")[0])

    # ---- who may ask ----

    def test_refuses_pages_of_other_origins(self):
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{self.port + 1}", f"https://127.0.0.1:{self.port}"):
            self.assertEqual(get(self.port, "/scene/0", {"Origin": origin})[0], 403, origin)
            with WebSocket(self.port, {"Origin": origin}) as client:
                self.assertEqual(client.status, 403, origin)
        with WebSocket(self.port, {"Origin": f"http://127.0.0.1:{self.port}"}) as client:
            self.assertEqual(client.status, 101)

    def test_refuses_names_that_were_bent_to_this_machine(self):
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example", ""):
            self.assertEqual(get(self.port, "/", {"Host": host})[0], 403, host)

    def test_asks_for_a_token_when_others_can_reach_it(self):
        with View(BOX, "--bind", "0.0.0.0") as view:
            token = view.url.split("token=")[1]
            self.assertGreaterEqual(len(token), 32)
            self.assertEqual(get(view.port, "/")[0], 401)
            self.assertEqual(get(view.port, "/?token=" + token[:-1] + "x")[0], 401)
            self.assertEqual(get(view.port, f"/?token={token}")[0], 200)
            with WebSocket(view.port) as client:
                self.assertEqual(client.status, 401)
            with WebSocket(view.port, path=f"/ws?token={token}") as client:
                self.assertEqual(client.status, 101)

    # ---- what it is told ----

    def test_answers_messages_that_make_no_sense_with_an_error(self):
        with WebSocket(self.port) as client:
            for message in ("", "{", "null", "[]", "5", '"play"', "{}", '{"do": 5}', '{"do": "fly"}', '{"do": "step"}', '{"do": "step", "count": "x"}',
                            '{"do": "speed", "value": -1}', '{"do": "speed", "value": 1e999}', '{"do": "pull", "link": 99}',
                            '{"do": "pull", "link": 0.5, "point": [0,0,0], "target": [0,0,0], "stiffness": 1}',
                            '{"do": "pull", "link": 0, "point": [0,0], "target": [0,0,0], "stiffness": 1}', '{"do": "restore", "name": ""}',
                            '{"do": "set", "key": "ground.friction", "value": "-3"}', '{"do": "set", "key": "nonsense", "value": "1"}',
                            '{"do": "play", "session": 7}', '{"ask": "rows", "id": 1}', '{"ask": "columns", "id": 1, "columns": [1e9], "from": 0, "to": 1, "buckets": 9}',
                            '{"ask": "columns", "id": 1, "columns": "all", "from": 0, "to": 1, "buckets": 9}', '{"ask": "secrets", "id": 2}',
                            60000 * "[", '{"do": "' + 50000 * "x" + '"}'):
                client.send(message)
                self.assertTrue(client.receive_json("error")["text"], message[:40])

    def test_ends_connections_that_send_too_much_or_binary(self):
        with WebSocket(self.port) as client:
            client.send(70000 * "x")
            self.assertTrue(client.closed_by_server())
        with WebSocket(self.port) as client:
            client.send(b"\x00\x01", BINARY)
            self.assertTrue(client.closed_by_server())

    def test_survives_noise(self):
        noise = random.Random(7)
        for _ in range(60):
            http(self.port, noise.randbytes(noise.randrange(1, 4000)) + b"\r\n\r\n", timeout=0.2)
        for _ in range(60):
            with WebSocket(self.port) as client:
                client.socket.sendall(noise.randbytes(noise.randrange(1, 3000)))
        words = ['{"do":', '"play"', '"ask":', '"rows"', '"columns"', "[", "]", "{", "}", ":", ",", "1e308", "-1", "null", '"id":1', '"from":', '"\\ud800"']
        with WebSocket(self.port) as client:
            for _ in range(400):
                client.send("".join(noise.choice(words) for _ in range(noise.randrange(1, 12))))

    def test_survives_clients_that_come_and_go(self):
        for k in range(150):
            connection = socket.create_connection(("127.0.0.1", self.port))
            if k % 3 == 0:
                connection.sendall(b"GET / HTTP/1.1\r\nHost:")
            connection.close()
        for _ in range(40):
            WebSocket(self.port).close()

    def test_goes_on_beside_a_client_that_reads_nothing(self):
        with WebSocket(self.port, receive_buffer=1024), WebSocket(self.port) as good:
            times = [good.receive_frame()[5] for _ in range(60)]
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[-1], times[0])


if __name__ == "__main__":
    unittest.main()
