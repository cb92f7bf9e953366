// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SecretMemory

// Collections are changed elsewhere (PropertyValue+Objects.swift).

/// A `UserDefaults` backed by a protected store, for code that takes a `UserDefaults`.
///
/// Its calls can't throw. While the store is not ready, reads return the registered defaults, and writes are refused.
/// `onRefusal` reports each of these calls, so no write is lost silently. Prefer `Preferences`, whose calls throw, in
/// code that can be changed.
///
/// Registered defaults, volatile domains and the like of other `UserDefaults` objects are not consulted.
public final class ProtectedUserDefaults: UserDefaults {
    private let preferences: Preferences
    private let refusal: @Sendable (PreferencesError) -> Void

    /// Creates the object. Returns nil only if Foundation can't create a `UserDefaults`.
    ///
    /// `onRefusal` is called for each read that was answered without the store, and for each refused write.
    public init?(_ preferences: Preferences, onRefusal: @escaping @Sendable (PreferencesError) -> Void) {
        self.preferences = preferences
        refusal = onRefusal
        super.init(suiteName: nil)
    }

    private func write(_ body: () throws -> Void) {
        do { try body() } catch { refusal(PreferencesError(error)) }
    }

    /// Returns the stored value. On Linux all other typed reads of Foundation use this method.
    public override func object(forKey defaultName: String) -> Any? {
        do {
            return try preferences.object(forKey: defaultName)?.propertyList
        } catch {
            refusal(error)
            return preferences.registeredValue(defaultName)?.propertyList
        }
    }

    /// Sets a value. On Linux all other typed writes of Foundation use this method. A value that is not a property list
    /// is refused.
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

    // Foundation on Linux turns every URL into a file path, even https URLs.
    public override func url(forKey defaultName: String) -> URL? {
        do { return try preferences.url(forKey: defaultName) } catch {
            refusal(error)
            return nil
        }
    }

    public override func set(_ url: URL?, forKey defaultName: String) {
        write { try preferences.set(url, forKey: defaultName) }
    }

    /// Registers defaults for this object's store only. Foundation's own registration reaches every suite of
    /// the process.
    public override func register(defaults registrationDictionary: [String: Any]) {
        preferences.register(registrationDictionary) { PropertyValue(propertyList: $0) }
    }

    public override func dictionaryRepresentation() -> [String: Any] {
        do { return Preferences.objects(try preferences.dictionaryRepresentation()) } catch {
            refusal(error)
            return preferences.registeredObjects()
        }
    }

    /// Returns whether the store is ready. Every write is already stored when its call returns.
    @discardableResult
    public override func synchronize() -> Bool { preferences.isReady }
}
