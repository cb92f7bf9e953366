// SPDX-License-Identifier: Apache-2.0

import Files

/// A new plaintext file that the user requested.
enum PlaintextFile {
    /// Creates the file with mode 0600 from the start, never over an existing file. Leaves nothing if it fails.
    static func create(_ path: String, _ bytes: [UInt8]) throws {
        do {
            let file = try NewFile(at: FileLocation(path))
            try file.write(bytes, at: 0)
            try file.finish()
        } catch  where error.isPresentAlready {
            throw PreferencesError(
                .fileExists, "\(path): there is a file of that name already; nothing was written", cause: error)
        } catch {
            throw PreferencesError(
                error.isFull ? .diskFull : .io, "the file can't be written there: \(error.text)", cause: error)
        }
    }
}
