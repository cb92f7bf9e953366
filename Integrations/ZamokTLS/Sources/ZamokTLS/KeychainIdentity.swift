// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Keychains
public import Logging
public import NIOSSL

/// A certificate with its private key in the keychain, by which a TLS server or client proves who it is. The key never leaves the keychain: each handshake opens it for
/// one signature, on a thread of NIO's pool, and forgets it.
///
///     let identity = try KeychainIdentity(KeychainQuery<IdentityItem>().with(\.label, "www.example.com"))
///     let server = try HTTPServerBuilder.tls(tlsConfiguration: identity.serverConfiguration())
///
/// **Rotation.** Of several identities that match, the one whose certificate was added last is used. A new one counts from the next handshake on, an old one can be removed at
/// once; nothing is started anew. Changes by other processes are seen within a few tenths of a second.
///
/// **Lock.** From the moment of a lock no handshake succeeds, resumed ones included: it ends with a `KeychainError` of the code `.locked`, which channel handlers get by
/// `errorCaught`, clients of async-http-client as the request's error, and the logger once until a handshake succeeds again. The peer sees a failed handshake. After an unlock handshakes succeed again. Connections that stand are not ended.
public struct KeychainIdentity: Sendable {
    private let source: IdentitySource
    /// One closure for all configurations: those that have the same are equal, and pools of connections compare them.
    private let callback: NIOSSLContextCallback

    /// The identity that `query` finds; it may come later, or be locked now.
    ///
    /// - Parameters:
    ///   - query: Which identity: `label` is the certificate's, which its subject in a few words is where nobody gave another.
    ///   - keychain: Where it is; all items that the program sees where it is left out.
    ///   - authentication: Earlier answers, for a key that asks for a person; nil: the home's prompter asks at each handshake.
    ///   - logger: What is told that a handshake could not have its identity, once until one succeeds again.
    ///
    /// Errors: those of opening the home and its keychain.
    public init(
        _ query: KeychainQuery<IdentityItem>, in keychain: Keychain = Keychain(),
        authentication: AuthenticationContext? = nil, logger: Logger = Logger(label: "zamok.tls")
    ) throws(KeychainError) {
        let source = try IdentitySource(query, keychain, authentication, logger)
        self.source = source
        callback = { _, promise in source.provide(promise) }
    }

    /// A configuration for servers: TLS 1.2 and 1.3 with forward secrecy.
    public func serverConfiguration() -> TLSConfiguration {
        // Of those that are made without certificates the one for servers; nothing of shared keys is in it.
        var configuration = TLSConfiguration.makePreSharedKeyConfiguration()
        use(in: &configuration)
        return configuration
    }

    /// A configuration for clients, which verifies the server and shows the identity to servers that ask for one.
    public func clientConfiguration() -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        use(in: &configuration)
        return configuration
    }

    /// Has a configuration show this identity, in place of its certificates and key: versions before TLS 1.2, key exchange by RSA and SHA-1 are taken out, Ed25519 comes in.
    public func use(in configuration: inout TLSConfiguration) {
        configuration.certificateChain = []
        configuration.privateKey = nil
        configuration.sslContextCallback = callback
        if configuration.minimumTLSVersion != .tlsv13 { configuration.minimumTLSVersion = .tlsv12 }
        configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
        configuration.signingSignatureAlgorithms = KeyAlgorithms.all
        configuration.verifySignatureAlgorithms = configuration.verifySignatureAlgorithms ?? KeyAlgorithms.all
    }

    /// What the next handshake shows, in DER, the identity's own certificate first; and that its key can be used now: for health checks. No signature is made.
    ///
    /// Errors: `KeychainIdentityError`; of `KeychainError` `.locked`, `.damaged`, `.keyDestroyed` and others of `Keychain.item(matching:)`; those of BoringSSL for a certificate that it can't read.
    public func check() throws -> [[UInt8]] { try source.check() }
}

/// Why there is no identity to show, other than the errors of the keychain. A locked keychain is none of these.
public enum KeychainIdentityError: Error, Equatable, CustomStringConvertible {
    /// No certificate with its private key matches.
    case notThere
    /// The identity's key is for key exchange alone.
    case signsNothing
    /// The other side wants a kind of signature, or key exchange by RSA, that keys of the keychain don't do; no configuration of ``KeychainIdentity`` offers it.
    case noSuchSignature

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .notThere:
            "no identity matches in the groups that this program sees; see: zamok keychain list --class identity, and ZAMOK_APPLICATION"
        case .signsNothing: "the identity's key makes no signatures; take RSA, P-256, P-384, P-521 or Ed25519"
        case .noSuchSignature:
            "the other side wants what keys of the keychain don't do; take a configuration of KeychainIdentity"
        }
    }
}
