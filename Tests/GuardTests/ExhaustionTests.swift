// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A guest that uses up what it can. The guard goes on answering.
@Suite(.needsBoundary, .serialized) struct ExhaustionTests {
    /// Common to all: calls of the messages' page, and how long one of the guard's answers took.
    private static let prelude = """
        import os, resource, socket, struct, sys, threading, time
        def connect():
            made = socket.socket(socket.AF_UNIX); made.settimeout(60); made.connect("/run/zamok-guard/socket")
            return made
        def receive(connection, count):
            data = b""
            while len(data) < count:
                part = connection.recv(count - len(data))
                if not part: raise OSError("closed")
                data += part
            return data
        def ask(connection, request):
            connection.sendall(struct.pack(">I", len(request)) + request)
            return receive(connection, struct.unpack(">I", receive(connection, 4))[0])
        def answered(what):
            begin = time.monotonic()
            for attempt in range(20):
                try:
                    answer = ask(connect(), b"\\1\\1")
                    break
                except OSError: time.sleep(0.1)
            else: sys.exit("%s: no answer" % what)
            if answer[:2] != b"\\1\\2": sys.exit("%s: %r" % (what, answer))
            print(what, "%d ms" % ((time.monotonic() - begin) * 1000), flush=True)

        """

    private func run(_ script: String, _ scene: GuardScene) throws -> GuardScene.Ended {
        try scene.write(Self.prelude + script, to: "\(scene.work)/guest.py")
        return try scene.inside("app", ["python3", "guest.py"])
    }

    // Rule: a request that has begun has 10 s | the time was a thousand times that | the half one waited on
    @Test func `connections, half requests and large ones`() throws {
        let scene = try GuardScene()
        try scene.allow("app", "group.a", "read")
        let ended = try run(
            """
            resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            kept = []
            for number in range(1000): kept.append(connect())
            answered("idle connections")
            for number in range(100):
                half = connect(); half.sendall(struct.pack(">I", 1000) + b"x"); kept.append(half)
            answered("half requests")
            for number in range(20):
                large = connect(); large.setblocking(False)
                try: large.sendall(struct.pack(">I", 30 << 20) + b"x" * 100000)
                except OSError: pass
                kept.append(large)
            answered("half large requests")
            over = connect(); over.sendall(struct.pack(">I", 0xFFFFFFFF))
            try: ended = over.recv(1) == b""
            except OSError: ended = True
            print("over the limit", ended, flush=True)
            answered("after it")
            half = connect(); half.sendall(struct.pack(">I", 1000) + b"x")
            try: print("half ended", half.recv(1) == b"", flush=True)
            except TimeoutError: print("half waits")
            """, scene)
        #expect(ended.status == 0, "\(ended.text)")
        #expect(ended.text.contains("over the limit True"))
        #expect(ended.text.contains("half ended True"))
        print(ended.text)
    }

    @Test func `refused calls by the thousand, and descriptors sent along`() throws {
        let scene = try GuardScene()
        try scene.allow("app", "group.a", "read")
        #expect(try scene.zamok(["log", "on"]).status == 0)
        let ended = try run(
            """
            connection = connect()
            for number in range(20000): ask(connection, b"\\1\\x63")
            answered("after malformed requests")
            connection = connect()
            for number in range(2000):
                socket.send_fds(connection, [struct.pack(">I", 2) + b"\\1\\1"], [0] * 50)
                receive(connection, struct.unpack(">I", receive(connection, 4))[0])
            answered("after 100,000 descriptors")
            """, scene)
        #expect(ended.status == 0, "\(ended.text)")
        let lines = try scene.zamok(["guard", "log", "app", "--json"]).text.split(separator: "\n")
        #expect(lines.count < 400, "\(lines.count)")
        #expect(lines.contains { $0.contains("more refused") })
    }

    /// Limits of its own stand for the machine's, which the test leaves alone.
    @Test func `processes, memory and a full folder`() throws {
        let scene = try GuardScene()
        try scene.allow("app", "group.a", "read")
        try scene.store("one", in: "group.a", "first")
        let ended = try run(
            """
            children = []
            for number in range(200):
                child = os.fork()
                if child == 0: time.sleep(600)
                children.append(child)
            answered("with 200 processes")
            taken = bytearray(256 << 20)
            answered("with 256 MiB")
            with open("/tmp/full", "wb") as file: file.write(b"x" * (64 << 20))
            answered("with a full /tmp")
            for number in range(2000): open("/tmp/%d" % number, "w").close()
            answered("with 2,000 files")
            """, scene)
        #expect(ended.status == 0, "\(ended.text)")
        #expect(
            try scene.inside("app", ["zamok", "keychain", "find", "--account", "one", "-w"]).text.hasPrefix("first"))
    }

    @Test func `one guest that asks without a pause leaves the guard of another alone`() throws {
        let scene = try GuardScene()
        try scene.allow("app", "group.a", "read")
        let busy = try scene.start([
            "guard", "--name", "app", "--", "python3", "-c",
            Self.prelude
                + """
                print("busy", flush=True)
                def loop():
                    connection = connect()
                    while True: ask(connection, b"\\1\\1")
                for number in range(8): threading.Thread(target=loop).start()
                """,
        ])
        defer { busy.kill(SIGKILL) }
        try busy.await("busy")
        let begin = ContinuousClock.now
        #expect(try scene.inside("other", ["true"]).status == 0)
        #expect(begin.duration(to: .now) < .seconds(30))
    }
}
