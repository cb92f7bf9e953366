// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import TestSupport
import Testing

/// Mutated bytes for every reader: it answers or throws, and never traps, hangs or takes much memory. Few in a normal
/// run; the long form is `ZAMOK_FUZZ_INPUTS=10000000` in an optimised build (Documentation/ProvisioningProfiles.md).
@Suite(.serialized, .enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct HostileInputTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = FuzzBudget.seed(environment: environment)
    /// The most that reading any input may add to the memory of the process.
    private static let maximumResidentKiB = 64 << 10
    /// POSIX: `clock` counts microseconds.
    private static let clockTicks = 1_000_000

    private static func inputs(_ bounded: Int) -> Int { FuzzBudget.inputs(environment: environment, bounded: bounded) }

    private func feed(_ corpus: [[UInt8]], _ count: Int, _ read: ([UInt8]) throws -> Void) throws {
        var mutator = Mutator(corpus: corpus, seed: Self.seed)
        let before = Self.lowerPeak()
        var refused = 0
        var slowest = 0
        for _ in 0..<count {
            let bytes = mutator.next()
            let begin = clock()
            do { try read(bytes) } catch is ProfileError { refused += 1 }
            slowest = max(slowest, clock() - begin)
        }
        // Processor time, so that a machine in use does not count.
        #expect(slowest < 60 * Self.clockTicks)
        // A reader that takes everything, or nothing, is not the one that is tested here.
        #expect(refused > count / 100 && refused < count)
        // By hand these tests run alone; in a normal run others share the process and its memory.
        guard Self.environment["ZAMOK_FUZZ_INPUTS"] != nil, let before, let after = Self.status("VmHWM:") else {
            return
        }
        let milliseconds = slowest * 1000 / Self.clockTicks
        print(
            "seed \(Self.seed): \(count) inputs, \(refused) refused, slowest \(milliseconds) ms of processor time,",
            "peak \(after) KiB resident, \(after - before) KiB above the start")
        #expect(after - before < Self.maximumResidentKiB)
    }

    /// Lets the kernel count the peak of resident memory anew, and returns what is resident now in KiB; nil elsewhere
    /// than on Linux.
    private static func lowerPeak() -> Int? {
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        return status("VmRSS:")
    }

    private static func status(_ field: String) -> Int? {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }

    private func profiles() throws -> [[UInt8]] {
        try ["store", "sha256", "ecdsa", "ber", "several-certificates", "copy-agrees", "key-identifier", "bare"]
            .map { try TestAuthority.bytes("profiles/\($0).mobileprovision") }
    }

    @Test func `whole profiles`() throws {
        let anchor = try TestAuthority.anchor()
        try feed(profiles(), min(Self.inputs(500), 200_000)) { bytes in
            let read = try UnverifiedProfile(bytes: bytes)
            let examined = ExaminedProfile(read, anchor: anchor)
            _ = examined.findings(path: "", options: CheckOptions())
            if case .unverified(_, let error) = examined { throw error }
        }
    }

    @Test func `CMS envelopes`() throws {
        let anchor = try TestAuthority.anchor()
        try feed(profiles(), Self.inputs(1000)) { _ = try InnerReaders.envelope($0, anchor: anchor) }
    }

    @Test func `Mach-O files`() throws {
        var slice = SliceRecipe(entitlements: CodeSignatureTests.entitlements)
        let thin = try slice.bytes()
        slice.hasAlternate = true
        let alternate = try slice.bytes()
        slice.hasSignature = false
        try feed([thin, alternate, FatFile.bytes([thin, alternate]), slice.bytes()], Self.inputs(2000)) { bytes in
            for slice in try InnerReaders.machO(bytes) { _ = slice.signature?.signer() }
        }
    }

    @Test func `zip archives`() throws {
        // Little content, so that most changes meet headers.
        let content = [UInt8](0..<40)
        var recipe = ZipRecipe(entries: [
            .init(name: "Payload/", content: [], isDeflated: false), .init(name: "Payload/a", content: content),
            .init(name: "Payload/b", content: content, isDeflated: false),
        ])
        let plain = recipe.bytes()
        recipe.usesZip64End = true
        for index in recipe.entries.indices { recipe.entries[index].usesZip64 = true }
        let wide = recipe.bytes()
        for index in recipe.entries.indices { recipe.entries[index].flags = 8 }
        try feed([plain, wide, recipe.bytes()], Self.inputs(2000)) { _ = try InnerReaders.archive($0, limit: 1 << 20) }
    }

    @Test func `property lists and entitlements in DER`() throws {
        let values: [String: PropertyList] = ["a": .array([.integer(1), .string("x")]), "b": .boolean(true)]
        let binary = try PropertyListSerialization.data(
            fromPropertyList: ["a": [1, "x"], "b": true] as [String: Any], format: .binary, options: 0)
        let lists = [PropertyList.dictionary(values).xml, Array(binary), Array(ProjectText.text.utf8)]
        try feed(lists, Self.inputs(2000)) { _ = try PropertyList(bytes: $0, limits: .project) }
        try feed([DERWriter.entitlements(values)], Self.inputs(2000)) { _ = try InnerReaders.der($0) }
    }

    // Rule: values of an ASN.1 structure are counted before it is built | limit times 1,000
    @Test func `a structure of nothing but small values is refused before it is built`() throws {
        let many = DERWriter.value(
            0x30, [UInt8](repeating: 0, count: 0) + (0..<400_000).flatMap { _ in [UInt8(5), 0] })
        #expect(profileError { _ = try UnverifiedProfile(bytes: many) }?.code == .tooLarge)
        // A length with leading zeros, which BER allows, must not hide the values behind it.
        let padded: [UInt8] =
            [0x24, 0x88] + [0, 0, 0, 0, 0, 0x0C, 0x35, 0x00] + (0..<400_000).flatMap { _ in [UInt8(5), 0] }
        #expect(profileError { _ = try UnverifiedProfile(bytes: [0x30, 0x80] + padded + [0, 0]) }?.code == .tooLarge)
    }
}
