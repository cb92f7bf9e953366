// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SyncEngines
import SyncLog
import SyncMerge

/// The changes made here since the last sending.
struct Collected {
    /// The operations, each list at most what one entry holds.
    var entries: [[NewOperation]] = []
    /// The registers as the items are, with operations that turned out to have been sent before.
    var applied: MergedItems
    var waiting = 0
    var tooLarge = 0
}

extension KeychainSync {
    /// Compares the written rows with the registers as last applied: the difference is the user's edits. A row that was
    /// only rewrapped is not an edit.
    func collect(_ access: SyncAccess, _ preferences: FoundPreferences?) throws -> Collected {
        var collector = Collector(self)
        if store.group == nil { collector.nameThisDevice() }
        if let preferences { collector.take(preferences) }
        for change in try access.changes(after: state.collected.min() ?? 0) {
            guard let protectionClass = TravellingClass(change.protection) else { continue }
            guard change.revision > state.collected[protectionClass.index] else { continue }
            guard isOpen(protectionClass) else {
                collector.collected.waiting += 1
                continue
            }
            try collector.take(change, protectionClass, access)
        }
        return collector.end()
    }
}

extension SyncChange {
    /// Whether an item is larger than a register allows. For a locked item the sealed size is used.
    var isTooLarge: Bool {
        if key.count > SyncLimits.registerKey { return true }
        switch content {
        case .item(let item): return item.bytes.count > SyncLimits.value
        case .locked: return sealedSize > SyncLimits.value
        case .deleted, .stays: return false
        }
    }

    /// The item's title for the user; a locked item has only a placeholder.
    var title: String {
        switch content {
        case .item(let item): item.title
        case .locked, .deleted, .stays: "an item that is locked"
        }
    }

    /// Whether other machines' values under its key are not taken over.
    var stays: Bool { if case .stays = content { true } else { isTooLarge } }
}

extension TravellingClass {
    /// The class of a row; nil if rows of that class don't travel.
    init?(_ protection: ProtectionClass) { self.init(rawValue: protection.rawValue) }
}

struct Collector {
    var collected: Collected
    let merged: MergedItems
    let own: UInt32
    /// The highest sequence that this home knows to have written.
    let written: UInt64
    private let name: [UInt8]
    private let store: LogStore
    private let aliases: [[UInt8]: [UInt8]]
    /// The key of each item, by the UUID under which it travels.
    private var places: [[UInt8]: [UInt8]] = [:]
    private var entry: [NewOperation] = []
    private var size = 0

    init(_ sync: borrowing KeychainSync) {
        collected = Collected(applied: sync.applied)
        merged = sync.member.replica.items
        own = sync.member.replica.member ?? 0
        store = sync.store
        written = sync.state.written
        name = DeviceName.value(sync.state.name, signsInWith: EngineCredential.named(in: sync.state.engine))
        aliases = sync.state.aliases
        for (key, register) in sync.applied.registers where TravellingItem.isKey(key) {
            if case .value(let value) = register.value, value.count >= 17 { places[Array(value[1..<17])] = key }
        }
    }

    /// Writes this device's name, so that other machines can show it.
    mutating func nameThisDevice() {
        let key = DeviceName.key(own)
        guard own != 0, merged[key].value != .value(name) else { return }
        add([
            NewOperation(
                key: key, protectionClass: .none, time: KeychainSync.clock, context: merged[key].context,
                change: .put(value: name, from: nil))
        ])
    }

