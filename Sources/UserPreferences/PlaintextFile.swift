// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A new file of plaintext that a person asked for.
enum PlaintextFile {
    /// Mode 0600 from the first moment, never over an existing file.
    static func create(_ path: String, _ bytes: [UInt8]) throws {
        // Written whole under another name and then linked: link(2) refuses a name that is taken.
        let temporary = "\(path).\(UUID().uuidString)"
        let manager = FileManager.default
        guard manager.createFile(atPath: temporary, contents: nil, attributes: [.posixPermissions: 0o600]) else {
            throw PreferencesError(.io, "the file can't be made there")
        }
        defer { try? manager.removeItem(atPath: temporary) }
        guard let file = FileHandle(forWritingAtPath: temporary) else {
            throw PreferencesError(.io, "the file can't be written")
        }
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: temporary)
        try file.write(contentsOf: Data(bytes))
        try file.synchronize()
        try file.close()
        do { try manager.linkItem(atPath: temporary, toPath: path) } catch {
            // A link that points nowhere is a name that is taken, too.
            guard (try? manager.attributesOfItem(atPath: path)) != nil else {
                throw PreferencesError(.io, "the file can't be made there", cause: error)
            }
            throw PreferencesError(
                .fileExists, "there is a file of that name already; nothing was written", cause: error)
        }
    }
}
