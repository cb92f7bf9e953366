// SPDX-License-Identifier: Apache-2.0

/// The vectors of the format Keychain: a home, the columns of one item, the table `state`; a good one, and one fault
/// each.
///
/// `expect` is "reads", or the OSStatus and words of the message.
package enum KeychainVectors {
    /// By name.
    package static func all() throws -> [String: VectorFile] {
        try ["good": RowWriter().vector("reads", "none")].merging(file()) { $1 }.merging(state()) { $1 }
            .merging(columns()) { $1 }.merging(filing()) { $1 }.merging(sealing()) { $1 }.merging(padding()) { $1 }
            .merging(attributes()) { $1 }
    }

    private static let damaged = "-26275: an item is damaged"

    private static func planned(
        _ layer: String, _ expect: String = damaged, _ change: (inout RowWriter) throws -> Void
    ) throws -> VectorFile {
        var writer = try RowWriter()
        try change(&writer)
        return try writer.vector(expect, layer)
    }

    private static func edited(
        _ layer: String, _ expect: String = damaged, _ change: (inout [String: [UInt8]]) -> Void
    ) throws -> VectorFile {
        try RowWriter().vector(expect, layer, change)
    }

    private static func file() throws -> [String: VectorFile] {
        [
            "version-2-of-the-file": try planned("file", "-25295: newer Zamok") { $0.databaseVersion = 2 },
            "application-of-another-database": try planned("file", "-26275: not a database of this kind") {
                $0.databaseApplication = 0x5A6D_7066
            },
            "application-0": try planned("file", "-26275: not a database of this kind") { $0.databaseApplication = 0 },
        ]
    }

    private static func state() throws -> [String: VectorFile] {
        let closed = "-26275: does not open"
        return [
            "state-changed": try edited("state", closed) { $0["state"]?[20] ^= 1 },
            "state-nonce-changed": try edited("state", closed) { $0["state"]?[0] ^= 1 },
            "state-cut": try edited("state", closed) { $0["state"]?.removeLast() },
            "state-empty": try edited("state", closed) { $0["state"] = [] },
            "state-with-one-byte-more": try planned("state", closed) { $0.stateTrailing = [0] },
            "state-under-another-key": try planned("state", closed) { $0.stateKey = KeybagWriter.pattern(90, 32) },
            "state-of-another-home": try planned("state", "-26275: another home") {
                $0.stateHome = KeybagWriter.pattern(91, 16)
            },
            "state-revision-changed": try planned("state", closed) { $0.stateRevision = 2 },
            "state-revision-bound-to-another": try planned("state", closed) { $0.boundStateRevision = 2 },
            "state-revision-negative": try planned("state", closed) { $0.stateRevision = 1 << 63 },
            "state-revision-beyond-the-last": try planned("state", closed) { $0.stateRevision = (1 << 62) + 1 },
            "state-generation-above": try planned("state", "-25291: older than keychain.db") { $0.stateGeneration = 6 },
        ]
    }

    private static func columns() throws -> [String: VectorFile] {
        let layer = "columns"
        return [
            "row-version-0": try planned(layer) { $0.version = 0 },
            "row-version-2": try planned(layer) { $0.version = 2 },
            "kind-0": try planned(layer) { $0.kind = 0 },
            "kind-5": try planned(layer) { $0.kind = 5 },
            "kind-257": try planned(layer) { $0.kind = 257 },
            "class-0": try planned(layer) { $0.code = 0 },
            "class-6": try planned(layer) { $0.code = 6 },
            "class-257": try planned(layer) { $0.code = 257 },
            "layers-4": try planned(layer) { $0.layers = 4 },
            "uuid-short": try edited(layer) { $0["uuid"]?.removeLast() },
            "uuid-empty": try edited(layer) { $0["uuid"] = [] },
            "secret-without-wrapped-key": try edited(layer) { $0["wrapped"] = nil },
            "secret-without-class-key": try planned(layer) { $0.classKeyID = nil },
            "wrapped-key-without-secret": try edited(layer) { $0["secret"] = nil },
        ]
    }

    /// What is sealed does not open, or is bound to another place.
    private static func sealing() throws -> [String: VectorFile] {
        let layer = "sealing"
        return [
            "attributes-changed": try edited(layer) { $0["attributes"]?[40] ^= 1 },
            "attributes-tag-changed": try edited(layer) { columns in
                if let last = columns["attributes"]?.popLast() { columns["attributes"]?.append(last ^ 1) }
            },
            "attributes-cut": try edited(layer) { $0["attributes"]?.removeLast() },
            "attributes-empty": try edited(layer) { $0["attributes"] = [] },
            "attributes-under-key-of-the-other-domain": try planned(layer) { $0.metadataKey = $0.home.slots[11].key },
            "attributes-of-another-row": try edited(layer) { $0["uuid"] = KeybagWriter.pattern(33, 16) },
            "class-exchanged": try planned(layer) { $0.code = 0x81 },
            "class-of-the-other-domain": try planned(layer) { $0.code = 0x04 },
            "class-key-exchanged": try planned(layer) { $0.classKeyID = 2 },
            "class-key-destroyed": try planned(layer, "-25316: destroyed") {
                $0.classKeyID = 0x7777
                $0.boundClassKeyID = 0x7777
            },
            "class-key-of-another-class": try planned(layer, "-25316: destroyed") {
                $0.classKeyID = 3
                $0.boundClassKeyID = 3
            },
            "layers-added": try planned(layer) { $0.layers = 1 },
            "access-key-added": try planned(layer) { $0.accessKeyID = 14 },
            "password-salt-added": try planned(layer) { $0.salt = KeybagWriter.pattern(34, 16) },
            "password-cost-added": try planned(layer) { $0.cost = [17, 8, 1] },
            "wrapped-key-changed": try edited(layer) { $0["wrapped"]?[5] ^= 1 },
            "wrapped-key-cut": try edited(layer) { $0["wrapped"]?.removeLast(8) },
            "wrapped-under-another-class-key": try planned(layer, "-26275: a protected key is damaged") {
                $0.wrapping = $0.home.slots[1].key
            },
            "secret-changed": try edited(layer) { $0["secret"]?[15] ^= 1 },
            "secret-cut": try edited(layer) { $0["secret"]?.removeLast() },
            "secret-empty": try edited(layer) { $0["secret"] = [] },
            "secret-bound-to-another-accessibility": try planned(layer) { $0.boundAccessibility = "aku" },
            "attributes-and-secret-exchanged": try edited(layer) { columns in
                (columns["attributes"], columns["secret"]) = (columns["secret"], columns["attributes"])
            },
        ]
    }

    /// The row opens, but is not in the place where it was put.
    private static func filing() throws -> [String: VectorFile] {
        let misfiled = "-26275: index entries that are not its own"
        let other = KeybagWriter.pattern(35, 16)
        return [
            "row-number-of-another-row": try planned("filing", misfiled) { $0.filedNumber = 2 },
            "row-revision-of-another-write": try planned("filing", misfiled) { $0.filedRevision = 2 },
            "identity-tag-of-another-row": try edited("filing", misfiled) { $0["identity"] = other },
            "label-tag-added": try edited("filing", misfiled) { $0["label"] = other },
            "second-tag-removed": try edited("filing", misfiled) { $0["second"] = nil },
            "first-tag-changed": try edited("filing", misfiled) { $0["first"] = other },
            "filing-mask-of-six-tags": try planned("filing") { $0.filedMask = 0b101111 },
        ]
    }

    private static func padding() throws -> [String: VectorFile] {
        let layer = "padding"
        // 81 bytes of filing stand before the attributes, 4 of length before all.
        let right = { (writer: RowWriter) in (32 - (writer.item.bytes.count + 81 + 4) % 32) % 32 }
        return [
            "padding-not-zero": try planned(layer) { writer in
                writer.padding = KeybagWriter.zeros(right(writer) - 1) + [1]
            },
            "padding-of-32-bytes-more": try planned(layer) { writer in
                writer.padding = KeybagWriter.zeros(right(writer) + 32)
            },
            "padding-missing": try planned(layer) { $0.padding = [] },
            "secret-padding-not-zero": try planned(layer) { $0.secretPadding = KeybagWriter.zeros(21) + [9] },
            "secret-padding-missing": try planned(layer) { $0.secretPadding = [] },
        ]
    }

    /// Right seals around wrong plaintext, as can be made with the keys.
    private static func attributes() throws -> [String: VectorFile] {
        let layer = "attributes"
        return [
            "attributes-version-0": try planned(layer) { $0.item.version = 0 },
            "attributes-version-2": try planned(layer) { $0.item.version = 2 },
            "flag-unknown": try planned(layer) { $0.item.flags = 3 },
            "flag-without-secret": try planned(layer) { $0.item.flags = 0 },
            "count-too-high": try planned(layer) { $0.item.count = 8 },
            "count-too-low": try planned(layer) { $0.item.count = 6 },
            "count-65535": try planned(layer) { $0.item.count = 65535 },
            "names-not-in-order": try planned(layer) { $0.item.attributes.swapAt(0, 1) },
            "name-twice": try planned(layer) { $0.item.attributes.insert($0.item.attributes[0], at: 0) },
            "name-not-UTF-8": try planned(layer) { $0.item.attributes[6].name = [0xFF, 0xFE] },
            "text-not-UTF-8": try planned(layer) { $0.item.attributes[0] = ItemEncoding.text("acct", [0xC3, 0x28]) },
            "text-longer-than-the-rest": try planned(layer) {
                $0.item.attributes[0].value.replaceSubrange(0..<4, with: [0, 0, 4, 0])
            },
            "text-of-4-GiB": try planned(layer) {
                $0.item.attributes[0].value.replaceSubrange(0..<4, with: [0xFF, 0xFF, 0xFF, 0xFF])
            },
            "type-0": try planned(layer) { $0.item.attributes[6].type = 0 },
            "type-5": try planned(layer) { $0.item.attributes[6].type = 5 },
            "number-cut": try planned(layer) { $0.item.attributes[6].value.removeLast() },
            "bytes-behind-the-attributes": try planned(layer) { $0.item.trailing = [0] },
            "accessibility-missing": try planned(layer) { $0.item.attributes.remove(at: 4) },
            "accessibility-unknown": try planned(layer) {
                $0.item.attributes[4] = ItemEncoding.text("pdmn", Array("zz".utf8))
            },
            "accessibility-of-another-class": try planned(layer) {
                $0.item.attributes[4] = ItemEncoding.text("pdmn", Array("ck".utf8))
            },
        ]
    }
}
