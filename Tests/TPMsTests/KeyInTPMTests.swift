// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import TPMs

/// A key that the TPM makes, and that stays there.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"))
struct KeyInTPMTests {
    /// 32 bytes, the last not zero.
    static func authorization() throws -> Secret {
        Secret(try SecretBytes.random(count: 31).joined(with: try SecretBytes(copying: [1])))
    }

    private func publicKey(_ key: KeyInTPM) throws -> P256.Signing.PublicKey {
        try P256.Signing.PublicKey(rawRepresentation: Data(key.point))
    }

    private static func bytes(of shared: SharedSecret) -> Data { unsafe shared.withUnsafeBytes { unsafe Data($0) } }

    private func failure(_ body: () throws -> Void) -> TPMError? {
        do { try body() } catch { return error as? TPMError }
        return nil
    }

    @Test
    func `it signs and agrees, also after the TPM was switched off`() throws {
        let tpm = try SoftwareTPM()
        let secret = try Self.authorization()
        let first = try tpm.way.makeKey(for: secret, under: nil)
        let second = try tpm.way.makeKey(for: secret, under: first.identity)
        #expect(first.identity == second.identity && first.point != second.point)
        try tpm.restart()
        for key in [first, second] {
            let digest = SHA256.hash(data: Data("message".utf8))
            let signature = try tpm.way.sign(Array(digest), with: key, secret)
            #expect(
                try publicKey(key).isValidSignature(.init(rawRepresentation: Data(signature)), for: digest))
            let other = P256.KeyAgreement.PrivateKey()
            let shared = try tpm.way.exchange(Array(other.publicKey.rawRepresentation), with: key, secret)
            let expected = try other.sharedSecretFromKeyAgreement(
                with: .init(rawRepresentation: publicKey(key).rawRepresentation))
            #expect(try Data([UInt8](exposing: shared)) == Self.bytes(of: expected))
        }
    }

    /// Coordinates and numbers with zeros in front are some of these.
    @Test
    func `sixty signatures and exchanges are right, with any first byte`() throws {
        let tpm = try SoftwareTPM()
        let secret = try Self.authorization()
        let key = try tpm.way.makeKey(for: secret, under: nil)
        let line = try tpm.way.connect()
        let speaker = TPM(line)
        for number in 0..<60 {
            let digest = SHA256.hash(data: Data("\(number)".utf8))
            let signature = try speaker.sign(Array(digest), with: key, secret)
            #expect(try publicKey(key).isValidSignature(.init(rawRepresentation: Data(signature)), for: digest))
            let other = P256.KeyAgreement.PrivateKey()
            let shared = try speaker.exchange(Array(other.publicKey.rawRepresentation), with: key, secret)
            let expected = try other.sharedSecretFromKeyAgreement(
                with: .init(rawRepresentation: publicKey(key).rawRepresentation))
            #expect(try Data([UInt8](exposing: shared)) == Self.bytes(of: expected))
        }
    }

    // Rule: neither the authorisation of a key in the TPM nor its agreed secret is sent in clear | the first parameter
    //   of TPM2_Create in clear | it was sent, 4 times
    @Test
    func `a listener learns neither the authorisation nor what was agreed`() throws {
        let tpm = try SoftwareTPM()
        let secret = try Self.authorization()
        let line = try RecordingLine(tpm.way)
        let speaker = TPM(line)
        let key = try speaker.makeKey(for: secret, under: nil)
        _ = try speaker.sign([UInt8](repeating: 7, count: 32), with: key, secret)
        let other = P256.KeyAgreement.PrivateKey()
        let shared = try speaker.exchange(Array(other.publicKey.rawRepresentation), with: key, secret)
        #expect(line.carried(key.privateArea) && line.carried(Array(key.point.prefix(32))))
        for hidden in [secret, shared] {
            let bytes = try [UInt8](exposing: hidden)
            for start in stride(from: 0, to: 32, by: 8) { #expect(!line.carried(Array(bytes[start..<start + 8]))) }
        }
    }

    // Rule: what was sent over the transport is not enough to use a key on its own TPM, and tries are not counted |
    //   `noDA` left out of the template | the TPM is in lockout
    @Test
    func `an attacker with the recorded blob of the key can't use it, and isn't counted`() throws {
        let tpm = try SoftwareTPM()
        try tpm.allow(tries: 2)
        let secret = try Self.authorization()
        let key = try tpm.way.makeKey(for: secret, under: nil)
        let digest = [UInt8](repeating: 7, count: 32)
        for _ in 0..<4 {
            for wrong in [try Self.authorization(), Secret(try SecretBytes(count: 0) { _ in })] {
                let refused = failure { _ = try tpm.way.sign(digest, with: key, wrong) }
                #expect(refused?.isWrongAuthorization == true)
            }
        }
        #expect(try tpm.way.lockout().tries == 0)
        _ = try tpm.way.sign(digest, with: key, secret)
        try tpm.lockOut()
        _ = try tpm.way.sign(digest, with: key, secret)
        _ = try tpm.way.makeKey(for: secret, under: key.identity)
    }

    // Rule: another TPM than the key's is reported as that | the name of the parent not compared | damaged; another TPM
    //   makes a key
    @Test
    func `what is wrong is told apart, and the right TPM signs again`() throws {
        let (tpm, other) = (try SoftwareTPM(), try SoftwareTPM())
        let secret = try Self.authorization()
        let key = try tpm.way.makeKey(for: secret, under: nil)
        let digest = [UInt8](repeating: 7, count: 32)
        func asked(_ way: TPMAddress, _ key: KeyInTPM) -> TPMError? {
            failure { _ = try way.sign(digest, with: key, secret) }
        }
        #expect(asked(other.way, key) == .otherTPM)
        #expect(failure { _ = try other.way.makeKey(for: secret, under: key.identity) } == .otherTPM)
        var changed = key.privateArea
        changed[40] ^= 1
        let blob = try KeyInTPM(identity: key.identity, publicArea: key.publicArea, privateArea: changed)
        #expect(asked(tpm.way, blob) == .damagedBlob)
        tpm.stop()
        #expect(asked(tpm.way, key) == .away(2))
        try tpm.start()
        tpm.pause()
        var hurried = tpm.way
        hurried.patience = .milliseconds(200)
        #expect(asked(hurried, key) == .silent)
        tpm.proceed()
        #expect(asked(tpm.way, key) == nil)
        // (0, 0) is on no curve.
        let nowhere = [UInt8](repeating: 0, count: 64)
        #expect(failure { _ = try tpm.way.exchange(nowhere, with: key, secret) } != nil)
        try tpm.clear()
        #expect(asked(tpm.way, key) == .cleared)
    }

    // Rule: a public area of another template is no key of a TPM | the template not compared | 18 of its bytes
    @Test
    func `a public area of another form is refused`() throws {
        let tpm = try SoftwareTPM()
        let key = try tpm.way.makeKey(for: try Self.authorization(), under: nil)
        for position in 0..<KeyInTPM.template.count {
            var area = key.publicArea
            area[position] ^= 2
            #expect(throws: (any Error).self, "byte \(position)") {
                try KeyInTPM(identity: key.identity, publicArea: area, privateArea: key.privateArea)
            }
        }
        for area in [[], Array(key.publicArea.dropLast()), key.publicArea + [0]] {
            #expect(throws: (any Error).self) {
                try KeyInTPM(identity: key.identity, publicArea: area, privateArea: key.privateArea)
            }
        }
    }

    // Rule: a key that was made in a TPM can't leave it, as other tools see it, either | `fixedTPM` and `fixedParent`
    //   left out of the template | tpm2_readpublic
    @Test(.enabled(if: SoftwareTPM.program("tpm2_sign") != nil, "tpm2-tools are not installed"))
    func `other tools load and use it with its authorisation, and can't take it out`() throws {
        let tpm = try SoftwareTPM()
        let secret = try Self.authorization()
        let key = try tpm.way.makeKey(for: secret, under: nil)
        try keepParent(tpm)
        try judge(tpm, key, secret)
    }

    /// The emulator serves one connection at a time: this one ends before the tools' begin.
    private func keepParent(_ tpm: SoftwareTPM) throws {
        let line = try tpm.way.connect()
        let speaker = TPM(line)
        let parent = try TPMParent.make(TPMCode.owner, in: speaker)
        try tpm.keep(parent.handle.value, over: line)
        speaker.flush(parent.handle.value)
    }

    private func judge(_ tpm: SoftwareTPM, _ key: KeyInTPM, _ secret: Secret) throws {
        let tools = TPMTools(tpm)
        try tools.write("public", key.publicArea)
        try tools.write("private", key.privateArea)
        #expect(try tools.run("tpm2_load", "-C", "0x81000001", "-u", "public", "-r", "private", "-c", "key") != nil)
        try tools.flush()
        let text = try [UInt8](exposing: secret).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let digest = SHA256.hash(data: Data("judged".utf8))
        try Data(digest).write(to: URL(fileURLWithPath: "\(tpm.folder)/digest"))
        let sign = ["tpm2_sign", "-c", "key", "-g", "sha256", "-d", "-f", "plain", "-o", "signature", "digest"]
        #expect(try tools.run(sign + ["-p", "hex:" + text]) != nil)
        let signature = try Data(contentsOf: URL(fileURLWithPath: "\(tpm.folder)/signature"))
        #expect(try publicKey(key).isValidSignature(.init(derRepresentation: signature), for: digest))
        try tools.flush()
        #expect(try tools.run(sign + ["-p", "hex:" + text.dropLast(2) + "02"]) == nil)
        try tools.flush()
        #expect(try tools.run(sign) == nil)
        try tools.flush()
        let told = String(decoding: try #require(try tools.run("tpm2_readpublic", "-c", "key")), as: UTF8.self)
        #expect(told.contains("fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|decrypt|sign"))
        try tools.flush()
        let out = [
            "tpm2_duplicate", "-C", "null", "-c", "key", "-G", "null", "-p", "hex:" + text, "-r", "out", "-s", "seed",
        ]
        #expect(try tools.run(out) == nil)
        #expect(!FileManager.default.fileExists(atPath: "\(tpm.folder)/out"))
    }

    /// The reader neither traps nor waits for any answer of a TPM to the commands of keys, with a right code under it
    /// or not. What it accepts has the right size.
    @Test
    func `answers of any form are refused, or are of the right size, to the commands of keys`() throws {
        let tpm = try SoftwareTPM()
        let none = Secret(try SecretBytes(count: 0) { _ in })
        let peer = [UInt8](P256.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        let digest = [UInt8](repeating: 7, count: 32)
        let recorded = try RecordingLine(tpm.way)
        let speaker = TPM(recorded)
        let real = try speaker.makeKey(for: none, under: nil)
        _ = try speaker.sign(digest, with: real, none)
        _ = try speaker.exchange(peer, with: real, none)
        var lies = try Lies(real, answers: recorded.answers, seed: 21)
        let liar = LyingTPM { lies.answer(to: $0) }
        let key = try KeyInTPM(identity: liar.identity, publicArea: real.publicArea, privateArea: real.privateArea)
        var isRight = true
        let run = FuzzRun.repeated("answers of a chip about keys", bounded: 3000) { number in
            lies.begin(number)
            let coded = number % 4 != 0
            let line: any TPMTransport = coded ? liar : ScriptedLine { lies.garbage() }
            let speaker = TPM(line, patience: .milliseconds(1))
            let asked = coded ? key : real
            let taken: Int?
            switch number / 4 % 3 {
            case 0:
                let made = try? speaker.makeKey(for: none, under: asked.identity)
                isRight = isRight && made?.publicArea.starts(with: KeyInTPM.template) != false
                taken = made?.point.count
            case 1: taken = try? speaker.sign(digest, with: asked, none).count
            default: taken = (try? speaker.exchange(peer, with: asked, none)).map { 2 * $0.count }
            }
            isRight = isRight && (taken == nil || coded && taken == 64)
            return taken != nil
        }
        #expect(isRight && run.isBounded)
        #expect(run.refused > run.inputs / 3 && run.refused < run.inputs)
    }
}

/// What a TPM says of keys: one answer in four is good all through, in the others one command's is changed.
private struct Lies {
    private let good: [UInt32: [UInt8]]
    private var mutators: [UInt32: Mutator]
    private var anything: Mutator
    private let answers: [[UInt8]]
    private var changed: UInt32 = 0
    private var step = 0
    private var number = 0

    init(_ key: KeyInTPM, answers: [[UInt8]], seed: UInt64) throws {
        var create = ByteWriter()
        create.sized(key.privateArea)
        create.sized(key.publicArea)
        var load = ByteWriter()
        load.sized(TPMName.of(key.publicArea))
        var point = ByteWriter()
        point.sized(key.point.prefix(32))
        point.sized(key.point.suffix(32))
        var exchange = ByteWriter()
        exchange.sized(point.bytes)
        good = [
            TPMCommand.create.rawValue: create.bytes, TPMCommand.load.rawValue: load.bytes,
            TPMCommand.sign.rawValue: [0, 0x18, 0, 0x0B] + point.bytes, TPMCommand.exchange.rawValue: exchange.bytes,
        ]
        mutators = good.mapValues { Mutator(corpus: [$0], seed: seed) }
        anything = Mutator(corpus: answers, seed: seed)
        self.answers = answers
    }

    mutating func begin(_ number: Int) {
        self.number = number
        step = 0
        let commands: [TPMCommand?] = [nil, .create, .load, .sign, .exchange]
        changed = commands[number / 12 % 5]?.rawValue ?? 0
    }

    mutating func answer(to command: UInt32) -> [UInt8] {
        command == changed ? mutators[command]?.next() ?? [] : good[command] ?? []
    }

    /// Good ones up to somewhere, so that every reader meets bad ones.
    mutating func garbage() -> [UInt8] {
        defer { step += 1 }
        return step < number % 12 ? answers[step % answers.count] : anything.next()
    }
}
