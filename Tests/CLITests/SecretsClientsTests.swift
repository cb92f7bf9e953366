// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ZamokCommand

/// Whose turn it is at the Secret Service.
@Suite struct SecretsClientsTests {
    private typealias Clients = SecretsClients<Int>

    /// The next calls, in the order in which they are answered.
    private func calls(_ clients: inout Clients, _ count: Int) -> [Int] {
        (0..<count).compactMap { _ in clients.next()?.call }
    }

    // Rule: a client that was answered goes to the end of the queue | to its beginning | one client gets all turns
    @Test func `a client that calls without end gets one answer in a turn, and a limit`() {
        var clients = Clients()
        #expect(clients.take(0, from: ":1.1") == .unknown)
        clients.set(":1.1", isOwn: true)
        for number in 1..<Clients.queueLimit { #expect(clients.take(number, from: ":1.1") == .queued) }
        #expect(clients.refuses(":1.1") && clients.take(-1, from: ":1.1") == .refused)
        #expect(!clients.refuses(":1.2"))
        #expect(clients.take(-2, from: ":1.2") == .unknown)
        clients.set(":1.2", isOwn: true)
        #expect(clients.take(-3, from: ":1.2") == .queued)
        #expect(calls(&clients, 4) == [0, -2, 1, -3])
        #expect(clients.take(Clients.queueLimit, from: ":1.1") == .queued)
        #expect(clients.hasWork)
        #expect(calls(&clients, 2000) == Array(2...Clients.queueLimit))
        #expect(!clients.hasWork && clients.count == 0)
    }

    // Rule: all clients together have a limit of calls | the limit of each alone | the queue grows past it
    @Test func `when very many calls wait, a client that has its share gets no more, and all others do`() {
        var clients = Clients()
        let floods = Clients.allLimit / Clients.queueLimit
        for client in 0..<floods {
            for number in 0..<Clients.queueLimit {
                #expect(clients.take(number, from: ":1.\(client)") == (number == 0 ? .unknown : .queued))
            }
        }
        #expect(clients.count == Clients.allLimit)
        #expect(clients.take(0, from: ":2.1") == .unknown)
        for number in 1..<Clients.share { #expect(clients.take(number, from: ":2.1") == .queued) }
        #expect(clients.take(-1, from: ":2.1") == .refused)
        // As soon as some were answered it goes on.
        clients.set(":1.0", isOwn: true)
        #expect(calls(&clients, Clients.share + 1) == Array(0...Clients.share))
        #expect(clients.take(-1, from: ":2.1") == .queued)
        clients.remove(":1.1")
        #expect(clients.count == Clients.allLimit - Clients.queueLimit)
        #expect(clients.take(0, from: ":1.0") == .queued)
    }

    // Rule: a client is served once it is known whose it is | unknown ones served | its call is answered
    @Test func `a client waits until it is identified, and blocks no other client`() throws {
        var clients = Clients()
        #expect(clients.take(1, from: ":1.1") == .unknown)
        #expect(clients.take(2, from: ":1.2") == .unknown)
        #expect(!clients.hasWork && calls(&clients, 1) == [])
        clients.set(":1.2", isOwn: false)
        let found = clients.next()
        let next = try #require(found)
        #expect(next.call == 2 && !next.isOwn)
        #expect(!clients.hasWork)
        clients.set(":1.1", isOwn: true)
        #expect(clients.next()?.isOwn == true)
        // A client that has left is unknown again, and its waiting requests are gone.
        #expect(clients.take(3, from: ":1.1") == .queued)
        clients.remove(":1.1")
        #expect(calls(&clients, 1) == [] && clients.count == 0)
        #expect(clients.take(4, from: ":1.1") == .unknown)
    }

    @Test func `there are at most 512 clients at a time`() {
        var clients = Clients()
        for number in 0..<Clients.clientLimit { #expect(clients.take(number, from: ":1.\(number)") == .unknown) }
        #expect(clients.take(0, from: ":1.512") == .refused)
        clients.set(":1.7", isOwn: true)
        #expect(calls(&clients, 2) == [7])
        #expect(clients.take(0, from: ":1.512") == .unknown)
    }
}
