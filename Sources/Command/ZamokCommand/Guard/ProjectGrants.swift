// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Guards
import KeychainEngine
import Readers
import Statuses

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
        guard let bytes = NamedFile.regular(path, atMost: Self.sizeLimit) else {
            guard FileManager.default.fileExists(atPath: path) else { throw NamedFile.unreadable(path) }
            throw CommandFailure.status(
                .inputOutput,
                "\(path.printable) can't be read: a project's file is a regular file of at most \(Self.sizeLimit >> 10) KiB"
            )
        }
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

    private static let groupLimit = 100

    /// Whether a person sees what a group's name is: no blanks that push the actions out of sight, and no letters that
    /// look like others.
    private static func isPlain(_ group: String) -> Bool {
        (1...groupLimit).contains(group.utf8.count)
            && group.utf8.allSatisfy { byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || Array("._-".utf8).contains(byte)
            }
    }

    private static func words(_ members: [String: JSONValue]) throws -> [String] {
        var rest = members
        func texts(_ name: String) throws -> [String] {
            guard let value = rest.removeValue(forKey: name) else { return [] }
            let texts = value.items.map { $0.compactMap(\.text) } ?? value.text.map { [$0] } ?? []
            guard value.items?.isEmpty != true else { throw Malformed(text: "\(name) is an empty list") }
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
            guard isPlain(group) else {
                throw Malformed(
                    text:
                        "the group \(group.quoted(limit: 40)) isn't of 1 to \(groupLimit) letters, digits, dots, dashes and underscores of ASCII; a person can grant others: --group"
                )
            }
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
            case .group(let grant):
                [grant.group.printable, (grant.actions.words + GuardUse.words(grant.limits)).joined(separator: " ")]
            case .use(let grant): Array(GuardUse.row(grant).dropFirst())
            }
        }
    }

    /// A grant that is asked for, beside what the guest has.
    enum State {
        case new(GuardAllowCommand)
        case same(Wish)
        /// What would be in place of what is there now.
        case changes(Wish, now: Wish)

        var isSame: Bool { if case .same = self { true } else { false } }
    }

    /// What the guest has of each grant. Reads no secret. Errors: a grant that can't be given; two for one place; those
    /// of a search.
    func compared(_ guest: GuestName, _ home: Home) throws -> [State] {
        let known = try GrantStore(try ItemStore.of(home)).all(of: guest)
        var targets: Set<String> = []
        return try wishes.map { words in
            let wish = try GuardAllowCommand.asked([guest.text] + words)
            let (target, state) = try wish.compared(guest, known.grants, known.uses, home)
            guard targets.insert(target).inserted else {
                throw CommandFailure.usage(
                    "the project asks twice for \(target.printable): one grant would replace the other")
            }
            return state
        }
    }
}

extension GuardAllowCommand {
    /// What the grant is for, and what the guest has there.
    fileprivate func compared(
        _ guest: GuestName, _ grants: [Grant], _ uses: [UseGrant], _ home: Home
    ) throws -> (target: String, ProjectGrants.State) {
        if group != nil {
            var wanted = try groupGrant(guest)
            guard let now = grants.first(where: { $0.group.utf8.elementsEqual(wanted.group.utf8) }) else {
                return (wanted.group, .new(self))
            }
            wanted = Grant(guest: guest, group: wanted.group, actions: wanted.actions, now.limits) ?? wanted
            return (wanted.group, now == wanted ? .same(.group(now)) : .changes(.group(wanted), now: .group(now)))
        }
        let asked: GuardUse.Asked
        do { asked = try GuardUse.Asked(guest, use, home) } catch let error as KeychainError {
            guard error.code == .itemNotFound else { throw error }
            return ("\(use.item ?? "") at \(use.host ?? ""), \(use)", .new(self))
        }
        guard let now = uses.first(where: asked.replaces) else { return (asked.target, .new(self)) }
        let wanted = try asked.grant(guest, keeping: now)
        return (asked.target, now == wanted ? .same(.use(now)) : .changes(.use(wanted), now: .use(now)))
    }
}
