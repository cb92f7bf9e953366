// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Keychains
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// Finds the identity for each handshake. What is public of it is remembered until the keychain changes; the key is read each time.
final class IdentitySource: Sendable {
    /// What is remembered: nothing secret.
    private struct Known {
        var chain: [NIOSSLCertificate]
        var key: KeychainQuery<KeyItem>
        var algorithms: [SignatureAlgorithm]
        /// Which change of the keychain it was found after.
        var change: UInt64
    }

    private struct State {
        var known: Known?
        /// How many changes were seen.
        var change: UInt64 = 0
        /// Whether changes are still told; after that nothing is remembered.
        var isWatched = true
        /// What the logger was told last.
        var told: String?
    }

    /// Certificates above the identity's own that are sent at most.
    private static let chainLimit = 8
    /// How often what was found may be gone when it is read.
    private static let tries = 5

    private let query: KeychainQuery<IdentityItem>
    private let keychain: Keychain
    private let authentication: AuthenticationContext?
    private let logger: Logger
    private let state: NIOLockedValueBox<State>
    private let watch: Task<Void, Never>

    init(
        _ query: KeychainQuery<IdentityItem>, _ keychain: Keychain, _ authentication: AuthenticationContext?,
        _ logger: Logger
    ) throws(KeychainError) {
        // Before the first look: what changes in between is seen.
        let changes = try keychain.changes()
        let state = NIOLockedValueBox(State())
        (self.query, self.keychain, self.authentication, self.logger) = (query, keychain, authentication, logger)
        self.state = state
        watch = Task {
            for await _ in changes { state.withLockedValue { $0.change += 1 } }
            state.withLockedValue { ($0.isWatched, $0.known) = (false, nil) }
        }
    }

    deinit { watch.cancel() }

    /// The answer to a handshake that asks for an identity.
    func provide(_ promise: EventLoopPromise<NIOSSLContextConfigurationOverride>) {
        NIOThreadPool.singleton.runIfActive(eventLoop: promise.futureResult.eventLoop) {
            try self.reporting { try self.identity() }
        }.cascade(to: promise)
    }

    func check() throws -> [[UInt8]] { try found().known.chain.map { try $0.toDERBytes() } }

    private func identity() throws -> NIOSSLContextConfigurationOverride {
        let (known, key, context) = try found()
        var answer = NIOSSLContextConfigurationOverride()
        answer.certificateChain = known.chain.map { .certificate($0) }
        let own = HandshakeKey(self, known.key, key, context, known.algorithms)
        answer.privateKey = .privateKey(NIOSSLPrivateKey(customPrivateKey: own))
        return answer
    }

    /// The identity, and its key as it is now. A key that is gone means that the identity changed since it was remembered.
    private func found() throws -> (known: Known, key: KeyItem, context: AuthenticationContext) {
        let context = authentication ?? AuthenticationContext()
        if let known = remembered(), let key = try present(known.key, context) { return (known, key, context) }
        // What was found may be gone before it is read; another one is in its place then.
        for _ in 0..<Self.tries {
            if let known = try search(), let key = try present(known.key, context) { return (known, key, context) }
        }
        throw KeychainIdentityError.notThere
    }

    /// nil: it is gone.
    private func present<Item: KeychainItem>(
        _ query: KeychainQuery<Item>, _ context: AuthenticationContext? = nil
    ) throws(KeychainError) -> Item? {
        do { return try keychain.item(matching: query, authentication: context) } catch {
            guard error.code == .itemNotFound else { throw error }
            return nil
        }
    }

    /// The key as it is now; one that was removed since the handshake began, from that moment, for a while.
    func sign(_ data: [UInt8], _ algorithm: SignatureAlgorithm, with key: HandshakeKey) throws -> Data {
        guard let way = KeyAlgorithms.ofKeychain(algorithm) else { throw KeychainIdentityError.noSuchSignature }
        return try reporting { try signature(Data(data), way, key) }
    }

    private func signature(
        _ data: Data, _ way: KeyItem.SignatureAlgorithm, _ key: HandshakeKey
    ) throws -> Data {
        if let item = try present(key.query, key.context) { return try item.signature(for: data, way) }
        guard let held = key.held else { throw KeychainIdentityError.notThere }
        return try held.signature(for: data, way)
    }

    /// Tells the logger what went wrong, once until something else does or all is well again.
    private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            let result = try body()
            state.withLockedValue { $0.told = nil }
            return result
        } catch {
            let reason = "\(error)"
            let isNew = state.withLockedValue { state in
                defer { state.told = reason }
                return state.told != reason
            }
            if isNew { logger.error("TLS handshakes have no identity: \(reason)") }
            throw error
        }
    }

    // MARK: Finding it

    private func remembered() -> Known? {
        state.withLockedValue { state in state.known?.change == state.change ? state.known : nil }
    }

    /// nil: it is gone.
    private func search() throws -> Known? {
        let change = state.withLockedValue { $0.change }
        let all = try keychain.items(matching: query)
        guard let identity = all.enumerated().max(by: Self.isEarlier)?.element else {
            throw KeychainIdentityError.notThere
        }
        let algorithms = KeyAlgorithms.of(identity.key.keyType)
        guard !algorithms.isEmpty, let hash = identity.certificate.publicKeyHash else {
            throw KeychainIdentityError.signsNothing
        }
        guard let chain = try chain(of: identity.certificate) else { return nil }
        let key = KeychainQuery<KeyItem>().with(\.applicationLabel, hash).with(\.keyClass, .private)
        let known = Known(
            chain: chain, key: key.includingSynchronizable, algorithms: algorithms, change: change)
        state.withLockedValue { state in if state.isWatched { state.known = known } }
        return known
    }

    private typealias Place<Item> = (offset: Int, element: Item)

    /// The one that was added last counts.
    private static func isEarlier<Item: KeychainItem>(_ one: Place<Item>, _ other: Place<Item>) -> Bool {
        let (first, second) = (one.element.creationDate ?? .distantPast, other.element.creationDate ?? .distantPast)
        return first == second ? one.offset < other.offset : first < second
    }

    /// The certificate, and those above it that the keychain has, but no root: who is to trust it has it. nil: it is gone.
    private func chain(of certificate: CertificateItem) throws -> [NIOSSLCertificate]? {
        let one = KeychainQuery<CertificateItem>().with(\.issuer, certificate.issuer)
            .with(\.serialNumber, certificate.serialNumber).includingSynchronizable
        guard let own = try present(one) else { return nil }
        var items = [own]
        while let item = try issuer(of: items[items.count - 1]), item.subject != item.issuer,
            items.count <= Self.chainLimit
        {
            items.append(item)
        }
        return try items.map { try NIOSSLCertificate(bytes: [UInt8](try $0.der() ?? Data()), format: .der) }
    }

    private func issuer(of item: CertificateItem) throws(KeychainError) -> CertificateItem? {
        guard let name = item.issuer, name != item.subject else { return nil }
        let above = KeychainQuery<CertificateItem>().with(\.subject, name).includingSynchronizable
        return try keychain.items(matching: above, includingSecrets: true).enumerated().max(by: Self.isEarlier)?.element
    }
}
