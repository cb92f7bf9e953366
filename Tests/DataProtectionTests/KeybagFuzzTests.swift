// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sealing
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import DataProtection

/// Hostile keybags, key groups and counters, through the readers that the product has: no trap, no hang, and no answer
/// but the documented ones. `ZAMOK_FUZZ_INPUTS` and `ZAMOK_FUZZ_SEED` make a run longer or another one.
@Suite struct KeybagFuzzTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)

    /// The roots that the good vectors were written with, without their KDF.
    private struct Opener: ~Copyable {
        let roots: KeyRoots
        let root: SecretBytes
        let authentication: SecretBytes

        init(_ vector: VectorFile) throws {
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            try temporary.fill(vector.files)
            let place = try temporary.open().keybag.place
            let roots = try place.roots(try place.read().file)
            let root = try roots.passcodeRootWithoutPasscode()
            let authentication = try roots.authenticationKey()
            self.roots = roots
            self.root = root
            self.authentication = authentication
        }
    }

    @Test func `a hostile keybag is refused by form, by its code or by its keys, and never anything else`() throws {
        let vectors = try VectorFile.all(of: "Keybag")
        let corpus = vectors.filter { $0.key.hasPrefix("good") }.sorted { $0.key < $1.key }
            .compactMap { $0.value.files["keybag"] }
        let opener = try Opener(try #require(vectors["good-without-passcode"]))
        var mutator = Mutator(corpus: corpus, seed: Self.seed)
        var generator = SeededGenerator(seed: Self.seed)
        var seen: [String: Int] = [:]
        let run = try FuzzRun.repeated("keybags", bounded: 1500) { _ in
            var bytes = mutator.next()
            // Every second one as is possible with device secret and epoch: with a right code over hostile bytes.
            if generator.next() % 2 == 0, bytes.count > 32 {
                let body = Array(bytes.dropLast(32))
                bytes = body + (try KeyDerivation.authenticationCode(for: [3] + body, under: opener.authentication))
            }
            let answer = try answer(bytes, opener, &generator)
            seen[answer, default: 0] += 1
            return answer == "opens"
        }
        #expect(run.isBounded)
        let allowed: Set = ["opens", "form", "newer", "parameters", "code", "key", "forged"]
        #expect(Set(seen.keys).isSubset(of: allowed), "\(seen)")
        #expect(Set(seen.keys).isSuperset(of: ["opens", "form", "newer", "code", "key", "forged"]), "\(seen)")
    }

    private func answer(
        _ bytes: [UInt8], _ opener: borrowing Opener, _ generator: inout SeededGenerator
    ) throws -> String {
        let file: KeybagFile
        do {
            file = try KeybagFile(parsing: bytes, allowingInsecureKDF: false)
        } catch KeybagFault.malformed {
            return "form"
        } catch KeybagFault.newer {
            return "newer"
        } catch KeybagFault.parametersRefused {
            return "parameters"
        }
        do {
            try KeybagFile.authenticate(bytes, file, under: opener.authentication)
        } catch is KeybagFault {
            return "code"
        }
        guard let slot = file.slots.randomElement(using: &generator) else { return "form" }
        do {
            let key =
                slot.root == .device
                ? try slot.unwrap(under: opener.roots.device, file.names)
                : try slot.unwrap(under: opener.root, file.names)
            guard key.count == 32 else { return "of another size" }
            try file.checkAll(opener.roots, person: opener.root)
            return "opens"
        } catch is SealingError {
            return "key"
        } catch KeybagFault.forged {
            return "forged"
        }
    }

    @Test func `a hostile key group is none, or gives keys of 32 bytes`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let keybag = try temporary.open().keybag
        try keybag.setPasscode(secret("1234"))
        let view = try keybag.view()
        let corpus = try [KeyGroup.Role.complete, .firstUnlock].compactMap { role in
            try keybag.group(role, view).flatMap { try $0.payload.exposingBytes(0..<$0.payload.count) }
        }
        var mutator = Mutator(corpus: corpus, seed: Self.seed)
        var (none, some, good) = (0, 0, 0)
        let run = try FuzzRun.repeated("key groups", bounded: 1500) { _ in
            guard let group = try KeyGroup.parse(try SecretBytes(copying: mutator.next())) else {
                none += 1
                return false
            }
            some += 1
            for slot in view.file.slots { if let key = try group.key(slot.kind, slot.id) { #expect(key.count == 32) } }
            // One that fits holds the very keys; the order of entries and what isn't of this keybag don't matter.
            if try group.fits(view.file) {
                good += 1
                for slot in view.file.slots where slot.role == group.validity.role {
                    let meant = try keybag.group(group.validity.role, view)?.key(slot.kind, slot.id)?.exposingBytes(
                        0..<32)
                    #expect(try group.key(slot.kind, slot.id)?.exposingBytes(0..<32) == meant)
                }
            }
            let kept = try group.renewed(group.validity) { _, _ in true }
            #expect(kept.payload.count <= group.payload.count)
            return true
        }
        #expect(run.isBounded)
        #expect(none > 0 && some > good && good > 0)
    }

    @Test func `a hostile record of the current user is damaged, newer, or what it was`() throws {
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        let root = try temporary.open()
        let user = UniqueIdentifier.random()
        try root.recordUser(user)
        let good = try temporary.bytes("current")
        var mutator = Mutator(corpus: [good], seed: Self.seed)
        var codes: Set<String> = []
        let run = try FuzzRun.repeated("current", bounded: 1500) { _ in
            let bytes = mutator.next()
            do {
                let claim = try CurrentUserFile.claim(bytes)
                let isTrue =
                    try claim != nil
                    && root.keybag.withMetadataKey(.none) { try CurrentUserFile.isAuthentic(bytes, under: $0) }
                #expect(!isTrue || bytes == good)
                codes.insert(claim == nil ? "none" : isTrue ? "good" : "false")
                return isTrue
            } catch KeybagFault.newer {
                codes.insert("newer")
                return false
            }
        }
        #expect(run.isBounded)
        #expect(codes.isSuperset(of: ["none", "false", "newer"]), "\(codes)")
        for bytes in (0..<20).map({ _ in mutator.next() }) {
            try temporary.put(bytes, "current")
            let error = failure { try root.recordedUser() }
            #expect(bytes == good || error?.code == .damaged || error?.code == .newerFormat)
        }
    }

    @Test(arguments: [
        "attempts", "device-secret", "epoch", "keybag.use", "keybag.lock", "generation", "current", "stores-seen",
    ])
    func `a hostile file beside the keybag is damaged, or what it was`(name: String) throws {
        let good = try #require(try VectorFile.all(of: "Keybag")["good-with-passcode"])
        let temporary = TemporaryHome()
        defer { temporary.removeFolder() }
        let corpus: [UInt8]
        if let vector = good.files[name] {
            corpus = vector
        } else {
            // As it comes into being.
            try temporary.fill(good.files)
            let root = try temporary.open { $0.usesInsecureKDF = false }
            try root.recordUser(.random())
            root.record(of: .keychain, 7, "keychain.db").remember(3)
            _ = try root.keybag.keyUse()
            let made = try temporary.bytes(name)
            corpus = made.isEmpty ? [UInt8](repeating: 0, count: 16) : made
            temporary.removeFolder()
        }
        var mutator = Mutator(corpus: [corpus], seed: Self.seed)
        var codes: Set<String> = []
        let run = try FuzzRun.repeated(name, bounded: 60) { _ in
            defer { temporary.removeFolder() }
            try temporary.fill(good.files.merging([name: mutator.next()]) { $1 })
            let error = failure {
                let root = try temporary.open { $0.usesInsecureKDF = false }
                _ = try root.status()
                _ = try root.recordedUser()
                _ = try root.record(of: .keychain, 7, "keychain.db").known()
            }
            codes.insert(error?.code.codeName ?? "opens")
            return error == nil
        }
        #expect(run.isBounded)
        let allowed: Set = ["opens", "damaged", "missingDeviceSecret", "newerFormat", "restoredCopy", "erased"]
        #expect(codes.isSubset(of: allowed), "\(name): \(codes)")
    }
}
