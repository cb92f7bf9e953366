// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalPrivacy
import Zamok

/// What is open while a user is logged in. All of it is in the user's own home, under keys that only this user's
/// passcode opens.
struct Session {
    let user: AppUser
    let cards: CardStore
    let notes: NoteStore
    let settings: Settings
    private let home: Home

    init(_ user: AppUser, home: Home) throws {
        (self.user, self.home) = (user, home)
        cards = CardStore(home: home)
        notes = try NoteStore(home: home)
        settings = Settings(preferences: try Preferences(home: home))
    }

    /// Destroys the keys in memory: as if the user had never logged in.
    func close() { try? home.keybag.lockCompletely() }
}

extension PreferenceKey where Value == Int {
    static let colour = PreferenceKey("colour", default: Style.Color.cyan.rawValue)
    static let minutes = PreferenceKey("minutesToLock", default: 5)
}

extension PreferenceKey where Value == Bool {
    static let digits = PreferenceKey("showsDigits", default: true)
}

/// A user's settings, in the user's own preferences.
struct Settings {
    let preferences: Preferences

    /// "Not set" and "can't be read now" are different answers. The second is an error, which a colour may ignore.
    subscript<Value>(key: PreferenceKey<Value>) -> Value { (try? preferences.value(for: key)) ?? key.defaultValue }

    /// Sets the value that follows the present one.
    func change<Value: Equatable>(_ key: PreferenceKey<Value>, among values: [Value]) throws {
        let next = (values.firstIndex(of: self[key]) ?? -1) + 1
        try preferences.set(values[next % values.count], for: key)
    }

    var colour: Style.Color { Style.Color(rawValue: self[.colour]) ?? .cyan }
    var chosen: Style { Style(colour, bold: true, inverse: true) }
    /// What the user has set, and at most what the environment allows, in seconds.
    var locksAfter: Duration {
        let limit = ProcessInfo.processInfo.environment["WALLET_LOCKS_AFTER"].flatMap { Int($0) }
        return .seconds(min(60 * max(1, self[.minutes]), max(1, limit ?? .max)))
    }
}
