// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import TPMs

/// Counters in the TPM (Documentation/Formats/TPMObjects.md, "Counters").
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct TPMCounterTests {
    let tpm: SoftwareTPM
    let identity: TPMIdentity
    let counter: TPMCounter
    let proof: Secret

    init() throws {
        tpm = try SoftwareTPM()
        identity = try tpm.way.seal(try SecretBytes.random(count: 32), .none).identity
        counter = try .random()
        proof = try Self.authorization()
    }

    private static func authorization() throws -> Secret {
        Secret(try SecretBytes.random(count: 31).joined(with: try SecretBytes(copying: [1])))
    }

    private func error(_ body: () throws -> Void) -> TPMError? {
        do { try body() } catch { return error as? TPMError }
        return nil
    }

    @Test func `a counter grows by one, for every process with its authorisation, and never goes back`() throws {
        #expect(error { _ = try tpm.way.read(counter, proof, of: identity) } == .counterGone)
        let first = try tpm.way.make(counter, proof, of: identity)
        #expect(try tpm.way.read(counter, proof, of: identity) == first)
        #expect(try tpm.way.raise(counter, to: first + 1, proof, of: identity) == first + 1)
        // Asked for twice, since the first answer was lost, it grows once.
        #expect(try tpm.way.raise(counter, to: first + 1, proof, of: identity) == first + 1)
        #expect(try tpm.way.raise(counter, to: first, proof, of: identity) == first + 1)
        #expect(try tpm.way.raise(counter, to: first + 9, proof, of: identity) == first + 1)
        let other = try Self.authorization()
        #expect(error { _ = try tpm.way.read(counter, other, of: identity) } == .counterReplaced)
        #expect(error { try tpm.way.raise(counter, to: first + 2, other, of: identity) } == .counterReplaced)
        // As the owner of the machine does it.
        let tools = TPMTools(tpm)
        let number = "0x\(String(counter.handle, radix: 16))"
        #expect(try tools.run("tpm2_nvincrement", "-C", "o", number) == nil)
        #expect(try tools.run("tpm2_nvread", "-C", "o", number) == nil)
        try tools.flush()
        try tpm.restart()
        #expect(try tpm.way.read(counter, proof, of: identity) == first + 1)
    }

    @Test func `a counter that was removed, and one in its place, are told apart`() throws {
        let first = try tpm.way.make(counter, proof, of: identity)
        _ = try tpm.way.raise(counter, to: first + 1, proof, of: identity)
        let tools = TPMTools(tpm)
        let number = "0x\(String(counter.handle, radix: 16))"
        #expect(try tools.run("tpm2_nvundefine", "-C", "o", number) != nil)
        #expect(error { _ = try tpm.way.read(counter, proof, of: identity) } == .counterGone)
        let attributes = "nt=counter|authread|authwrite|no_da"
        #expect(try tools.run("tpm2_nvdefine", "-C", "o", "-s", "8", "-a", attributes, number) != nil)
        try tools.flush()
        #expect(error { _ = try tpm.way.read(counter, proof, of: identity) } == .counterReplaced)
        #expect(try !tpm.way.remove(counter, of: identity))
        #expect(error { _ = try tpm.way.make(counter, proof, of: identity) } == .counterReplaced)
        // Even with authorisation and mark a new counter begins above the old one.
        #expect(try tools.run("tpm2_nvundefine", "-C", "o", number) != nil)
        try tools.flush()
        #expect(try tpm.way.make(counter, proof, of: identity) > first + 1)
        #expect(try tpm.way.remove(counter, of: identity))
        #expect(try !tpm.way.remove(counter, of: identity))
    }

    // Rule: the TPM unseals what was sealed to a counter only while that has not gone above the number | the number
    //   compared with is the highest that there is | an object with a changed limit opens
    @Test func `what was sealed for a number opens until the counter is above it`() throws {
        let most = try tpm.way.make(counter, proof, of: identity)
        let (old, new) = (CounterLimit(counter: counter, most: most), CounterLimit(counter: counter, most: most + 1))
        let authorization = try Self.authorization()
        let secret = try SecretBytes.random(count: 32)
        let first = try tpm.way.seal(secret, for: authorization, under: old, proof, to: identity)
        let second = try tpm.way.seal(secret, for: authorization, under: new, proof, to: identity)
        let open = { (sealed: SealedToTPM, limit: CounterLimit, finishing: Bool) in
            _ = try tpm.way.open(sealed, with: authorization, under: limit, proof, finishing: finishing)
        }
        // Before the change is done both open.
        for _ in 0..<2 {
            try open(first, old, false)
            try open(second, new, false)
        }
        try open(second, new, true)
        #expect(try tpm.way.read(counter, proof, of: identity) == most + 1)
        #expect(error { try open(first, old, false) } == .superseded)
        try open(second, new, true)
        #expect(try tpm.way.read(counter, proof, of: identity) == most + 1)
        // Neither a limit that was changed, nor one left out, opens it.
        #expect(error { try open(first, new, false) } == .damagedBlob)
        #expect(error { _ = try tpm.way.open(first, with: authorization) } == .damagedBlob)
        #expect(error { _ = try tpm.way.open(second, with: authorization) } == .damagedBlob)
    }

    /// The check from outside: what the TPM itself refuses to any program.
    @Test(.enabled(if: SoftwareTPM.program("tpm2_unseal") != nil, "tpm2-tools are not installed"))
    func `tpm2-tools neither open what the counter has gone above, nor without the authorisation`() throws {
        let most = try tpm.way.make(counter, proof, of: identity)
        let limit = CounterLimit(counter: counter, most: most)
        let authorization = try Self.authorization()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, for: authorization, under: limit, proof, to: identity)
        try tpm.keepStorageRoot()
        #expect(try unsealed(sealed, limit, authorization) == secret.exposingBytes(0..<32))
        #expect(try unsealed(sealed, limit, Self.authorization()) == nil)
        _ = try tpm.way.raise(counter, to: most + 1, proof, of: identity)
        #expect(try unsealed(sealed, limit, authorization) == nil)
    }

    private func unsealed(_ sealed: SealedToTPM, _ limit: CounterLimit, _ authorization: Secret) throws -> [UInt8]? {
        let tools = TPMTools(tpm)
        try tools.write("public", sealed.publicArea)
        try tools.write("private", sealed.privateArea)
        let hex = { (secret: Secret) throws in
            "hex:" + (try [UInt8](exposing: secret).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
        let number = "0x\(String(counter.handle, radix: 16))"
        let most = (0..<8).map { UInt8(truncatingIfNeeded: limit.most >> (56 - 8 * UInt64($0))) }
        try tools.writePlain("most", most)
        _ = try #require(
            try tools.run("tpm2_load", "-C", "0x81000001", "-u", "public", "-r", "private", "-c", "object"))
        try tools.flush()
        _ = try #require(try tools.run("tpm2_startauthsession", "--policy-session", "-S", "session"))
        defer { _ = try? tools.run("tpm2_flushcontext", "session") }
        guard
            try tools.run(
                "tpm2_policynv", "-S", "session", "-C", number, "-P", try hex(proof), "-i", "most", number, "ule")
                != nil,
            try tools.run("tpm2_policyauthvalue", "-S", "session") != nil
        else { return nil }
        return try tools.run("tpm2_unseal", "-c", "object", "-p", "session:session+" + (try hex(authorization)))
    }

    // Rule: neither the authorisation of a counter nor what is sealed to one is sent in clear | the first parameter of
    //   TPM2_NV_DefineSpace in clear | it was sent, 4 times
    @Test func `a listener learns neither the authorisation of a counter nor what is sealed for it`() throws {
        let line = try RecordingLine(tpm.way)
        let speaker = TPM(line)
        let most = try speaker.withSession(identity) { try speaker.make(counter, proof, $0) }
        let limit = CounterLimit(counter: counter, most: most + 1)
        let (secret, authorization) = (Secret(try SecretBytes.random(count: 32)), try Self.authorization())
        let sealed = try secret.withSecretBytes {
            try speaker.seal($0, for: authorization, identity, policy: limit.policy)
        }
        let opened = try speaker.open(sealed, authorization, under: limit, proof, finishing: true)
        #expect(try opened.isEqual(to: secret))
        #expect(line.carried(sealed.privateArea))
        for hidden in [secret, authorization, proof] {
            let bytes = try [UInt8](exposing: hidden)
            for start in stride(from: 0, to: 32, by: 8) { #expect(!line.carried(Array(bytes[start..<start + 8]))) }
        }
    }

    // Each conversation begins with making a key and agreeing on a session.
    @Test func `a secret and what its counter says come in one conversation`() throws {
        let value = try tpm.way.make(counter, proof, of: identity)
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        for (shown, expected) in [(proof, value), (try Self.authorization(), nil)] as [(Secret, UInt64?)] {
            let line = try RecordingLine(tpm.way)
            let opened = try sealed.open(over: line, reading: { _ in (counter, shown) })
            #expect(try opened.secret.isEqual(to: secret) && opened.value == expected)
            for command in [TPMCommand.createPrimary, .startAuthSession, .unseal, .readIndex] {
                #expect(
                    line.commands.count { $0[6..<10].elementsEqual([0, 0, 1, UInt8(command.rawValue & 0xFF)]) } == 1)
            }
        }
        let gone = try sealed.open(over: try RecordingLine(tpm.way), reading: { _ in (try .random(), proof) })
        #expect(try gone.secret.isEqual(to: secret) && gone.value == nil)
    }

    @Test func `wrong tries of what is sealed for a counter count for the lockout, and those of the counter don't`()
        throws
    {
        try tpm.allow(tries: 32)
        let limit = CounterLimit(counter: counter, most: try tpm.way.make(counter, proof, of: identity))
        let authorization = try Self.authorization()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, for: authorization, under: limit, proof, to: identity)
        let wrong = try Self.authorization()
        for number in 1...3 {
            #expect(
                error { _ = try tpm.way.open(sealed, with: wrong, under: limit, proof, finishing: false) }
                    == .wrongAuthorization)
            #expect(error { _ = try tpm.way.read(counter, wrong, of: identity) } == .counterReplaced)
            #expect(try tpm.way.lockout().tries == number)
        }
        try tpm.lockOut()
        #expect(
            error { _ = try tpm.way.open(sealed, with: authorization, under: limit, proof, finishing: false) }
                == .lockedOut)
        #expect(try tpm.way.read(counter, proof, of: identity) == limit.most)
    }
}
