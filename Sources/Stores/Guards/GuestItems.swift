// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import KeychainEngine
import Readers
import Sealing
import SecretMemory

/// A guest's items, outside: reads a request, judges it by the grants, does it in the home's store, and answers.
///
/// The grants are read again after any change of the keychain, by any process, so a revoked one ends with the next
/// request. For any thread.
package final class GuestItems: Sendable {
    package let name: GuestName
    private let home: Home?
    private let prompter: (any Prompter & GrantPrompter)?
    private let run = RunUses()
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
    ///     requires a person is locked, and one whose grant asks a person, too.
    package init(_ name: GuestName, _ home: Home?, prompter: (any Prompter & GrantPrompter)? = nil) {
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
            try permit("delete", .delete, all(query), guest, store)
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
        let guest: Guest
        if let known = known.withLock({ $0.stamp == stamp ? $0.guest : nil }) {
            guest = known
        } else {
            guest = Guest(name, grants: try GrantStore(try ItemStore.of(home)).grants(of: name))
            known.withLock { ($0.guest, $0.stamp) = (guest, stamp) }
        }
        guard guest.grants.contains(where: { $0.limits.isOver() }) else { return guest }
        return Guest(name, grants: guest.grants.filter { !$0.limits.isOver() })
    }

    /// Counts a call that gives secrets or changes items, and asks a person, for grants that say so. What it permits
    /// are the items of one prompt at most. `query`: of the items. Returns the items that may be among those of groups
    /// whose grants ask; nil: no grant asks. Errors: `.missingEntitlement` for one call too many; `.locked` where there
    /// is nowhere to ask, and for several items that a person would have to be asked about; `.userCancelled`.
    @discardableResult
    private func permit(
        _ word: String, _ action: GrantActions, _ query: ItemQuery, _ guest: Guest, _ store: ItemStore
    ) throws -> Set<PersistentReference>? {
        let limited = guest.grants.filter { !$0.actions.isDisjoint(with: action) && $0.limits != .none }
        guard !limited.isEmpty else { return nil }
        var matching = query
        matching.guardsAttributes = false
        let found: [ItemRecord]
        do throws(KeychainError) { found = try store.items(matching: matching, withSecret: false, .forbidden) } catch {
            guard error.code == .itemNotFound else { throw error }
            return []
        }
        let involved = limited.filter { grant in found.contains { $0.attributes.group == grant.group } }
        try count(involved)
        let asking = found.filter { one in involved.contains { $0.limits.asks && $0.group == one.attributes.group } }
        let references = asking.compactMap(\.persistentReference)
        guard references.count == asking.count else { throw Self.locked }
        let unasked = zip(asking, references).filter { !run.isPermitted("\(word) \(String(hexadecimal: $1.bytes))") }
        guard unasked.count <= 1 else { throw Self.locked }
        if let (item, reference) = unasked.first {
            let name = AccessUse.name(item.attributes)
            if try isForRun(GrantWish(word, name, item.attributes.group ?? "", isCall: true)) {
                run.permit("\(word) \(String(hexadecimal: reference.bytes))")
            }
            try checkUnchanged(guest)
        }
        return Set(references)
    }

    /// The same for new items of a group.
    private func permitAdding(_ items: [ItemRecord], _ guest: Guest) throws {
        let permitting = guest.grants.filter { $0.actions.contains(.add) }
        let groups = Set(items.map { $0.attributes.group ?? permitting.first?.group ?? "" })
        let involved = permitting.filter { groups.contains($0.group) && $0.limits != .none }
        try count(involved)
        for grant in involved where grant.limits.asks && !run.isPermitted("add \(grant.group)") {
            let wish = GrantWish(
                "add", items.first.map { AccessUse.name($0.attributes) } ?? "", grant.group, isCall: true)
            if try isForRun(wish) { run.permit("add \(grant.group)") }
            try checkUnchanged(guest)
        }
    }

    private func count(_ grants: [Grant]) throws {
        for grant in grants where !run.take(grant.group, grant.limits.rate) {
            throw KeychainError(.missingEntitlement, "the grant for \(grant.group) was used as often as it permits")
        }
    }

    /// Whether a person permits it for the whole run, and not this once. Errors: they don't.
    private func isForRun(_ wish: GrantWish) throws -> Bool {
        switch prompter?.permits(wish) ?? GrantAnswer.none {
        case .once: false
        case .run: true
        case .no: throw KeychainError(.userCancelled, "a person refused")
        case .none: throw Self.locked
        }
    }

    /// An answer may have taken long. Errors: the home is locked, or the grants are others.
    private func checkUnchanged(_ guest: Guest) throws {
        guard !isLocked else { throw Self.locked }
        guard try self.guest() == guest else { throw Self.notGranted }
    }

    /// A change or a deletion is one of all that match.
    private func all(_ query: ItemQuery) -> ItemQuery {
        var query = query
        query.limit = nil
        return query
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
        let permitted = try withSecret ? permit("read", .read, query, guest, store) : nil
        let found = try asking("read", query, store) { prompt throws(KeychainError) in
            try store.items(matching: query, withSecret: withSecret, prompt)
        }
        if let permitted {
            // Another item may be there by now.
            let asking = Set(guest.grants.filter(\.limits.asks).map(\.group))
            guard
                found.allSatisfy({ one in
                    !(one.attributes.group.map(asking.contains) ?? false)
                        || (one.persistentReference.map(permitted.contains) ?? false)
                })
            else { throw Self.locked }
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
        try permitAdding(items, guest)
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
                let own = try seen(store, groups)
                try permit("move", .change, all(query), guest, own)
                try permitAdding([ItemRecord(query.itemClass, group: target)], guest)
                try log.permitted(request)
                return try move(query, changes, groups, target, store)
            }
        }
        let damaged = Count()
        let store = try seen(store, groups)
        try permit("change", .change, all(query), guest, store)
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

extension ItemRecord {
    /// One that will be in the group.
    fileprivate init(_ itemClass: ItemClass, group: String) {
        self.init(itemClass)
        attributes[.accessGroup] = .text(group)
    }
}

extension Attributes {
    /// The access group, if there is one.
    var group: String? { if case .text(let group) = self[.accessGroup] { group } else { nil } }
}
