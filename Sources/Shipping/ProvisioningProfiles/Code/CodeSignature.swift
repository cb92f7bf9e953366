// SPDX-License-Identifier: Apache-2.0

/// The embedded signature of one slice: code directories, entitlements, and the CMS envelope over the directories
/// (Documentation/Formats/CodeSignature.md). Reading one verifies nothing.
public struct CodeSignature: Sendable {
    /// The code directories: the primary one first, then the alternates with other hash functions.
    public let directories: [CodeDirectory]
    /// The entitlements as a property list in XML.
    public let xmlEntitlements: SignedEntitlements?
    /// The same in DER, which iOS 15 and later read.
    public let derEntitlements: SignedEntitlements?

    /// The CMS envelope; nil or empty for ad hoc signatures.
    let envelope: [UInt8]?

    /// The bundle identifier that was signed, from the primary directory.
    public var identifier: String? { directories.first?.identifier }
    /// The team that was signed, from the primary directory.
    public var teamIdentifier: String? { directories.first?.teamIdentifier }
    /// What the system takes: DER where there is one, else XML.
    public var entitlements: Entitlements? { (derEntitlements ?? xmlEntitlements)?.entitlements }
}

/// Entitlements inside a signature, and whether the code directories vouch for them.
public struct SignedEntitlements: Sendable {
    /// Whether code directories hold the hash of these very bytes.
    public enum Binding: Sendable, Equatable {
        /// Every directory has their hash.
        case bound
        /// A directory has another hash: the bytes were changed after signing.
        case changed
        /// A directory has no hash for them: they were added after signing.
        case notListed
    }

    /// What they say.
    public let entitlements: Entitlements
    /// Whether they are those that were signed.
    public let binding: Binding
}
