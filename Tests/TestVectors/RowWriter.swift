// SPDX-License-Identifier: Apache-2.0

import Sealing

/// Writes one item and the table `state` as Documentation/Formats/Keychain.md says, for the home that `KeybagWriter`
/// writes. It shares nothing with the product but the cryptography.
struct RowWriter {
    var home: KeybagWriter
    var applicationID: UInt32 = 0x5A6D_6B63

    // The table `state`.
    var stateHome: [UInt8]
    var stateGeneration: UInt64 = 5
    var stateKey: [UInt8]?
    var stateTrailing: [UInt8] = []
    /// Writes so far; that of the item is the last one.
    var stateRevision: UInt64 = 1
    var boundStateRevision: UInt64 = 1
    var rowCount: UInt64 = 1
    var databaseVersion = 1
    var databaseApplication: UInt32 = 0x5A6D_6B63

    // Columns as they are stored; what is sealed is bound to `bound...`, where that differs.
    var version: UInt64? = 1
    var kind: UInt64? = 1
    var code: UInt64? = 0x01
    var layers: UInt64? = 0
    var uuid = KeybagWriter.pattern(30, 16)
    /// Number and write of the row as they are sealed; the row has 1 and 1.
    var filedNumber: UInt64 = 1
    var filedRevision: UInt64 = 1
    var filedMask: UInt8 = 0b01111
    var classKeyID: UInt64? = 1
    var boundClassKeyID: UInt64 = 1
    var accessKeyID: UInt64?
    var salt: [UInt8]?
    var cost: [UInt8]?

    var rowKey = KeybagWriter.pattern(31, 32)
    /// Under which the row key is wrapped.
    var wrapping: [UInt8]
    var metadataKey: [UInt8]
    var item = ItemEncoding()
    /// Of the attributes, in place of the right ones.
    var padding: [UInt8]?
    var secret = Array("s3cret".utf8)
    var secretPadding: [UInt8]?
    /// What the secret is bound to beside the row.
    var boundAccessibility = "ak"

    init() throws {
        home = try KeybagWriter(passcode: nil)
        stateHome = home.home
        wrapping = home.slots[0].key
        metadataKey = home.slots[10].key
    }

    private var application: [UInt8] { KeybagWriter.bytes(applicationID) }

    /// What both sealed parts are bound to.
    private func binding(_ part: UInt8) -> [UInt8] { [part] + application + [1, 1, 0x01, 0] + uuid }

    private static func padded(_ bytes: [UInt8], _ padding: [UInt8]?) -> [UInt8] {
        let head = KeybagWriter.bytes(UInt32(bytes.count)) + bytes
        return head + (padding ?? KeybagWriter.zeros((32 - head.count % 32) % 32))
    }

    func columns() throws -> [String: [UInt8]] {
        let wrapped = try VectorCryptography.wrap(rowKey, under: wrapping)
        let key = try VectorCryptography.expand(metadataKey, .rowAttributes, application + uuid)
        let associated =
            binding(1) + KeybagWriter.bytes(boundClassKeyID) + KeybagWriter.zeros(8)
            + [UInt8(wrapped.count)] + wrapped + [0, 0]
        let bound = [UInt8(boundAccessibility.utf8.count)] + Array(boundAccessibility.utf8) + KeybagWriter.zeros(4)
        var columns = [
            "uuid": uuid, "wrapped": wrapped,
            "attributes": try VectorCryptography.seal(Self.padded(try filing() + item.bytes, padding), key, associated),
            "secret": try VectorCryptography.seal(Self.padded(secret, secretPadding), rowKey, binding(2) + bound),
            "state": try state(),
        ]
        columns["password_salt"] = salt
        columns["password_cost"] = cost
        for (column, number, values) in tagged {
            columns[column] = try tag(number, values)
        }
        return columns
    }

    /// Column, index number and the canonical bytes of its attributes.
    private var tagged: [(column: String, number: UInt8, values: [[UInt8]])] {
        let typed = { (text: [UInt8]) in [1] + text }
        let none: [UInt8] = []
        let synchronizable = [3] + KeybagWriter.zeros(8)
        // acct, agrp, ggrp, musr, svce, sync, tkid, vwht.
        let primary = [
            ItemEncoding.account, typed(ItemEncoding.group), none, none, ItemEncoding.service, synchronizable, none,
            none,
        ]
        return [
            ("identity", 0, primary), ("pair", 1, [ItemEncoding.service, ItemEncoding.account]),
            ("first", 2, [ItemEncoding.service]), ("second", 3, [ItemEncoding.account]),
        ]
    }

    /// The place of the row and what it is found by, before the attributes.
    private func filing() throws -> [UInt8] {
        var bytes = KeybagWriter.bytes(filedNumber) + KeybagWriter.bytes(filedRevision) + [filedMask]
        for (_, number, values) in tagged { bytes += try tag(number, values) }
        return bytes
    }

    private func tag(_ number: UInt8, _ values: [[UInt8]]) throws -> [UInt8] {
        let label: KeyLabel = number == 0 ? .identityTag : .blindIndex
        let key = try VectorCryptography.expand(home.slots[10].key, label, application + [1, number])
        let canonical = values.flatMap { KeybagWriter.bytes(UInt32($0.count)) + $0 }
        return Array(try VectorCryptography.code(key, canonical).prefix(16))
    }

    private func state() throws -> [UInt8] {
        let context = application + KeybagWriter.zeros(8)
        let key = try stateKey ?? VectorCryptography.expand(home.slots[11].key, .databaseState, context)
        let sumKey = try VectorCryptography.expand(home.slots[11].key, .rowSum, application)
        // One row: number 1, write 1, kind 1.
        let one = KeybagWriter.bytes(UInt64(1))
        let code = try VectorCryptography.code(sumKey, one + one + [1] + uuid)
        let sums = KeybagWriter.bytes(rowCount) + one + one + one + uuid + code
        let plaintext = stateHome + KeybagWriter.bytes(stateGeneration) + KeybagWriter.bytes(stateGeneration) + sums
        return try VectorCryptography.seal(
            plaintext + stateTrailing, key,
            application + KeybagWriter.bytes(UInt32(1)) + KeybagWriter.bytes(boundStateRevision))
    }

    /// `change` works on the finished columns; a missing one is NULL.
    func vector(
        _ expect: String, _ layer: String, _ change: (inout [String: [UInt8]]) -> Void = { _ in }
    ) throws -> VectorFile {
        var vector = try HomeVectors.home(expect, layer, home)
        var columns = try columns()
        change(&columns)
        for (name, bytes) in columns { vector.files["column.\(name)"] = bytes }
        let numbers = [
            "version": version, "kind": kind, "class": code, "layers": layers, "class_key": classKeyID,
            "access_key": accessKeyID, "id": 1, "revision": 1, "state_revision": stateRevision,
        ]
        for (name, number) in numbers { if let number { vector.header["column.\(name)"] = "\(number)" } }
        vector.header["user_version"] = "\(databaseVersion)"
        vector.header["application_id"] = "\(databaseApplication)"
        if layer == "none" { vector.header["secret"] = VectorFile.text(secret) }
        return vector
    }
}
