// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Sealing
import SecretMemory
import TPMs
import TestSupport
import TestVectors
import Testing

@testable import DataProtection

/// The files of a home whose device secret is in a TPM, as bytes: vectors of Documentation/Formats/TPMObjects.md, and
/// hostile ones. No TPM is used.
@Suite struct TPMFileTests {
    private static let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)

    private func secret(_ vector: VectorFile) throws -> SecretBytes {
        try SecretBytes(copying: VectorFile.bytes(try #require(vector.header["secret"])))
    }

    @Test func `The files are what the generator writes`() throws {
        for (format, vectors) in try TPMVectors.all() {
            #expect(try VectorFile.all(of: format) == vectors, "run: swift run test-worker generate-vectors")
        }
    }

    // MARK: Device secret

    // Rule: a device secret with a number was written by a holder of that secret | its code not compared |
    //   DeviceSecretRecord/code-changed
    @Test func `every vector of a device secret with a number gives the answer that it expects`() throws {
        let vectors = try VectorFile.all(of: "DeviceSecretRecord")
        #expect(vectors.count > 20)
        for (name, vector) in vectors {
            let bytes = try #require(vector.files["device-secret"])
            let expected = try #require(vector.header["expect"])
            do {
                let record = try #require(try DeviceSecretRecord(try SecretBytes(copying: bytes), "here"), "\(name)")
                let secret = try record.verified(try secret(vector), "here")
                #expect(expected == "opens", "\(name)")
                if expected == "opens" { try check(record, secret, vector, name) }
            } catch let error as DataProtectionError {
                #expect(error.code.codeName == expected, "\(name): \(error)")
            }
        }
    }

    private func check(
        _ record: DeviceSecretRecord, _ secret: borrowing SecretBytes, _ vector: VectorFile, _ name: String
    ) throws {
        #expect(String(record.number) == vector.header["number"], "\(name)")
        #expect(VectorFile.text(record.counter?.encoded ?? []) == vector.header["counter"], "\(name)")
        let formers = try record.formers.map { former in
            let before = try former.secret(under: secret)
            return "\(former.number):\(VectorFile.text(try before.exposingBytes(0..<32) ?? []))"
        }
        #expect(formers.joined(separator: " ") == vector.header["formers"], "\(name)")
        switch record.form {
        case .plain(let plain):
            #expect(try plain.withSecretBytes { try $0.isEqual(to: secret) } && vector.header["way"] == nil, "\(name)")
        case .tpm(let way, let sealed):
            #expect(way.description == vector.header["way"] && sealed.measurements.registers == [7], "\(name)")
        }
        let code = vector.header["recovery"].map { VectorFile.bytes($0) }
        #expect((record.recovery == nil) == (code == nil), "\(name)")
        guard let code, let seal = record.recovery else { return }
        #expect(try seal.open(try RecoveryCode(typed: Self.letters(code))).isEqual(to: secret), "\(name)")
    }

    /// As a person types it: five bits a letter.
    private static func letters(_ code: [UInt8]) throws -> SecretBytes {
        let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
        let bits = code.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return try SecretBytes(
            copying: stride(from: 0, to: bits.count, by: 5).map { start in
                alphabet[bits[start..<start + 5].reduce(0) { $0 << 1 | Int($1) }]
            })
    }

    @Test func `a hostile device secret with a number is none, damaged or newer, and opens only whole`() throws {
        let vectors = try VectorFile.all(of: "DeviceSecretRecord")
        let good = vectors.filter { $0.key.hasPrefix("good") }.sorted { $0.key < $1.key }
            .compactMap { $0.value.files["device-secret"] }
        let secret = try secret(try #require(vectors["good"]))
        let key = try KeyDerivation.expand(from: secret, label: .deviceSecretCode)
        var mutator = Mutator(corpus: good, seed: Self.seed)
        var seen: [String: Int] = [:]
        let run = try FuzzRun.repeated("device secrets with a number", bounded: 3000) { number in
            var bytes = mutator.next()
            // Every second one as is possible with the secret: with a right code over hostile bytes.
            if number % 2 == 0, bytes.count > 96 {
                let hidden = bytes[9] == 0 ? 32 : 0
                let body = Array(bytes.dropLast(32 + hidden))
                let code = try KeyDerivation.authenticationCode(for: body, under: key)
                bytes = body + bytes.suffix(32 + hidden).prefix(hidden) + code
            }
            let answer = try answer(bytes, secret)
            seen[answer, default: 0] += 1
            return answer == "opens"
        }
        #expect(run.isBounded)
        let all: Set = ["opens", "none", "damaged", "newerFormat"]
        #expect(Set(seen.keys) == all, "\(seen)")
    }

    private func answer(_ bytes: [UInt8], _ secret: borrowing SecretBytes) throws -> String {
        guard !bytes.isEmpty else { return "none" }
        do {
            guard let record = try DeviceSecretRecord(try SecretBytes(copying: bytes), "here") else { return "none" }
            _ = try record.verified(secret, "here")
            for former in record.formers { _ = try? former.secret(under: secret) }
            #expect(
                record.formers.count <= DeviceSecretRecord.mostFormers && bytes.count <= DeviceSecretRecord.sizeLimit)
            return "opens"
        } catch let error as DataProtectionError { return error.code.codeName }
    }

    // MARK: Freshness

    /// A folder with this record, and the counter that it would be of.
    private func file(_ bytes: [UInt8], _ mark: [UInt8], in temporary: TemporaryHome) throws -> FreshnessFile {
        let counter = TPMCounter(handle: 0x0180_0001, mark: mark)
        if !temporary.names.isEmpty {
            try temporary.put(bytes, FreshnessFile.name(counter))
        } else {
            try temporary.fill([FreshnessFile.name(counter): bytes])
        }
        return FreshnessFile(folder: try HomeFolder(at: temporary.path, in: .init()), counter: counter)
    }

    // Rule: a record of freshness counts for its own counter alone | the mark not compared |
    //   Freshness/of-another-counter
    @Test func `every vector of a record of freshness gives the answer that it expects`() throws {
        let vectors = try VectorFile.all(of: "Freshness")
        #expect(vectors.count > 10)
        for (name, vector) in vectors {
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            let mark = VectorFile.bytes(try #require(vector.header["mark"]))
            let file = try file(try #require(vector.files["freshness"]), mark, in: temporary)
            let expected = try #require(vector.header["expect"])
            do {
                let record = try file.read(try secret(vector))
                #expect((record == nil ? "none" : "opens") == expected, "\(name)")
                guard let record else { continue }
                #expect(String(record.number) == vector.header["number"], "\(name)")
                #expect(String(record.time) == vector.header["time"], "\(name)")
                let entries = record.entries.map {
                    "\(VectorFile.text($0.owner.bytes)):\($0.name):\($0.number):\(VectorFile.text($0.digest))"
                }
                #expect(entries.joined(separator: " ") == vector.header["entries"], "\(name)")
            } catch let error as DataProtectionError {
                #expect(error.code.codeName == expected, "\(name): \(error)")
            }
        }
    }

    @Test func `a hostile record of freshness is none or newer, and counts only whole`() throws {
        let vectors = try VectorFile.all(of: "Freshness")
        let good = vectors.filter { $0.key.hasPrefix("good") }.sorted { $0.key < $1.key }
            .compactMap { $0.value.files["freshness"] }
        let vector = try #require(vectors["good"])
        let secret = try secret(vector)
        let mark = VectorFile.bytes(try #require(vector.header["mark"]))
        let key = try KeyDerivation.expand(from: secret, label: .freshness, context: mark)
        let temporary = TemporaryHome()
        defer { temporary.remove() }
        var mutator = Mutator(corpus: good, seed: Self.seed)
        var seen: [String: Int] = [:]
        let run = try FuzzRun.repeated("records of freshness", bounded: 1500) { number in
            var bytes = mutator.next()
            if number % 2 == 0, bytes.count > 32 {
                let body = Array(bytes.dropLast(32))
                bytes = body + (try KeyDerivation.authenticationCode(for: body, under: key))
            }
            var answer = "none"
            do {
                if let record = try file(bytes, mark, in: temporary).read(secret) {
                    answer = "opens"
                    #expect(record.entries.count <= FreshnessRecord.mostEntries)
                }
            } catch let error as DataProtectionError { answer = error.code.codeName }
            seen[answer, default: 0] += 1
            return answer == "opens"
        }
        #expect(run.isBounded)
        let all: Set = ["opens", "none", "newerFormat"]
        #expect(Set(seen.keys) == all, "\(seen)")
    }
}
