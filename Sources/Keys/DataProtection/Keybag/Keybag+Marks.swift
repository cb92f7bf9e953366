// SPDX-License-Identifier: Apache-2.0

/// Tells a key of the keybag from every other one, and gives nothing of it away: what a store keeps as its sentinel
/// (Documentation/Formats/Keychain.md, "Sentinels"). A key that a holder hands out was compared with it.
package struct KeyMark: Equatable, Sendable {
    /// Keys that come and go together.
    package enum Role: UInt8, Sendable, CaseIterable {
        case complete = 1
        case firstUnlock = 2
    }

    package let id: ClassKeyID
    package let role: Role
    package let isRetired: Bool
    package let value: [UInt8]
}

/// Stands for all current keys of a keybag.
package struct KeysName: Equatable, Sendable {
    fileprivate let code: UniqueIdentifier
}

extension Keybag {
    /// Another one whenever a current key is another one; no file is read.
    package var keysName: KeysName? {
        get throws(DataProtectionError) { try door { try view().file.slotsCode.map { KeysName(code: $0) } } }
    }

    /// The marks of all class keys and metadata keys that a lock or leaving the user takes, retired ones too, and which of them can be used now.
    package func marks() throws(DataProtectionError) -> (marks: [KeyMark], open: Set<KeyMark.Role>) {
        try door {
            let view = try view()
            let marks = view.file.slots.compactMap { slot -> KeyMark? in
                guard slot.kind == .classKey || slot.kind == .metadataKey,
                    let role = slot.role.flatMap({ KeyMark.Role(rawValue: $0.rawValue) })
                else { return nil }
                return KeyMark(id: slot.id, role: role, isRetired: slot.isRetired, value: slot.check)
            }
            let open = try KeyMark.Role.allCases.filter { role in
                try KeyGroup.Role(rawValue: role.rawValue).map { try group($0, view) != nil } ?? false
            }
            return (marks, Set(open))
        }
    }
}
