// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Guards
import KeychainEngine
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok guard allow --use`, and how such grants are shown and taken back.
enum GuardUse {
    /// The grant that the options say, and its item's accessibility. Errors: wrong usage; the item isn't there, or its
    /// secret is too short.
    static func grant(_ guest: GuestName, _ options: UseOptions, _ home: Home) throws -> UseGrant {
        guard options.use, let word = options.item, let hostWord = options.host else {
            throw CommandFailure.usage(
                "to use an item's secret without holding it: zamok guard allow \(guest) --item SERVICE/ACCOUNT --use --host HOST"
            )
        }
        let server = try Server(options, hostWord)
        guard let name = ItemName(word: word) else { throw CommandFailure.usage("\(word.printable) names no item") }
        let keychain = Keychain(home: home)
        let record = try name.only(in: keychain, reading: true)
        let (reference, secret) = try References(keychain).item(name)
        guard secret.count >= GuestUses.shortestSecret else {
            throw CommandFailure.usage(
                "the secret of \(word.printable) has fewer than \(GuestUses.shortestSecret) bytes: it could not be found in answers"
            )
        }
        let account = record[.account] ?? ""
        let item = UsedItem(
            reference: reference.bytes, name: ItemName.place(of: record) + (account.isEmpty ? "" : "/\(account)"),
            account: account)
        guard
            let grant = UseGrant(
                guest, item, server.host, methods: server.methods, paths: server.paths,
                try server.place(options, account), try shape(options, secret))
        else { throw CommandFailure.usage("a method is letters alone, and at most 32 methods and paths are named") }
        return grant
    }

    /// What options say of a server, and of requests or sessions there.
    private struct Server {
        let host: UseHost
        let methods: [String]
        let paths: [PathPattern]

        init(_ options: UseOptions, _ word: String) throws {
            guard let host = UseHost(word: word, at: options.at) else {
                throw CommandFailure.usage("\(word.printable) is no host, or --at names no address")
            }
            self.host = host
            let isDatabase = host.scheme == .postgres
            guard isDatabase || options.role == nil && options.database.isEmpty else {
                throw CommandFailure.usage("--role and --database are for a database: --host postgres://HOST")
            }
            methods = options.method.map { $0.uppercased() }
            paths =
                try isDatabase
                ? databases(options)
                : options.path.map { text in
                    guard let pattern = PathPattern(text) else {
                        throw CommandFailure.usage(
                            "\(text.printable) is no path: it begins with a slash, and has no query")
                    }
                    return pattern
                }
        }

        func place(_ options: UseOptions, _ account: String) throws -> UsePlace {
            host.scheme == .postgres ? try GuardUse.role(options, account) : try GuardUse.place(options)
        }
    }

    /// Whether a grant says what the options do, apart from the address and the shape. The secret isn't read.
    static func isSame(_ options: UseOptions, _ grant: UseGrant, _ home: Home) -> Bool {
        guard let item = options.item, let word = options.host, let server = try? Server(options, word),
            server.host.isSame(as: grant.host), server.methods == grant.methods, server.paths == grant.paths,
            let place = try? server.place(options, grant.item.account), place == grant.place
        else { return false }
        guard grant.item.name != item else { return true }
        let found = try? ItemName(word: item)?.only(in: Keychain(home: home)).persistentReference
        return found?.bytes == grant.item.reference
    }

    /// The databases of a grant, as patterns of paths. Errors: options that are for requests of HTTP; no name.
    private static func databases(_ options: UseOptions) throws -> [PathPattern] {
        guard options.method.isEmpty, options.path.isEmpty, options.header == nil, options.query == nil,
            !options.basicPassword, !options.basicUser, options.shape == nil
        else {
            throw CommandFailure.usage("a grant for a database has --role and --database, and no part of a request")
        }
        return try options.database.map { name in
            guard !name.contains("/"), let pattern = PathPattern("/\(name)") else {
                throw CommandFailure.usage("\(name.printable) can't be granted as the name of a database")
            }
            return pattern
        }
    }

    private static func role(_ options: UseOptions, _ account: String) throws -> UsePlace {
        guard let place = UsePlace(number: 5, name: options.role ?? account) else {
            throw CommandFailure.usage("name the role of the database: --role")
        }
        return place
    }

    static func place(_ options: UseOptions) throws -> UsePlace {
        var places: [UsePlace?] = []
        if let name = options.header { places.append(UsePlace(number: 1, name: name.lowercased())) }
        if options.basicPassword { places.append(.basicPassword) }
        if options.basicUser { places.append(.basicUser) }
        if let name = options.query { places.append(UsePlace(number: 3, name: name)) }
        guard places.count <= 1 else {
            throw CommandFailure.usage(
                "a grant has one place: --header, --basic-password, --basic-user or --query; give several grants")
        }
        guard let place = places.first ?? .header("authorization") else {
            throw CommandFailure.usage(
                "this header or parameter can't be granted: the proxy writes it itself, or it is no name")
        }
        return place
    }

    private static func shape(_ options: UseOptions, _ secret: Secret) throws -> PlaceholderShape {
        var bytes = try [UInt8](exposing: secret)
        defer { bytes.wipe() }
        let own = PlaceholderShape(of: bytes)
        guard let prefix = options.shape else { return own }
        guard let shape = PlaceholderShape(prefix: prefix, count: own.count) else {
            throw CommandFailure.usage("--shape takes at most 32 letters, digits, dashes and underscores")
        }
        return shape
    }

    /// The columns of a list.
    static func row(_ grant: UseGrant) -> [String] {
        let limits = grant.methods + grant.paths.map(\.text)
        return [
            grant.guest.text, grant.item.name.printable,
            (["use", "\(grant.host)", grant.place.words] + limits).joined(separator: " ").printable,
        ]
    }

    static func json(_ grant: UseGrant) -> JSON {
        .object([
            ("guest", .text(grant.guest.text)), ("item", .text(grant.item.name)), ("actions", .texts(["use"])),
            ("host", .text("\(grant.host)")), ("place", .text(grant.place.words)), ("methods", .texts(grant.methods)),
            ("paths", .texts(grant.paths.map(\.text))),
        ])
    }

    /// Takes back grants for an item, at one host or all. Errors: there is none.
    static func revoke(_ guest: GuestName, _ item: String, host: String?, _ grants: GrantStore) throws {
        let found = try grants.uses(of: guest).filter { grant in
            grant.item.name == item && (host.map { UseHost(word: $0)?.isSame(as: grant.host) ?? false } ?? true)
        }
        guard !found.isEmpty else {
            let others = try grants.uses(of: guest).filter { $0.item.name == item }.map { "\($0.host)" }
            let known = others.isEmpty ? "" : "; there are grants for \(Set(others).sorted().joined(separator: ", "))"
            throw CommandFailure.status(.itemNotFound, "there is no such grant\(known)")
        }
        for grant in found { try grants.revoke(grant) }
    }
}
