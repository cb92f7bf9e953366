// SPDX-License-Identifier: Apache-2.0

import Readers

/// The embedded signature of one slice: code directories, entitlements, and the CMS envelope over the directories
/// (Documentation/Formats/CodeSignature.md). Reading one verifies nothing.
public struct CodeSignature: Sendable {
    /// The code directories: the primary one first, then the alternates with other hash functions.
    public let directories: [CodeDirectory]
    /// The entitlements as a property list in XML.
    public let xmlEntitlements: SignedEntitlements?
    /// The entitlements in DER, which iOS 15 and later read.
    public let derEntitlements: SignedEntitlements?

    /// The CMS envelope; nil or empty for ad hoc signatures.
    let envelope: [UInt8]?

    /// The bundle identifier that was signed, from the primary directory.
    public var identifier: String? { directories.first?.identifier }
    /// The team that was signed, from the primary directory.
    public var teamIdentifier: String? { directories.first?.teamIdentifier }
    /// The entitlements that the system uses: DER if present, otherwise XML.
    public var entitlements: Entitlements? { (derEntitlements ?? xmlEntitlements)?.entitlements }
}

/// Entitlements inside a signature, and whether the code directories cover them.
public struct SignedEntitlements: Sendable {
    /// Whether the code directories contain the hash of exactly these bytes.
    public enum Binding: Sendable, Equatable {
        /// Every directory has their hash.
        case bound
        /// A directory has another hash: the bytes were changed after signing.
        case changed
        /// A directory has no hash for them: they were added after signing.
        case notListed
    }

    /// The entitlements.
    public let entitlements: Entitlements
    /// Whether they are the signed ones.
    public let binding: Binding
}

extension CodeSignature {
    private enum Slot {
        static let codeDirectory: UInt32 = 0
        static let xmlEntitlements: UInt32 = 5
        static let derEntitlements: UInt32 = 7
        static let alternates: Range<UInt32> = 0x1000..<0x1005
        static let envelope: UInt32 = 0x10000
    }

    private enum Magic {
        static let superBlob: UInt32 = 0xFADE_0CC0
        static let codeDirectory: UInt32 = 0xFADE_0C02
        static let xmlEntitlements: UInt32 = 0xFADE_7171
        static let derEntitlements: UInt32 = 0xFADE_7172
        static let envelope: UInt32 = 0xFADE_0B01
    }

    private static let maximumBlobs = 64

    /// Reads a SuperBlob.
    ///
    /// - Throws: ``ProfileError`` with code `codeSignature`, `propertyList` or `tooLarge`.
    init(_ bytes: [UInt8]) throws(ProfileError) {
        let blobs = try Self.blobs(BoundedBytes(bytes, failingAs: .codeSignature))
        guard let primary = try Self.content(blobs, slot: Slot.codeDirectory, magic: Magic.codeDirectory) else {
            throw ProfileError(.codeSignature, "a code signature without a code directory")
        }
        var directories = [try CodeDirectory(primary)]
        for slot in Slot.alternates {
            if let blob = try Self.content(blobs, slot: slot, magic: Magic.codeDirectory) {
                directories.append(try CodeDirectory(blob))
            }
        }
        self.directories = directories
        xmlEntitlements = try Self.content(blobs, slot: Slot.xmlEntitlements, magic: Magic.xmlEntitlements).map {
            (blob) throws(ProfileError) in
            try SignedEntitlements(blob, slot: 5, directories: directories) { (content) throws(ProfileError) in
                try PropertyList(xml: content)
            }
        }
        derEntitlements = try Self.content(blobs, slot: Slot.derEntitlements, magic: Magic.derEntitlements).map {
            (blob) throws(ProfileError) in
            try SignedEntitlements(blob, slot: 7, directories: directories) { (content) throws(ProfileError) in
                try DERValue.read(content, failingAs: .codeSignature)
            }
        }
        envelope = try Self.content(blobs, slot: Slot.envelope, magic: Magic.envelope).map {
            (blob) throws(ProfileError) in
            try blob.window(from: 8).array
        }
    }

    /// Every blob by its slot. A slot that occurs twice is refused: two readers could take different ones.
    private static func blobs(_ bytes: BoundedBytes) throws(ProfileError) -> [UInt32: BoundedBytes] {
        let length = try bytes.length32(at: 4, .big)
        let count = try bytes.length32(at: 8, .big)
        guard try bytes.uint32(at: 0, .big) == Magic.superBlob, length <= bytes.count, count <= maximumBlobs else {
            throw ProfileError(.codeSignature, "a code signature that can't be read")
        }
        let whole = try bytes.window(at: 0, count: length)
        var blobs: [UInt32: BoundedBytes] = [:]
        for index in 0..<count {
            let slot = try whole.uint32(at: 12 + index * 8, .big)
            let offset = try whole.length32(at: 16 + index * 8, .big)
            let size = try whole.length32(at: offset + 4, .big)
            guard offset >= 12 + count * 8, size >= 8 else {
                throw ProfileError(.codeSignature, "a part of the code signature does not fit")
            }
            guard blobs.updateValue(try whole.window(at: offset, count: size), forKey: slot) == nil else {
                throw ProfileError(.codeSignature, "a duplicate part of the code signature")
            }
        }
        return blobs
    }

    private static func content(
        _ blobs: [UInt32: BoundedBytes], slot: UInt32, magic: UInt32
    ) throws(ProfileError) -> BoundedBytes? {
        guard let blob = blobs[slot] else { return nil }
        guard try blob.uint32(at: 0, .big) == magic else {
            throw ProfileError(.codeSignature, "a part of the code signature is of another kind than its place says")
        }
        return blob
    }
}

extension SignedEntitlements {
    /// - Parameters:
    ///   - blob: with its header, which the hashes cover.
    ///   - slot: the special slot of the code directory.
    init(
        _ blob: BoundedBytes, slot: Int, directories: [CodeDirectory],
        _ read: ([UInt8]) throws(ProfileError) -> PropertyList
    ) throws(ProfileError) {
        guard case .dictionary(let values) = try read(blob.window(from: 8).array) else {
            throw ProfileError(.codeSignature, "entitlements that are not a dictionary")
        }
        entitlements = Entitlements(values)
        let bindings = directories.map { directory -> Binding in
            guard let expected = directory.specialHash(slot) else { return .notListed }
            return directory.hash(of: blob.bytes) == expected ? .bound : .changed
        }
        binding = bindings.first { $0 == .changed } ?? bindings.first { $0 == .notListed } ?? .bound
    }
}
