// SPDX-License-Identifier: Apache-2.0

import Files

/// A new file of plaintext that a person asked for.
enum PlaintextFile {
    /// Made with mode 0600 from the first moment, never over an existing file; nothing is left if it can't be finished.
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
