// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import TestVectors
import Testing

@testable import DataProtection

/// The vectors in Tests/Vectors: written from the documents by a program that shares no format code with the product.
@Suite struct HomeVectorTests {
    // Rule: scrypt's parameters of a keybag are bounded | N of 2^21 taken | Keybag/log-rounds-21
    @Test(arguments: ["DeviceSecret", "Epoch", "Keybag"])
    func `Every vector gives the answer that it expects, and nothing is overwritten`(format: String) throws {
        let vectors = try VectorFile.all(of: format)
        #expect(vectors.count > 10)
        for (name, vector) in vectors.sorted(by: { $0.key < $1.key }) {
            let temporary = TemporaryHome()
            defer { temporary.remove() }
            try temporary.fill(vector.files)
            let expected = try #require(vector.header["expect"])
            let answer = try answer(temporary, vector)
            #expect(Self.fits(answer, expected), "\(format)/\(name): \(answer), expected \(expected)")
            let after = try temporary.content()
            for (file, bytes) in vector.files where file != "attempts" && !(expected == "opens" && file == "epoch") {
                #expect(after[file] == bytes, "\(format)/\(name): \(file)")
            }
        }
    }

    @Test func `The files are what the generator writes`() throws {
        for (format, vectors) in try HomeVectors.all() {
            #expect(try VectorFile.all(of: format) == vectors, "run: swift run test-worker generate-vectors")
        }
    }

    /// "opens", "unlocks", or code and message of the error.
    private func answer(_ temporary: TemporaryHome, _ vector: VectorFile) throws -> String {
        do {
            let keybag = try temporary.open { $0.usesInsecureKDF = false }.keybag
            var word = "opens"
            if let passcode = vector.header["passcode"] {
                try keybag.unlock(passcode: secret(passcode))
                word = "unlocks"
            }
            if let key = vector.header["complete"] { #expect(try keybag.classKey(.complete) == VectorFile.bytes(key)) }
            return word
        } catch let error as DataProtectionError {
            return "\(error.code.codeName): \(error.message)"
        }
    }

    private static func fits(_ answer: String, _ expected: String) -> Bool {
        let parts = expected.components(separatedBy: ": ")
        guard parts.count == 2 else { return answer == expected }
        return answer.hasPrefix(parts[0] + ": ") && answer.contains(parts[1])
    }
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
