// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestVectors

/// test-worker generate-vectors: writes the vectors of all formats that TestVectors knows into Tests/Vectors. A test
/// compares the files with it.
enum GenerateVectors {
    static func run() throws {
        let all = try HomeVectors.all().merging([
            "Keychain": try KeychainVectors.all(), "Export": try ExportVectors.all(),
        ]) { $1 }.merging(try TPMVectors.all()) { $1 }
        for (format, vectors) in all {
            let folder = VectorFile.folder(format)
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, vector) in vectors {
                try Data(vector.text.utf8).write(to: folder.appendingPathComponent("\(name).txt"))
            }
            print("\(format): \(vectors.count)")
        }
    }
}
