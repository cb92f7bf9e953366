// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import SecretMemory
import Statuses

extension ItemStore {
    /// Adds items in one transaction: all that can be added, or none. Those that are there already, damaged or against
    /// a rule are left out and counted.
    ///
    /// `next` is asked for one item after the other until nil, and from the start again if the transaction has to begin
    /// anew; then `restart` is called first. Errors: `.locked`, `.notAvailable`, `.diskFull` and others that concern
    /// all of them.
    package func addMany(
        restart: () throws -> Void = {}, next: () throws -> NewItem?, progress: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> KeychainTransfer {
        try KeychainError.door {
            let keys = try database.metadataKeys()
            let transfer = try write { access in
                try restart()
                var transfer = KeychainTransfer()
                var seen = 0
                while let item = try next() {
                    seen += 1
                    try ClearedScope.run { try addOne(item, keys, access, &transfer) }
                    progress(seen)
                }
                // A long log would be read again by each process that opens the store while no other has it open.
                if transfer.count > Self.mostInLog { access.purgeAfterCommit() }
                return transfer
            }
            if transfer.count > 0 { observers.tell([.elsewhere]) }
            return transfer
        }
    }

    private static var mostInLog: Int { 500 }

    private func addOne(
        _ item: NewItem, _ keys: borrowing MetadataKeys, _ access: WriteAccess, _ transfer: inout KeychainTransfer
    ) throws {
        do {
            let prepared = try PreparedItem(item, identity, now: now())
            guard !prepared.layers.contains(.applicationPassword) else {
                throw KeychainError(.parameter, "items with passwords of their own are added one by one")
            }
            _ = try insert(try SealedNewItem(prepared, keys, keybag, nil), keys, access)
            transfer.count += 1
        } catch {
            let error = KeychainError(error)
            guard let reason = KeychainTransfer.Reason(error.code) else { throw error }
            transfer.leaveOut(reason)
        }
    }
}
