// SPDX-License-Identifier: Apache-2.0

package import DataProtection

/// What APIs ask of a program's items: a home's store, or the guard that started the program. Functions, errors and
/// parameters are those of `ItemStore`.
package protocol ItemAccess: Sendable {
    func items(
        matching query: ItemQuery, withSecret: Bool, _ prompt: PersonPrompt
    ) throws(KeychainError) -> [ItemRecord]
    func add(_ item: ItemRecord, keepingDates: Bool, _ prompt: PersonPrompt) throws(KeychainError) -> ItemRecord
    func add(together items: [ItemRecord], _ prompt: PersonPrompt) throws(KeychainError) -> [ItemRecord]
    func addIdentity(
        certificate: ItemRecord, key: ItemRecord, _ prompt: PersonPrompt
    ) throws(KeychainError) -> ItemRecord
    func update(
        _ query: ItemQuery, with changes: ItemChanges, _ prompt: PersonPrompt, passedOver: (Int) -> Void
    ) throws(KeychainError) -> Int
    func delete(_ query: ItemQuery, passedOver: (Int) -> Void) throws(KeychainError) -> Int
}

extension ItemStore: ItemAccess {}

extension ItemAccess {
    package func items(matching query: ItemQuery, withSecret: Bool) throws(KeychainError) -> [ItemRecord] {
        try items(matching: query, withSecret: withSecret, PersonPrompt())
    }

    package func add(_ item: ItemRecord, _ prompt: PersonPrompt) throws(KeychainError) -> ItemRecord {
        try add(item, keepingDates: false, prompt)
    }

    @discardableResult
    package func update(
        _ query: ItemQuery, with changes: ItemChanges, _ prompt: PersonPrompt = PersonPrompt()
    ) throws(KeychainError) -> Int {
        try update(query, with: changes, prompt) { _ in }
    }

    @discardableResult
    package func delete(_ query: ItemQuery) throws(KeychainError) -> Int { try delete(query) { _ in } }
}
