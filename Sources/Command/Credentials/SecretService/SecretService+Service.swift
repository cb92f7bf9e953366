// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SecretMemory

extension SecretService {
    func serviceMethod(_ call: BusCall) throws -> [BusValue] {
        switch call.member {
        case "OpenSession": return try openSession(call, try arguments(call, Self.service, "sv"))
        case "CreateCollection": return try createCollection(try arguments(call, Self.service, "a{sv}s"))
        case "SearchItems":
            let found = try search(try arguments(call, Self.service, "a{ss}")[0], in: nil)
            return [.paths(found.filter { !$0.isLocked }.map(\.path)), .paths(found.filter(\.isLocked).map(\.path))]
        case "Unlock": return try unlock(call, try arguments(call, Self.service, "ao")[0])
        case "Lock": return try lock(try arguments(call, Self.service, "ao")[0])
        case "LockService":
            _ = try arguments(call, Self.service, "")
            try lockHome()
            return []
        case "GetSecrets": return try secrets(call, try arguments(call, Self.service, "aoo"))
        case "ReadAlias":
            let name = try arguments(call, Self.service, "s")[0].text ?? ""
            guard let path = aliased(name) else {
                // Before the first unlock other aliases can't be resolved.
                guard items.isKnown || !SecretObject.isWord(name) else { throw BusFailure.locked }
                return [.path(SecretObject.none)]
            }
            return [.path(path)]
        case "SetAlias":
            let values = try arguments(call, Self.service, "so")
            try setAlias(values[0].text ?? "", values[1].path ?? SecretObject.none)
            return []
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    private func openSession(_ call: BusCall, _ values: [BusValue]) throws -> [BusValue] {
        guard sessions.values.count(where: { $0.owner == call.sender }) < Self.sessionLimit else {
            throw BusFailure.limits("a client may have \(Self.sessionLimit) sessions; close some")
        }
        if sessions.count >= Self.allSessionsLimit { endSessionOfMost() }
        let name = number()
        let (session, output) = try SecretSession.open(
            values[0].text ?? "", values[1].content ?? .text(""), owner: call.sender,
            path: SecretObject.session(name).path)
        sessions[name] = session
        return [.variant(output), .path(session.path)]
    }

    /// Ends a session so that no client is kept out by others that keep many open.
    /// The client with the most sessions loses its oldest one.
    private func endSessionOfMost() {
        let owned = Dictionary(grouping: sessions.keys) { sessions[$0]?.owner ?? "" }
        let most = owned.values.max {
            ($0.count, -($0.compactMap(Int.init).min() ?? 0)) < ($1.count, -($1.compactMap(Int.init).min() ?? 0))
        }
        guard let oldest = most?.compactMap(Int.init).min() else { return }
        sessions[String(oldest)] = nil
    }

    func sessionMethod(_ call: BusCall, _ name: String) throws -> [BusValue] {
        guard call.member == "Close" else { throw BusFailure.unknownMethod(call.member.printable) }
        _ = try arguments(call, Self.session, "")
        guard sessions[name]?.owner == call.sender else { throw BusFailure.noSession }
        sessions[name] = nil
        return []
    }

    /// The session of a path, if it belongs to the caller.
    func session(_ path: String?, of call: BusCall) throws -> SecretSession {
        guard let path, case .session(let name) = SecretObject(path), let session = sessions[name],
            session.owner == call.sender
        else { throw BusFailure.noSession }
        return session
    }

    // MARK: Finding

    /// A search result.
    struct Found {
        let path: String
        let isLocked: Bool
    }

    func search(_ wanted: BusValue, in collection: String?) throws -> [Found] {
        let attributes = try lookupAttributes(wanted)
        let isLocked = items.isLocked
        var found: [Found] = []
        if collection != SecretMemoryItems.collection {
            found = try items.accounts(attributes, in: collection).map {
                Found(path: SecretObject.item($0).path, isLocked: isLocked)
            }
        }
        if collection == nil || collection == SecretMemoryItems.collection {
            found += memory.accounts(attributes).map { Found(path: SecretObject.item($0).path, isLocked: false) }
        }
        return found
    }

    private func secrets(_ call: BusCall, _ values: [BusValue]) throws -> [BusValue] {
        let session = try session(values[1].path, of: call)
        let paths = values[0].paths ?? []
        guard paths.count <= Self.pathLimit else { throw BusFailure.limits("ask for fewer secrets at a time") }
        var (secrets, size): ([BusValue], Int) = ([], 0)
        for path in Set(paths).sorted() {
            // Rejects most paths without an item by the index, without a database query.
            guard let account = try account(of: path), try isKnown(account) else { continue }
            do {
                let (item, secret) = try secret(account)
                size += secret.count
                guard size <= Self.answerLimit else { throw BusFailure.limits("ask for fewer secrets at a time") }
                secrets.append(.entry(.path(path), try session.seal(secret, contentType: item.contentType)))
            } catch let failure where (failure as? BusFailure ?? Self.failure(failure)) == .noObject {
                // Deleted since the search, so it is left out.
                continue
            }
        }
        return [.array("{o(oayays)}", secrets)]
    }

    private static var answerLimit: Int { 32 << 20 }
    private static var pathLimit: Int { 1 << 14 }
    private static var aliasLimit: Int { 256 }

    private func isKnown(_ account: String) throws -> Bool {
        if SecretMemoryItems.holds(account) { return memory[account] != nil }
        return try items.contains(account)
    }

    /// The item with its secret. Errors: `.locked`, `.noObject`.
    func secret(_ account: String) throws -> (item: SecretItem, secret: Secret) {
        if let known = memory[account] { return known }
        guard !SecretMemoryItems.holds(account) else { throw BusFailure.noObject }
        return try items.secret(account)
    }

    // MARK: Locking

    private func lock(_ objects: BusValue) throws -> [BusValue] {
        // Only paths that a lock of the home affects. Items that are only in memory would be lost.
        let paths = (objects.paths ?? []).filter { isOfKeychain($0) }
        if !paths.isEmpty { try lockHome() }
        return [.paths(items.isLocked ? paths : []), .path(SecretObject.none)]
    }

    /// Locks when the session locks or the machine is about to sleep, without checking anything first.
    /// Errors: a `DataProtectionError`, `.noPasscode` if no passcode is set.
    package func lockWithSession() throws {
        defer { lookAround() }
        try items.home.keybag.lock()
    }

    /// Locks the home. Reports an error for a home without a passcode, which can't be locked.
    private func lockHome() throws {
        defer { lookAround() }
        guard try items.home.keybag.hasPasscode else {
            throw BusFailure.notSupported("no passcode is set, so nothing can be locked; run: zamok passcode set")
        }
        try items.home.keybag.lock()
    }

    private func isOfKeychain(_ path: String) -> Bool {
        switch SecretObject(path) {
        case .collection(let name): name != SecretMemoryItems.collection
        case .item(let name, _): name != SecretMemoryItems.collection
        case .alias(let name), .aliasItem(let name, _): name != SecretMemoryItems.collection
        case .service, .session, .prompt, .between, nil: false
        }
    }

    /// The account of an item's path, also of one below an alias. Nil: it isn't the path of an item.
    /// Errors: `.locked` if the alias can't be resolved.
    private func account(of path: String) throws -> String? {
        switch SecretObject(path) {
        case .item(_, let account): return account
        case .aliasItem(let alias, let name):
            do {
                return "\(try collection(.alias(alias)).name)/\(name)"
            } catch let failure as BusFailure where failure == .noObject {
                return nil
            }
        default: return nil
        }
    }

    private func unlock(_ call: BusCall, _ objects: BusValue) throws -> [BusValue] {
        let paths = objects.paths ?? []
        guard items.isLocked, paths.contains(where: isOfKeychain) else {
            return [.paths(paths.filter(isThere)), .path(SecretObject.none)]
        }
        let prompt = try newPrompt(call.sender, .unlock(paths.filter(isOfKeychain)))
        return [.paths(paths.filter { !isOfKeychain($0) && isThere($0) }), .path(prompt)]
    }

    func isThere(_ path: String) -> Bool {
        switch SecretObject(path) {
        case .collection, .alias: (try? SecretObject(path).map(collection)) != nil
        case .item, .aliasItem:
            (try? account(of: path)).flatMap { $0 }.map { memory[$0] != nil || ((try? items.contains($0)) ?? false) }
                ?? false
        case .service, .session, .prompt, .between, nil: false
        }
    }

    // MARK: Aliases

    /// The path of the collection that an alias refers to. Nil: none is known.
    func aliased(_ name: String) -> String? {
        if name == SecretMemoryItems.collection { return SecretObject.collection(name).path }
        return items.knownCollections().first { $0.aliases.contains(name) }?.path
    }

    private func setAlias(_ name: String, _ path: String) throws {
        guard SecretObject.isWord(name) else { throw BusFailure.arguments("an alias has letters, digits and _ alone") }
        guard name != SecretMemoryItems.collection else {
            throw BusFailure.notSupported("the alias session is the collection in memory")
        }
        guard !items.isLocked else { throw BusFailure.locked }
        try items.refresh()
        var target: SecretCollection?
        if path != SecretObject.none {
            guard path != SecretObject.collection(SecretMemoryItems.collection).path else {
                throw BusFailure.notSupported("the collection session has its own alias alone")
            }
            guard case .collection(let wanted) = SecretObject(path), let known = items.collections[wanted] else {
                throw BusFailure.noObject
            }
            target = known
        }
        for var other in items.collections.values where other.aliases.contains(name) && other.name != target?.name {
            other.aliases.removeAll { $0 == name }
            try items.record(other)
        }
        if var target, !target.aliases.contains(name) {
            guard target.aliases.count < Self.aliasLimit else {
                throw BusFailure.limits("a collection may have \(Self.aliasLimit) aliases")
            }
            target.aliases.append(name)
            try items.record(target)
        }
    }
}
