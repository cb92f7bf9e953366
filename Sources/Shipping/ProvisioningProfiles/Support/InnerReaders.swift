// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Readers of untrusted bytes that have no public API of their own, for tests with hostile input.
package enum InnerReaders {
    /// The slices of a Mach-O file.
    package static func machO(_ bytes: [UInt8]) throws(ProfileError) -> [CodeSlice] {
        try MachOFile.slices(of: MemoryBytes(bytes))
    }

    /// Reads an archive's directory and every entry in it up to `limit` bytes each. Returns contents by name.
    package static func archive(_ bytes: [UInt8], limit: Int) throws(ProfileError) -> [String: [UInt8]] {
        let archive = try ZipArchive(MemoryBytes(bytes))
        var contents: [String: [UInt8]] = [:]
        for (name, entry) in archive.entries where !entry.isFolder {
            contents[name] = try archive.open(entry).readAll(limit: limit, "an entry")
        }
        return contents
    }

    /// Entitlements in DER.
    package static func der(_ bytes: [UInt8]) throws(ProfileError) -> PropertyList {
        try DERValue.read(bytes, failingAs: .codeSignature)
    }

    /// Whether the rule for signers of profiles accepts this one.
    package static func signsProfiles(_ signer: Certificate, issuedBy authority: Certificate) -> Bool {
        CertificatePath.Rule.anyProfile.accepts(signer, authority)
    }

    /// Whether an envelope verifies with its own content, so that every step of verification processes the bytes.
    package static func envelope(_ bytes: [UInt8], anchor: CustomAnchor) throws(ProfileError) -> Bool {
        let envelope = try SignedData(bytes)
        let content = envelope.content ?? []
        let rule = SignatureRule(part: .envelope, anchors: anchor.anchors.envelope, path: .anyProfile)
        return (try? envelope.verify({ $0.digest(of: content) }, rule: rule, now: .init())) != nil
    }
}
