// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretService {
    func itemMethod(_ call: BusCall, _ account: String) throws -> [BusValue] {
        switch call.member {
        case "GetSecret":
            let session = try session(try arguments(call, Self.item, "o")[0].path, of: call)
            let (item, secret) = try secret(account)
            return [try session.seal(secret, contentType: item.contentType)]
        case "SetSecret":
            let (secret, contentType) = try secret(in: try arguments(call, Self.item, "(oayays)")[0], of: call)
            try change(account, secret) { $0.contentType = contentType }
            return []
        case "Delete":
            _ = try arguments(call, Self.item, "")
            try delete(account)
            return [.path(SecretObject.none)]
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    /// The item, without its secret. Errors: `.noObject`, `.locked` before the first unlock.
    func knownItem(_ account: String) throws -> SecretItem {
        if let known = memory[account] { return known.item }
        guard !SecretMemoryItems.holds(account) else { throw BusFailure.noObject }
        return try items.item(account)
    }

    func change(_ account: String, _ secret: Secret?, _ body: (inout SecretItem) throws -> Void) throws {
        if var known = memory[account] {
            try body(&known.item)
            let size = memory.size - known.secret.count + (secret ?? known.secret).count
            guard size <= Self.memoryBytesLimit else { throw BusFailure.limits("in memory there may be 4 MiB") }
            known.item.modified = Self.now
            memory.set(known.item, secret ?? known.secret)
        } else {
            guard !SecretMemoryItems.holds(account) else { throw BusFailure.noObject }
            guard !items.isLocked else { throw BusFailure.locked }
            var item = try items.item(account)
            try body(&item)
            try items.replace(item, secret)
        }
        told("ItemChanged", account)
    }

    private func delete(_ account: String) throws {
        if memory[account] != nil {
            memory.remove(account)
        } else {
            guard !SecretMemoryItems.holds(account) else { throw BusFailure.noObject }
            guard !items.isLocked else { throw BusFailure.locked }
            try items.delete(account)
        }
        told("ItemDeleted", account)
    }
}
