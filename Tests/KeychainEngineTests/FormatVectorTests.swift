// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SealedDatabases
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import KeychainEngine

/// The vectors of Keychain and Export in Tests/Vectors. A program that shares no format code with the product wrote
/// them from the documents.
@Suite struct FormatVectorTests {
    @Test func `Every vector of the keychain gives the answer that it expects, and nothing is overwritten`() throws {
        let vectors = try VectorFile.all(of: "Keychain")
        #expect(vectors.count > 60)
        for (name, vector) in vectors.sorted(by: { $0.key < $1.key }) {
            let temporary = TemporaryHome()
            var files = vector.files.filter { !$0.key.hasPrefix("column.") }
            // As it is made with a home.
            files["stores-seen"] = Array("zks1".utf8) + [UInt8](repeating: 0, count: 1340)
            try temporary.fill(files)
            try put(vector, temporary)
            let before = try dump(temporary)
            let answer = try read(vector, temporary)
            let expected = try #require(vector.header["expect"])
            #expect(Self.fits(answer, expected), "\(name): \(answer), expected \(expected)")
            #expect(try dump(temporary) == before, "\(name)")
        }
    }

    @Test func `Every vector of the export gives the answer that it expects`() throws {
        let vectors = try VectorFile.all(of: "Export")
        #expect(vectors.count > 45)
        let (lax, strict) = (TemporaryHome(), TemporaryHome())
        for (name, vector) in vectors.sorted(by: { $0.key < $1.key }) {
            let isStrict = vector.header["limits"] == "strict"
            let home = try (isStrict ? strict : lax).open { $0.usesInsecureKDF = !isStrict }
            let store = try ItemStore.of(home)
            let answer = try imported(vector, home, store)
            let expected = try #require(vector.header["expect"])
            #expect(Self.fits(answer, expected), "\(name): \(answer), expected \(expected)")
            var all = ItemQuery(.genericPassword)
            all.limit = nil
            let stored = try? store.items(matching: all, withSecret: true)
            #expect(
                (stored?.count ?? 0) == Int(expected.split(separator: " ").dropFirst().first?.dropLast() ?? "") ?? 0)
            if stored != nil { try store.delete(all) }
        }
    }

    // Rule: scrypt's parameters are bounded | N of 2^21 taken | exports
    @Test func `The files are what the generator writes`() throws {
        #expect(
            try VectorFile.all(of: "Keychain") == KeychainVectors.all(), "run: swift run test-worker generate-vectors")
        #expect(try VectorFile.all(of: "Export") == ExportVectors.all(), "run: swift run test-worker generate-vectors")
    }

    // MARK: Keychain

    /// Puts row, state and the file's own marks into an empty database.
    private func put(_ vector: VectorFile, _ temporary: TemporaryHome) throws {
        let store = try ItemStore(try temporary.open { $0.usesInsecureKDF = false })
        let column = { (name: String) in SQLValue.optional(vector.files["column.\(name)"]) }
        let number = { (name: String) in SQLValue.optional(vector.header["column.\(name)"].flatMap { Int64($0) }) }
        let numbers = ["id", "revision", "version", "kind", "class", "layers", "class_key", "access_key"]
        let blobs = [
            "uuid", "identity", "pair", "first", "second", "label", "attributes", "wrapped", "password_salt",
            "password_cost", "secret",
        ]
        let places = repeatElement("?", count: numbers.count + blobs.count).joined(separator: ", ")
        try store.database.write { access in
            try access.execute(
                "INSERT INTO item (\((numbers + blobs).joined(separator: ", "))) VALUES (\(places))",
                numbers.map(number) + blobs.map(column)
            )
            let revision = vector.header["column.state_revision"].flatMap { UInt64($0) } ?? 0
            try access.execute("UPDATE state SET sealed = ?, revision = ?", [column("state"), .bits(revision)])
            for mark in ["user_version", "application_id"] {
                try access.execute("PRAGMA \(mark) = \(try #require(vector.header[mark]))")
            }
        }
    }

    /// "reads", or status and message.
    private func read(_ vector: VectorFile, _ temporary: TemporaryHome) throws -> String {
        do {
            let store = try ItemStore(try temporary.open { $0.usesInsecureKDF = false })
            let found = try store.items(matching: .password("service", "anna"), withSecret: true)
            #expect(found.map { $0.secret?.exposedBytes } == [VectorFile.bytes(vector.header["secret"] ?? "")])
            #expect(try store.checkInvariants() == [])
            return "reads"
        } catch {
            let error = KeychainError(error)
            return "\(error.code.rawValue): \(error.message)"
        }
    }

    /// What the tables hold, read without the product.
    private func dump(_ temporary: TemporaryHome) throws -> [[SQLiteFile.Value]] {
        let database = try SQLiteFile("\(temporary.path)/keychain.db", isReadOnly: true)
        return try database.rows("SELECT * FROM item; SELECT * FROM state")
    }

    // MARK: Export

    private func imported(_ vector: VectorFile, _ home: Home, _ store: ItemStore) throws -> String {
        do {
            let passphrase = try SecretBytes(text: vector.header["passphrase"] ?? "")
            let transfer = try store.import(
                home, passphrase: passphrase, from: BytesSource(bytes: vector.files["export"] ?? [])
            ) { _, _ in }
            let refused = transfer.leftOut.values.reduce(0, +)
            return "imports \(transfer.count), refused \(refused)"
        } catch let error as KeychainError {
            return "\(error.code.rawValue): \(error.message)"
        }
    }

    private static func fits(_ answer: String, _ expected: String) -> Bool {
        let parts = expected.components(separatedBy: ": ")
        guard parts.count == 2 else { return answer == expected }
        return answer.hasPrefix(parts[0] + ": ") && answer.contains(parts[1])
    }
}

/// An export in memory.
struct BytesSource: ExportSource {
    let bytes: [UInt8]

    var count: Int { bytes.count }

    func read(_ count: Int, at offset: Int) throws -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
}

extension TemporaryHome {
    /// A folder with these files, as a home has them.
    func fill(_ files: [String: [UInt8]]) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        for (name, bytes) in files {
            let isMade = FileManager.default.createFile(
                atPath: "\(path)/\(name)", contents: Data(bytes), attributes: [.posixPermissions: 0o600]
            )
            try #require(isMade)
        }
    }
}
