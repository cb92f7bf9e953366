// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import Keychains
import Readers

/// KeePass XML (2.x), as KeePass and KeePassXC export it: entries in groups, with earlier states in an entry's history.
package enum KeePassText {
    /// The state of reading a document.
    private struct Reading {
        var path: [String] = []
        var text = ""
        var key = ""
        var isSealed = false
        var recycleBin = ""
        /// The identifiers of the enclosing groups, from the outermost inwards.
        var groups: [String] = []
        /// The names of the enclosing groups.
        var names: [String] = []
        var entry: ForeignEntry?
        var refusal: String?
        var former = 0
        var fields = 0
        var budget = ForeignBudget()
        var binaries = 0
        var plugins = 0
        var isTyped = false
        var count = 0
        var found: [(entry: ForeignEntry, refusal: String?, groups: [String])] = []
    }

    /// Reads a document. Errors: `.unknownFormat`, `.unsupportedFormat`, `.dataTooLarge`.
    package static func listing(_ bytes: [UInt8]) throws(KeychainError) -> ItemListing {
        guard String(validUTF8: bytes) != nil else {
            throw KeychainError(.unsupportedFormat, "the XML is no text in UTF-8; nothing was added")
        }
        var pieces = XMLPieces(bytes)
        var reading = Reading()
        while let piece = try pieces.next() {
            switch piece {
            case .begin(let name, let attributes):
                guard !reading.path.isEmpty || name == "KeePassFile" else {
                    throw KeychainError(.unknownFormat, "this is no export of KeePass as XML (2.x)")
                }
                begin(name, attributes, &reading)
            case .text(let text): reading.text += text
            case .end: try end(&reading)
            }
        }
        let bin = reading.recycleBin
        return ItemListing(
            reading.found.flatMap { entry, refusal, groups in
                entry.parts(refusing: !bin.isEmpty && groups.contains(bin) ? "it lies in the recycle bin" : refusal)
            }, place: "entry")
    }

    private static func begin(_ name: String, _ attributes: [String: String], _ reading: inout Reading) {
        reading.path.append(name)
        reading.text = ""
        switch name {
        case "Entry" where reading.entry == nil:
            reading.count += 1
            reading.entry = ForeignEntry(reading.count)
            // The outermost group is the file itself.
            let folder = reading.names.dropFirst().joined(separator: "/")
            if !folder.isEmpty { reading.entry?.file("folder", folder) }
            (reading.refusal, reading.former, reading.binaries, reading.fields) = (nil, 0, 0, 0)
            (reading.plugins, reading.isTyped) = (0, false)
        case "Group":
            reading.groups.append("")
            reading.names.append("")
        case "Value": reading.isSealed = attributes["Protected"]?.lowercased() == "true"
        default: break
        }
    }

    private static func end(_ reading: inout Reading) throws(KeychainError) {
        guard let name = reading.path.popLast() else { return }
        defer { reading.text = "" }
        let isFormer = reading.path.contains("History")
        switch (name, reading.path.last) {
        case ("RecycleBinUUID", "Meta"): reading.recycleBin = reading.text
        case ("UUID", "Group"):
            if !reading.groups.isEmpty { reading.groups[reading.groups.count - 1] = reading.text }
        case ("Name", "Group"):
            if !reading.names.isEmpty { reading.names[reading.names.count - 1] = reading.text }
        case ("Group", _): (_, _) = (reading.groups.popLast(), reading.names.popLast())
        case ("Tags", "Entry") where !isFormer && !reading.text.isEmpty: reading.entry?.file("tags", reading.text)
        case ("Entry", "History"): reading.former += 1
        case ("Entry", _): try finish(&reading)
        case ("Key", _): reading.key = reading.text
        case ("Value", "String") where !isFormer: take(&reading)
        case ("Binary", "Entry") where !isFormer: reading.binaries += 1
        case ("Item", "CustomData") where !isFormer && reading.entry != nil: reading.plugins += 1
        case ("Association", "AutoType") where !isFormer: reading.isTyped = true
        case ("DefaultSequence", "AutoType") where !isFormer && !reading.text.isEmpty && reading.entry != nil:
            reading.isTyped = true
        case ("OverrideURL", "Entry") where !isFormer && !reading.text.isEmpty:
            reading.entry?.losses.append("a command in place of its address")
        case ("Expires", "Times") where !isFormer && reading.text.lowercased() == "true":
            reading.entry?.losses.append("when it expires")
        case ("Notes", "Group") where !reading.text.isEmpty:
            var group = ForeignEntry(max(1, reading.count))
            group.title = reading.names.last ?? ""
            try reading.budget.take(group)
            reading.found.append((group, "the notes of the group are left out", reading.groups))
        default: break
        }
    }

    private static func take(_ reading: inout Reading) {
        guard !reading.text.isEmpty else { return }
        if reading.isSealed {
            reading.refusal = "its values are sealed; export it as KeePass XML (2.x), which is not"
            return
        }
        let texts: [String: WritableKeyPath<ForeignEntry, String>] = [
            "Title": \.title, "UserName": \.user, "Password": \.password, "URL": \.address, "Notes": \.notes,
            "otp": \.oneTimeCode,
        ]
        if let text = texts[reading.key] {
            reading.entry?.put(reading.text, text, from: reading.key)
        } else {
            reading.fields += 1
        }
    }

    private static func finish(_ reading: inout Reading) throws(KeychainError) {
        guard var entry = reading.entry else { return }
        if reading.fields > 0 {
            entry.losses.append(reading.fields == 1 ? "a field of its own" : "fields of its own: \(reading.fields)")
        }
        if reading.former > 0 { entry.losses.append("former states: \(reading.former)") }
        if reading.plugins > 0 { entry.losses.append("data of plug-ins: \(reading.plugins)") }
        if reading.isTyped { entry.losses.append("how it is typed") }
        if reading.binaries > 0 { entry.losses.append("files: \(reading.binaries)") }
        try reading.budget.take(entry)
        reading.found.append((entry, reading.refusal, reading.groups))
        reading.entry = nil
    }
}
