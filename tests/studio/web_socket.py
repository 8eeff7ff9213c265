"""A WebSocket client of a few lines, which can also say what no good client would."""

import base64
import json
import os
import re
import socket
import struct

TEXT, BINARY, CLOSE, PING = 1, 2, 8, 9


def http(port, request, timeout=10.0):
    """Sends bytes, returns all that comes back until the server closes or says nothing more."""
    with socket.create_connection(("127.0.0.1", port), timeout=timeout) as connection:
        connection.sendall(request)
        answer = b""
        try:
            while True:
                part = connection.recv(65536)
                if not part:
                    break
                answer += part
                head, separator, body = answer.partition(b"\r\n\r\n")
                if separator and b"content-length" in head.lower():
                    length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                    if len(body) >= length:
                        break
        except (socket.timeout, ConnectionResetError):
            pass
        return answer


def ask(port, path, headers=None, method="GET"):
    """Status, header fields (lower case) and body of a request."""
    fields = {"Host": f"127.0.0.1:{port}", **(headers or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    answer = http(port, f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    told = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:]) if head else {}
    return (int(head.split()[1]) if head else 0), {name.lower(): value for name, value in told.items()}, body


def get(port, path, headers=None, method="GET"):
    """Status and body of a request."""
    status, _, body = ask(port, path, headers, method)
    return status, body


class Pass:
    """What a browser is given for the token: a cookie and a key."""

    def __init__(self, view):
        status, headers, body = ask(view.port, f"/?token={view.token}")
        assert status == 200, status
        self.cookie = headers["set-cookie"].split(";")[0]
        self.key = re.search(rb'<meta name="footfall-key" content="([0-9a-f]+)">', body).group(1).decode()

    def headers(self, **more):
        return {"Cookie": self.cookie, **more}

    def path(self, path):
        return f"{path}?key={self.key}"


class WebSocket:
    def __init__(self, port, headers=None, path="/ws", receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(15.0)
        self.socket.connect(("127.0.0.1", port))
        fields = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                  "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **(headers or {})}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            part = self.socket.recv(1)
            if not part:
                break
            head += part
        self.status = int(head.split()[1]) if head else 0

    def send(self, payload, kind=TEXT):
        data = payload if isinstance(payload, bytes) else payload.encode()
        mask = b"\x11\x22\x33\x44"
        if len(data) < 126:
            length = struct.pack("!B", 0x80 | len(data))
        elif len(data) < 65536:
            length = struct.pack("!BH", 0x80 | 126, len(data))
        else:
            length = struct.pack("!BQ", 0x80 | 127, len(data))
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.socket.sendall(struct.pack("!B", 0x80 | kind) + length + mask + masked)

    def send_json(self, message):
        self.send(json.dumps(message))

    def _exactly(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the server has closed the connection")
            data += part
        return data

    def receive(self):
        """Kind and payload of the next message; ConnectionError when there is none any more."""
        first, second = self._exactly(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack("!H", self._exactly(2))[0]
        elif length == 127:
            length = struct.unpack("!Q", self._exactly(8))[0]
        payload = self._exactly(length)
        if first & 0x0F == CLOSE:
            raise ConnectionError("the server has said good-bye")
        return first & 0x0F, payload

    def receive_frame(self):
        """Numbers of the next frame."""
        while True:
            kind, payload = self.receive()
            if kind == BINARY and struct.unpack_from("<d", payload)[0] == 1.0:
                return struct.unpack(f"<{len(payload) // 8}d", payload)

    def receive_json(self, wanted="error"):
        while True:
            kind, payload = self.receive()
            if kind == TEXT and json.loads(payload).get("type") == wanted:
                return json.loads(payload)

    def closed_by_server(self):
        """True when the server ends the connection."""
        try:
            while True:
                self.receive()
        except (ConnectionError, ConnectionResetError):
            return True
        except TimeoutError:
            return False

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
