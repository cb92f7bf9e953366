// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import KeychainEngine
import SecretMemory
import Statuses

/// A guest's items, inside: each call goes to the guard, which judges and does it.
package struct GuardedItems: ItemAccess {
    /// Sends a request and returns its answer. Errors: `.notAvailable` if the guard is gone.
    package typealias Exchange = @Sendable (_ request: [UInt8]) throws -> [UInt8]

    private let exchange: Exchange

    package init(_ exchange: @escaping Exchange) { self.exchange = exchange }

    /// The guest's name, and the access groups of its grants.
    package func name() throws(KeychainError) -> (name: String, groups: [String]) {
        guard case .name(let name, let groups) = try answer(to: .name) else { throw Self.unexpected }
        return (name, groups)
    }

    /// Tells the guard that the guest's first program is about to start.
    package func begin() throws(KeychainError) { _ = try answer(to: .begin) }

    package func items(
        matching query: ItemQuery, withSecret: Bool, _ prompt: PersonPrompt
    ) throws(KeychainError) -> [ItemRecord] {
        try items(.find(query.prompting(prompt), withSecret: withSecret))
    }

    package func add(
        _ item: ItemRecord, keepingDates: Bool, _ prompt: PersonPrompt
    ) throws(KeychainError) -> ItemRecord {
        try one(.add(item, keepingDates: keepingDates))
    }

    package func add(together items: [ItemRecord], _ prompt: PersonPrompt) throws(KeychainError) -> [ItemRecord] {
        try self.items(.addTogether(items))
    }

    package func addIdentity(
        certificate: ItemRecord, key: ItemRecord, _ prompt: PersonPrompt
    ) throws(KeychainError) -> ItemRecord {
        try one(.addIdentity(certificate: certificate, key: key))
    }

    package func update(
        _ query: ItemQuery, with changes: ItemChanges, _ prompt: PersonPrompt, passedOver: (Int) -> Void
    ) throws(KeychainError) -> Int {
        try count(.update(query.prompting(prompt), changes), passedOver)
    }

    package func delete(_ query: ItemQuery, passedOver: (Int) -> Void) throws(KeychainError) -> Int {
        try count(.delete(query), passedOver)
    }

    private static var unexpected: KeychainError {
        KeychainError(.internalComponent, "the guard answered something else than was asked")
    }

    private func answer(to request: BrokerRequest) throws(KeychainError) -> BrokerAnswer {
        let answer = try KeychainError.mapping {
            var bytes = try request.bytes
            defer { bytes.wipe() }
            var received = try exchange(bytes)
            defer { received.wipe() }
            return try BrokerAnswer(received)
        }
        if case .failure(let error) = answer { throw error }
        return answer
    }

    private func items(_ request: BrokerRequest) throws(KeychainError) -> [ItemRecord] {
        guard case .items(let items) = try answer(to: request) else { throw Self.unexpected }
        return items
    }

    private func one(_ request: BrokerRequest) throws(KeychainError) -> ItemRecord {
        guard let item = try items(request).first else { throw Self.unexpected }
        return item
    }

    private func count(_ request: BrokerRequest, _ passedOver: (Int) -> Void) throws(KeychainError) -> Int {
        guard case .count(let count, let damaged) = try answer(to: request) else { throw Self.unexpected }
        passedOver(damaged)
        return count
    }
}

extension ItemQuery {
    /// The query with what the prompt allows. The guard itself decides how to ask.
    fileprivate func prompting(_ prompt: PersonPrompt) -> ItemQuery {
        var query = self
        query.promptsNoPerson = !prompt.isAllowed || !prompt.context.allowsInteraction
        return query
    }
}
