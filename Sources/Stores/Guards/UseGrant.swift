// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Readers

/// A server that a use grant names: scheme, name, port, and the address at which it is if that isn't the name's own.
package struct UseHost: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: UInt8, Sendable {
        case https = 1
        case http = 2
        /// A server of PostgreSQL.
        case postgres = 3

        package var name: String {
            switch self {
            case .https: "https"
            case .http: "http"
            case .postgres: "postgres"
            }
        }

        package var port: UInt16 {
            switch self {
            case .https: 443
            case .http: 80
            case .postgres: 5432
            }
        }

        /// What an address begins with, and the number of its characters; by default that of HTTPS.
        package static func beginning(_ word: some StringProtocol) -> (scheme: Scheme, count: Int) {
            let begins = [("https", Scheme.https), ("http", .http), ("postgres", .postgres), ("postgresql", .postgres)]
            let word = word.prefix(16).lowercased()
            let found = begins.first { word.hasPrefix("\($0.0)://") }
            return found.map { ($0.1, $0.0.count + 3) } ?? (.https, 0)
        }
    }

    package let scheme: Scheme
    /// A name in small letters of ASCII, or an address without brackets.
    package let name: String
    package let port: UInt16
    /// Where it is reached, in place of the addresses of its name.
    package let address: String?

    /// Nil for a name that can't be a host's, port 0, or an address that isn't one.
    package init?(_ scheme: Scheme, _ name: String, _ port: UInt16, at address: String? = nil) {
        guard port > 0, Self.isName(name) || NetworkAddress.isAddress(name),
            address.map(NetworkAddress.isAddress) ?? true
        else { return nil }
        (self.scheme, self.name, self.port, self.address) = (scheme, name, port, address)
    }

    /// `HOST`, `HOST:PORT`, `[ADDRESS]:PORT`, with `http://`, `https://`, `postgres://` or `postgresql://` before it.
    /// Nil for anything else.
    package init?(word: String, at address: String? = nil) {
        let (scheme, count) = Scheme.beginning(word)
        let rest = word.dropFirst(count)
        var port = scheme.port
        let end = rest.lastIndex(of: "]").map(rest.index(after:)) ?? rest.firstIndex(of: ":") ?? rest.endIndex
        var name = rest[..<end]
        if end < rest.endIndex {
            let digits = rest[end...].dropFirst()
            guard rest[end] == ":", digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(digits)
            else { return nil }
            port = number
        }
        if name.hasPrefix("[") {
            name = name.dropFirst().dropLast()
            guard name.contains(":") else { return nil }
        }
        self.init(scheme, name.lowercased(), port, at: address)
    }

    /// Whether a request is for this server. The address says where it is, not which it is.
    package func isSame(as other: UseHost) -> Bool {
        scheme == other.scheme && name.utf8.elementsEqual(other.name.utf8) && port == other.port
    }

    /// Whether it is this machine, by its own name or address.
    package var isLoopback: Bool {
        let place = address ?? name
        return place == "localhost" || place == "::1" || place.hasPrefix("127.") && NetworkAddress.isAddress(place)
    }

    /// As in an address, without the scheme's own port and without `https`.
    package var description: String {
        let host = name.contains(":") ? "[\(name)]" : name
        return (scheme == .https ? "" : "\(scheme.name)://") + host + (port == scheme.port ? "" : ":\(port)")
    }

    private static func isName(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count), text.contains(where: { !"0123456789.".contains($0) }) else {
            return false
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 || $0 == 95 }
        }
    }
}

/// Addresses of IPv4 and IPv6 in the form that people write.
package enum NetworkAddress {
    package static func isAddress(_ text: String) -> Bool { isVersion4(text) || isVersion6(text) }

    private static func isVersion4(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                part.utf8.allSatisfy { (48...57).contains($0) } && (1...3).contains(part.utf8.count)
                    && (part == "0" || !part.hasPrefix("0")) && UInt8(part) != nil
            }
    }

    private static func isVersion6(_ text: String) -> Bool {
        guard text.contains(":"), !text.contains(":::"), text.utf8.count <= 45 else { return false }
        let halves = text.components(split: "::")
        guard halves.count <= 2 else { return false }
        var groups = 0
        for (index, half) in halves.enumerated() where !half.isEmpty {
            let parts = half.split(separator: ":", omittingEmptySubsequences: false)
            for (number, part) in parts.enumerated() {
                if index == halves.count - 1, number == parts.count - 1, isVersion4(part) {
                    groups += 2
                } else {
                    guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit) else { return false }
                    groups += 1
                }
            }
        }
        return halves.count == 2 ? groups < 8 : groups == 8
    }
}

