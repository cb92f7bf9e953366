// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// The portal for sandboxed programs, org.freedesktop.impl.portal.Secret.
/// Each program gets its own secret, under which it encrypts its data in its own file.
/// The frontend, xdg-desktop-portal, says which program asks.
extension SecretService {
    static let portal = "org.freedesktop.impl.portal.Secret"
    package static let portalPath = "/org/freedesktop/portal/desktop"
    static let portalSecretSize = 64

    /// The portal's answer.
    package enum PortalAnswer {
        /// The secret, to be written to the descriptor in the call.
        case secret(Secret)
        /// The reason why there is no secret.
        case refused(String)
    }

    /// The secret of the program that a call of `RetrieveSecret` names. The first call creates it.
    /// Errors: a `BusFailure` for any other call.
    package func portalAnswer(_ call: BusCall) throws(BusFailure) -> PortalAnswer {
        guard call.member == "RetrieveSecret" else { throw .unknownMethod(call.member.printable) }
        let values = try arguments(call, Self.portal, "osha{sv}")
        guard let program = values[1].text, ProgramName.isIdentifier(program) else {
            return .refused("a program without a name of its own asked for a secret by the portal")
        }
        do {
            return .secret(try portalSecret(program))
        } catch {
            let failure = error as? BusFailure ?? Self.failure(error)
            return .refused(
                failure == .locked ? "the keychain is locked, and \(program) asked for its secret" : failure.message)
        }
    }

    /// Creates no secret while the home is locked: a new one would make the program's existing data unreadable.
    private func portalSecret(_ program: String) throws -> Secret {
        try items.alone { try knownOrNewSecret(program) }
    }

    private func knownOrNewSecret(_ program: String) throws -> Secret {
        let attributes = ["app_id": program, "xdg:schema": Self.portal]
        if let account = try items.account(exactly: attributes, in: SecretItems.login) {
            let secret = try items.secret(account).secret
            guard secret.count == Self.portalSecretSize else {
                throw BusFailure.failed("the secret of \(program) is damaged")
            }
            return secret
        }
        let secret = Secret(try .random(count: Self.portalSecretSize))
        var item = SecretItem(account: "", attributes: attributes, label: "Secret of \(program)")
        item.contentType = "application/octet-stream"
        // Read back, as later calls do, so that the access log has a line for each secret that is given out.
        return try items.secret(try add(item, secret, to: SecretItems.loginCollection)).secret
    }
}
