// SPDX-License-Identifier: Apache-2.0

/// An object of the Secret Service, identified by its path.
enum SecretObject: Equatable {
    case service
    case collection(String)
    case alias(String)
    /// The collection, and `collection/name`, the item's account in the keychain.
    case item(String, String)
    /// An alias, and the name of an item in its collection.
    case aliasItem(String, String)
    case session(String)
    case prompt(String)
    /// A folder above these objects, for introspection.
    case between

    static let root = "/org/freedesktop/secrets"
    static let none = "/"

    /// Nil: no object here has the path.
    init?(_ path: String) {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let root = ["org", "freedesktop", "secrets"]
        guard words.starts(with: root) else {
            guard root.starts(with: words) || words == [""] else { return nil }
            self = .between
            return
        }
        let rest = Array(words.dropFirst(root.count))
        switch (rest.first, rest.count) {
        case (nil, _): self = .service
        case ("collection", 2): self = .collection(rest[1])
        case ("collection", 3): self = .item(rest[1], "\(rest[1])/\(rest[2])")
        case ("aliases", 2): self = .alias(rest[1])
        case ("aliases", 3): self = .aliasItem(rest[1], rest[2])
        case ("session", 2): self = .session(rest[1])
        case ("prompt", 2): self = .prompt(rest[1])
        case ("collection", 1), ("aliases", 1), ("session", 1), ("prompt", 1): self = .between
        default: return nil
        }
    }

    var path: String {
        switch self {
        case .service, .between: Self.root
        case .collection(let name): "\(Self.root)/collection/\(name)"
        case .alias(let name): "\(Self.root)/aliases/\(name)"
        case .aliasItem(let alias, let name): "\(Self.root)/aliases/\(alias)/\(name)"
        case .item(_, let account): "\(Self.root)/collection/\(account)"
        case .session(let name): "\(Self.root)/session/\(name)"
        case .prompt(let name): "\(Self.root)/prompt/\(name)"
        }
    }

    /// The item of an account, with its collection.
    static func item(_ account: String) -> SecretObject {
        .item(String(account.prefix { $0 != "/" }), account)
    }

    /// Whether a text can be an element of a bus path.
    static func isWord(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
