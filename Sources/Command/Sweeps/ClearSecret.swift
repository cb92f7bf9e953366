// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// A secret that a file holds in clear.
package struct ClearSecret: Sendable {
    /// What found it.
    package let rule: Rule
    /// The path of the file.
    package let path: String
    /// The line on which its written form begins; the first line is 1.
    package let line: Int
    /// The bytes of the file that are its written form, without the quotes around it.
    package let range: Range<Int>
    /// How the bytes of the file become the secret.
    package let form: Form
    /// The secret itself: what a program would send.
    package let secret: Secret
    /// The name under which it would be stored. The account may be empty.
    package let service, account: String

    package init(
        rule: Rule, path: String, line: Int, range: Range<Int>, form: Form = .plain, secret: Secret, service: String,
        account: String = ""
    ) {
        (self.rule, self.path, self.line, self.range, self.form) = (rule, path, line, range, form)
        (self.secret, self.service) = (secret, service)
        self.account = Self.isSecret(name: account) ? "" : account
    }

    /// Whether the name of an account is itself a token, as in `https://TOKEN:x-oauth-basic@HOST`. It is never shown.
    static func isSecret(name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.count >= 16 && !bytes.contains(UInt8(ascii: "@"))
            && SecretValue.isOne(bytes, .token, isQuoted: true, .config)
    }

    /// What servers take as a password where the user name is the token.
    static func standsForUser(_ password: String) -> Bool {
        ["x-oauth-basic", "x-token-auth", "X", "x"].contains(password)
    }

    /// How a secret is written into a file.
    package enum Form: Sendable, Equatable {
        /// The bytes are the secret.
        case plain
        /// A string of JSON (RFC 8259, section 7).
        case json
        /// A string in quotes of another language, with backslashes.
        case backslashed
        /// Text of XML, with entities (XML 1.0, section 4.1).
        case xml
        /// Percent-encoding (RFC 3986, section 2.1).
        case percent
        /// Base64 of `USER:PASSWORD` (RFC 7617), as docker and npm write it.
        case basic
        /// Base64 of the secret (RFC 4648, section 4), as Kubernetes writes it.
        case base64
        /// Several lines: a private key in PEM or OpenSSH's form.
        case block
    }
}

extension ClearSecret {
    /// The same, in a text that begins `offset` bytes later.
    func moved(by offset: Int) -> ClearSecret {
        offset == 0
            ? self
            : ClearSecret(
                rule: rule, path: path, line: line, range: range.lowerBound + offset..<range.upperBound + offset,
                form: form, secret: secret,
                service: service, account: account)
    }
}
