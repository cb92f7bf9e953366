// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ZamokCommand

/// Whose turn it is at the Secret Service.
@Suite struct SecretsClientsTests {
    private typealias Clients = SecretsClients<Int>

    private func calls(_ clients: inout Clients) -> [Int] { clients.round().map(\.call) }

    @Test func `a client that calls without end gets one answer in a turn, and a limit`() {
        var clients = Clients()
        #expect(clients.take(0, from: ":1.1") == .unknown)
        clients.set(":1.1", isOwn: true)
        for number in 1..<Clients.queueLimit { #expect(clients.take(number, from: ":1.1") == .queued) }
        #expect(clients.take(-1, from: ":1.1") == .refused)
        #expect(clients.take(1000, from: ":1.2") == .unknown)
        clients.set(":1.2", isOwn: true)
        #expect(calls(&clients) == [0, 1000])
        #expect(calls(&clients) == [1])
        #expect(clients.take(256, from: ":1.1") == .queued)
        #expect(clients.hasWork)
        for number in 2...256 { #expect(calls(&clients) == [number]) }
        #expect(!clients.hasWork && calls(&clients) == [])
    }

    @Test func `a client waits until it is known whose it is, and keeps nobody else from being served`() {
        var clients = Clients()
        #expect(clients.take(1, from: ":1.1") == .unknown)
        #expect(clients.take(2, from: ":1.2") == .unknown)
        #expect(!clients.hasWork && calls(&clients) == [])
        clients.set(":1.2", isOwn: false)
        let round = clients.round()
        #expect(round.map(\.call) == [2] && round.map(\.isOwn) == [false])
        #expect(!clients.hasWork)
        clients.set(":1.1", isOwn: true)
        #expect(clients.round().map(\.isOwn) == [true])
        // Who has left is unknown again, and what waited is gone.
        #expect(clients.take(3, from: ":1.1") == .queued)
        clients.remove(":1.1")
        #expect(calls(&clients) == [])
        #expect(clients.take(4, from: ":1.1") == .unknown)
    }

    @Test func `there are at most 512 clients at a time`() {
        var clients = Clients()
        for number in 0..<Clients.clientLimit { #expect(clients.take(number, from: ":1.\(number)") == .unknown) }
        #expect(clients.take(0, from: ":1.512") == .refused)
        clients.set(":1.7", isOwn: true)
        #expect(clients.round().count == 1)
        #expect(clients.take(0, from: ":1.512") == .unknown)
    }
}
