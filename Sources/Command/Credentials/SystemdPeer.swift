// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// The peer that requests a credential over a socket (systemd.exec(5), LoadCredential=).
/// Its address, which systemd binds, is abstract and contains the unit and the credential's name.
/// It consists of a zero byte, random digits and `/unit/UNIT/NAME`.
package struct SystemdPeer: Equatable, Sendable {
    package let unit: String
    package let name: String

    /// Nil: the address doesn't have this form.
    package init?(address: [UInt8]) {
        guard address.first == 0, let text = String(validUTF8: address.dropFirst()) else { return nil }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1] == "unit", parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        (unit, name) = (String(parts[2]), String(parts[3]))
    }

    /// The credential: the secret of the item UNIT/NAME.
    package func secret(_ keychain: Keychain) throws(KeychainError) -> Secret {
        try References(keychain).secret(of: ItemName(unit, account: name))
    }
}
