// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Guards
import KeychainEngine
import Keychains
import Readers
import SecretMemory
import Statuses

/// `zamok guard allow --use`, and how such grants are shown and taken back.
enum GuardUse {
    /// The grant that the options say. Errors: wrong usage; the item isn't there, or its secret is too short.
    static func grant(
        _ guest: GuestName, _ options: UseOptions, _ limits: GrantLimits, _ home: Home
    ) throws -> UseGrant {
        let asked = try Asked(guest, options, home)
        let keychain = Keychain(home: home)
        let secret = try References(keychain).item(asked.name).secret
        guard secret.count >= GuestUses.shortestSecret else {
            throw CommandFailure.usage(
                "the secret of \(asked.name.shown.printable) has fewer than \(GuestUses.shortestSecret) bytes: it could not be found in answers"
            )
        }
        return try asked.grant(guest, at: options.at, try shape(options, secret), limits)
    }

    /// What options ask for. The secret isn't read.
    struct Asked {
        fileprivate let name: ItemName
        private let item: UsedItem
        private let server: Server
        private let place: UsePlace

        /// Errors: wrong usage; the item isn't there.
        init(_ guest: GuestName, _ options: UseOptions, _ home: Home) throws {
            guard options.use, let word = options.item, let hostWord = options.host else {
                throw CommandFailure.usage(
                    "to use an item's secret without holding it: zamok guard allow \(guest) --item SERVICE/ACCOUNT --use --host HOST"
                )
            }
            server = try Server(options, hostWord)
            guard let name = ItemName(word: word) else { throw CommandFailure.usage("\(word.printable) names no item") }
            self.name = name
            let record = try name.only(in: Keychain(home: home), reading: true)
            guard let reference = record.persistentReference else {
                throw CommandFailure.status(.itemNotFound, "\(word.printable) can't be granted: it has no reference")
            }
            let account = record[.account] ?? ""
            item = UsedItem(
                reference: reference.bytes, name: ItemName.place(of: record) + (account.isEmpty ? "" : "/\(account)"),
                account: account)
            place = try server.place(options, account)
        }

        /// Whether a grant is for the same item, server and place, so that this one would be in place of it.
        func replaces(_ grant: UseGrant) -> Bool {
            grant.item.reference == item.reference && grant.host.isSame(as: server.host) && grant.place == place
        }

        /// For people, and different for each place.
        var target: String { "\(item.name) at \(server.host), \(place.words)" }

        /// With the address, shape and limits of the one that is there.
        func grant(_ guest: GuestName, keeping now: UseGrant) throws -> UseGrant {
            let wanted = try grant(guest, at: now.host.address, now.shape, now.limits)
            // In another order they are the same.
            return Set(wanted.methods) == Set(now.methods) && Set(wanted.paths) == Set(now.paths) ? now : wanted
        }

        fileprivate func grant(
            _ guest: GuestName, at address: String?, _ shape: PlaceholderShape, _ limits: GrantLimits
        ) throws -> UseGrant {
            let host = server.host
            guard let host = UseHost(host.scheme, host.name, host.port, at: address),
                let grant = UseGrant(
                    guest, item, host, methods: server.methods, paths: server.paths, place, shape, limits)
            else { throw CommandFailure.usage("a method is letters alone, and at most 32 methods and paths are named") }
            return grant
        }
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
            throw CommandFailure.usage(
                (options.role ?? account).isEmpty
                    ? "name the role of the database: --role"
                    : "\((options.role ?? account).printable) can't be a role: it has more than 63 bytes, or control characters"
            )
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

    /// The columns of a list. `isRemoved`: the item is there no more.
    static func row(_ grant: UseGrant, isRemoved: Bool = false) -> [String] {
        var words = ["use", "\(grant.host)"] + (grant.host.address.map { ["at", $0] } ?? []) + [grant.place.words]
        words += grant.methods + limits(grant)
        if !grant.place.isDatabase, grant.shape.prefix != PlaceholderShape.plain {
            words += ["placeholder", "\(grant.shape.prefix)..."]
        }
        words += self.words(grant.limits)
        if isRemoved { words.append("(the item was removed)") }
        return [grant.guest.text, grant.item.name.printable, words.joined(separator: " ").printable]
    }

    /// Limits, as words of the command.
    static func words(_ limits: GrantLimits) -> [String] {
        (limits.asks ? ["ask"] : []) + (limits.rate.map { ["\($0)"] } ?? [])
            + (limits.end.map { ["until", text($0)] + (limits.isOver() ? ["(has ended)"] : []) } ?? [])
    }

    static func members(_ limits: GrantLimits) -> [(String, JSON)] {
        (limits.asks ? [("ask", .bool(true))] : []) + (limits.rate.map { [("limit", .text("\($0)"))] } ?? [])
            + (limits.end.map { [("until", .text(text($0)))] } ?? [])
    }

    private static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    /// Paths, or names of databases.
    private static func limits(_ grant: UseGrant) -> [String] {
        grant.paths.map { grant.place.isDatabase ? String($0.text.dropFirst()) : $0.text }
    }

    static func json(_ grant: UseGrant, isRemoved: Bool) -> JSON {
        .known(
            [
                ("guest", .text(grant.guest.text)), ("item", .text(grant.item.name)), ("actions", .texts(["use"])),
                ("host", .text("\(grant.host)")), ("at", grant.host.address.map { .text($0) }),
                ("place", .text(grant.place.words)), ("methods", .texts(grant.methods)),
                (grant.place.isDatabase ? "databases" : "paths", .texts(limits(grant))),
                ("placeholder", grant.place.isDatabase ? nil : .text(grant.shape.prefix)),
                ("removed", isRemoved ? .bool(true) : nil),
            ] + members(grant.limits).map { ($0.0, Optional($0.1)) })
    }

    /// Takes back grants for an item, at one host or all. Errors: there is none.
    static func revoke(_ guest: GuestName, _ item: String, host: String?, _ home: Home) throws {
        let grants = GrantStore(try ItemStore.of(home))
        let reference = (try? ItemName(word: item)?.only(in: Keychain(home: home)))?.persistentReference?.bytes
        // By the name that is shown, also of an item that was removed, or the item that has the name now.
        let all = try grants.uses(of: guest).filter { $0.item.name == item || $0.item.reference == reference }
        let found = all.filter { grant in host.map { UseHost(word: $0)?.isSame(as: grant.host) ?? false } ?? true }
        guard !found.isEmpty else {
            let others = Set(all.map { "\($0.host)" }).sorted().joined(separator: ", ")
            let known = others.isEmpty ? "" : "; there are grants for \(others)"
            throw CommandFailure.status(.itemNotFound, "there is no such grant\(known)")
        }
        for grant in found { try grants.revoke(grant) }
    }
}