extension String {
    fileprivate func components(split separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}

/// Where in a request a secret may be put in.
package enum UsePlace: Hashable, Sendable {
    /// A header field, in small letters.
    case header(String)
    case basicPassword
    /// The whole value of a parameter of the query.
    case query(String)
    case basicUser
    /// The password of a user of PostgreSQL.
    case postgres(String)

    package var number: UInt8 {
        switch self {
        case .header: 1
        case .basicPassword: 2
        case .query: 3
        case .basicUser: 4
        case .postgres: 5
        }
    }

    package var name: String {
        switch self {
        case .header(let name), .query(let name), .postgres(let name): name
        case .basicPassword, .basicUser: ""
        }
    }

    /// Nil: such a place is not there, or the name can't be one.
    package init?(number: UInt8, name: String) {
        switch number {
        case 1 where Self.isToken(name) && name == name.lowercased() && !Self.refused.contains(name):
            self = .header(name)
        case 2 where name.isEmpty: self = .basicPassword
        case 3 where Self.isToken(name): self = .query(name)
        case 4 where name.isEmpty: self = .basicUser
        case 5 where Self.isDatabaseName(name): self = .postgres(name)
        default: return nil
        }
    }

    package var isDatabase: Bool { if case .postgres = self { true } else { false } }

    /// In words of the command.
    package var words: String {
        switch self {
        case .header(let name): "header \(name)"
        case .basicPassword: "password of Basic"
        case .basicUser: "user of Basic"
        case .query(let name): "query \(name)"
        case .postgres(let user): "role \(user)"
        }
    }

    /// Header fields that the proxy writes itself.
    private static let refused: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "upgrade", "expect", "te",
        "trailer", "keep-alive", "proxy-connection", "proxy-authorization", "range", "if-range",
    ]

    /// Of a user or a database of PostgreSQL, which cuts longer ones off.
    package static func isDatabaseName(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static func isToken(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (48...57).contains(byte) || (97...122).contains(byte | 0x20) || Array("-._~".utf8).contains(byte)
            }
    }
}

/// An item that a guest may use without holding it.
package struct UsedItem: Hashable, Sendable {
    /// Its persistent reference, 20 bytes: another item of the same name is not meant.
    package let reference: [UInt8]
    /// As the person calls it: `SERVICE/ACCOUNT`.
    package let name: String
    package let account: String

    package init(reference: [UInt8], name: String, account: String) {
        (self.reference, self.name, self.account) = (reference, name, account)
    }

    /// Whether it is certain that there is no such item any more. A locked home doesn't say.
    package func isRemoved(from items: any ItemAccess) -> Bool {
        guard let reference = PersistentReference(bytes: reference), let itemClass = reference.itemClass else {
            return true
        }
        var query = ItemQuery(itemClass)
        query.persistentReference = reference
        do throws(KeychainError) {
            _ = try items.items(matching: query, withSecret: false)
            return false
        } catch { return error.code == .itemNotFound }
    }
}

/// A permission that a person gave: a guest may use an item's secret in requests to one server, without holding it.
package struct UseGrant: Hashable, Sendable {
    package let guest: GuestName
    package let item: UsedItem
    package let host: UseHost
    /// Empty: any method.
    package let methods: [String]
    /// Empty: any path.
    package let paths: [PathPattern]
    package let place: UsePlace
    /// What a placeholder begins with, and the number of its bytes if there are enough for 128 random bits.
    package let shape: PlaceholderShape
    package let limits: GrantLimits

    /// Nil for methods that can't be ones, for more than 32 methods or paths, and for a place that the server doesn't
    /// have.
    package init?(
        _ guest: GuestName, _ item: UsedItem, _ host: UseHost, methods: [String] = [], paths: [PathPattern] = [],
        _ place: UsePlace, _ shape: PlaceholderShape, _ limits: GrantLimits = .none
    ) {
        guard methods.count <= 32, paths.count <= 32,
            methods.allSatisfy({
                (1...32).contains($0.utf8.count) && $0.utf8.allSatisfy { (65...90).contains($0) || $0 == 45 }
            }),
            (1...512).contains(item.name.utf8.count), item.account.utf8.count <= 512, item.reference.count == 20,
            place.isDatabase == (host.scheme == .postgres), !place.isDatabase || methods.isEmpty
        else { return nil }
        (self.guest, self.item, self.host, self.methods) = (guest, item, host, methods)
        (self.paths, self.place, self.shape, self.limits) = (paths, place, shape, limits)
    }

    /// Whether both are for one guest, name of an item, server and place. The items may be others: one that was
    /// removed, and one of its name.
    package func isForSamePlace(as other: UseGrant) -> Bool {
        guest == other.guest && item.name.utf8.elementsEqual(other.item.name.utf8) && host.isSame(as: other.host)
            && place == other.place
    }

    /// Why the grant doesn't permit a request; nil: it does. Everything that it doesn't name is refused.
    ///
    /// - Parameters:
    ///   - path: Without the query, as it is sent.
    ///   - place: Where the placeholder is; nil: the proxy puts the secret in at the granted place.
    package func objection(host: UseHost, method: String, path: String, place: UsePlace?) -> String? {
        guard !limits.isOver() else { return "the grant to use \(item.name) has ended" }
        guard self.host.isSame(as: host) else { return "\(item.name) is granted for \(self.host), not for \(host)" }
        guard methods.isEmpty || methods.contains(where: { $0.utf8.elementsEqual(method.utf8) }) else {
            return "\(item.name) is not granted for the method \(method)"
        }
        if !paths.isEmpty, host.scheme == .postgres {
            guard PathPattern.isPlain(path), paths.contains(where: { $0.matches(path) }) else {
                return "\(item.name) is not granted for this database"
            }
        } else if !paths.isEmpty {
            guard PathPattern.isPlain(path) else {
                return
                    "the path has dots, doubled slashes or encoded signs that servers read differently, and the grant names paths"
            }
            guard paths.contains(where: { $0.matches(path) }) else {
                return "\(item.name) is not granted for this path"
            }
        }
        guard place == nil || place == self.place else {
            guard !self.place.isDatabase else {
                return "\(item.name) is granted for the \(self.place.words), not for the \(place?.words ?? "")"
            }
            return "\(item.name) is granted in the place: \(self.place.words), not in: \(place?.words ?? "")"
        }
        return nil
    }
}

