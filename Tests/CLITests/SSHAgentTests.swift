// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// The agent's messages, without a socket. The programs themselves ask it in SSHLoginTests and in the transcript agent.
@Suite struct SSHAgentTests {
    private let temporary = TemporaryHome()
    private let home: Home
    private let pairs: KeyPairs

    init() throws {
        home = try temporary.open()
        try home.keybag.setPasscode(try SecretBytes(copying: Array("tall-grass".utf8)))
        pairs = KeyPairs(Keychain(home: home))
    }

    /// A pair that is offered, and its public key as SSH has it.
    private func pair(
        _ type: KeyItem.KeyType, _ bits: Int, _ change: (inout KeyPairs.Wish) -> Void = { _ in }
    ) throws -> [UInt8] {
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = ("\(type) \(bits)", true)
        change(&wish)
        let pair = try pairs.add(try KeyItem(generating: type, sizeInBits: bits), wish)
        return try #require(pair.publicKey?.sshPublicKey)
    }

    static func message(_ number: UInt8, _ strings: [[UInt8]], flags: UInt32? = nil) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([number])
        for string in strings { writer.prefixed(string) }
        if let flags { writer.integer(flags) }
        return writer.bytes
    }

    private static let list: [UInt8] = [11]

    private func ask(
        _ agent: SSHAgent, _ message: [UInt8], _ session: inout SSHAgentSession
    ) -> [UInt8] {
        switch agent.answer(message, &session) {
        case .now(let answer): answer
        case .later(let work): work()
        }
    }

    private func ask(_ agent: SSHAgent, _ message: [UInt8]) -> [UInt8] {
        var session = SSHAgentSession()
        return ask(agent, message, &session)
    }

    /// The keys of a list; nil: it is none.
    private func keys(_ answer: [UInt8]) throws -> [[UInt8]]? {
        var reader = SSHReader(answer)
        guard try reader.byte() == 12 else { return nil }
        var keys: [[UInt8]] = []
        for _ in 0..<(try reader.number()) {
            keys.append(Array(try reader.string()))
            _ = try reader.text()
        }
        try reader.end()
        return keys
    }

    @Test(arguments: [
        (KeyItem.KeyType.ed25519, 256, UInt32(0)), (.ellipticCurve, 256, 0), (.ellipticCurve, 384, 0),
        (.ellipticCurve, 521, 0), (.rsa, 2048, 2), (.rsa, 2048, 4),
    ])
    func `what is signed verifies`(type: KeyItem.KeyType, bits: Int, flags: UInt32) throws {
        let key = try pair(type, bits)
        let agent = SSHAgent(home)
        #expect(try keys(ask(agent, Self.list)) == [key])
        let data = Array("data".utf8)
        var reader = SSHReader(ask(agent, Self.message(13, [key, data], flags: flags)))
        #expect(try reader.byte() == 14)
        let signature = Array(try reader.string())
        try reader.end()
        #expect(try KeyMaterial(sshPublicKey: key).isSSHSignature(signature, of: Data(data)))
        let name = ["rsa-sha2-256", "rsa-sha2-512"][flags == 4 ? 1 : 0]
        if type == .rsa { #expect(signature.dropFirst(4).starts(with: Array(name.utf8))) }
    }

    // Rule: the agent does not sign RSA with SHA-1 | no flag taken for rsa-sha2-256 | the request without flags is
    //   signed
    // Rule: only what is offered is signed | the tag not asked for | a key that is not offered signs
    @Test func `what is not offered, not asked for rightly, or not there is not signed`() throws {
        let rsa = try pair(.rsa, 2048)
        let hidden = try pair(.ed25519, 256) { $0.isOffered = false }
        // SSH has no such keys: marked or not, it is not told.
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = ("x", true)
        #expect(try pairs.add(try KeyItem(generating: .x25519, sizeInBits: 256), wish).isOffered == false)
        let absent = try #require(KeyMaterial.generate(.ed25519, sizeInBits: 256).sshPublicKey)
        let agent = SSHAgent(home)
        #expect(try keys(ask(agent, Self.list)) == [rsa])
        for key in [hidden, absent, [], Array(rsa.dropLast())] {
            #expect(ask(agent, Self.message(13, [key, [1]], flags: 4)) == [5])
        }
        #expect(ask(agent, Self.message(13, [rsa, [1]], flags: 0)) == [5])
        try pairs.offer(try pairs.named("ed25519 256"), true)
        #expect(try keys(ask(agent, Self.list)) == [rsa, hidden])
        try pairs.offer(try pairs.named("rsa 2048"), false)
        #expect(try keys(ask(agent, Self.list)) == [hidden])
        #expect(ask(agent, Self.message(13, [rsa, [1]], flags: 4)) == [5])
    }

    // Rule: while the home is locked the agent's list is empty and nothing is signed, not even by a key that is always
    //   readable | the lock state not looked at | both are
    @Test(arguments: [HolderChoice.process, .automatic])
    func `from the moment of a lock, by any process, nothing is shown and nothing signed`(holder: HolderChoice) throws {
        let temporary = TemporaryHome()
        let home = try temporary.open { $0.holder = holder }
        let passcode = { try SecretBytes(copying: Array("tall-grass".utf8)) }
        try home.keybag.setPasscode(try passcode())
        let pairs = KeyPairs(Keychain(home: home))
        var requests: [[UInt8]] = []
        for accessibility in [Accessibility.whenUnlocked, .afterFirstUnlock, .always] {
            var wish = KeyPairs.Wish()
            (wish.name, wish.isOffered, wish.accessibility) = (accessibility.rawValue, true, accessibility)
            let pair = try pairs.add(try KeyItem(generating: .ed25519, sizeInBits: 256), wish)
            requests.append(Self.message(13, [try #require(pair.publicKey?.sshPublicKey), [1]], flags: 0))
        }
        let agent = SSHAgent(home)
        #expect(try keys(ask(agent, Self.list))?.count == 3)
        for request in requests { #expect(ask(agent, request).first == 14) }
        // Another object of the same home, as another process has it. The minimum of five, since other work of the
        // machine is not the lock's time.
        var times: [Duration] = []
        for round in 0..<5 {
            if round > 0 { try home.keybag.unlock(passcode: try passcode()) }
            #expect(ask(agent, requests[0]).first == 14)
            let other = try temporary.open { $0.holder = holder }
            let start = ContinuousClock.now
            try other.keybag.lock()
            #expect(ask(agent, requests[0]) == [5])
            times.append(ContinuousClock.now - start)
        }
        #expect(try #require(times.min()) < .milliseconds(50), "\(times)")
        for request in requests { #expect(ask(agent, request) == [5]) }
        #expect(try keys(ask(agent, Self.list)) == [])
        try home.keybag.unlock(passcode: try passcode())
        #expect(try keys(ask(agent, Self.list))?.count == 3)
        for request in requests { #expect(ask(agent, request).first == 14) }
    }

    // Rule: a key that is open for a turn signs nothing after a lock | the lock state not looked at while a key is open
    //   | it signs
    @Test func `signatures of one turn share an opening, and a lock and a removal count for each of them`() throws {
        let temporary = TemporaryHome()
        let home = try temporary.open()
        try home.keybag.setPasscode(try SecretBytes(copying: Array("tall-grass".utf8)))
        let pairs = KeyPairs(Keychain(home: home))
        var requests: [[UInt8]] = []
        for (name, type, bits) in [("rsa", .rsa, 2048), ("ed", .ed25519, 256)] as [(String, KeyItem.KeyType, Int)] {
            var wish = KeyPairs.Wish()
            (wish.name, wish.isOffered) = (name, true)
            let pair = try pairs.add(try KeyItem(generating: type, sizeInBits: bits), wish)
            requests.append(
                Self.message(13, [try #require(pair.publicKey?.sshPublicKey), [1]], flags: name == "rsa" ? 4 : 0))
        }
        // The clock does not advance: no opening ends by itself.
        let start = ContinuousClock.now
        let agent = SSHAgent(home, now: { start })
        var answers: [[UInt8]] = []
        agent.turn {
            // The signatures of both kinds are the same each time.
            for request in requests + requests { answers += [ask(agent, request), ask(agent, request)] }
        }
        #expect(answers.count == 8 && Set(answers).count == 2 && answers.allSatisfy { $0.first == 14 })
        try agent.turn {
            #expect(ask(agent, requests[0]).first == 14)
            try temporary.open().keybag.lock()
            #expect(ask(agent, requests[0]) == [5])
            try home.keybag.unlock(passcode: try SecretBytes(copying: Array("tall-grass".utf8)))
            #expect(ask(agent, requests[0]).first == 14)
            try pairs.keychain.delete(try pairs.named("rsa").privateItem)
            #expect(ask(agent, requests[0]) == [5])
            #expect(ask(agent, requests[1]).first == 14)
        }
    }

    // Rule: a key that asks is asked for at each signature | the answer kept for the connection | one question for two
    //   signatures
    @Test func `a key that asks is asked for each time, and not by the list`() throws {
        final class Counting: Prompter {
            let asked = Locked(0)
            func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
                asked.withLock { $0 += 1 }
                guard asked.withLock({ $0 }) < 3, let bytes = try? SecretBytes(copying: Array("tall-grass".utf8)) else {
                    throw DataProtectionError(.noTerminal, "nobody is there")
                }
                return bytes
            }
        }
        let person = Counting()
        let home = try temporary.open { $0.prompter = person }
        try home.keybag.unlock(passcode: try SecretBytes(copying: Array("tall-grass".utf8)))
        let pairs = KeyPairs(Keychain(home: home))
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered, wish.asksForPasscode) = ("asking", true, true)
        let added = try pairs.add(try KeyItem(generating: .ed25519, sizeInBits: 256), wish)
        let key = try #require(added.publicKey?.sshPublicKey)
        let agent = SSHAgent(home)
        #expect(try keys(ask(agent, Self.list)) == [key])
        #expect(person.asked.withLock { $0 } == 0)
        let request = Self.message(13, [key, [1]], flags: 0)
        #expect(ask(agent, request).first == 14 && ask(agent, request).first == 14)
        #expect(person.asked.withLock { $0 } == 2)
        // No prompt can be answered.
        #expect(ask(agent, request) == [5])
    }

    @Test func `what ssh-add asks besides is done for this agent alone`() throws {
        let key = try pair(.ed25519, 256)
        let other = try pair(.ellipticCurve, 256)
        let agent = SSHAgent(home)
        #expect(ask(agent, Self.message(18, [key])) == [6] && ask(agent, Self.message(18, [key])) == [5])
        #expect(try keys(ask(agent, Self.list)) == [other])
        #expect(ask(agent, Self.message(13, [key, [1]], flags: 0)) == [5])
        #expect(ask(agent, [19]) == [6])
        #expect(try keys(ask(agent, Self.list)) == [])
        #expect(try keys(ask(SSHAgent(home), Self.list)) == [key, other])
        // Malformed requests, version 1 and unknown requests.
        for number in [1, 7, 9, 17, 20, 21, 25, 26, 200] as [UInt8] {
            #expect(ask(agent, Self.message(number, [key, [1]])) == [5])
        }
    }

    // Rule: an agent that ssh-add -x locked signs nothing | the word not looked at | it signs
    // Rule: after a wrong word the next answer is held back | no wait | the right word behind a wrong one opens at once
    @Test func `ssh-add -x locks the agent, and -X opens it with the same word`() throws {
        let key = try pair(.ed25519, 256)
        let clock = Locked(ContinuousClock.now)
        let agent = SSHAgent(home, now: { clock.withLock { $0 } })
        let word = Array("word".utf8)
        let sign = Self.message(13, [key, [1]], flags: 0)
        #expect(ask(agent, Self.message(23, [word])) == [5])
        #expect(ask(agent, Self.message(22, [word])) == [6] && ask(agent, Self.message(22, [word])) == [5])
        #expect(try keys(ask(agent, Self.list)) == [] && ask(agent, sign) == [5] && ask(agent, [19]) == [5])
        #expect(ask(agent, Self.message(23, [Array("other".utf8)])) == [5])
        // The right word waits. Another try meanwhile is refused, even with the right word.
        var session = SSHAgentSession()
        guard case .later(let work) = agent.answer(Self.message(23, [word]), &session) else {
            Issue.record("the right word is answered before the time is over")
            return
        }
        #expect(ask(agent, Self.message(23, [word])) == [5])
        #expect(try keys(ask(agent, Self.list)) == [])
        #expect(work() == [6])
        clock.withLock { $0 += .seconds(1) }
        #expect(try keys(ask(agent, Self.list)) == [key] && ask(agent, sign).first == 14)
    }

    // MARK: Sessions

    private static let hostKey = try? KeyMaterial.generate(.ec, sizeInBits: 256)

    private func binding(
        _ identifier: String, forwarding: Bool, signedBy signer: KeyMaterial? = nil, certified: Bool = false
    ) throws -> [UInt8] {
        let host = try #require(Self.hostKey)
        var writer = ByteWriter()
        writer.append([27])
        writer.prefixed(text: "session-bind@openssh.com")
        let plain = try #require(host.sshPublicKey)
        writer.prefixed(certified ? try Self.certificate(of: plain) : plain)
        writer.prefixed(text: identifier)
        let signer = signer ?? host
        writer.prefixed(try signer.sshSigned(Data(identifier.utf8), try #require(signer.sshSignature())))
        writer.append([forwarding ? 1 : 0])
        return writer.bytes
    }

    /// A certificate of that key, by itself.
    private static func certificate(of plain: [UInt8]) throws -> [UInt8] {
        let host = try #require(hostKey)
        var reader = SSHReader(plain)
        var writer = ByteWriter()
        writer.prefixed(text: try reader.text() + "-cert-v01@openssh.com")
        writer.prefixed([UInt8](repeating: 7, count: 32))
        writer.append(Array(reader.rest) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2])
        for field in ["id", ""] { writer.prefixed(text: field) }
        writer.append([UInt8](repeating: 0, count: 8) + [UInt8](repeating: 255, count: 8))
        for _ in 0..<3 { writer.prefixed([]) }
        writer.prefixed(plain)
        writer.prefixed(try host.sshSigned(Data(writer.bytes), try #require(host.sshSignature())))
        return writer.bytes
    }

    // Rule: a session is bound only with its host's signature | not verified | another key's signature binds
    // Rule: with --no-forwarding a forwarded connection gets nothing | not looked at | it gets the list
    // With --no-forwarding a forwarded connection takes nothing from the local user.
    // Rule: a binding that can't be verified counts as forwarded | as none | a key signs behind it
    // Rule: with --no-forwarding a forwarded connection gets nothing | all commands answered | 6 answers
    @Test func `a forwarded connection is known, and refused where that is wanted`() throws {
        let key = try pair(.ed25519, 256)
        let (open, closed) = (SSHAgent(home), SSHAgent(home, refusesForwarded: true))
        let sign = Self.message(13, [key, [1]], flags: 0)
        var session = SSHAgentSession()
        #expect(ask(closed, try binding("own", forwarding: false), &session) == [6])
        #expect(ask(closed, sign, &session).first == 14)
        // Used to log in: no client is behind it.
        #expect(ask(closed, try binding("hop", forwarding: true), &session) == [28])
        var forwarded = SSHAgentSession()
        let stranger = try KeyMaterial.generate(.ec, sizeInBits: 256)
        #expect(ask(closed, try binding("hop", forwarding: true, signedBy: stranger), &forwarded) == [28])
        #expect(ask(closed, sign, &forwarded) == [5])
        var certified = SSHAgentSession()
        #expect(ask(closed, try binding("own", forwarding: false, certified: true), &certified) == [6])
        #expect(ask(closed, sign, &certified).first == 14)
        var behind = SSHAgentSession()
        #expect(ask(closed, try binding("hop", forwarding: true, certified: true), &behind) == [6])
        #expect(ask(closed, sign, &behind) == [5])
        #expect(ask(closed, try binding("hop", forwarding: true), &forwarded) == [6])
        #expect(ask(closed, try binding("hop", forwarding: true), &forwarded) == [6])
        #expect(ask(closed, sign, &forwarded) == [5])
        #expect(try keys(ask(closed, Self.list, &forwarded)) == [])
        // Nor does it change anything: add, remove, remove all, lock, unlock, add and remove of a token, add with
        // constraints.
        for number: UInt8 in [17, 18, 19, 20, 21, 22, 23, 25, 26] {
            #expect(ask(closed, Self.message(number, [key]), &forwarded) == [5], "\(number)")
            #expect(ask(closed, [number], &forwarded) == [5], "\(number)")
        }
        #expect(try keys(ask(closed, Self.list, &certified)) == [key])
        #expect(ask(closed, sign, &certified).first == 14)
        #expect(ask(open, sign, &forwarded).first == 14)
        for hop in 1..<SSHAgentSession.limit {
            #expect(ask(closed, try binding("hop \(hop)", forwarding: true), &forwarded) == [6])
        }
        #expect(ask(closed, try binding("one too many", forwarding: true), &forwarded) == [28])
    }

    @Test func `the query names what is supported`() throws {
        var reader = SSHReader(ask(SSHAgent(home), Self.message(27, [Array("query".utf8)])))
        #expect(try reader.byte() == 29)
        #expect(try reader.text() == "query" && reader.text() == "query")
        #expect(try reader.text() == "session-bind@openssh.com" && reader.isAtEnd)
        #expect(ask(SSHAgent(home), Self.message(27, [Array("other@example.com".utf8)])) == [5])
    }

    /// By hand: CONTRIBUTING.md.
    @Test func `hostile messages get an answer, and none traps`() throws {
        let key = try pair(.ed25519, 256)
        let agent = SSHAgent(home)
        let corpus = [
            Self.list, Self.message(13, [key, Array(repeating: 7, count: 40)], flags: 4), Self.message(18, [key]), [19],
            Self.message(22, [[1]]), Self.message(23, [[1]]), try binding("own", forwarding: false),
            try binding("hop", forwarding: true), Self.message(27, [Array("query".utf8)]), Self.message(17, [key]), [],
        ]
        var session = SSHAgentSession()
        let run = FuzzRun.tried("messages of ssh-agent", corpus: corpus, bounded: 2_000) { bytes in
            let answer = self.ask(agent, Array(bytes), &session)
            #expect(answer.first.map { [5, 6, 12, 14, 28, 29].contains($0) } == true)
            return answer.first != 5
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }
}
