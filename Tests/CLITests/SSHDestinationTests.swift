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

/// What `ssh-add` says of keys: the hosts for which they may be used, for how long, and with whose consent; and keys
/// that it adds. The programs themselves: SSHLoginTests.
@Suite struct SSHDestinationTests {
    private let temporary = TemporaryHome()
    private let home: Home
    private let agent: SSHAgent
    private let key: [UInt8]

    init() throws {
        home = try temporary.open()
        try home.keybag.setPasscode(try secret("tall-grass"))
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = ("laptop", true)
        let pairs = KeyPairs(Keychain(home: home))
        key = try #require(
            try pairs.add(try KeyItem(generating: .ed25519, sizeInBits: 256), wish).publicKey?.sshPublicKey)
        agent = SSHAgent(home)
    }

    // MARK: Messages

    private static func host() -> KeyMaterial? { try? KeyMaterial.generate(.ec, sizeInBits: 256) }
    private static let (bastion, server, other, authority) = (host(), host(), host(), host())

    private func blob(_ key: KeyMaterial?) throws -> [UInt8] { try #require(key?.sshPublicKey) }

    private func ask(_ agent: SSHAgent, _ message: [UInt8], _ session: inout SSHAgentSession) -> [UInt8] {
        switch agent.answer(message, &session) {
        case .now(let answer): answer
        case .later(let work): work()
        }
    }

    private func ask(_ message: [UInt8]) -> [UInt8] {
        var session = SSHAgentSession()
        return ask(agent, message, &session)
    }

    private func count(_ session: inout SSHAgentSession) -> UInt8 { ask(agent, [11], &session)[4] }

    /// Binds a connection to a session at a host. `as`: what the host shows in place of its plain key.
    private func bind(
        _ session: inout SSHAgentSession, _ host: KeyMaterial?, _ identifier: String, forwarding: Bool = false,
        as shown: [UInt8]? = nil
    ) throws {
        let host = try #require(host)
        var writer = ByteWriter()
        writer.append([27])
        writer.prefixed(text: "session-bind@openssh.com")
        writer.prefixed(try shown ?? blob(host))
        writer.prefixed(text: identifier)
        writer.prefixed(try host.sshSigned(Data(identifier.utf8), try #require(host.sshSignature())))
        writer.append([forwarding ? 1 : 0])
        #expect(ask(agent, writer.bytes, &session) == [6])
    }

    private func bound(
        _ host: KeyMaterial?, _ identifier: String = "s", as shown: [UInt8]? = nil
    ) throws -> SSHAgentSession {
        var session = SSHAgentSession()
        try bind(&session, host, identifier, as: shown)
        return session
    }

    /// A request to log in, to be signed.
    private func login(
        _ identifier: String = "s", user: String = "git", host: KeyMaterial? = nil, shown: [UInt8]? = nil,
        plain: Bool = false, service: String = "ssh-connection", more: [UInt8] = []
    ) throws -> [UInt8] {
        var data = ByteWriter()
        data.prefixed(text: identifier)
        data.append([50])
        for text in [user, service, plain ? "publickey" : "publickey-hostbound-v00@openssh.com"] {
            data.prefixed(text: text)
        }
        data.append([1])
        data.prefixed(text: "ssh-ed25519")
        data.prefixed(key)
        if !plain { data.prefixed(try shown ?? blob(host)) }
        data.append(more)
        return SSHAgentTests.message(13, [key, data.bytes], flags: 0)
    }

    private typealias Hop = (user: String, host: String, keys: [([UInt8], Bool)])
    private static let here: Hop = ("", "", [])

    private func hop(_ hop: Hop) -> [UInt8] {
        var writer = ByteWriter()
        for text in [hop.user, hop.host, ""] { writer.prefixed(text: text) }
        for (key, isAuthority) in hop.keys {
            writer.prefixed(key)
            writer.append([isAuthority ? 1 : 0])
        }
        return writer.bytes
    }

    private func restriction(_ ways: [(Hop, Hop)]) -> [UInt8] {
        var all = ByteWriter()
        for (from, to) in ways {
            var way = ByteWriter()
            for end in [hop(from), hop(to), []] { way.prefixed(end) }
            all.prefixed(way.bytes)
        }
        var writer = ByteWriter()
        writer.append([255])
        writer.prefixed(text: "restrict-destination-v00@openssh.com")
        writer.prefixed(all.bytes)
        return writer.bytes
    }

    /// As `ssh-add -s zamok` says it.
    private func restrict(_ ways: [(Hop, Hop)]) -> [UInt8] {
        ask(SSHAgentTests.message(26, [Array("zamok".utf8), []]) + restriction(ways))
    }

    private func to(_ key: KeyMaterial?, _ name: String, user: String = "") throws -> Hop {
        (user, name, [(try blob(key), false)])
    }

    // MARK: Destinations

    // Rule: a key that is restricted signs only to log in at its destinations | the destination not looked at | it logs
    //   in at another host
    // Rule: a key that is restricted is not shown at other hosts | the list not restricted | it is listed
    @Test func `a restricted key logs in at its destination, and nowhere else`() throws {
        #expect(restrict([(Self.here, try to(Self.server, "server", user: "g?t*"))]) == [6])
        var local = SSHAgentSession()
        #expect(count(&local) == 1)
        // It signs neither data of unknown meaning nor a login without a session.
        #expect(ask(SSHAgentTests.message(13, [key, [1]], flags: 0)) == [5])
        #expect(ask(try login(host: Self.server)) == [5])
        var session = try bound(Self.server)
        #expect(count(&session) == 1)
        #expect(ask(agent, try login(host: Self.server), &session).first == 14)
        #expect(ask(agent, try login(plain: true), &session).first == 14)
        #expect(ask(agent, try login(user: "gitolite", host: Self.server), &session).first == 14)
        for wrong in [
            try login("other", host: Self.server), try login(user: "root", host: Self.server),
            try login(host: Self.other), try login(host: Self.server, service: "ssh-userauth"),
            try login(host: Self.server, more: [0]), SSHAgentTests.message(13, [key, [1]], flags: 0),
        ] { #expect(ask(agent, wrong, &session) == [5]) }
        var elsewhere = try bound(Self.other)
        #expect(count(&elsewhere) == 0)
        #expect(ask(agent, try login(host: Self.other), &elsewhere) == [5])
        // What could not be bound is nowhere.
        var unclear = SSHAgentSession()
        #expect(ask(agent, SSHAgentTests.message(27, [Array("session-bind@openssh.com".utf8), [1]]), &unclear) == [28])
        #expect(count(&unclear) == 0)
        #expect(ask(agent, try login(host: Self.server), &unclear) == [5])
    }

    // Rule: restrictions of the keychain's keys apply to a key that is added later | to those of that moment alone | it
    //   is shown at every host, and signs there
    @Test func `a key that comes later is restricted as those that were there`() throws {
        #expect(restrict([(Self.here, try to(Self.server, "server"))]) == [6])
        let pairs = KeyPairs(Keychain(home: home))
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = ("later", true)
        let pair = try pairs.add(try KeyItem(generating: .ed25519, sizeInBits: 256), wish)
        let sign = SSHAgentTests.message(13, [try #require(pair.publicKey?.sshPublicKey), [1]], flags: 0)
        var elsewhere = try bound(Self.other)
        #expect(count(&elsewhere) == 0 && ask(sign) == [5])
        var session = try bound(Self.server)
        #expect(count(&session) == 2)
        // Until something else is said.
        #expect(ask(SSHAgentTests.message(20, [Array("zamok".utf8), []])) == [6])
        #expect(count(&elsewhere) == 2 && ask(sign).first == 14)
    }

    // Rule: behind a host to which the agent was forwarded a restricted key needs a destination from there | only the
    //   last hop looked at | it logs in behind another host
    @Test func `a restricted key goes on from a host only where that is said`() throws {
        let (toBastion, toServer) = (try to(Self.bastion, "bastion"), try to(Self.server, "server"))
        #expect(restrict([(Self.here, toBastion), (Self.here, toServer)]) == [6])
        var at = SSHAgentSession()
        try bind(&at, Self.bastion, "hop", forwarding: true)
        #expect(count(&at) == 0)
        try bind(&at, Self.server, "s")
        #expect(count(&at) == 0)
        #expect(ask(agent, try login(host: Self.server), &at) == [5])
        let fromBastion: Hop = ("", "bastion", [(try blob(Self.bastion), false)])
        #expect(restrict([(Self.here, toBastion), (fromBastion, toServer)]) == [6])
        at = SSHAgentSession()
        try bind(&at, Self.bastion, "hop", forwarding: true)
        #expect(count(&at) == 1)
        // On the way nothing is signed, and nothing is changed.
        #expect(ask(agent, try login("hop", host: Self.bastion), &at) == [5])
        #expect(ask(agent, SSHAgentTests.message(20, [Array("zamok".utf8), []]), &at) == [5])
        var there = at
        try bind(&there, Self.server, "s")
        #expect(count(&there) == 1)
        #expect(ask(agent, try login(host: Self.server), &there).first == 14)
        #expect(ask(agent, try login(plain: true), &there) == [5])
        var beyond = at
        try bind(&beyond, Self.other, "s")
        #expect(count(&beyond) == 0)
        #expect(ask(agent, try login(host: Self.other), &beyond) == [5])
        // Not from here at once.
        var direct = try bound(Self.server)
        #expect(count(&direct) == 0)
        #expect(ask(agent, try login(host: Self.server), &direct) == [5])
    }

    /// A certificate of a host's key.
    private func certificate(
        of host: KeyMaterial?, names: [String], type: UInt32 = 2, valid: (UInt64, UInt64) = (0, .max),
        by signer: KeyMaterial? = nil
    ) throws -> [UInt8] {
        var reader = SSHReader(try blob(host))
        var writer = ByteWriter()
        writer.prefixed(text: try reader.text() + "-cert-v01@openssh.com")
        writer.prefixed([UInt8](repeating: 7, count: 32))
        writer.append(Array(reader.rest))
        writer.integer(UInt64(1))
        writer.integer(type)
        writer.prefixed(text: "id")
        var list = ByteWriter()
        for name in names { list.prefixed(text: name) }
        writer.prefixed(list.bytes)
        writer.integer(valid.0)
        writer.integer(valid.1)
        for _ in 0..<3 { writer.prefixed([]) }
        writer.prefixed(try blob(Self.authority))
        let signer = try #require(signer ?? Self.authority)
        writer.prefixed(try signer.sshSigned(Data(writer.bytes), try #require(signer.sshSignature())))
        return writer.bytes
    }

    // Rule: a host's certificate counts by its authority, its names and its time | the names not compared | a
    //   certificate for another name is accepted
    @Test func `a host with a certificate is known by its authority, name and time`() throws {
        let way: Hop = ("", "server.example", [(try blob(Self.authority), true)])
        #expect(restrict([(Self.here, way)]) == [6])
        func shows(_ certificate: [UInt8]) throws -> Bool {
            var session = try bound(Self.server, as: certificate)
            let isSigned = ask(agent, try login(shown: certificate), &session).first == 14
            #expect((count(&session) == 1) == isSigned)
            return isSigned
        }
        #expect(try shows(certificate(of: Self.server, names: ["server.example"])))
        #expect(try shows(certificate(of: Self.server, names: ["a", "*.example"])))
        #expect(try !shows(certificate(of: Self.server, names: ["other.example"])))
        #expect(try !shows(certificate(of: Self.server, names: ["server.example"], type: 1)))
        #expect(try !shows(certificate(of: Self.server, names: ["server.example"], valid: (0, 1_000))))
        #expect(try !shows(certificate(of: Self.server, names: ["server.example"], valid: (.max - 1, .max))))
        // Its key without the certificate is another thing.
        var plain = try bound(Self.server)
        #expect(count(&plain) == 0)
        // Not signed by the authority that it names: no binding at all.
        #expect(throws: SSHFormatError.self) {
            try SSHHostKey(try certificate(of: Self.server, names: [], by: Self.other))
        }
    }

    // Rule: a constraint that isn't understood refuses the key | unknown ones are ignored | the key is added without it
    @Test func `what can't be kept is refused`() throws {
        let server = try to(Self.server, "server")
        #expect(restrict([]) == [5])
        let ways: [(Hop, Hop)] = [
            (Self.here, Self.here), (("", "bastion", []) as Hop, server), (("anna", "", []) as Hop, server),
            (("", "", [(try blob(Self.server), false)]) as Hop, server), (Self.here, ("", "server", []) as Hop),
        ]
        for way in ways { #expect(restrict([way]) == [5]) }
        let provider = SSHAgentTests.message(26, [Array("zamok".utf8), []])
        for wrong: [UInt8] in [
            [1], [1, 0, 0, 0], [2, 2], [3], [255], [255, 0, 0, 0, 1, 65], restriction([(Self.here, server)]) + [9],
            [1, 0, 0, 0, 9, 1, 0, 0, 0, 9],
        ] { #expect(ask(provider + wrong) == [5]) }
        #expect(ask(SSHAgentTests.message(26, [Array("/usr/lib/other.so".utf8), []])) == [5])
        // Nothing of it holds.
        #expect(ask(SSHAgentTests.message(13, [key, [1]], flags: 0)).first == 14)
        #expect(!SSHPattern("a*b*c").matches("acb") && SSHPattern("a*b*c").matches("axbxbc"))
        #expect(SSHPattern("*").matches("") && !SSHPattern("?").matches(""))
        let long = String(repeating: "a", count: 2_000)
        #expect(!SSHPattern(String(repeating: "a*", count: 200) + "b").matches(long))
    }

    // MARK: Time and consent

    // Rule: a key whose time is over signs no longer | the deadline not looked at | it signs
    // Rule: a key that is to be confirmed signs only when a person agrees | no prompt is shown | it signs unasked
    @Test func `a key is taken out when its time is over, and asks where that is said`() throws {
        let clock = Locked(ContinuousClock.now)
        let answers = Locked([true, false])
        let asked = Locked<[String]>([])
        let agent = SSHAgent(
            home,
            confirming: { name, fingerprint in
                asked.withLock { $0.append("\(name) \(fingerprint.prefix(7))") }
                return answers.withLock { $0.removeFirst() }
            }, now: { clock.withLock { $0 } })
        var session = SSHAgentSession()
        let sign = SSHAgentTests.message(13, [key, [1]], flags: 0)
        let provider = SSHAgentTests.message(26, [Array("zamok".utf8), []])
        #expect(ask(agent, provider + [1, 0, 0, 0, 60], &session) == [6])
        clock.withLock { $0 += .seconds(59) }
        #expect(ask(agent, sign, &session).first == 14)
        clock.withLock { $0 += .seconds(1) }
        #expect(ask(agent, sign, &session) == [5] && ask(agent, [11], &session)[4] == 0)
        // Nor does one come that was not there yet.
        var wish = KeyPairs.Wish()
        (wish.name, wish.isOffered) = ("later", true)
        let pairs = KeyPairs(Keychain(home: home))
        let late = try pairs.add(try KeyItem(generating: .ed25519, sizeInBits: 256), wish)
        let other = SSHAgentTests.message(13, [try #require(late.publicKey?.sshPublicKey), [1]], flags: 0)
        #expect(ask(agent, other, &session) == [5] && ask(agent, [11], &session)[4] == 0)
        try pairs.remove(late)
        #expect(ask(agent, provider + [2], &session) == [6])
        #expect(ask(agent, sign, &session).first == 14 && ask(agent, sign, &session) == [5])
        #expect(asked.withLock { $0 } == ["laptop SHA256:", "laptop SHA256:"])
        // Where no prompt can be answered, it does not sign.
        #expect(ask(provider + [2]) == [6])
        #expect(ask(sign) == [5])
        #expect(ask(SSHAgentTests.message(21, [Array("zamok".utf8), []])) == [6])
        #expect(ask([11])[4] == 0)
    }

    // MARK: Keys of the agent's own

    /// As `ssh-add FILE` sends it.
    private func adding(_ key: KeyMaterial, number: UInt8 = 17) throws -> [UInt8] {
        let pem = try #require(OpenSSHKey.pem(of: key, comment: "file"))
        let block = Data(base64Encoded: pem.split(separator: "\n").dropFirst().dropLast().joined())
        var reader = SSHReader(Array(try #require(block).dropFirst(15)))
        for _ in 0..<3 { _ = try reader.string() }
        _ = try reader.number()
        _ = try reader.string()
        // Behind the two equal numbers: the fields, the comment, the filling.
        var content = SSHReader(Array(try reader.string().dropFirst(8)))
        let all = Array(content.rest)
        _ = try OpenSSHKey.privateKey(try content.text(), &content)
        _ = try content.text()
        return [number] + all.dropLast(content.rest.count)
    }

    // Rule: a key that was added to the agent is sealed under class complete | under class none | it opens while locked
    @Test(arguments: [KeyAlgorithmCase.ed25519, .p384, .rsa])
    func `a key that ssh-add sends signs until a lock, and again after an unlock`(algorithm: KeyAlgorithmCase) throws {
        let own = try algorithm.generate()
        let blob = try #require(own.sshPublicKey)
        #expect(ask(try adding(own)) == [6])
        #expect(ask([11])[4] == 2)
        let sign = SSHAgentTests.message(13, [blob, [1]], flags: 4)
        var reader = SSHReader(ask(sign))
        #expect(try reader.byte() == 14)
        #expect(own.isSSHSignature(Array(try reader.string()), of: Data([1])))
        try home.keybag.lock()
        #expect(ask(sign) == [5] && ask([11])[4] == 0)
        #expect(ask(try adding(try algorithm.generate())) == [5])
        try home.keybag.unlock(passcode: try secret("tall-grass"))
        #expect(ask(sign).first == 14)
        // Without the class key nothing opens it.
        let sealed = try SSHAddedKeys.seal(try adding(own)[1...], of: blob, home.keybag)
        #expect(try SSHAddedKeys.open(sealed, of: blob, home.keybag)?.sshPublicKey == blob)
        try home.keybag.lock()
        #expect(
            failure(DataProtectionError.self) { try SSHAddedKeys.open(sealed, of: blob, home.keybag) }?.code == .locked)
        try home.keybag.unlock(passcode: try secret("tall-grass"))
        // It is in no store.
        #expect(try Keychain(home: home).items(matching: KeychainQuery<KeyItem>()).count == 2)
        #expect(ask(SSHAgentTests.message(18, [blob])) == [6])
        #expect(ask(sign) == [5] && ask([11])[4] == 1)
    }

    @Test func `keys that are added have limits, and are refused from other machines`() throws {
        let server = try to(Self.server, "server")
        let own = try KeyMaterial.generate(.ed25519, sizeInBits: 256)
        #expect(ask(try adding(own, number: 25) + restriction([(Self.here, server)])) == [6])
        let blob = try #require(own.sshPublicKey)
        #expect(ask(SSHAgentTests.message(13, [blob, [1]], flags: 0)) == [5])
        var session = try bound(Self.other)
        #expect(count(&session) == 1)
        // What it may not see it can't loosen.
        #expect(ask(agent, try adding(own), &session) == [5])
        var forwarded = SSHAgentSession()
        try bind(&forwarded, Self.bastion, "hop", forwarding: true)
        #expect(ask(agent, try adding(try KeyMaterial.generate(.ed25519, sizeInBits: 256)), &forwarded) == [5])
        for _ in 1..<SSHAddedKeys.limit {
            #expect(ask(try adding(try KeyMaterial.generate(.ed25519, sizeInBits: 256))) == [6])
        }
        #expect(ask(try adding(try KeyMaterial.generate(.ed25519, sizeInBits: 256))) == [5])
        #expect(ask(try adding(own)) == [6])
        #expect(ask(SSHAgentTests.message(13, [blob, [1]], flags: 0)).first == 14)
        #expect(ask([19]) == [6] && ask([11])[4] == 0)
    }
}

/// Keys of each form that ssh-add has.
enum KeyAlgorithmCase: Sendable {
    case ed25519, p384, rsa

    func generate() throws -> KeyMaterial {
        switch self {
        case .ed25519: try KeyMaterial.generate(.ed25519, sizeInBits: 256)
        case .p384: try KeyMaterial.generate(.ec, sizeInBits: 384)
        case .rsa: try KeyMaterial.generate(.rsa, sizeInBits: 2048)
        }
    }
}
