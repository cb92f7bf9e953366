// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation

/// The format of a file of keys or certificates.
public enum SecExternalFormat: UInt32, Sendable {
    /// When reading, the format is detected. When writing, the usual one is used: DER for a certificate, PKCS#1 for a
    /// private RSA key, PKCS#8 for another private key, SubjectPublicKeyInfo for a public key, PEM for several items.
    case formatUnknown = 0
    /// A key in OpenSSL's format: PKCS#1 for a private RSA key, PKCS#8 for another private key, SubjectPublicKeyInfo
    /// for a public key.
    case formatOpenSSL = 1
    /// A key of SSH 1; not supported.
    case formatSSH = 2
    /// The same as formatOpenSSL, but PKCS#1 for a public RSA key.
    case formatBSAFE = 3
    /// A key in the format of SecKeyCopyExternalRepresentation.
    case formatRawKey = 4
    /// An encrypted private key, PKCS#8; can be read, not written.
    case formatWrappedPKCS8 = 5
    /// Not supported.
    case formatWrappedOpenSSL = 6
    /// Not supported.
    case formatWrappedSSH = 7
    /// Not supported.
    case formatWrappedLSH = 8
    /// A certificate in DER.
    case formatX509Cert = 9
    /// Certificates and keys in PEM.
    case formatPEMSequence = 10
    /// Not supported.
    case formatPKCS7 = 11
    /// PKCS#12; can be read, not written.
    case formatPKCS12 = 12
    /// Not supported.
    case formatNetscapeCertSequence = 13
    /// Not supported.
    case formatSSHv2 = 14
}

/// The kind of items in a file.
public enum SecExternalItemType: UInt32, Sendable {
    /// Detected when reading.
    case itemTypeUnknown = 0
    /// A private key.
    case itemTypePrivateKey = 1
    /// A public key.
    case itemTypePublicKey = 2
    /// A symmetric key; not supported.
    case itemTypeSessionKey = 3
    /// A certificate.
    case itemTypeCertificate = 4
    /// Several items.
    case itemTypeAggregate = 5
}

/// How a file is written.
public struct SecItemImportExportFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// A set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// In PEM.
    public static let pemArmour = Self(rawValue: 1)
}

/// How the keys of a file are treated.
public struct SecKeyImportExportFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// A set of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Read at most one key. Without effect.
    public static let importOnlyOne = Self(rawValue: 1)
    /// Prompt for a passphrase securely. Without effect: there is no prompt for passphrases here.
    public static let securePassphrase = Self(rawValue: 2)
    /// Without effect.
    public static let noAccessControl = Self(rawValue: 4)
}

/// Parameters for reading and writing keys. Only the passphrase is used.
@unsafe public struct SecItemImportExportKeyParameters {
    /// 0.
    public var version: UInt32 = 0
    /// Ignored.
    public var flags: SecKeyImportExportFlags = []
    /// The passphrase: a string, or data in UTF-8.
    public var passphrase: Unmanaged<CFTypeRef>?
    /// Ignored.
    public var alertTitle: Unmanaged<CFString>?
    /// Ignored.
    public var alertPrompt: Unmanaged<CFString>?
    /// Ignored.
    public var accessRef: Unmanaged<SecAccess>?
    /// Ignored.
    public var keyUsage: Unmanaged<CFArray>?
    /// Ignored.
    public var keyAttributes: Unmanaged<CFArray>?

    /// Parameters without a passphrase.
    public init() {}
}

/// The version of SecItemImportExportKeyParameters.
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: UInt32 = 0

/// Reads the items of a file: SecCertificate, SecKey, and SecIdentity from PKCS#12. Nothing is stored: add them
/// with SecItemAdd.
///
/// Reads certificates and keys in DER and PEM, including encrypted ones, and PKCS#12.
///
/// - Parameters:
///   - importedData: The file.
///   - fileNameOrExtension: Ignored: the bytes identify the format.
///   - inputFormat: The expected format, set to the detected one. Required only for formatPKCS12 and formatRawKey.
///   - itemType: Set to the kind of the items; its value is ignored.
///   - flags: Ignored.
///   - keyParams: The passphrase.
///   - importKeychain: Ignored.
///   - outItems: Set to an array of the items.
/// - Returns: errSecSuccess; errSecUnknownFormat for anything else; errSecPassphraseRequired; errSecPkcs12VerifyFailure
///   (wrong passphrase); errSecUnsupportedFormat (older encryption); errSecDataTooLarge.
@discardableResult
public func SecItemImport(
    _ importedData: CFData, _ fileNameOrExtension: CFString?, _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    guard let engine = CurrentEngine.value else { return errSecNotAvailable }
    let passphrase = unsafe passphrase(keyParams)
    let answer = engine.items(of: importedData, as: unsafe inputFormat?.pointee ?? .formatUnknown, passphrase)
    guard answer.status == errSecSuccess else { return answer.status }
    unsafe inputFormat?.pointee = answer.format
    unsafe itemType?.pointee = itemKind(answer.items)
    unsafe outItems?.pointee = answer.items as NSArray
    return errSecSuccess
}

/// Writes certificates and keys as the bytes of a file.
///
/// - Parameters:
///   - secItemOrArray: A SecCertificate, SecKey or SecIdentity, or an array of them; several are written in PEM.
///   - outputFormat: formatX509Cert, formatOpenSSL, formatRawKey, formatPEMSequence, or formatUnknown for the
///     usual one.
///   - flags: pemArmour writes PEM.
///   - keyParams: Ignored: the output is not encrypted.
///   - exportedData: Set to the bytes.
/// - Returns: errSecSuccess; errSecUnsupportedFormat for a format that can't be written, including PKCS#12; errSecParam
///   for other objects.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    guard let engine = CurrentEngine.value else { return errSecNotAvailable }
    let items: [AnyObject] =
        (secItemOrArray as? NSArray).map { Mirror(reflecting: $0).children.map { $0.value as AnyObject } } ?? [
            secItemOrArray
        ]
    let (status, data) = engine.file(of: items, as: outputFormat, inPEM: flags.contains(.pemArmour))
    if let data { unsafe exportedData.pointee = NSData(data: data) }
    return status
}

private func passphrase(_ parameters: UnsafePointer<SecItemImportExportKeyParameters>?) -> String? {
    guard let object = unsafe parameters?.pointee.passphrase?.takeUnretainedValue() else { return nil }
    return switch ReadValue(object) {
    case .text(let text): text
    case .data(let data): String(data: data as Data, encoding: .utf8)
    default: nil
    }
}

private func itemKind(_ items: [AnyObject]) -> SecExternalItemType {
    guard items.count == 1 else { return .itemTypeAggregate }
    switch items[0] {
    case is SecCertificate: return .itemTypeCertificate
    case let key as SecKey: return key.content.isPrivate ? .itemTypePrivateKey : .itemTypePublicKey
    default: return .itemTypeAggregate
    }
}
#endif
