// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Guards
import KeychainEngine
import Readers

/// The grants that a project's file asks for (Documentation/Guard.md, "A project's file"). Nothing but
/// `zamok guard allow --from` gives them, once a person has seen and confirmed them.
struct ProjectGrants {
    static let fileName = ".zamok-guard.json"
    private static let sizeLimit = 64 << 10
    private static let countLimit = 32

    /// Words of `zamok guard allow`, for each grant.
    let wishes: [[String]]

    /// Errors: the file can't be read, or breaks its form.
    init(reading path: String) throws {
        guard let bytes = NamedFile.regular(path, atMost: Self.sizeLimit) else { throw NamedFile.unreadable(path) }
        do { try self.init(bytes) } catch let error as Malformed {
            throw CommandFailure.usage("\(path.printable) is no file of a project: \(error.text)")
        }
    }

    struct Malformed: Error { let text: String }

    /// `bytes`: JSON. Members that are not known are errors, since they may narrow what is asked for.
    init(_ bytes: [UInt8]) throws {
        guard let object = JSONValue(json: bytes)?.members else { throw Malformed(text: "it is no object of JSON") }
        guard case .integer(1) = object["version"] else { throw Malformed(text: "its version is not 1") }
        guard let grants = object["grants"]?.items, object.count == 2, (1...Self.countLimit).contains(grants.count)
        else { throw Malformed(text: "it has one list, grants, of 1 to \(Self.countLimit)") }
        wishes = try grants.map { grant in
            guard let members = grant.members else { throw Malformed(text: "a grant is no object") }
            return try Self.words(members)
        }
    }

    private static func words(_ members: [String: JSONValue]) throws -> [String] {
        var rest = members
        func texts(_ name: String) throws -> [String] {
            guard let value = rest.removeValue(forKey: name) else { return [] }
            let texts = value.items.map { $0.compactMap(\.text) } ?? value.text.map { [$0] } ?? []
            guard !texts.isEmpty, value.items.map({ $0.count == texts.count }) ?? true else {
                throw Malformed(text: "\(name) is no text, or list of texts")
            }
            return texts
        }
        func one(_ name: String) throws -> String? {
            let found = try texts(name)
            guard found.count <= 1 else { throw Malformed(text: "\(name) is one text") }
            return found.first
        }
        var words: [String] = []
        if let group = try one("group") {
            words.append("--group=\(group)")
            for action in try texts("actions") {
                guard GrantActions.all.words.contains(action) else {
                    throw Malformed(text: "there is no action \(action.printable)")
                }
                words.append("--\(action)")
            }
        } else {
            guard let item = try one("item"), let host = try one("host") else {
                throw Malformed(text: "a grant has a group and actions, or an item and a host")
            }
            words += ["--use", "--item=\(item)", "--host=\(host)"]
            for (name, option) in [
                ("methods", "method"), ("paths", "path"), ("header", "header"), ("query", "query"), ("role", "role"),
                ("databases", "database"),
            ] { words += try texts(name).map { "--\(option)=\($0)" } }
            switch try one("basic") {
            case nil: break
            case "password": words.append("--basic-password")
            case "user": words.append("--basic-user")
            default: throw Malformed(text: "basic is password or user")
            }
        }
        guard rest.isEmpty else {
            throw Malformed(text: "a grant has no \(rest.keys.sorted().map(\.printable).joined(separator: ", "))")
        }
        return words
    }

    /// A grant that is asked for.
    enum Wish {
        case group(Grant)
        case use(UseGrant)

        var row: [String] {
            switch self {
            case .group(let grant): [grant.group.printable, grant.actions.words.joined(separator: " ")]
            case .use(let grant): Array(GuardUse.row(grant).dropFirst())
            }
        }
    }

    /// What a guest has and lacks of the grants.
    struct Comparison {
        let wishes: [GuardAllowCommand]
        /// In the same order.
        let isGiven: [Bool]

        var lacking: Int { isGiven.count { !$0 } }
    }

    /// Reads no secret. Errors: a grant that can't be given; those of a search.
    func compared(_ guest: GuestName, _ home: Home) throws -> Comparison {
        let known = try GrantStore(try ItemStore.of(home)).all(of: guest)
        let wishes = try self.wishes.map { try GuardAllowCommand.asked([guest.text] + $0) }
        return Comparison(
            wishes: wishes,
            isGiven: wishes.map { wish in
                if wish.group != nil {
                    (try? wish.groupGrant(guest)).map { known.grants.contains($0) } ?? false
                } else {
                    known.uses.contains { GuardUse.isSame(wish.use, $0, home) }
                }
            })
    }
}
