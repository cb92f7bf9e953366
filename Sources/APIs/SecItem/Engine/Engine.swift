// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
package import SecurityTypes
import Synchronization

/// Where one of the item functions stores its result.
package typealias ResultPointer = UnsafeMutablePointer<CFTypeRef?>?

/// The implementation behind this module's functions.
///
/// Any package may load this module, whether it depends on it or not. So neither it nor its imports may have a C module
/// below them. Code with one is behind this protocol, in the module SecItemEngine (Decision 0014).
package protocol Engine: Sendable {
    /// SecItemAdd.
    func add(_ attributes: CFDictionary, _ result: ResultPointer) -> OSStatus
    /// SecItemCopyMatching.
    func copyMatching(_ query: CFDictionary, _ result: ResultPointer) -> OSStatus
    /// SecItemUpdate.
    func update(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus
    /// SecItemDelete.
    func delete(_ query: CFDictionary) -> OSStatus

    /// SecKeyCreateRandomKey.
    func randomKey(_ parameters: CFDictionary, _ error: ErrorPointer) -> SecKey?
    /// SecKeyCreateWithData.
    func key(_ data: CFData, attributes: CFDictionary, error: ErrorPointer) -> SecKey?
    /// SecCertificateCopyKey.
    func key(of certificate: SecCertificate) -> SecKey?
    /// SecPKCS12Import.
    func importPKCS12(
        _ data: CFData, options: CFDictionary, items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus
    /// SecItemImport.
    func items(of file: CFData, as format: SecExternalFormat, _ passphrase: String?) -> ImportedItems
    /// SecItemExport.
    func file(of items: [AnyObject], as format: SecExternalFormat, inPEM: Bool) -> (OSStatus, Data?)

    /// The functions of SecTrust.
    func evaluate(_ question: TrustQuestion) -> TrustAnswer

    /// SecAccessControlCreateWithFlags.
    func accessControl(
        _ protection: CFTypeRef, flags: SecAccessControlCreateFlags, error: ErrorPointer
    ) -> SecAccessControl?
    /// SecCopyErrorMessageString.
    func message(of status: OSStatus) -> String
}

/// The content of an imported file.
package struct ImportedItems {
    package let status: OSStatus
    package let format: SecExternalFormat
    package let items: [AnyObject]

    package init(_ format: SecExternalFormat, _ items: [AnyObject]) {
        status = errSecSuccess
        self.format = format
        self.items = items
    }

    package init(_ status: OSStatus) {
        self.status = status
        format = .formatUnknown
        items = []
    }
}

/// The implementation of a SecKey, which the engine provides.
package protocol KeyContent: AnyObject, Sendable {
    /// For debugging: the kind of key, and nothing of the key itself.
    var summary: String { get }
    var isRSA: Bool { get }
    var isPrivate: Bool { get }
    var publicBytes: Data? { get }
    func isSameHalf(as other: any KeyContent) -> Bool
    /// Whether it is the private key of the certificate.
    func belongs(to certificate: SecCertificate) -> Bool

    /// Nil if the key stays in a TPM.
    var externalRepresentation: Data? { get }
    var publicKey: SecKey? { get }
    var attributeDictionary: CFDictionary { get }
    var blockSize: Int { get }

    func supports(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool
    func signature(_ algorithm: SecKeyAlgorithm, data: CFData, error: ErrorPointer) -> CFData?
    func isValid(
        _ signature: CFData, of data: CFData, algorithm: SecKeyAlgorithm, error: ErrorPointer
    ) -> Bool
    func encrypted(_ algorithm: SecKeyAlgorithm, plaintext: CFData, error: ErrorPointer) -> CFData?
    func decrypted(_ algorithm: SecKeyAlgorithm, ciphertext: CFData, error: ErrorPointer) -> CFData?
    func exchange(
        _ algorithm: SecKeyAlgorithm, with publicKey: SecKey, parameters: CFDictionary, error: ErrorPointer
    ) -> CFData?
}

/// The engine of this program. It registers itself before `main` (CSecItemStart), so this module doesn't refer to it.
package enum CurrentEngine {
    private static let entered = Mutex<(any Engine)?>(nil)

    package static func enter(_ engine: any Engine) { entered.withLock { $0 = engine } }

    /// Nil in a program that links this module without the others of its product; a message says so once.
    static var value: (any Engine)? {
        if let engine = entered.withLock({ $0 }) { return engine }
        sayMissing
        return nil
    }

    /// Like `value`, with an error for the caller.
    static func value(_ error: ErrorPointer) -> (any Engine)? {
        if let engine = value { return engine }
        unsafe error.fail(errSecNotAvailable, missing)
        return nil
    }

    private static let missing = """
        SecItem: the module SecItemEngine is not linked into this program, so there is no keychain; \
        link the whole product Security (or SecItem) of zamok
        """
    private static let sayMissing: Void = FileHandle.standardError.write(Data((missing + "\n").utf8))
}
#endif
