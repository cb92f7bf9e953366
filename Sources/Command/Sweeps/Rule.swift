// SPDX-License-Identifier: Apache-2.0

/// What recognises a secret: a known place of a program, the form of an issuer's tokens, or a name beside a value.
package struct Rule: Sendable, Hashable {
    package let kind: Kind
    /// The identifier in reports and baselines, such as `npm/authToken` or `token/github-pat`.
    package let identifier: String
    /// The program or issuer, as people know it.
    package let issuer: String
    /// Where a new secret is made and this one is revoked; nil if there is no fixed address.
    package let rotation: String?

    package init(_ kind: Kind, _ identifier: String, issuer: String, rotation: String? = nil) {
        (self.kind, self.identifier, self.issuer, self.rotation) = (kind, identifier, issuer, rotation)
    }

    package enum Kind: String, Sendable, CaseIterable {
        /// A program's own file, read by its documented format.
        case place
        /// A token with an issuer's documented prefix, length or checksum.
        case token
        /// A value that is assigned to a name that means a secret.
        case assignment
        /// A private key that no passphrase protects.
        case privateKey = "private-key"
        /// A password in a URL.
        case url
    }
}
