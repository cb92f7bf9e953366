// SPDX-License-Identifier: Apache-2.0

import CGuardProxy
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOPosix
import Testing

@testable import GuardProxy

/// A file of the counters that all processes of a home share.
private final class CounterFile {
    let folder: String
    let descriptor: Int32

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "counters-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.page().write(to: URL(filePath: "\(folder)/generation"))
        descriptor = unsafe open("\(folder)/generation", O_RDWR | O_CLOEXEC)
    }

    deinit {
        close(descriptor)
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func page(locks: UInt8 = 0) -> Data {
        var bytes = Array("zamokgen".utf8) + [UInt8](repeating: 0, count: 4088)
        bytes[128] = locks
        return Data(bytes)
    }

    /// As a change of the keychain does.
    func change() { _ = unsafe pwrite(descriptor, [1 as UInt8], 1, 320) }
}

@Suite("What is passed on after a lock or a revoked grant") struct PassingTests {
    /// A request with a secret that has been sent, between a guest and a server.
    private struct Scene {
        let loop = EmbeddedEventLoop()
        let counters: CounterFile
        let guardian: Guardian
        let proxy: Proxy
        let guest: EmbeddedChannel
        let server: EmbeddedChannel

        init() throws {
            counters = try CounterFile()
            // Nothing reads what is said to the guard: the test knows.
            guardian = Guardian(
                unsafe open("/dev/null", O_WRONLY | O_CLOEXEC), loop, counters: counters.descriptor, patience: .hours(1)
            )
            let host = Host(.http, "api.example.com", 80)
            var configuration = Configuration()
            configuration.hosts = [ListedHost(host, isOpened: true, address: nil)]
            configuration.placeholders = ["ghp_0123456789abcdefghijABCDEFGHIJ012345"]
            let threads = NIOThreadPool(numberOfThreads: 1)
            proxy = try Proxy(configuration, guardian, try RunAuthority([]), loop, threads)
            let handler = RequestHandler(proxy, .tunnel(host), ResponseEncoder())
            guest = EmbeddedChannel(handler: handler, loop: loop)
            try guest.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let answers = AnswerHandler(handler)
            server = EmbeddedChannel(handler: answers, loop: loop)
            try server.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 2)).wait()
            proxy.keep(Upstream(server, host, RequestEncoder(), answers))
            let fields: HTTPHeaders = [
                "Host": "api.example.com", "Authorization": "Bearer \(configuration.placeholders[0])",
            ]
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: fields)
            for part in [HTTPServerRequestPart.head(head), .end(nil)] { try guest.writeInbound(part) }
            goOn()
            let given = Given(configuration.placeholders[0], .header("authorization"), "me", Array("the secret".utf8))
            guardian.received(.answer(1, .allowed([given])))
            goOn()
            try say(.head(HTTPResponseHead(version: .http1_1, status: .ok)))
            try say(.body(ByteBuffer(string: "first of it")))
        }

        func say(_ part: HTTPClientResponsePart) throws {
            try server.writeInbound(part)
            goOn()
        }

        /// Searches may wait for their turn.
        func goOn() { for _ in 0..<10 { loop.advanceTime(by: .milliseconds(1)) } }

        /// What the guest had since it was last asked.
        func had() throws -> String {
            var text = ""
            while let part = try guest.readOutbound(as: HTTPServerResponsePart.self) {
                if case .body(.byteBuffer(let bytes)) = part { text += String(buffer: bytes) }
                if case .end = part { text += "|" }
            }
            return text
        }
    }

    // Rule: nothing is passed on once a lock is there, also before the event loop comes to it | the lock was not looked
    //   at | the rest was passed on, and the answer ended as a whole one
    @Test(arguments: [false, true]) func `a lock that the event loop has not come to`(isEnd: Bool) throws {
        let scene = try Scene()
        // A few of the bytes that came last may be those of a secret.
        let before = try scene.had()
        #expect(!before.isEmpty && "first of it".hasPrefix(before))
        scene.guardian.comingLocks.withLockedValue { $0 += 1 }
        try? scene.say(isEnd ? .end(nil) : .body(ByteBuffer(string: String(repeating: "later ", count: 100))))
        #expect(try scene.had() == "" && !scene.guest.isActive)
    }

    // Rule: after a grant was taken back nothing of the answer is passed on | the counters were not looked at | the
    //   rest was passed on
    @Test(arguments: [false, true]) func `a grant that may have been taken back`(isGranted: Bool) throws {
        let scene = try Scene()
        let before = try scene.had()
        scene.counters.change()
        try scene.say(.body(ByteBuffer(string: " and later")))
        try scene.say(.end(nil))
        #expect(try scene.had() == "" && scene.guest.isActive)
        scene.guardian.received(.answer(2, isGranted ? .allowed([]) : .refused(status: 403, text: "not granted")))
        scene.goOn()
        #expect(try before + scene.had() == (isGranted ? "first of it and later|" : before))
        #expect(scene.guest.isActive == isGranted)
    }

    // Rule: a lock is seen in the file that has taken the place of the counters' | the new file was not mapped | no
    //   lock was seen in 10 s
    @Test func `counters that are replaced`() throws {
        let file = try CounterFile()
        let page = unsafe UInt(bitPattern: guard_proxy_counters(file.descriptor))
        let folder = unsafe open(file.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        let seen = NIOLockedValueBox(false)
        let isSeen = DispatchSemaphore(value: 0)
        // They wait for ever.
        let number = dup(file.descriptor)
        Thread { _ = unsafe guard_proxy_follow_counters(folder, number, UnsafeRawPointer(bitPattern: page)) }.start()
        Thread {
            var counts: [UInt64] = [0, 0]
            unsafe guard_proxy_wait_for_lock(UnsafeRawPointer(bitPattern: page), &counts)
            seen.withLockedValue { $0 = true }
            isSeen.signal()
        }.start()
        for (name, locks) in [("same", UInt8(0)), ("other", 1)] {
            #expect(!seen.withLockedValue { $0 })
            try CounterFile.page(locks: locks).write(to: URL(filePath: "\(file.folder)/\(name)"))
            #expect(unsafe rename("\(file.folder)/\(name)", "\(file.folder)/generation") == 0)
        }
        #expect(isSeen.wait(timeout: .now() + 10) == .success)
    }
}
