// SPDX-License-Identifier: Apache-2.0

import Readers

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
        guard let primary = try Self.content(blobs, Slot.codeDirectory, Magic.codeDirectory) else {
            throw ProfileError(.codeSignature, "a code signature without a code directory")
        }
        var directories = [try CodeDirectory(primary)]
        for slot in Slot.alternates {
            if let blob = try Self.content(blobs, slot, Magic.codeDirectory) {
                directories.append(try CodeDirectory(blob))
            }
        }
        self.directories = directories
        xmlEntitlements = try Self.content(blobs, Slot.xmlEntitlements, Magic.xmlEntitlements).map {
            (blob) throws(ProfileError) in
            try SignedEntitlements(blob, slot: 5, directories) { (content) throws(ProfileError) in
                try PropertyList(xml: content)
            }
        }
        derEntitlements = try Self.content(blobs, Slot.derEntitlements, Magic.derEntitlements).map {
            (blob) throws(ProfileError) in
            try SignedEntitlements(blob, slot: 7, directories) { (content) throws(ProfileError) in
                try DERValue.read(content, failingAs: .codeSignature)
            }
        }
        envelope = try Self.content(blobs, Slot.envelope, Magic.envelope).map { (blob) throws(ProfileError) in
            try blob.window(from: 8).array
        }
    }

    /// Every blob by its slot. A slot that stands twice is refused: two readers could take different ones.
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
                throw ProfileError(.codeSignature, "a part of the code signature stands twice")
            }
        }
        return blobs
    }

    private static func content(
        _ blobs: [UInt32: BoundedBytes], _ slot: UInt32, _ magic: UInt32
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
        _ blob: BoundedBytes, slot: Int, _ directories: [CodeDirectory],
        _ read: ([UInt8]) throws(ProfileError) -> PropertyList
    ) throws(ProfileError) {
        guard case .dictionary(let values) = try read(blob.window(from: 8).array) else {
            throw ProfileError(.codeSignature, "entitlements that are no dictionary")
        }
        entitlements = Entitlements(values)
        let bindings = directories.map { directory -> Binding in
            guard let expected = directory.specialHash(slot) else { return .notListed }
            return directory.hash(of: blob.bytes) == expected ? .bound : .changed
        }
        binding = bindings.first { $0 == .changed } ?? bindings.first { $0 == .notListed } ?? .bound
    }
}
