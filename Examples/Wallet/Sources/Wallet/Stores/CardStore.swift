// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Zamok

/// A card, without its number.
struct Card {
    fileprivate let item: GenericPassword
    var name: String { item.account }
    var network: String { item.itemDescription ?? "" }
    var lastFour: String { item.label ?? "" }
    var expires: String { item.comment ?? "" }
}

/// Cards as items of the keychain: the number is the item's secret, readable only while the user is logged in.
struct CardStore {
    private let keychain: Keychain

    init(home: Home) {
        keychain = Keychain(service: "com.example.wallet.cards", accessibility: .whenUnlocked, home: home)
    }

    /// All cards. Their numbers are not asked for, so they are not opened.
    func cards() throws -> [Card] {
        try keychain.items(matching: KeychainQuery()).map(Card.init).sorted { $0.name < $1.name }
    }

    /// Adds a card. Two of one name are refused: `KeychainError` `.duplicateItem`.
    func add(_ name: String, _ card: PaymentCard, expires: CardExpiry) throws {
        var item = GenericPassword(account: name, secret: card.number)
        // Attributes are sealed too, but readable for longer than the secret. The card's security code is kept nowhere.
        item.itemDescription = card.network.rawValue
        item.label = card.lastFour
        item.comment = expires.description
        _ = try keychain.add(item)
    }

    func number(of card: Card) throws -> Secret? { try keychain.secret(for: card.name) }

    func remove(_ card: Card) throws { _ = try keychain.removePassword(for: card.name) }
}
