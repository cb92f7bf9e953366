// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import SecretMemory

/// One entry of another password manager, and the items that it becomes: a password of a server where it has an address, else of a
/// service; a one-time code beside it; a note.
package struct ForeignEntry {
    /// Where it stands, counted from 1: a line, or the number of the entry.
    let place: Int
    var title = ""
    var address = ""
    var user = ""
    var password = ""
    var notes = ""
    /// `otpauth://...`, or the key alone.
    var oneTimeCode = ""
    /// What of it has no place in an item.
    var losses: [String] = []

    init(_ place: Int) { self.place = place }

    /// What a listing makes of it. `refusing`: why it becomes nothing at all.
    package func parts(refusing reason: String? = nil) -> [ItemListing.Part] {
        if let reason { return [ItemListing.Part(place, refused: told(reason))] }
        var parts: [ItemListing.Part] = []
        let losses = losses.map(told)
        do {
            if !password.isEmpty {
                var record = try named(account: user)
                if !title.isEmpty { try record.set(.label, title) }
                // An address of no server has no other place, unless it is the name.
                let isKept = ForeignAddress(address) != nil || title.isEmpty
                let comment = [notes, isKept ? "" : address].filter { !$0.isEmpty }.joined(separator: "\n")
                if !comment.isEmpty { try record.set(.comment, comment) }
                parts.append(ItemListing.Part(place, try Self.with(password, record), losses: losses))
            } else if !notes.isEmpty {
                var record = ItemRecord(.genericPassword)
                try record.set(.service, title.isEmpty ? "note" : title)
                try record.set(.account, user)
                try record.set(.description, "secure note")
                if !address.isEmpty { try record.set(.comment, address) }
                parts.append(ItemListing.Part(place, try Self.with(notes, record), losses: losses))
            }
            if !oneTimeCode.isEmpty {
                var record = ItemRecord(.genericPassword)
                try record.set(.service, name.hasPrefix("otp/") ? name : "otp/\(name)")
                try record.set(.account, user)
                try record.set(.description, "one-time code")
                parts.append(ItemListing.Part(place, try Self.with(oneTimeCodeAddress, record)))
            }
        } catch {
            return [ItemListing.Part(place, refused: told(KeychainError(error).message))]
        }
        return parts.isEmpty ? [ItemListing.Part(place, refused: told("it has neither a password nor a note"))] : parts
    }

    /// By its title, too: who reads it doesn't see numbers of entries.
    private func told(_ reason: String) -> String { title.isEmpty ? reason : "\(title): \(reason)" }

    private static func with(_ secret: String, _ record: ItemRecord) throws -> ItemRecord {
        var record = record
        record.secret = try Secret(copying: Array(secret.utf8))
        return record
    }

    /// What a one-time code is called by: the server, else the title.
    private var name: String { ForeignAddress(address)?.host ?? (title.isEmpty ? "entry" : title) }

    private var oneTimeCodeAddress: String {
        guard !oneTimeCode.hasPrefix("otpauth://") else { return oneTimeCode }
        let letters = oneTimeCode.filter { !$0.isWhitespace && $0 != "-" }
        let label = (title.isEmpty ? name : title).utf8.reduce(into: "") { text, byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "otpauth://totp/\(label)?secret=\(letters)"
    }

    private func named(account: String) throws -> ItemRecord {
        if let place = ForeignAddress(address) {
            var record = ItemRecord(.internetPassword)
            try record.set(.server, place.host)
            if let transport = place.transport { try? record.set(.transport, transport) }
            if let port = place.port { try record.set(.port, port) }
            if !place.path.isEmpty { try record.set(.path, place.path) }
            try record.set(.account, account)
            return record
        }
        var record = ItemRecord(.genericPassword)
        let service = title.isEmpty ? address : title
        guard !(service.isEmpty && account.isEmpty) else {
            throw KeychainError(.parameter, "it has neither a name nor an address nor a user")
        }
        try record.set(.service, service)
        try record.set(.account, account)
        return record
    }
}

/// The parts of an address that a password is found by. Read without Foundation's URLs, which want ICU for hosts.
struct ForeignAddress {
    var transport: String?
    var host: String
    var port: String?
    var path = ""

    /// Nil: it names no server of the web.
    init?(_ text: String) {
        var rest = Substring(text)
        if let scheme = rest.firstRange(of: "://") {
            let word = rest[..<scheme.lowerBound].lowercased()
            guard !word.isEmpty, !["android", "androidapp", "iosapp", "otpauth"].contains(word) else { return nil }
            transport = word
            rest = rest[scheme.upperBound...]
        } else if !rest.contains(".") || rest.contains(" ") {
            return nil
        }
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let address = rest[end...].prefix { !"?#".contains($0) }
        path = address == "/" ? "" : String(address)
        var authority = rest[..<end]
        if let sign = authority.lastIndex(of: "@") { authority = authority[authority.index(after: sign)...] }
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            let digits = authority[authority.index(after: colon)...]
            guard digits.isEmpty || UInt16(digits) != nil else { return nil }
            port = digits.isEmpty ? nil : String(digits)
            authority = authority[..<colon]
        }
        host = authority.lowercased()
        guard !host.isEmpty else { return nil }
    }
}
