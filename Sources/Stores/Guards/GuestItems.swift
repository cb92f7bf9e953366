// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import KeychainEngine
import Sealing
import SecretMemory

/// A guest's items, outside: reads a request, judges it by the grants, does it in the home's store, and answers.
///
/// The grants are read again after any change of the keychain, by any process, so a revoked one ends with the next
/// request. For any thread.
package final class GuestItems: Sendable {
    package let name: GuestName
    private let home: Home?
    private let prompter: (any Prompter)?
    package let log: GuestLog
    private let known = Locked(Known())
    private let repeated = RepeatedUses()

    private struct Known {
        var guest: Guest?
        /// The keychain's change counter before the grants were read.
        var stamp: UInt64 = 0
    }

    /// - Parameters:
    ///   - home: Nil if there is none, so that nothing is granted.
    ///   - prompter: Asks the person, outside the boundary. The reason of its requests is the action. Nil: an item that
    ///     requires a person is locked.
    package init(_ name: GuestName, _ home: Home?, prompter: (any Prompter)? = nil) {
        self.name = name
        self.home = home
        self.prompter = prompter
        log = GuestLog(name, home)
    }

    /// The answer to a request of the process `client`, as bytes. Never throws: what goes wrong is an answer.
    ///
    /// The line of the access log is written before the answer, and before a change is made.
    package func answer(_ request: [UInt8], client: Int32) -> [UInt8] {
        let context = AccessContext(.guest, client: client, guest: name.text, repeated: repeated)
        return AccessContext.$current.withValue(context) {
            let parsed: BrokerRequest
            do { parsed = try BrokerRequest(request) } catch {
                let isMalformed = (error as? SealingError) == .malformed
                if isMalformed { log.refused(.malformed, nil) }
                return Self.bytes(
                    isMalformed ? KeychainError(.parameter, "the request is malformed") : KeychainError(error))
            }
            do { return try answer(parsed).bytes } catch {
                let error = KeychainError(error)
                if let reason = GuestLog.Reason(error.code, isLocked: isLocked) { log.refused(reason, parsed) }
                return Self.bytes(error)
            }
        }
    }

    /// Gives up the keys that are kept for a next request.
    package func rest() { home?.keybag.forgetKeptKeys() }

    /// Changes with each lock by any process. An answer that was not sent yet then is none.
    package var lockCount: UInt64 { home?.keybag.lockCount ?? 0 }

    private var isLocked: Bool { home.map { $0.keybag.lockState != .unlocked } ?? false }

    /// The texts of errors may name the home's folder. A guest gets the meaning of the code alone.
    private static func bytes(_ error: KeychainError) -> [UInt8] {
        let plain = BrokerAnswer.failure(KeychainError(error.code, error.code.meaning))
        return (try? plain.bytes) ?? []
    }

    private func answer(_ request: BrokerRequest) throws -> BrokerAnswer {
        if case .begin = request { return .done }
        guard let home else {
            if case .name = request { return .name(name.text, groups: []) }
            throw Self.notGranted
        }
        guard home.keybag.lockState == .unlocked else { throw Self.locked }
        let guest = try guest()
        if case .name = request { return .name(name.text, groups: guest.groups) }
        let store = try ItemStore.of(home)
        switch request {
        case .name, .begin: return .done
        case .find(let query, let withSecret): return .items(try find(query, withSecret, guest, store))
        case .add(let item, let keepingDates):
            let store = try adding([item], guest, store)
            try log.permitted(request)
            return .items([try store.add(item, keepingDates: keepingDates, .forbidden)])
        case .addTogether(let items):
            let store = try adding(items, guest, store)
            try log.permitted(request)
            return .items(try store.add(together: items, .forbidden))
        case .addIdentity(let certificate, let key):
            let store = try adding([certificate, key], guest, store)
            try log.permitted(request)
            return .items([try store.addIdentity(certificate: certificate, key: key, .forbidden)])
        case .update(let query, let changes): return try update(query, changes, request, guest, store)
        case .delete(let query):
            let store = try seen(store, guest.groups(for: .delete))
            let query = try checked(query)
            try checkNamed(query, guest.groups(for: .delete, named: query.attributes.group))
            try log.permitted(request)
            let damaged = Count()
            let count = try store.delete(query, passedOver: damaged.add)
            return .count(count, passedOver: damaged.value)
        }
    }

    // MARK: Judging

    private func guest() throws -> Guest {
        guard let home else { return Guest(name, grants: []) }
        let stamp = home.keybag.changeCount(.keychain)
        if let guest = known.withLock({ $0.stamp == stamp ? $0.guest : nil }) { return guest }
        let guest = Guest(name, grants: try GrantStore(try ItemStore.of(home)).grants(of: name))
        known.withLock { ($0.guest, $0.stamp) = (guest, stamp) }
        return guest
    }

    /// The store as the guest sees it with these groups. The engine refuses a named group that is none of them.
    /// Errors: `.missingEntitlement` if there are none.
    private func seen(_ store: ItemStore, _ groups: [String]) throws(KeychainError) -> ItemStore {
        guard !groups.isEmpty else { throw Self.notGranted }
        return store.seen(by: ApplicationIdentity(applicationIdentifier: name.text, accessGroups: groups))
    }

    /// Errors: `.missingEntitlement` for a named group that is none of these.
    private func checkNamed(_ query: ItemQuery, _ groups: [String]) throws(KeychainError) {
        guard query.attributes.group == nil || !groups.isEmpty else { throw Self.notGranted }
    }

    private func find(
        _ query: ItemQuery, _ withSecret: Bool, _ guest: Guest, _ store: ItemStore
    ) throws -> [ItemRecord] {
        let actions: GrantActions = withSecret ? .read : [.read, .change, .delete]
        let store = try seen(store, guest.groups(for: actions))
        let query = try checked(query)
        let found = try asking("read", query, store) { prompt throws(KeychainError) in
            try store.items(matching: query, withSecret: withSecret, prompt)
        }
        guard !withSecret || !found.contains(where: \.attributes.isInTPM) else {
            throw KeychainError(.unimplemented, "a key in a TPM can't be used inside a guard")
        }
        return found
    }

    private func adding(_ items: [ItemRecord], _ guest: Guest, _ store: ItemStore) throws -> ItemStore {
        for item in items {
            guard !guest.groups(for: .add, named: item.attributes.group).isEmpty else { throw Self.notGranted }
            // No person can be prompted for its password.
            guard !item.attributes.constraints.contains(.applicationPassword) else { throw Self.locked }
        }
        return try seen(store, guest.groups(for: .add))
    }

    private func update(
        _ query: ItemQuery, _ changes: ItemChanges, _ request: BrokerRequest, _ guest: Guest, _ store: ItemStore
    ) throws -> BrokerAnswer {
        let query = try checked(query)
        var groups = guest.groups(for: .change, named: query.attributes.group)
        var changes = changes
        changes.keepsPastOfGroup = nil
        if [.accessible, .accessControl, .synchronizable].contains(where: { changes.attributes[$0] != nil }) {
            // Another protection could give the secret to others: that takes the right to read it.
            let readable = guest.groups(for: .read)
            groups = groups.filter(readable.contains)
            guard !groups.isEmpty else { throw Self.notGranted }
        }
        if let target = changes.attributes.group {
            let movable = guest.groups(movingTo: target)
            // A change to the group that an item already has is no move.
            groups = groups.filter { movable.contains($0) || $0.utf8.elementsEqual(target.utf8) }
            guard !groups.isEmpty else { throw Self.notGranted }
            // The engine asks whether the target is a group of the caller, and whether the items are.
            guard groups.contains(where: { $0.utf8.elementsEqual(target.utf8) }) else {
                try log.permitted(request)
                return try move(query, changes, groups, target, store)
            }
        }
        let damaged = Count()
        let store = try seen(store, groups)
        try log.permitted(request)
        let count = try changed(query, changes, store, damaged)
        return .count(count, passedOver: damaged.value)
    }

    private func move(
        _ query: ItemQuery, _ changes: ItemChanges, _ groups: [String], _ target: String, _ store: ItemStore
    ) throws -> BrokerAnswer {
        let damaged = Count()
        var count = 0
        // One group after the other, each named, so that items of the target are not among those that change.
        for group in groups {
            var one = query
            one.attributes[.accessGroup] = .text(group)
            count += try moved(one, changes, try seen(store, [group, target]), damaged)
        }
        guard count > 0 else { throw KeychainError(.itemNotFound, "there is no such item") }
        return .count(count, passedOver: damaged.value)
    }

    private func moved(
        _ query: ItemQuery, _ changes: ItemChanges, _ store: ItemStore, _ damaged: Count
    ) throws -> Int {
        do { return try changed(query, changes, store, damaged) } catch let error as KeychainError {
            guard error.code == .itemNotFound else { throw error }
            return 0
        }
    }

    private func changed(
        _ query: ItemQuery, _ changes: ItemChanges, _ store: ItemStore, _ damaged: Count
    ) throws -> Int {
        var query = try checked(query)
        // A change is one of all that match.
        query.limit = nil
        return try asking("change", query, store) { prompt throws(KeychainError) in
            try store.update(query, with: changes, prompt, passedOver: damaged.add)
        }
    }

    /// Damaged items that were passed over. (An object: captured variables here send the compiler into a loop.)
    private final class Count {
        private(set) var value = 0

        func add(_ more: Int) { value += more }
    }

    /// A guest's query: values must be what the attributes take, because only the guest's side has coerced them.
    private func checked(_ query: ItemQuery) throws(KeychainError) -> ItemQuery {
        var query = query
        try AttributeTable.of(query.itemClass).check(query.attributes)
        query.source = .secItem
        query.tpmPrompt = nil
        return query
    }

    /// Does a call without a prompt first. If exactly one item requires a person, asks for it and does the call again:
    /// the prompt names one item, so its answer gives one.
    private func asking<R>(
        _ action: String, _ query: ItemQuery, _ store: ItemStore,
        _ call: (PersonPrompt) throws(KeychainError) -> R
    ) throws -> R {
        do { return try call(.forbidden) } catch {
            guard error.code == .locked, let prompter, !query.promptsNoPerson else { throw error }
            var matching = query
            matching.guardsAttributes = false
            let found = try store.items(matching: matching, withSecret: false, .forbidden)
            guard found.count(where: \.attributes.constraints.isGuarding) == 1 else { throw error }
            var prompt = PersonPrompt(reason: action)
            prompt.prompter = prompter
            return try call(prompt)
        }
    }

    private static var notGranted: KeychainError {
        KeychainError(.missingEntitlement, "the guest has no grant for this")
    }

    private static var locked: KeychainError { KeychainError(.locked, "the keychain is locked") }
}

extension Attributes {
    /// The access group, if there is one.
    var group: String? { if case .text(let group) = self[.accessGroup] { group } else { nil } }
}