    mutating func take(_ change: SyncChange, _ protectionClass: TravellingClass, _ access: SyncAccess) throws {
        let logical = aliases[change.uuid] ?? change.uuid
        let time = UInt64(max(0, (change.modified + 978_307_200) * 1000))
        var operations: [NewOperation] = []
        var former = places[logical]
        if former == change.key { former = nil }
        if let place = former {
            // Another item may have taken the old name meanwhile; or the item is deleted, or stays here.
            let there = try access.item(place)
            if case .item = there?.content { former = nil } else if case .locked = there?.content { former = nil }
        }
        // An item of another log stays out of this one, as one that isn't synced.
        switch store.has(change.accessGroup) ? change.content : .stays {
        case .item(var item):
            item.uuid = logical
            guard !change.isTooLarge else {
                collected.tooLarge += 1
                return
            }
            operations = put(item, at: change.key, from: former, protectionClass, time)
            if operations.isEmpty { former = nil }
        case .deleted: operations = delete(change.key, time)
        case .stays: if places[logical] == change.key { operations = delete(change.key, time) }
        case .locked:
            collected.waiting += 1
            return
        }
        if let former { operations = delete(former, time) + operations }
        add(operations)
    }

    private mutating func put(
        _ item: TravellingItem, at key: [UInt8], from former: [UInt8]?, _ protectionClass: TravellingClass,
        _ time: UInt64
    ) -> [NewOperation] {
        let bytes = item.bytes
        let register = collected.applied[key]
        if former == nil {
            if Self.isSame(register.value, bytes) { return [] }
            // The log already has it: this home sent it before it was restored, or joined with items that the other
            // machines have.
            if Self.isSame(merged[key].value, bytes) {
                for operation in merged[key].operations { collected.applied.insert(operation, on: key) }
                return []
            }
        }
        if wasSent(key, time, { if case .put(let value, _) = $0 { Self.isSame(.value(value), bytes) } else { false } })
        {
            return []
        }
        var operations = [
            NewOperation(
                key: key, protectionClass: protectionClass, time: time, context: register.context,
                change: .put(value: bytes, from: former))
        ]
        if let old = register.frontier.first, old.change != .delete, old.protectionClass != protectionClass {
            operations.append(
                NewOperation(
                    key: key, protectionClass: old.protectionClass, time: time, context: register.context,
                    change: .moved(to: protectionClass)))
        }
        return operations
    }

    private mutating func delete(_ key: [UInt8], _ time: UInt64) -> [NewOperation] {
        let register = collected.applied[key]
        guard register.value != .absent, let old = register.frontier.first else { return [] }
        if wasSent(key, time, { $0 == .delete }) { return [] }
        return [
            NewOperation(
                key: key, protectionClass: old.protectionClass, time: time, context: register.context, change: .delete)
        ]
    }

    /// Whether the log already has this edit of this device; it then counts as applied. That happens after an older
    /// home was restored.
    private mutating func wasSent(
        _ key: [UInt8], _ time: UInt64, _ isIt: (Operation.Change) -> Bool
    ) -> Bool {
        guard
            let sent = merged[key].operations.first(where: { $0.author == own && $0.time == time && isIt($0.change) })
        else { return false }
        collected.applied.insert(sent, on: key)
        return true
    }

    /// Whether everything but the UUID is the same.
    static func isSame(_ value: Register.Value, _ bytes: [UInt8]) -> Bool {
        guard case .value(let value) = value, value.count == bytes.count else { return false }
        return value.dropFirst(17).elementsEqual(bytes.dropFirst(17))
    }

    mutating func add(_ operations: [NewOperation]) {
        guard !operations.isEmpty else { return }
        let more = operations.reduce(0) { $0 + $1.approximateSize }
        if entry.count + operations.count > SyncLimits.operations || size + more > SyncLimits.value + 8192 {
            collected.entries.append(entry)
            entry = []
            size = 0
        }
        size += more
        entry += operations
    }

    mutating func end() -> Collected {
        if !entry.isEmpty { collected.entries.append(entry) }
        return collected
    }
}

extension NewOperation {
    fileprivate var approximateSize: Int {
        var size = 64 + key.count + 12 * context.marks.count
        if case .put(let value, let from) = change { size += value.count + (from?.count ?? 0) }
        return size
    }
}
