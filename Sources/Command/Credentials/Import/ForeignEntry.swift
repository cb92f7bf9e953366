// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
package import Keychains
import Readers
import SecretMemory

/// One entry of another password manager, and the items that it becomes.
/// A password belongs to a server if the entry has an address, else to a service.
/// A one-time code becomes another item. A note becomes one if there is no password.
package struct ForeignEntry {
    /// The line or the number of the entry, counted from 1.
    let place: Int
    var title = ""
    var address = ""
    /// More addresses of the same password. Each becomes an item, so that it is found by each.
    var otherAddresses: [String] = []
    var user = ""
    var password = ""
    var notes = ""
    /// `otpauth://...`, or only the key.
    var oneTimeCode = ""
    /// The realm of HTTP authentication.
    var realm = ""
    /// Lines for the comment: the folder, tags and the like.
    private var remarks: [String] = []
    /// The parts of the entry that no item can store.
    var losses: [String] = []

    init(_ place: Int) { self.place = place }

    fileprivate var texts: [String] { [title, address, user, password, notes, oneTimeCode, realm] + remarks + losses }

    /// Sets one of the entry's texts. A different value that is already set isn't silently replaced.
    /// Notes are joined. For other texts the second value is a loss, reported with `source`.
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

    /// Adds a line to the comment that says where the entry is filed: a folder, tags, an archive.
    mutating func file(_ name: String, _ value: String) { remarks.append(value.isEmpty ? name : "\(name): \(value)") }

    /// The beginning of an external text, for a message that may be repeated often.
    static func shown(_ text: String) -> String {
        text.utf8.count <= 100 ? text : String(text.unicodeScalars.prefix(60)) + "..."
    }

    /// The items to import. `refusing`: the reason why the entry isn't imported at all.
    package func parts(refusing reason: String? = nil) -> [ItemListing.Part] {
        if let reason { return [ItemListing.Part(place, refused: told(reason))] }
        var parts: [ItemListing.Part] = []
        do {
            let all = ([address] + otherAddresses).filter { !$0.isEmpty }
            let code = oneTimeCode.isEmpty ? nil : oneTimeCodeAddress
            let isCode = try code.map { try Self.isCode($0) } ?? true
            let losses = (self.losses + strangers(in: all) + (isCode ? [] : [Self.noCode])).map(told)
            if !password.isEmpty {
                for (number, record) in try passwordRecords(of: all).enumerated() {
                    parts.append(
                        ItemListing.Part(place, try Self.with(password, record), losses: number == 0 ? losses : []))
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
                var record = try oneTimeCodeRecord()
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

    /// The items of the password without their secret: one for each server, or one of the title. Errors: `.parameter`
    /// if a field doesn't accept its value, or there is no name.
    func passwordRecords(of addresses: [String]) throws -> [ItemRecord] {
        // An address that matches no server goes into the comment, unless it serves as the name.
        let servers = addresses.compactMap { ForeignAddress($0)?.place }.reduce(into: [ForeignAddress]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        let name = title.isEmpty && servers.isEmpty ? addresses.first : nil
        let kept = addresses.filter { $0 != name && ForeignAddress($0)?.isCut != false }
        let comment = ([notes] + kept + remarks).filter { !$0.isEmpty }.joined(separator: "\n")
        return try (servers.isEmpty ? [nil] : servers.map(Optional.some)).map { server in
            var record = try named(server, account: user)
            // A title that equals the server or service needs no label: items exported from here have none.
            if !["", server?.host ?? title].contains(title) { try record.set(.label, title) }
            if !comment.isEmpty { try record.set(.comment, comment) }
            return record
        }
    }

    private static let noCode = "a one-time code that is not known here"

    /// Whether `zamok otp` could make codes of an address. Steam's codes, for example, aren't supported.
    static func isCode(_ address: String) throws -> Bool {
        do { _ = try OneTimeCode(Secret(copying: Array(address.utf8))) } catch is KeychainError { return false }
        return true
    }

    /// A loss if an address contains a user or password that differs from the entry's own.
    private func strangers(in addresses: [String]) -> [String] {
        addresses.contains { ![nil, "", user].contains(ForeignAddress($0)?.userInfo) }
            ? ["the name or password within its address"] : []
    }

    /// A reason that is prefixed with the title, since the user sees no entry numbers.
    private func told(_ reason: String) -> String { title.isEmpty ? reason : "\(Self.shown(title)): \(reason)" }

    private static func with(_ secret: String, _ record: ItemRecord) throws -> ItemRecord {
        var record = record
        record.secret = try Secret(copying: Array(secret.utf8))
        return record
    }

    /// The item of a one-time code, without its secret. Errors: `.parameter`.
    func oneTimeCodeRecord() throws -> ItemRecord {
        var record = ItemRecord(.genericPassword)
        try record.set(.service, name.hasPrefix("otp/") ? name : "otp/\(name)")
        try record.set(.account, user)
        return record
    }

    /// The name of a one-time code: the server, else the title.
    private var name: String {
        ([address] + otherAddresses).lazy.compactMap { ForeignAddress($0)?.host }.first
            ?? (title.isEmpty ? "entry" : title)
    }

    private var oneTimeCodeAddress: String {
        guard !oneTimeCode.hasPrefix("otpauth://") else { return oneTimeCode }
        let letters = oneTimeCode.filter { !$0.isWhitespace && $0 != "-" }
        return "otpauth://totp/\(Self.encoded(title.isEmpty ? name : title))?secret=\(letters)"
    }

    /// Percent-encodes all bytes but letters and digits of ASCII.
    static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { text, byte in
            let isPlain =
                byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
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

/// The limits for all entries of a file together.
/// One byte can become an entry, and a column name in the first line can become a sentence for each entry.
struct ForeignBudget {
    static let mostEntries = 100_000
    private static let mostBytes = 128 << 20
    private var budget = DerivationBudget("the entries", steps: Self.mostEntries, bytes: Self.mostBytes)

    /// Counts an entry. Errors: `.dataTooLarge`.
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
    /// An upper bound in bytes: the title can become label, service and the prefix of each loss.
    fileprivate var size: Int { texts.reduce(0) { $0 + 2 * $1.utf8.count } }
}

/// The parts of an address that a password is found by.
/// Parsed without Foundation's URLs, which need ICU for hosts.
struct ForeignAddress: Equatable {
    var transport: String?
    var host: String
    var port: String?
    var path = ""
    /// The part before the `@`.
    var userInfo = ""
    /// Whether something follows the path, such as a query. Nothing is found by it.
    var isCut = false

    /// The address with only the parts that items are found by.
    var place: Self {
        var place = self
        (place.userInfo, place.isCut) = ("", false)
        return place
    }

    /// Nil: it names no web server.
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
        // No item is found by a text that isn't a host name.
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
