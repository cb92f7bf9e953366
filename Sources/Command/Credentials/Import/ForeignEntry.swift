// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
import SecretMemory

/// One entry of another password manager, and the items that it becomes: a password of a server where it has an address, else of a
/// service; a one-time code beside it; a note.
package struct ForeignEntry {
    /// Where it stands, counted from 1: a line, or the number of the entry.
    let place: Int
    var title = ""
    var address = ""
    /// More addresses of the same password: each becomes an item, so that it is found by each.
    var otherAddresses: [String] = []
    var user = ""
    var password = ""
    var notes = ""
    /// `otpauth://...`, or the key alone.
    var oneTimeCode = ""
    /// The realm of HTTP authentication.
    var realm = ""
    /// Lines for the comment: what it is filed under.
    private var remarks: [String] = []
    /// What of it has no place in an item.
    var losses: [String] = []

    init(_ place: Int) { self.place = place }

    fileprivate var texts: [String] { [title, address, user, password, notes, oneTimeCode, realm] + remarks + losses }

    /// Takes a value for one of its texts. Another one that is there already is not replaced in silence: notes are joined, and of others the second
    /// is a loss, told as `source`.
    mutating func put(_ value: String, _ text: WritableKeyPath<ForeignEntry, String>, from source: String) {
        let present = self[keyPath: text]
        if present.isEmpty {
            self[keyPath: text] = value
        } else if text == \.notes {
            self[keyPath: text] = "\(present)\n\(value)"
        } else if present != value {
            losses.append("another value in \(Self.shown(source))")
        }
    }

    /// Notes what the entry is filed under: a folder, tags, an archive. It becomes a line of the comment.
    mutating func file(_ name: String, _ value: String) { remarks.append(value.isEmpty ? name : "\(name): \(value)") }

    /// The beginning of a text from outside, for a message that is told again and again.
    static func shown(_ text: String) -> String {
        text.utf8.count <= 100 ? text : String(text.unicodeScalars.prefix(60)) + "..."
    }

    /// What a listing makes of it. `refusing`: why it becomes nothing at all.
    package func parts(refusing reason: String? = nil) -> [ItemListing.Part] {
        if let reason { return [ItemListing.Part(place, refused: told(reason))] }
        var parts: [ItemListing.Part] = []
        do {
            let all = ([address] + otherAddresses).filter { !$0.isEmpty }
            let code = oneTimeCode.isEmpty ? nil : oneTimeCodeAddress
            let isCode = try code.map { try Self.isCode($0) } ?? true
            let losses = (self.losses + strangers(in: all) + (isCode ? [] : [Self.noCode])).map(told)
            if !password.isEmpty {
                // What of an address finds nothing has no other place, unless it is the name.
                let servers = all.compactMap { ForeignAddress($0)?.place }.reduce(into: [ForeignAddress]()) {
                    if !$0.contains($1) { $0.append($1) }
                }
                let name = title.isEmpty && servers.isEmpty ? all.first : nil
                let kept = all.filter { $0 != name && ForeignAddress($0)?.isCut != false }
                let comment = ([notes] + kept + remarks).filter { !$0.isEmpty }.joined(separator: "\n")
                for (number, server) in (servers.isEmpty ? [nil] : servers.map(Optional.some)).enumerated() {
                    var record = try named(server, account: user)
                    // What it is found by needs no label: exported from here, it had none.
                    if !["", server?.host ?? title].contains(title) { try record.set(.label, title) }
                    if !comment.isEmpty { try record.set(.comment, comment) }
                    let losses = number == 0 ? losses : []
                    parts.append(ItemListing.Part(place, try Self.with(password, record), losses: losses))
                }
            } else if !notes.isEmpty {
                var record = ItemRecord(.genericPassword)
                try record.set(.service, title.isEmpty ? "note" : title)
                try record.set(.account, user)
                try record.set(.description, "secure note")
                let comment = (all + remarks).joined(separator: "\n")
                if !comment.isEmpty { try record.set(.comment, comment) }
                parts.append(ItemListing.Part(place, try Self.with(notes, record), losses: losses))
            }
            if let code, isCode {
                var record = ItemRecord(.genericPassword)
                try record.set(.service, name.hasPrefix("otp/") ? name : "otp/\(name)")
                try record.set(.account, user)
                if parts.isEmpty, !remarks.isEmpty { try record.set(.comment, remarks.joined(separator: "\n")) }
                parts.append(
                    ItemListing.Part(place, try Self.with(code, record), losses: parts.isEmpty ? losses : []))
            }
        } catch {
            return [ItemListing.Part(place, refused: told(KeychainError(error).message))]
        }
        guard parts.isEmpty else { return parts }
        return [
            ItemListing.Part(
                place, refused: told(oneTimeCode.isEmpty ? "it has neither a password nor a note" : Self.noCode))
        ]
    }

    private static let noCode = "a one-time code that is not known here"

    /// What isn't one would be found by `zamok otp`, and give nothing: Steam's, for example.
    private static func isCode(_ address: String) throws -> Bool {
        do { _ = try OneTimeCode(Secret(copying: Array(address.utf8))) } catch is KeychainError { return false }
        return true
    }

    /// Names and passwords in addresses, which are others than the entry's own.
    private func strangers(in addresses: [String]) -> [String] {
        addresses.contains { ![nil, "", user].contains(ForeignAddress($0)?.userInfo) }
            ? ["the name or password within its address"] : []
    }

    /// By its title, too: who reads it doesn't see numbers of entries.
    private func told(_ reason: String) -> String { title.isEmpty ? reason : "\(Self.shown(title)): \(reason)" }

    private static func with(_ secret: String, _ record: ItemRecord) throws -> ItemRecord {
        var record = record
        record.secret = try Secret(copying: Array(secret.utf8))
        return record
    }

    /// What a one-time code is called by: the server, else the title.
    private var name: String {
        ([address] + otherAddresses).lazy.compactMap { ForeignAddress($0)?.host }.first
            ?? (title.isEmpty ? "entry" : title)
    }

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

    private func named(_ server: ForeignAddress?, account: String) throws -> ItemRecord {
        if let place = server {
            var record = ItemRecord(.internetPassword)
            try record.set(.server, place.host)
            if let transport = place.transport { try? record.set(.transport, transport) }
            if let port = place.port { try record.set(.port, port) }
            if !place.path.isEmpty { try record.set(.path, place.path) }
            if !realm.isEmpty { try record.set(.securityDomain, realm) }
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

/// What the entries of a file come to. A byte can become an entry, and a name in the first line a sentence for each.
struct ForeignBudget {
    static let mostEntries = 100_000
    private static let mostBytes = 128 << 20
    private var budget = DerivationBudget("the entries", steps: Self.mostEntries, bytes: Self.mostBytes)

    /// Errors: `.dataTooLarge`.
    mutating func take(_ entry: ForeignEntry) throws(KeychainError) { try take(bytes: entry.size) }

    mutating func take(bytes: Int = 0) throws(KeychainError) {
        do throws(ReadingError) { try budget.take(bytes: bytes) } catch {
            throw KeychainError(
                .dataTooLarge,
                "it has more than \(Self.mostEntries) entries, or they come to more than \(Self.mostBytes >> 20) MiB; nothing was added; divide the file",
                cause: error)
        }
    }
}

extension ForeignEntry {
    /// Bytes of what is made of it: a title can be label, service and the name in front of each loss.
    fileprivate var size: Int { texts.reduce(0) { $0 + 2 * $1.utf8.count } }
}

/// The parts of an address that a password is found by. Read without Foundation's URLs, which want ICU for hosts.
struct ForeignAddress: Equatable {
    var transport: String?
    var host: String
    var port: String?
    var path = ""
    /// Before the `@` of the host.
    var userInfo = ""
    /// Whether it goes on behind the path, with what nothing is found by.
    var isCut = false

    /// The same without what nothing is found by.
    var place: Self {
        var place = self
        (place.userInfo, place.isCut) = ("", false)
        return place
    }

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
        isCut = rest[end...].count > address.count
        var authority = rest[..<end]
        if let sign = authority.lastIndex(of: "@") {
            userInfo = String(authority[..<sign])
            authority = authority[authority.index(after: sign)...]
        }
        // What is no host's name is found by nothing.
        guard authority.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && !",;\\%\"'<>`|^{}()*$!&+=~".utf8.contains($0) })
        else {
            return nil
        }
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
