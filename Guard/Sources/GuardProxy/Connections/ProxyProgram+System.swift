// SPDX-License-Identifier: Apache-2.0

import CGuardProxy
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// `zamok-guard-proxy`, as `zamok guard` starts it: descriptor 3 is the connection to the guard, at 4 the sockets come
/// on which the guest's proxy and base addresses listen. Ends with the guard.
package enum ProxyProgram {
    private static let control: Int32 = 3
    private static let handover: Int32 = 4

    /// `words`: the guard's process. Returns a status if it can't begin.
    package static func run(_ words: [String]) -> Int32 {
        guard words.count == 1, let parent = Int32(words[0]) else {
            return tell("this is started by zamok guard alone", 64)
        }
        let hardened = guard_proxy_harden(parent)
        guard hardened == 0 else {
            return tell("the kernel refuses what protects its memory (error \(-hardened))", 126)
        }
        guard case .configure(let configuration) = Guardian.receive(control) else {
            return tell("the guard said nothing that this version knows", 126)
        }
        do { try serve(configuration) } catch { return tell("it can't begin: \(Refusal.reason(error))", 126) }
        return 0
    }

    private static func tell(_ text: String, _ status: Int32) -> Int32 {
        let line = Array("zamok-guard-proxy: \(text)\n".utf8)
        _ = unsafe write(2, line, line.count)
        return status
    }

    private static func serve(_ configuration: Configuration) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        // Everything about connections is on the loop. This thread only waits.
        let proxy = try loop.submit {
            let threads = NIOThreadPool(numberOfThreads: 2)
            threads.start()
            let opened = Set(configuration.hosts.filter { $0.isOpened && $0.host.scheme == .https }.map(\.host.name))
            let authority = try RunAuthority(opened.sorted())
            let guardian = Guardian(control, loop)
            let proxy = try Proxy(configuration, guardian, authority, loop, threads)
            Guardian.send(.ready(certificate: try authority.pem), control)
            guardian.begin { proxy.lock() }
            return NIOLoopBound(proxy, eventLoop: loop)
        }.wait()
        var sockets = [Int32](repeating: -1, count: 1 + configuration.bases.count)
        let received = unsafe guard_proxy_receive_files(handover, &sockets, Int32(sockets.count))
        // The guest has not begun, or the guard has ended.
        guard received == 0 else { return }
        _ = close(handover)
        for (index, socket) in sockets.enumerated() {
            let base = index == 0 ? nil : configuration.bases[index - 1]
            let bootstrap = ServerBootstrap(group: group).childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try accept(channel, proxy.value, base.map { .base(UInt16(index), $0) })
                    }
                }
            _ = try bootstrap.withBoundSocket(socket).wait()
        }
        while true { _ = pause() }
    }

    /// `origin`: that of a base address; nil: the proxy's.
    private static func accept(_ channel: any Channel, _ proxy: Proxy, _ origin: Origin?) throws {
        guard proxy.guests.add(channel) else { return try channel.pipeline.syncOperations.addHandler(FullHandler()) }
        let operations = channel.pipeline.syncOperations
        guard let origin else { return try operations.addHandler(WelcomeHandler(proxy)) }
        if case .base(let number, let base) = origin, base.host.scheme == .postgres {
            return try operations.addHandler(PostgresHandler(proxy, number, base))
        }
        let parser = ServerParser()
        try parser.add(to: channel)
        try operations.addHandler(RequestHandler(proxy, origin, parser.encoder))
    }
}
