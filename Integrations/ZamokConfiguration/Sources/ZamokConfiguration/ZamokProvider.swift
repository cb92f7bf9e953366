// SPDX-License-Identifier: Apache-2.0

public import Configuration
public import Keychains
import SecretMemory

/// A provider of swift-configuration over a service of the keychain: the key `http.token` is the password whose account is `http.token`, as `zamok set app/http.token` stores
/// it.
///
/// Every value is marked as secret, so that reporters of accesses show none. A value that is locked, damaged, or whose key was destroyed is an error
/// of type `KeychainError`, and never nil: a provider further down, or a default, must not take the place of a secret that is there and can't be read now.
///
/// Values are read when they are asked for, and none is kept.
public struct ZamokProvider: ConfigProvider {
    /// The name that reporters of accesses show.
    public let providerName = "ZamokProvider"

    private let keychain: Keychain
    let separator: Character

    /// A provider of the passwords of a service. `arraySeparator` stands between the elements of arrays; bytes are Base64.
    public init(service: String, arraySeparator: Character = ",") {
        self.init(keychain: Keychain(service: service), arraySeparator: arraySeparator)
    }

    /// A provider over `keychain`, which must have been made with a service.
    public init(keychain: Keychain, arraySeparator: Character = ",") {
        (self.keychain, separator) = (keychain, arraySeparator)
    }

    /// The present value; nil where there is no such password. Errors: `KeychainError`, `.locked` and others; `ZamokProviderError`.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let account = key.components.joined(separator: ".")
        guard let secret = try keychain.secret(for: account) else {
            return LookupResult(encodedKey: account, value: nil)
        }
        guard let content = try content(secret, type) else {
            throw ZamokProviderError.notConvertible(key: account, type: type)
        }
        return LookupResult(encodedKey: account, value: ConfigValue(content, isSecret: true))
    }

    /// The same as `value`, since the keychain is on this machine.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        try value(forKey: key, type: type)
    }

    /// The present value, and a new one each time that a change of the keychain, by any process, changes it. Locks and unlocks change it, too.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey, type: ConfigType,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws ->
            Return
    ) async throws -> Return {
        // Before the first look: what changes in between is seen.
        let changes = try keychain.changes()
        let answers = AsyncStream<Result<LookupResult, any Error>> { continuation in
            let task = Task {
                var last = answer(key, type)
                continuation.yield(last)
                for await _ in changes {
                    let next = answer(key, type)
                    guard !Self.isSame(last, next) else { continue }
                    last = next
                    continuation.yield(next)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(answers))
    }

    /// The provider itself: a snapshot that kept secrets would keep them through a lock.
    public func snapshot() -> any ConfigSnapshot { Snapshot(provider: self) }

    /// A snapshot now, and one after each change of the keychain.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
    ) async throws -> Return {
        let changes = try keychain.changes()
        let snapshots = AsyncStream<any ConfigSnapshot>(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                continuation.yield(snapshot())
                for await _ in changes { continuation.yield(snapshot()) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(snapshots))
    }

    private func answer(_ key: AbsoluteConfigKey, _ type: ConfigType) -> Result<LookupResult, any Error> {
        Result { try value(forKey: key, type: type) }
    }

    private static func isSame(
        _ left: Result<LookupResult, any Error>, _ right: Result<LookupResult, any Error>
    ) -> Bool {
        switch (left, right) {
        case (.success(let left), .success(let right)): left == right
        case (.failure(let left as KeychainError), .failure(let right as KeychainError)): left.code == right.code
        case (.failure(let left as ZamokProviderError), .failure(let right as ZamokProviderError)): left == right
        default: false
        }
    }

    private struct Snapshot: ConfigSnapshot {
        let provider: ZamokProvider
        var providerName: String { provider.providerName }

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try provider.value(forKey: key, type: type)
        }
    }
}

/// What the provider itself refuses.
public enum ZamokProviderError: Error, Equatable, CustomStringConvertible {
    /// The secret can't be read as the type that is asked for.
    case notConvertible(key: String, type: ConfigType)

    /// No value.
    public var description: String {
        switch self {
        case .notConvertible(let key, let type): "the secret of \(key) is no \(type.rawValue)"
        }
    }
}

extension ZamokProvider: CustomStringConvertible {
    /// No value.
    public var description: String { providerName }
}
