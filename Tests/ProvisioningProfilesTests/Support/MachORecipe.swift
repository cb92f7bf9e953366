// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ProvisioningProfiles

/// Mach-O files assembled byte by byte.
struct SliceRecipe {
    var identifier = "org.example.app"
    var team: String? = ProfileRecipe.team
    var entitlements: [String: PropertyList]?
    /// Other values for the DER form than for the XML one.
    var derEntitlements: [String: PropertyList]?
    var hasDER = true
    var hasXML = true
    /// A test certificate with a P-256 key; nil signs ad hoc.
    var signer: String? = "distribution"
    var hasSignature = true
    var platform: UInt32? = 2
    /// That of a second LC_BUILD_VERSION.
    var secondPlatform: UInt32?
    var cpu: UInt32 = 0x0100_000C
    var hasAlternate = false
    /// Whether the envelope lists the alternate directory.
    var listsAlternate = true
    var specialSlots = 7
    /// Changes the blobs by slot after hashing and signing.
    var changeBlobs: (inout [UInt32: [UInt8]]) -> Void = { _ in }
    var changeEnvelope: (inout EnvelopeRecipe) -> Void = { _ in }

    func bytes() throws -> [UInt8] {
        let signature = hasSignature ? try superBlob() : []
        var commands: [UInt8] = []
        var count: UInt32 = 0
        for platform in [platform, secondPlatform].compactMap(\.self) {
            commands += little(0x32) + little(24) + little(platform) + little(0x000F_0000) + little(0) + little(0)
            count += 1
        }
        let offset = 0x400
        if hasSignature {
            commands += little(0x1D) + little(16) + little(UInt32(offset)) + little(UInt32(signature.count))
            count += 1
        }
        let header =
            little(0xFEED_FACF) + little(cpu) + little(0) + little(2) + little(count) + little(UInt32(commands.count))
            + little(0) + little(0)
        let code = header + commands
        return code + [UInt8](repeating: 0x90, count: offset - code.count) + signature
    }

    // MARK: The code signature

    private func superBlob() throws -> [UInt8] {
        var blobs: [UInt32: [UInt8]] = [:]
        if let entitlements {
            let xml = PropertyList.dictionary(entitlements).xml
            if hasXML { blobs[5] = blob(0xFADE_7171, xml) }
            if hasDER { blobs[7] = blob(0xFADE_7172, DERWriter.entitlements(derEntitlements ?? entitlements)) }
        }
        let primary = directory(blobs) { Array(SHA256.hash(data: $0)) }
        let alternate = directory(blobs, type: 1) { Array(Insecure.SHA1.hash(data: $0)) }
        blobs[0] = primary
        if hasAlternate { blobs[0x1000] = alternate }
        blobs[0x10000] = blob(0xFADE_0B01, try envelope(primary, alternate))
        changeBlobs(&blobs)
        return Self.superBlob(blobs)
    }

    static func superBlob(_ blobs: [UInt32: [UInt8]]) -> [UInt8] {
        let sorted = blobs.sorted { $0.key < $1.key }
        var index: [UInt8] = []
        var content: [UInt8] = []
        let start = 12 + sorted.count * 8
        for (slot, blob) in sorted {
            index += big(slot) + big(UInt32(start + content.count))
            content += blob
        }
        return big(0xFADE_0CC0) + big(UInt32(start + content.count)) + big(UInt32(sorted.count)) + index + content
    }

    private func directory(_ blobs: [UInt32: [UInt8]], type: UInt8 = 2, _ hash: ([UInt8]) -> [UInt8]) -> [UInt8] {
        let size = hash([]).count
        var hashes: [UInt8] = []
        for slot in stride(from: specialSlots, through: 1, by: -1) {
            hashes += blobs[UInt32(slot)].map(hash) ?? [UInt8](repeating: 0, count: size)
        }
        let code = hash([UInt8](repeating: 0x90, count: 0x400))
        let names = Array(identifier.utf8) + [0] + (team.map { Array($0.utf8) + [0] } ?? [])
        let identifierOffset: UInt32 = 88
        let teamOffset = team == nil ? 0 : identifierOffset + UInt32(identifier.utf8.count) + 1
        let hashOffset = identifierOffset + UInt32(names.count + hashes.count)
        let fields: [UInt32] = [
            0x20400, 0, hashOffset, identifierOffset, UInt32(specialSlots), 1, 0x400,
        ]
        var body = fields.flatMap(Self.big)
        body += [UInt8(size), type, 0, 12] + Self.big(0) + Self.big(0) + Self.big(teamOffset)
        body += [UInt8](repeating: 0, count: 88 - 8 - body.count)
        return blob(0xFADE_0C02, body + names + hashes + code)
    }

    private func envelope(_ primary: [UInt8], _ alternate: [UInt8]) throws -> [UInt8] {
        guard let signer else { return [] }
        var recipe = EnvelopeRecipe(content: primary)
        recipe.isDetached = true
        recipe.signer = signer
        recipe.chain = ["developer-relations"]
        if hasAlternate, listsAlternate {
            let hashes = [Array(SHA256.hash(data: primary).prefix(20)), Array(Insecure.SHA1.hash(data: alternate))]
            let list = PropertyList.dictionary(["cdhashes": .array(hashes.map(PropertyList.data))]).xml
            recipe.changeAttributes = { attributes in
                attributes.append(
                    EnvelopeRecipe.attribute([1, 2, 840, 113_635, 100, 9, 1], DERWriter.octets(list)))
            }
        }
        changeEnvelope(&recipe)
        return try recipe.bytes()
    }

    private func blob(_ magic: UInt32, _ content: [UInt8]) -> [UInt8] {
        Self.big(magic) + Self.big(UInt32(content.count + 8)) + content
    }

    static func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    private func little(_ value: UInt32) -> [UInt8] { Self.big(value).reversed() }
}

enum FatFile {
    /// A fat file of these slices, each on a boundary of 4 KiB.
    static func bytes(_ slices: [[UInt8]]) -> [UInt8] {
        var table: [UInt8] = []
        var offset = 0x1000
        var body: [UInt8] = []
        for slice in slices {
            table += SliceRecipe.big(0x0100_000C) + SliceRecipe.big(0) + SliceRecipe.big(UInt32(offset))
            table += SliceRecipe.big(UInt32(slice.count)) + SliceRecipe.big(12)
            let padding = (0x1000 - slice.count % 0x1000) % 0x1000
            body += slice + [UInt8](repeating: 0, count: padding)
            offset += slice.count + padding
        }
        let header = SliceRecipe.big(0xCAFE_BABE) + SliceRecipe.big(UInt32(slices.count)) + table
        return header + [UInt8](repeating: 0, count: 0x1000 - header.count) + body
    }
}
