// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Readers
import SecretMemory

extension PreferenceConvertible {
    /// The stored form of the value; nil removes it.
    var storedPreference: PropertyValue? {
        if let value = self as? any OptionalPreference { return value.wrappedPreference }
        return preference
    }
}

/// An optional value, whose nil means "remove".
protocol OptionalPreference {
    var wrappedPreference: PropertyValue? { get }
}

extension Optional: OptionalPreference where Wrapped: PreferenceConvertible {
    var wrappedPreference: PropertyValue? { self?.preference }
}

extension Preferences {
    // MARK: Typed keys

    /// The value of a key, or its default if it was never set.
    ///
    /// Errors: `.notReady` before the first unlock, `.corrupt`, `.wrongType`, `.wrongKey`, `.keyDestroyed`, `.io`.
    @inlinable  // A benchmark asks for it: unspecialised, the conversion costs more than the look-up.
    public func value<Value>(for key: PreferenceKey<Value>) throws(PreferencesError) -> Value {
        guard let present = try present(key.name, key.hash) else { return key.defaultValue }
        guard let value = Value(preference: present) else { throw wrongType(key.name) }
        return value
    }

    /// The stored value, or the registered one.
    @usableFromInline
    func present(_ name: String, _ hash: Int) throws(PreferencesError) -> PropertyValue? {
        if case .value(let value) = store.kept(name, hash) { return value }
        return try slowly(name, hash) ?? registeredValue(name)
    }

    @inline(never)
    private func slowly(_ name: String, _ hash: Int) throws(PreferencesError) -> PropertyValue? {
        var entry = store.kept(name, hash)
        if case .unread = entry { entry = try store.load(name, hash) }
        switch entry {
        case .value(let value): return value
        case .absent, .unread: return nil
        case .corrupt:
            throw PreferencesError(
                .corrupt, "this preference is damaged, the others are not; run: zamok doctor", key: name)
        }
    }

    @usableFromInline
    func wrongType(_ name: String) -> PreferencesError {
        PreferencesError(.wrongType, "the value of this preference is of another type", key: name)
    }

    /// Sets a key. Durable when the call returns, unless the store is relaxed.
    ///
    /// Errors: `.notReady`, `.invalidArgument`, `.tooLarge`, `.diskFull`, `.readOnly`, `.io`. Nothing is changed on
    /// an error.
    public func set<Value>(_ value: Value, for key: PreferenceKey<Value>) throws(PreferencesError) {
        try write([(key.name, value.storedPreference)])
    }

    /// Removes a key's value, so that its default applies.
    public func removeValue<Value>(for key: PreferenceKey<Value>) throws(PreferencesError) {
        try write([(key.name, nil)])
    }

    // MARK: The familiar calls

    /// The value of a name, or its registered default; nil without either. Errors: as `value(for:)`.
    public func object(forKey name: String) throws(PreferencesError) -> PropertyValue? {
        try present(name, EntryTable.hash(name))
    }

    /// The integer of a name. A real number without a fraction is converted; a missing value is 0.
    public func integer(forKey name: String) throws(PreferencesError) -> Int {
        switch try object(forKey: name) {
        case .integer(let value): Int(value)
        case .real(let value): Int(exactly: value) ?? 0
        case .boolean(let value): value ? 1 : 0
        case .string(let text): Int(text) ?? 0
        default: 0
        }
    }

    /// The number of a name; 0 if it is missing.
    public func double(forKey name: String) throws(PreferencesError) -> Double {
        switch try object(forKey: name) {
        case .integer(let value): Double(value)
        case .real(let value): value
        case .boolean(let value): value ? 1 : 0
        case .string(let text): Double(text) ?? 0
        default: 0
        }
    }

    /// The number of a name; 0 if it is missing.
    public func float(forKey name: String) throws(PreferencesError) -> Float { Float(try double(forKey: name)) }

    /// The Boolean of a name. Numbers other than 0 and the words that UserDefaults accepts are true; a missing value
    /// is false.
    public func bool(forKey name: String) throws(PreferencesError) -> Bool {
        switch try object(forKey: name) {
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .real(let value): value != 0
        case .string(let text): ["YES", "yes", "true", "1"].contains(text)
        default: false
        }
    }

    /// The string of a name. Numbers are converted to text.
    public func string(forKey name: String) throws(PreferencesError) -> String? {
        switch try object(forKey: name) {
        case .string(let text): text
        case .integer(let value): String(value)
        case .real(let value): String(value)
        default: nil
        }
    }

    /// The data of a name.
    public func data(forKey name: String) throws(PreferencesError) -> Data? {
        try object(forKey: name).flatMap { Data(preference: $0) }
    }

    /// The date of a name.
    public func date(forKey name: String) throws(PreferencesError) -> Date? {
        try object(forKey: name).flatMap { Date(preference: $0) }
    }