/// A path that a use grant names: `*` is any text without a slash, `**` any text.
package struct PathPattern: Hashable, Sendable {
    package let text: String

    /// Nil: it doesn't begin with a slash, has other signs than printable ASCII, or more than 512 bytes.
    package init?(_ text: String) {
        guard text.hasPrefix("/"), text.utf8.count <= 512, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.contains("?"), !text.contains("#")
        else { return nil }
        self.text = text
    }

    /// Whether all servers read the path alike: it decodes in one way to UTF-8, has no dot segments, empty segments,
    /// backslashes, parameters, and no encoded form of a sign that separates, of a control character, or of a sign that
    /// some fold into one of these.
    package static func isPlain(_ path: String) -> Bool {
        guard path.hasPrefix("/"), path.utf8.count <= 8192, !path.contains("//") else { return false }
        let lower = path.lowercased()
        let refused = ["\\", ";", "%2e", "%2f", "%5c", "%25", "%3b", "%23", "%3f", "%0", "%1", "%7f"]
        guard !refused.contains(where: lower.contains), let decoded = decoded(path),
            !decoded.unicodeScalars.contains(where: isFolded)
        else { return false }
        // A blank at the end of a segment is left out by some.
        return !decoded.split(separator: "/").contains { segment in
            segment.unicodeScalars.allSatisfy { $0 == "." || $0.properties.isWhitespace }
        }
    }

    /// Nil: a percent sign without two digits, or bytes that are no UTF-8.
    private static func decoded(_ path: String) -> String? {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], path[...].utf8)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validUTF8: bytes)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): (byte | 0x20) - 87
        default: nil
        }
    }

    /// Whether a sign is one of the blocks with other forms of dots, slashes, percent signs and semicolons, or is not
    /// seen.
    private static func isFolded(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F...0x9F, 0xAD, 0x37E, 0x2000...0x206F, 0x2100...0x218F, 0x2215...0x2216, 0x2488...0x249B,
            0x29F5...0x29F9, 0x3000, 0x33C2, 0x33D8, 0xFE10...0xFE6F, 0xFEFF, 0xFF00...0xFFEF, 0x1F100, 0xBC...0xBE:
            true
        default: false
        }
    }

    package func matches(_ path: String) -> Bool {
        let (pattern, path) = (Array(text.utf8), Array(path.utf8))
        let star = UInt8(ascii: "*")
        // reached[i]: the pattern before `index` matches the first i bytes.
        var reached = [Bool](repeating: false, count: path.count + 1)
        reached[0] = true
        var index = 0
        while index < pattern.count {
            if pattern[index] == star {
                let isAny = index + 1 < pattern.count && pattern[index + 1] == star
                for position in path.indices where reached[position] && (isAny || path[position] != UInt8(ascii: "/")) {
                    reached[position + 1] = true
                }
                index += isAny ? 2 : 1
            } else {
                for position in path.indices.reversed() {
                    reached[position + 1] = reached[position] && path[position] == pattern[index]
                }
                reached[0] = false
                index += 1
            }
        }
        return reached[path.count]
    }
}
