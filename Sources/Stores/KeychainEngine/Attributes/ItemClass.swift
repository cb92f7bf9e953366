// SPDX-License-Identifier: Apache-2.0

import SealedDatabases

/// The class of an item; the raw value is Apple's word for it.
public enum ItemClass: String, Hashable, Sendable, CaseIterable {
    /// A password of a service (`kSecClassGenericPassword`).
    case genericPassword = "genp"
    /// A password of a server (`kSecClassInternetPassword`).
    case internetPassword = "inet"
    /// A certificate (`kSecClassCertificate`).
    case certificate = "cert"
    /// A key (`kSecClassKey`).
    case key = "keys"
    /// A certificate with its private key (`kSecClassIdentity`): not stored itself, but found where both are.
    case identity = "idnt"

    /// The column `kind`; nil for identities, which have no rows.
    var kind: UInt8? {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        case .identity: nil
        }
    }

    init?(kind: Int64) {
        switch kind {
        case 1: self = .genericPassword
        case 2: self = .internetPassword
        case 3: self = .certificate
        case 4: self = .key
        default: return nil
        }
    }
}
