// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import SecretMemory

/// Attributes by Apple's codes, for commands that show all of them.
extension ItemRecord {
    /// The value of an attribute by its code, for example `gena`; nil if it has none.
    package subscript(code code: String) -> AttributeValue? { attributes[AttributeName(code)] }

    /// The codes of the attributes by which passwords of one group differ.
    package static let passwordCodes = ["acct", "svce", "srvr", "sdmn", "path", "port", "ptcl", "atyp"]

    /// Sets an attribute by its code. Errors: `.noSuchAttribute`, `.parameter`, `.missingEntitlement`.
    package mutating func set(code: String, _ value: GivenValue) throws(KeychainError) {
        attributes[AttributeName(code)] = try AttributeTable.of(itemClass).coerce(value, for: AttributeName(code))
    }

    /// Copies the value of an attribute.
    package mutating func copy(code: String, of record: ItemRecord) {
        attributes[AttributeName(code)] = record.attributes[AttributeName(code)]
    }
}

extension Keychain {
    /// The certificate in DER of the identity that a reference identifies. Its key is not opened, so there
    /// is no prompt.
    /// Errors: those of `record(_:)`.
    package func certificate(ofIdentity reference: PersistentReference) throws(KeychainError) -> Secret? {
        try record(reference.ofClass(.certificate), includingSecret: true).secret
    }
}