    /// The URL of a name: an absolute URL unchanged, a path as a file URL.
    public func url(forKey name: String) throws(PreferencesError) -> URL? {
        guard case .string(let text) = try object(forKey: name) else { return nil }
        return text.hasPrefix("/") || text.hasPrefix("~")
            ? URL(fileURLWithPath: Self.withHome(text)) : URL(string: text)
    }

    /// The array of a name.
    public func array(forKey name: String) throws(PreferencesError) -> [PropertyValue]? {
        guard case .array(let items) = try object(forKey: name) else { return nil }
        return items
    }

    /// The array of a name, if all its elements are strings.
    public func stringArray(forKey name: String) throws(PreferencesError) -> [String]? {
        try object(forKey: name).flatMap { [String](preference: $0) }
    }

    /// The dictionary of a name.
    public func dictionary(forKey name: String) throws(PreferencesError) -> [String: PropertyValue]? {
        guard case .dictionary(let entries) = try object(forKey: name) else { return nil }
        return entries
    }

    /// Sets a name; nil removes it. Errors: as `set(_:for:)`.
    public func set(_ value: (any PreferenceConvertible)?, forKey name: String) throws(PreferencesError) {
        try write([(name, value?.storedPreference)])
    }

    /// Removes a name's value.
    public func removeObject(forKey name: String) throws(PreferencesError) { try write([(name, nil)]) }

    /// All registered defaults, overridden by the stored values, from one snapshot: never half of a batch.
    ///
    /// Errors: as `value(for:)`; `.corrupt` if any row is damaged, since a damaged value would look like one that was
    /// never set.
    public func dictionaryRepresentation() throws(PreferencesError) -> [String: PropertyValue] {
        let all = try store.loadAll()
        guard all.damaged == 0 else {
            throw PreferencesError(.corrupt, "\(all.damaged) preferences are damaged; run: zamok doctor")
        }
        return registered.withLock { $0 }.merging(all.values) { _, stored in stored }
    }

    /// Registers defaults for names without a stored value. They belong to this object only and are not stored.
    public func register(defaults: [String: PropertyValue]) {
        registered.withLock { $0.merge(defaults) { _, new in new } }
    }

    func registeredValue(_ name: String) -> PropertyValue? { registered.withLock { $0[name] } }

    static func checkName(_ name: String) throws(PreferencesError) {
        guard (1...PreferencesSchema.nameLimit).contains(name.utf8.count) else {
            throw PreferencesError(.invalidArgument, "the name of a preference has 1 to 4,096 bytes")
        }
    }

    // MARK: Objects of Foundation, for ProtectedUserDefaults

    @inline(never)
    static func objects(_ values: [String: PropertyValue]) -> [String: Any] { values.mapValues(\.propertyList) }

    @inline(never)
    func registeredObjects() -> [String: Any] { Self.objects(registered.withLock { $0 }) }

    /// Registers what `value` makes of the objects.
    @inline(never)
    func register(_ objects: [String: Any], _ value: (Any) -> PropertyValue?) {
        register(defaults: objects.compactMapValues(value))
    }

    /// A path that begins with `~` or `~NAME`, with that user's home folder in its place.
    private static func withHome(_ path: String) -> String {
        guard path.hasPrefix("~") else { return path }
        let user = path.dropFirst().prefix { $0 != "/" }
        let home = user.isEmpty ? URL.homeDirectory : homeFolder(of: String(user))
        return home.map { PathText($0.path + path.dropFirst(1 + user.count)).standardizingPath } ?? path
    }

    // MARK: Codable

    /// The `Codable` value of a name; nil if there is none. Errors: as `value(for:)`.
    public func decoded<Value: Decodable>(
        _: Value.Type = Value.self, forKey name: String
    ) throws(PreferencesError) -> Value? {
        guard let value = try object(forKey: name) else { return nil }
        do {
            let data = try PropertyValue.propertyList(["value": value], .binary)
            return try PropertyListDecoder().decode(CodableBox<Value>.self, from: data).value
        } catch {
            throw PreferencesError(.wrongType, "the value of this preference is of another type", key: name)
        }
    }

    /// Encodes a `Codable` value and stores it under a name. Errors: as `set(_:for:)`.
    public func set<Value: Encodable>(encoding value: Value, forKey name: String) throws(PreferencesError) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let data = try? encoder.encode(CodableBox(value: value)),
            let stored = try? PropertyListReader.read(Array(data)).values["value"]
        else { throw PreferencesError(.invalidArgument, "the value can't be encoded as a property list", key: name) }
        try write([(name, stored)])
    }
}

private struct CodableBox<Value> { let value: Value }
extension CodableBox: Encodable where Value: Encodable {}
extension CodableBox: Decodable where Value: Decodable {}

#if os(Linux) || os(macOS)
private func homeFolder(of user: String) -> URL? { FileManager.default.homeDirectory(forUser: user) }
#else
private func homeFolder(of user: String) -> URL? { nil }
#endif
