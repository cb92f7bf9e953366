// SPDX-License-Identifier: Apache-2.0

import SyncLog
import SyncMerge
import UserPreferences

/// The shared preferences of a home, as a round found them.
struct FoundPreferences {
    let domains: PreferenceDomains
    let there: SyncedPreferences
    /// The latest possible time of the last edit, in ms since 1970.
    let time: UInt64
}

extension Collector {
    /// A row that was written since the last round is an edit if it differs from the register as last applied. A
    /// missing row is not an edit. Only a removal is deleted for the other machines, so a store that was lost or
    /// restored deletes nothing.
    mutating func take(_ found: FoundPreferences) {
        for (name, row) in found.there.rows {
            let key = PreferenceDomains.key(name)
            guard found.there.isContinued, found.domains.isSettled(key: key) else {
                takeUp(row, key, found.time)
                continue
            }
            guard row.sequence > found.domains.mark.sequence else { continue }
            let register = collected.applied[key]
            if let value = row.value {
                put(value, key, register.context, found.time)
            } else if register.value != .absent, !wasSentBefore(key, .delete) {
                add([
                    NewOperation(
                        key: key, protectionClass: .completeUntilFirstUserAuthentication, time: found.time,
                        context: register.context, change: .delete)
                ])
            }
        }
    }

    /// For a domain chosen since the last round, or after the store was replaced by another one. The account's values
    /// take precedence; different values here are kept among the edits that lost.
    private mutating func takeUp(_ row: SyncedPreference, _ key: [UInt8], _ time: UInt64) {
        guard let value = row.value else { return }
        let known = merged[key]
        let bytes = TravellingPreference.bytes(value)
        let wasThere = known.operations.contains {
            if case .put(let former, _) = $0.change { former == bytes } else { false }
        }
        guard !wasThere else { return }
        let present = known.frontier.first?.time
        put(value, key, Context(), present.map { min(time, $0 - min($0, 1)) } ?? time)
    }

    private mutating func put(_ value: [UInt8], _ key: [UInt8], _ context: Context, _ time: UInt64) {
        let bytes = TravellingPreference.bytes(value)
        guard bytes.count <= SyncLimits.value, key.count <= SyncLimits.registerKey else {
            collected.tooLarge += 1
            return
        }
        if collected.applied[key].value == .value(bytes) { return }
        if merged[key].value == .value(bytes) {
            for operation in merged[key].operations { collected.applied.insert(operation, on: key) }
            return
        }
        if wasSentBefore(key, .put(value: bytes, from: nil)) { return }
        add([
            NewOperation(
                key: key, protectionClass: .completeUntilFirstUserAuthentication, time: time, context: context,
                change: .put(value: bytes, from: nil))
        ])
    }

    /// Whether this device's log has the edit, with a sequence beyond those that this home knows to have written. That
    /// happens after an older home was restored.
    private mutating func wasSentBefore(_ key: [UInt8], _ change: Operation.Change) -> Bool {
        guard
            let sent = merged[key].operations.first(where: {
                $0.author == own && $0.sequence > written && $0.change == change
            })
        else { return false }
        collected.applied.insert(sent, on: key)
        return true
    }
}
