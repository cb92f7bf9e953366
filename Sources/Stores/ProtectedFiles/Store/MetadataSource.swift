// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

/// The file whose owner, mode, access lists, attributes and times a new file gets (ProtectedFile.md, "Metadata").
struct MetadataSource {
    private let file: OpenFile
    /// The status before the file was read.
    private let status: FileStatus
    /// Whether its owner, mode and access lists are those of a user entitled to the content. That holds for a plaintext
    /// file, for this user's own, and for one that Zamok created for another user.
    private let hasAccess: Bool
    /// Whether to keep the times. Backups must detect a change of class by the time.
    var keepsTimes = true

    /// The metadata of a plaintext file.
    init(file: OpenFile, status: FileStatus) {
        (self.file, self.status, hasAccess) = (file, status, true)
    }

    init(_ read: ReadFile) { self.init(file: read.file, status: read.status) }

    /// The metadata of a protected file. Any user can create a file from another user's ciphertext, with any mode.
    init(_ sealed: inout SealedFile, _ status: FileStatus) throws {
        (file, self.status) = (sealed.file, status)
        hasAccess = try status.isOurs || AccessSeal.isRight(on: sealed.file, sealed.header, sealed.keys())
    }

    /// Applies the metadata to a plaintext file.
    func give(to clear: OpenFile) throws -> LostMetadata {
        let lost = try clear.takeMetadata(of: file, status, withAccess: hasAccess, except: [AccessSeal.attribute])
        return hasAccess ? lost : lost.union([.owner, .mode])
    }

    /// Applies the metadata to a protected file. A user with access to this file has the ciphertext already.
    func give(to fresh: borrowing FreshFile) throws -> LostMetadata {
        let lost = try fresh.file.takeMetadata(of: file, status, withTimes: keepsTimes, except: [AccessSeal.attribute])
        if hasAccess, try !fresh.file.status().isOurs,
            try !AccessSeal.set(on: fresh.file, fresh.header, fresh.keys)
        {
            throw ProtectedFileError(
                .unsupported,
                "\(file.path) is another user's, and its extended attributes have no room for the one by which that user gets it back (user.zamok.access), or the file system keeps none; nothing was changed; remove attributes of the file, or let its owner do it"
            )
        }
        return lost
    }
}

/// Certifies on another user's protected file that Zamok set its owner, mode and access lists. Stored as an extended
/// attribute of that file.
enum AccessSeal {
    static let attribute = Array("user.zamok.access".utf8)

    private static func message(_ file: OpenFile, _ header: FileHeader) throws -> [UInt8] {
        KeyLabel.fileAccess.info(header.fileID + (try file.access()))
    }

    /// False if the attribute can't be set. The plaintext would then belong only to the user that opens the file.
    static func set(on file: OpenFile, _ header: FileHeader, _ keys: FileKeys) throws -> Bool {
        let code = try KeyDerivation.authenticationCode(for: message(file, header), under: keys.header)
        return try file.setAttribute(attribute, code)
    }

    static func isRight(on file: OpenFile, _ header: FileHeader, _ keys: FileKeys) throws -> Bool {
        guard let code = try file.attribute(attribute) else { return false }
        return try KeyDerivation.isValid(code, for: message(file, header), under: keys.header)
    }
}
