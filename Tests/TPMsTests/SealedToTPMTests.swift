// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import TestSupport
import Testing

@testable import TPMs

@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct SealedToTPMTests {
    @Test(arguments: [[], [7], [0, 7, 23]])
    func `what was sealed comes back`(_ registers: [Int]) throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let measurements = try #require(SealedToTPM.Measurements(registers))
        let sealed = try tpm.way.seal(secret, measurements)
        #expect(sealed.measurements.registers == registers)
        for _ in 0..<4 { #expect(try tpm.way.open(sealed).isEqual(to: secret)) }
    }

    @Test
    func `it comes back after the TPM was switched off, and where a system keeps the storage root key`() throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        try tpm.restart()
        #expect(try tpm.way.open(sealed).isEqual(to: secret))
        try tpm.keepStorageRoot()
        let line = try RecordingLine(tpm.way)
        #expect(try sealed.open(over: line).isEqual(to: secret))
        #expect(!line.commands.contains { $0[9] == UInt8(TPMCommand.createPrimary.rawValue & 0xFF) })
    }

    // Rule: no byte of a sealed secret is sent to a TPM in clear, in either direction | the first parameter of
    //   TPM2_Create sent in clear | both cases
    @Test(arguments: [[], [7]])
    func `a listener learns no secret`(_ registers: [Int]) throws {
        let tpm = try SoftwareTPM()
        let secret = Secret(try SecretBytes.random(count: 32))
        let measurements = try #require(SealedToTPM.Measurements(registers))
        let line = try RecordingLine(tpm.way)
        let sealed = try secret.withSecretBytes { try TPM(line).seal($0, measurements) }
        let opened = try secret.withSecretBytes { try sealed.open(over: line).isEqual(to: $0) }
        #expect(opened)
        let bytes = try [UInt8](exposing: secret)
        #expect(line.carried(sealed.privateArea))
        for start in stride(from: 0, to: 32, by: 8) { #expect(!line.carried(Array(bytes[start..<start + 8]))) }
    }

    // Rule: an answer that was changed in transit is refused, and no other secret comes of it | a wrong HMAC of an
    //   answer taken | other secrets came of it
    @Test
    func `an attacker on the bus can't change anything`() throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        // One connection at a time: it is closed before the next.
        let sizes = try { () throws -> [Int] in
            let recorded = try RecordingLine(tpm.way)
            _ = try sealed.open(over: recorded)
            return recorded.answers.map(\.count)
        }()
        var refused = 0
        for (index, size) in sizes.enumerated() {
            for position in stride(from: 6, to: size, by: max(1, size / 12)) {
                let line = try ChangingLine(tpm.way) { number, answer in
                    if number == index, position < answer.count { answer[position] ^= 0x10 }
                }
                do {
                    // A change of what is not read may have no effect.
                    let opened = try sealed.open(over: line, patience: .seconds(5))
                    #expect(try opened.isEqual(to: secret), "answer \(index), byte \(position)")
                } catch let error as TPMError {
                    #expect(error != .silent)
                    refused += 1
                }
            }
        }
        #expect(refused > 30)
        #expect(try tpm.way.open(sealed).isEqual(to: secret))
    }

    // Rule: neither the authorisation of an object nor a new one of the lockout is sent in clear | the first parameter
    //   of TPM2_HierarchyChangeAuth in clear | it was sent
    @Test
    func `a listener learns no authorisation`() throws {
        let tpm = try SoftwareTPM()
        let identity = try tpm.way.seal(try SecretBytes.random(count: 32), .none).identity
        let secret = Secret(try SecretBytes.random(count: 32))
        let authorization = try Self.authorization()
        let line = try RecordingLine(tpm.way)
        let sealed = try secret.withSecretBytes { try TPM(line).seal($0, for: authorization, identity) }
        #expect(try secret.withSecretBytes { try sealed.open(over: line, with: authorization).isEqual(to: $0) })
        let lockout = try Self.authorization()
        try TPM(line).guardLockout(lockout, of: identity)
        #expect(line.carried(sealed.privateArea))
        for hidden in [secret, authorization, lockout] {
            let bytes = try [UInt8](exposing: hidden)
            for start in stride(from: 0, to: 32, by: 8) { #expect(!line.carried(Array(bytes[start..<start + 8]))) }
        }
    }

    /// Of 32 bytes, the last not zero.
    private static func authorization() throws -> Secret {
        Secret(try SecretBytes.random(count: 31).joined(with: try SecretBytes(copying: [1])))
    }

    /// An object of a passcode is under the lockout. One without a passcode opens in spite of it, and takes no
    /// authorisation.
    @Test
    func `a wrong authorisation is counted, and ends in waiting`() throws {
        let tpm = try SoftwareTPM()
        try tpm.allow(tries: 2)
        let secret = try SecretBytes.random(count: 32)
        let free = try tpm.way.seal(secret, .none)
        let right = try Self.authorization()
        let sealed = try tpm.way.seal(secret, for: right, to: free.identity)
        func failure(_ authorization: Secret, _ sealed: SealedToTPM) -> TPMError? {
            do { _ = try tpm.way.open(sealed, with: authorization) } catch { return error as? TPMError }
            return nil
        }
        #expect(failure(right, free) == .damagedBlob)
        #expect(failure(right, sealed) == nil)
        for _ in 0..<2 { #expect(failure(try Self.authorization(), sealed) == .wrongAuthorization) }
        #expect(failure(right, sealed) == .lockedOut)
        #expect(try tpm.way.lockout().isLockedOut)
        #expect(try tpm.way.open(free).isEqual(to: secret))
        try tpm.way.resetLockout(nil, of: free.identity)
        #expect(try tpm.way.open(sealed, with: right).isEqual(to: secret))
        try tpm.way.guardLockout(right, of: free.identity)
        #expect(throws: TPMError.self) { try tpm.way.resetLockout(nil, of: free.identity) }
    }

    /// The tools of the TPM project are told the same authorisations.
    @Test(.enabled(if: SoftwareTPM.program("tpm2_unseal") != nil, "tpm2-tools are not installed"))
    func `other tools read what was sealed for an authorisation`() throws {
        let tpm = try SoftwareTPM()
        try tpm.allow(tries: 32)
        let secret = Secret(try SecretBytes.random(count: 32))
        let identity = try tpm.way.seal(try SecretBytes.random(count: 32), .none).identity
        let key = try Self.authorization()
        let sealed = try secret.withSecretBytes { try tpm.way.seal($0, for: key, to: identity) }
        try tpm.way.guardLockout(try Secret("0123456789ABCDEFGHJKMNPQRSTVWXYZ"), of: identity)
        try tpm.keepStorageRoot()
        let tools = TPMTools(tpm)
        try tools.write("public", sealed.publicArea)
        try tools.write("private", sealed.privateArea)
        #expect(try tools.run("tpm2_load", "-C", "0x81000001", "-u", "public", "-r", "private", "-c", "object") != nil)
        try tools.flush()
        let text = try [UInt8](exposing: key).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try tools.run("tpm2_unseal", "-c", "object", "-p", "hex:" + text) == [UInt8](exposing: secret))
        try tools.flush()
        #expect(try tools.run("tpm2_unseal", "-c", "object", "-p", "hex:" + text.dropLast(2) + "02") == nil)
        #expect(try tpm.way.lockout().tries == 1)
        try tools.flush()
        #expect(try tools.run("tpm2_dictionarylockout", "-c", "-p", "0123456789ABCDEFGHJKMNPQRSTVWXYZ") != nil)
        #expect(try tpm.way.lockout().tries == 0)
        #expect(try tools.run("tpm2_dictionarylockout", "-c") == nil)
    }

    @Test(arguments: [TPMParent.SessionKind.code, .policy])
    func `programs that ended in the middle leave no TPM full`(_ kind: TPMParent.SessionKind) throws {
        let tpm = try SoftwareTPM()
        let secret = try SecretBytes.random(count: 32)
        let sealed = try tpm.way.seal(secret, .none)
        var isFull = false
        for _ in 0..<4 where !isFull {
            let left = TPM(try TPMConnection(tpm.way))
            do {
                let parent = try TPMParent.make(TPMCode.owner, in: left)
                _ = try parent.session(kind, in: left)
                left.flush(parent.handle.value)
            } catch TPMError.full { isFull = true }
        }
        #expect(isFull)
        #expect(try tpm.way.open(sealed).isEqual(to: secret))
    }

    /// The tools of the TPM project load and unseal what was sealed where the policy allows it, and not elsewhere.
    @Test(
        .enabled(if: SoftwareTPM.program("tpm2_unseal") != nil, "tpm2-tools are not installed"), arguments: [[], [7]])
    func `other tools read what was sealed`(_ registers: [Int]) throws {
        let tpm = try SoftwareTPM()
        let secret = Secret(try SecretBytes.random(count: 32))
        let measurements = try #require(SealedToTPM.Measurements(registers))
        let sealed = try secret.withSecretBytes { try tpm.way.seal($0, measurements) }
        try tpm.keepStorageRoot()
        let tools = TPMTools(tpm)
        try tools.write("public", sealed.publicArea)
        try tools.write("private", sealed.privateArea)
        #expect(try tools.run("tpm2_load", "-C", "0x81000001", "-u", "public", "-r", "private", "-c", "object") != nil)
        try tools.flush()
        let unseal = registers.isEmpty ? ["-c", "object"] : ["-c", "object", "-p", "pcr:sha256:7"]
        #expect(try tools.run(["tpm2_unseal"] + unseal) == [UInt8](exposing: secret))
        try tools.flush()
        guard !registers.isEmpty else { return }
        #expect(try tools.run("tpm2_unseal", "-c", "object") == nil)
        try tools.flush()
        try tpm.measure(into: 7)
        #expect(try tools.run(["tpm2_unseal"] + unseal) == nil)
    }
}
