// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing

/// The file whose owner, mode, lists, attributes and times a new one is to have (ProtectedFile.md, "Metadata").
struct MetadataSource {
    private let file: OpenFile
    /// As it was before it was read.
    private let status: FileStatus
    /// Whether its owner, mode and access lists are those of somebody who may have the content: of a plaintext file, of this user's own, and of one that Zamok put there for another user.
    private let hasAccess: Bool
    /// A change of class is one that backups have to see by the time.
    var keepsTimes = true

    /// A plaintext file.
    init(file: OpenFile, status: FileStatus) {
        (self.file, self.status, hasAccess) = (file, status, true)
    }

    init(_ read: ReadFile) { self.init(file: read.file, status: read.status) }

    /// A protected file. Everyone can make a file of somebody's ciphertext, and give it any mode.
    init(_ sealed: inout SealedFile, _ status: FileStatus) throws {
        (file, self.status) = (sealed.file, status)
        hasAccess = try status.isOurs || AccessSeal.isRight(on: sealed.file, sealed.header, sealed.keys())
    }

    /// Gives it to a plaintext file.
    func give(to clear: OpenFile) throws -> LostMetadata {
        let lost = try clear.takeMetadata(of: file, status, withAccess: hasAccess, except: [AccessSeal.attribute])
        return hasAccess ? lost : lost.union([.owner, .mode])
    }

    /// Gives it to a protected file. Whoever has this file has the ciphertext already.
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

/// Says on a protected file of another user that Zamok gave it that owner, mode and access list: an extended attribute of the file's own.
enum AccessSeal {
    static let attribute = Array("user.zamok.access".utf8)
    private static let label = Array("zamok/1 file access".utf8) + [0]

    private static func message(_ file: OpenFile, _ header: FileHeader) throws -> [UInt8] {
        try label + header.fileID + file.access()
    }

    /// False where it can't be set: then the plaintext would be its opener's alone.
    static func set(on file: OpenFile, _ header: FileHeader, _ keys: FileKeys) throws -> Bool {
        let code = try KeyDerivation.authenticationCode(for: message(file, header), under: keys.header)
        return try file.setAttribute(attribute, code)
    }

    static func isRight(on file: OpenFile, _ header: FileHeader, _ keys: FileKeys) throws -> Bool {
        guard let code = try file.attribute(attribute) else { return false }
        return try KeyDerivation.isValid(code, for: message(file, header), under: keys.header)
    }
}
