// SPDX-License-Identifier: Apache-2.0

package import Readers
import SecretMemory

extension NewItem {
    /// A certificate to add; `attributes` win over what it says of itself. Without a label it gets its subject summary.
    package init(
        _ certificate: CertificateFields, der: some Sequence<UInt8>, _ attributes: Attributes = [:]
    ) throws(KeychainError) {
        self.init(.certificate)
        self.attributes = certificate.itemAttributes.merging(attributes) { $1 }
        if self.attributes[.label] == nil { self.attributes[.label] = certificate.summary.map { .text($0) } }
        do { secret = try Secret(copying: Array(der)) } catch { throw KeychainError(error) }
    }

    /// A key to add; `attributes` win over what it says of itself.
    package init(_ key: KeyMaterial, _ attributes: Attributes = [:]) throws(KeychainError) {
        self.init(.key)
        self.attributes = key.itemAttributes.merging(attributes) { $1 }
        do { secret = try Secret(copying: Array(key.externalRepresentation)) } catch { throw KeychainError(error) }
    }
}

extension KeychainError {
    /// What came from outside is no certificate.
    package static var noCertificate: KeychainError {
        KeychainError(.damaged, "these bytes are no X.509 certificate in DER; nothing was stored")
    }
}
