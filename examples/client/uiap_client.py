"""A UIAP client in the standard library of Python 3.11: over standard input and output, or over a WebSocket.

    python uiap_client.py stdio uiap serve --stdio --as person http://127.0.0.1:4870
    python uiap_client.py ws 127.0.0.1:4871 [TOKEN]
"""
import base64, hashlib, itertools, json, os, socket, struct, subprocess, sys
from datetime import datetime, timezone


class Stdio:
    """One envelope per line, to and from a program that is started here."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        return line if line else None

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)


class WebSocket:
    """One envelope per text frame (RFC 6455), as far as a client needs it."""

    def __init__(self, address, token=None):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET /uiap/ws HTTP/1.1", f"Host: {address}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: uiap.v0.1", f"Sec-WebSocket-Key: {key}"]
        lines += [f"Authorization: Bearer {token}"] if token else []
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = list(iter(lambda: self.stream.readline().strip().decode(), ""))
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if not head[0].startswith("HTTP/1.1 101") or base64.b64encode(digest).decode() not in "".join(head):
            raise ConnectionError(head[0])

    def send(self, text, opcode=1):
        data, mask = text.encode() if isinstance(text, str) else text, os.urandom(4)
        size = len(data)
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | (size if size < 126 else 126 if size < 65536 else 127))
        head += b"" if size < 126 else struct.pack("!H" if size < 65536 else "!Q", size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(data)))

    def receive(self):
        whole = b""
        while True:
            first, size = struct.unpack("!BB", self.stream.read(2))
            size = size if size < 126 else struct.unpack("!H", self.stream.read(2))[0] if size == 126 else \
                struct.unpack("!Q", self.stream.read(8))[0]
            data = self.stream.read(size)
            if first & 0x0F == 8:
                return None
            if first & 0x0F == 9:
                self.send(data, opcode=10)
                continue
            whole += data
            if first & 0x80:
                return whole.decode()

    def close(self):
        self.send(struct.pack("!H", 1000), opcode=8)
        self.socket.close()


class Client:
    """A session: requests get exactly one response; everything else is an event, kept in order."""

    def __init__(self, transport, name="python"):
        self.transport, self.name, self.session, self.events = transport, name, None, []
        self.numbers = itertools.count(1)

    def request(self, kind, payload=None, ext=None):
        message = {"uiap": "0.1", "kind": "request", "type": kind, "id": f"py_{next(self.numbers)}",
                   "ts": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
                   "source": {"role": "agent", "id": self.name}, "payload": payload or {}}
        message |= {"sessionId": self.session} if self.session else {}
        message |= {"ext": ext} if ext else {}
        self.transport.send(json.dumps(message))
        while (answer := self.next_message()).get("correlationId") != message["id"] or answer["kind"] != "response":
            self.events.append(answer)
        if answer["type"] == "error":
            raise RuntimeError(f"{answer['payload']['code']}: {answer['payload']['message']}")
        return answer["payload"]

    def next_message(self):
        if (text := self.transport.receive()) is None:
            raise ConnectionError("the other side has gone")
        return json.loads(text)

    def event(self, *kinds):
        """The next event of one of these kinds; those before it are dropped."""
        while True:
            message = self.events.pop(0) if self.events else self.next_message()
            if message["type"] in kinds:
                return message

    def begin(self):
        begun = self.request("session.initialize", {"supportedVersions": ["0.1"], "supportedProfiles": ["web@0.1"],
                                                    "peer": {"name": self.name}})
        self.session = begun["sessionId"]
        return begun

    def act(self, action, agrees=None, **request):
        """Asks for an action, lets `agrees` decide about what is risky, and returns the result."""
        handle = self.request("action.request", {"actionId": action, **request})["actionHandle"]
        while True:
            message = self.event("action.confirmation.request", "action.result")
            if message["payload"]["actionHandle"] != handle:
                continue
            if message["type"] == "action.result":
                return message["payload"]
            if agrees and message.get("ext"):
                word = "grant" if agrees(message["payload"]) else "deny"
                self.request(f"action.confirmation.{word}", {"actionHandle": handle}, ext=message["ext"])


def main(kind, *rest):
    client = Client(Stdio(rest) if kind == "stdio" else WebSocket(*rest))
    print("session with", client.begin()["app"]["id"])
    graph = client.request("web.state.get")["graph"]
    print("page", graph["route"]["url"], "with", len(graph["elements"]), "elements")
    named = [element for element in graph["elements"] if element.get("name")]
    if named:
        target = {"ref": {"by": "custom", "value": "instance:" + named[0]["instanceId"]}}
        result = client.act("ui.read", target=target)
        print("read", json.dumps(named[0]["name"]), "->", result["status"])
    client.request("session.terminate")
    client.transport.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
