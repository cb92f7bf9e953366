// SPDX-License-Identifier: Apache-2.0

import Crypto
import KeychainEngine
import Sealing

extension RecordName {
    /// Digests of the conflicts that the user was told of.
    static let told = "told"
}

extension KeychainSync {
    /// For each conflict, whether it was not reported to the user yet.
    public func areNew(_ conflicts: [FormerItem]) throws -> [Bool] {
        let told = try store.syncRead { try Self.told($0) }
        return conflicts.map { !told.contains($0.digest) }
    }

    /// Records that the user was told of these conflicts. Those that are no longer conflicts are forgotten.
    public func tell(_ conflicts: [FormerItem]) throws {
        let told = Set(conflicts.map(\.digest))
        try store.syncWrite { access in
            guard try Self.told(access) != told else { return }
            try access.keep(
                told.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }, as: RecordName.told,
                .afterFirstUnlockThisDeviceOnly)
        }
    }

    private static func told(_ access: SyncAccess) throws -> Set<[UInt8]> {
        let bytes = try access.record(RecordName.told) ?? []
        return Set(stride(from: 0, to: bytes.count - bytes.count % 16, by: 16).map { Array(bytes[$0..<$0 + 16]) })
    }
}

extension FormerItem {
    fileprivate var digest: [UInt8] {
        var writer = ByteWriter()
        writer.integer(time)
        writer.integer(device)
        writer.prefixed(Array(itemClass.utf8))
        writer.prefixed(Array(title.utf8))
        return Array(SHA256.hash(data: writer.bytes).prefix(16))
    }
}
