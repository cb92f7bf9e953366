// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SecretMemory

/// A `UserDefaults` over a protected store, for code that takes a `UserDefaults`.
///
/// Its calls can't throw. While the store is not ready, reads answer the registered defaults, writes are refused, and `onRefusal` says why:
/// nothing is lost without a word. Code that can be changed uses `Preferences`, whose calls throw.
///
/// Registered defaults, volatile domains and the like of other `UserDefaults` objects are not consulted.
public final class ProtectedUserDefaults: UserDefaults {
    private let preferences: Preferences
    private let refusal: @Sendable (PreferencesError) -> Void

    /// `onRefusal` is called for every read that was answered without the store and every write that was refused. nil only where
    /// Foundation can't make a `UserDefaults` at all.
    public init?(_ preferences: Preferences, onRefusal: @escaping @Sendable (PreferencesError) -> Void) {
        self.preferences = preferences
        refusal = onRefusal
        super.init(suiteName: nil)
    }

    private func write(_ body: () throws -> Void) {
        do { try body() } catch { refusal(PreferencesError(error)) }
    }

    /// On Linux all other typed reads of Foundation go through this one.
    public override func object(forKey defaultName: String) -> Any? {
        do {
            return try preferences.object(forKey: defaultName)?.propertyList
        } catch {
            refusal(error)
            return preferences.registeredValue(defaultName)?.propertyList
        }
    }

    /// On Linux all other typed writes of Foundation go through this one. Anything but a property list is refused.
    public override func set(_ value: Any?, forKey defaultName: String) {
        write {
            guard let value else { return try preferences.removeObject(forKey: defaultName) }
            guard let stored = PropertyValue(propertyList: value) else {
                throw PreferencesError(.invalidArgument, "the value is not a property list", key: defaultName)
            }
            try preferences.set(stored, forKey: defaultName)
        }
    }

    public override func removeObject(forKey defaultName: String) {
        write { try preferences.removeObject(forKey: defaultName) }
    }

    // Foundation on Linux makes a file path of every URL, https too.
    public override func url(forKey defaultName: String) -> URL? {
        do { return try preferences.url(forKey: defaultName) } catch {
            refusal(error)
            return nil
        }
    }

    public override func set(_ url: URL?, forKey defaultName: String) {
        write { try preferences.set(url, forKey: defaultName) }
    }

    /// Registers for this object's store alone; Foundation's own registration reaches every suite of the process.
    public override func register(defaults registrationDictionary: [String: Any]) {
        preferences.register(defaults: registrationDictionary.compactMapValues { PropertyValue(propertyList: $0) })
    }

    public override func dictionaryRepresentation() -> [String: Any] {
        do { return try preferences.dictionaryRepresentation().mapValues(\.propertyList) } catch {
            refusal(error)
            return preferences.registered.withLock { $0 }.mapValues(\.propertyList)
        }
    }

    /// Every write was stored when its call returned.
    @discardableResult
    public override func synchronize() -> Bool { preferences.isReady }
}
