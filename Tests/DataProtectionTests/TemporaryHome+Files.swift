// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection

extension TemporaryHome {
    /// Removes the folder, and what the kernel holds of the home.
    func remove() {
        try? Home.erase(configuration)
        removeFolder()
    }

    /// Removes the folder alone: nothing of the home was unlocked.
    func removeFolder() { try? FileManager.default.removeItem(atPath: path) }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    /// Overwrites a file in place.
    func put(_ bytes: [UInt8], _ name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/\(name)"))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    func delete(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }

    /// Of a file in the folder, of the folder itself for "".
    func setMode(_ mode: Int, _ name: String) throws {
        let path = name.isEmpty ? path : "\(path)/\(name)"
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    func setOwner(_ owner: Int, _ name: String) throws {
        let path = name.isEmpty ? path : "\(path)/\(name)"
        try FileManager.default.setAttributes(
            [.ownerAccountID: owner, .groupOwnerAccountID: owner], ofItemAtPath: path
        )
    }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name.isEmpty ? path : "\(path)/\(name)")
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    /// Every file with its bytes, but for the page, which is no one's state.
    func content() throws -> [String: [UInt8]] {
        var content: [String: [UInt8]] = [:]
        for name in names where name != "generation" { content[name] = try bytes(name) }
        return content
    }
}

extension Keybag {
    /// The bytes of a current class key, for looking for them elsewhere; nil while it is locked.
    func classKey(_ protection: ProtectionClass) throws -> [UInt8]? {
        let view = try view()
        let kind: KeybagSlot.Kind = protection == .completeUnlessOpen ? .classKeyPair : .classKey
        guard let slot = view.file.current(kind, KeyClass(protection)), let role = slot.role,
            let key = try group(role, view)?.key(kind, slot.id)
        else { return nil }
        return try key.exposingBytes(0..<32)
    }
}

/// What a call throws.
func failure<R: ~Copyable>(_ body: () throws -> R) -> DataProtectionError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? DataProtectionError
    }
}
