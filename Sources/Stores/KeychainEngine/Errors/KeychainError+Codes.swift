// SPDX-License-Identifier: Apache-2.0

extension KeychainError.Code {
    /// errSecSuccess: no error.
    public static let success = Self(rawValue: 0)
    /// errSecUnimplemented: not implemented.
    public static let unimplemented = Self(rawValue: -4)
    /// errSecDiskFull: the disk is full; the old state is intact.
    public static let diskFull = Self(rawValue: -34)
    /// errSecIO: Input or output failed.
    public static let inputOutput = Self(rawValue: -36)
    /// errSecOpWr: the file is open for writing already.
    public static let alreadyOpenForWriting = Self(rawValue: -49)
    /// errSecParam: an argument is missing or wrong.
    public static let parameter = Self(rawValue: -50)
    /// errSecWrPerm: no permission to write.
    public static let noWritePermission = Self(rawValue: -61)
    /// errSecAllocate: memory ran out.
    public static let outOfMemory = Self(rawValue: -108)
    /// errSecUserCanceled: the person cancelled.
    public static let userCancelled = Self(rawValue: -128)
    /// errSecBadReq: a bad parameter or state.
    public static let badRequest = Self(rawValue: -909)
    /// errSecInternalComponent: an internal failure.
    public static let internalComponent = Self(rawValue: -2070)
    /// errSecCoreFoundationUnknown: an unknown failure of Core Foundation.
    public static let coreFoundationUnknown = Self(rawValue: -4960)
    /// errSecACLNotSimple: an access list is not in simple form.
    public static let accessListNotSimple = Self(rawValue: -25_240)
    /// errSecPolicyNotFound: the policy is not known.
    public static let policyNotFound = Self(rawValue: -25_241)
    /// errSecNoAccessForItem: the item has no access control.
    public static let noAccessForItem = Self(rawValue: -25_243)
    /// errSecUnsupportedFormat: the format can't be imported or exported.
    public static let unsupportedFormat = Self(rawValue: -25_256)
    /// errSecUnknownFormat: the format is not known.
    public static let unknownFormat = Self(rawValue: -25_257)
    /// errSecPassphraseRequired: a passphrase is needed.
    public static let passphraseRequired = Self(rawValue: -25_260)
    /// errSecPkcs12VerifyFailure: the PKCS#12 file does not verify with this password.
    public static let pkcs12VerifyFailure = Self(rawValue: -25_264)
    /// errSecNotAvailable: there is no keychain, or no key of this class, here.
    public static let notAvailable = Self(rawValue: -25_291)
    /// errSecReadOnly: the keychain can't be written to.
    public static let readOnly = Self(rawValue: -25_292)
    /// errSecAuthFailed: the passcode or password is wrong.
    public static let authenticationFailed = Self(rawValue: -25_293)
    /// errSecNoSuchKeychain: there is no such keychain.
    public static let noSuchKeychain = Self(rawValue: -25_294)
    /// errSecInvalidKeychain: the file is not a keychain that this version can read.
    public static let invalidKeychain = Self(rawValue: -25_295)
    /// errSecDuplicateKeychain: the keychain exists already.
    public static let duplicateKeychain = Self(rawValue: -25_296)
    /// errSecDuplicateItem: an item with this identity exists already.
    public static let duplicateItem = Self(rawValue: -25_299)
    /// errSecItemNotFound: there is no such item.
    public static let itemNotFound = Self(rawValue: -25_300)
    /// errSecBufferTooSmall: the buffer is too small.
    public static let bufferTooSmall = Self(rawValue: -25_301)
    /// errSecDataTooLarge: the secret or an attribute is too large.
    public static let dataTooLarge = Self(rawValue: -25_302)
    /// errSecNoSuchAttr: the item class has no such attribute.
    public static let noSuchAttribute = Self(rawValue: -25_303)
    /// errSecInvalidItemRef: the reference does not stand for an item any more.
    public static let invalidItemReference = Self(rawValue: -25_304)
    /// errSecInvalidSearchRef: the search can't go on.
    public static let invalidSearchReference = Self(rawValue: -25_305)
    /// errSecNoSuchClass: there is no such item class.
    public static let noSuchClass = Self(rawValue: -25_306)
    /// errSecNoDefaultKeychain: there is no default keychain.
    public static let noDefaultKeychain = Self(rawValue: -25_307)
    /// errSecInteractionNotAllowed: locked, or a prompt is needed and not allowed.
    public static let locked = Self(rawValue: -25_308)
    /// errSecReadOnlyAttr: the attribute can't be changed.
    public static let readOnlyAttribute = Self(rawValue: -25_309)
    /// errSecKeySizeNotAllowed: the key size is not allowed.
    public static let keySizeNotAllowed = Self(rawValue: -25_311)
    /// errSecInteractionRequired: a person has to answer, and can't be asked here.
    public static let interactionRequired = Self(rawValue: -25_315)
    /// errSecDataNotAvailable: the key that the secret is under does not exist any more.
    public static let keyDestroyed = Self(rawValue: -25_316)
    /// errSecDataNotModifiable: the content can't be changed.
    public static let dataNotModifiable = Self(rawValue: -25_317)
    /// errSecInDarkWake: no prompt while the machine is in dark wake.
    public static let inDarkWake = Self(rawValue: -25_320)
    /// errSecNotSigner: the issuer does not match.
    public static let notSigner = Self(rawValue: -26_267)
    /// errSecDecode: stored bytes are not what was written.
    public static let damaged = Self(rawValue: -26_275)
    /// errSecInternal: an internal error.
    public static let internalError = Self(rawValue: -26_276)
    /// errSecMissingEntitlement: the program is not entitled to this access group.
    public static let missingEntitlement = Self(rawValue: -34_018)
    /// errSecRestrictedAPI: the program may not use this function.
    public static let restrictedAPI = Self(rawValue: -34_020)
    /// errSecInvalidEncoding: the encoding is wrong.
    public static let invalidEncoding = Self(rawValue: -67_853)

    /// Apple's name of the code, `errSecItemNotFound` for example; nil if it has none here.
    public var name: String? { Self.byRawValue[rawValue]?.name }

    /// What the code means, in one sentence.
    public var meaning: String { Self.byRawValue[rawValue]?.meaning ?? "Status \(rawValue)." }

    /// A code by Apple's name; nil if none here has it.
    public init?(name: String) {
        guard let row = Self.table.first(where: { $0.name == name }) else { return nil }
        self = row.code
    }

    /// Every code that has a name, in descending order of the raw values.
    public static var named: [Self] { table.map(\.code) }

    struct Row: Sendable {
        let code: KeychainError.Code
        let name: String
        let meaning: String
    }

    private static let byRawValue = Dictionary(table.map { ($0.code.rawValue, $0) }) { first, _ in first }

    static let table: [Row] = [
        Row(code: .success, name: "errSecSuccess", meaning: "No error."),
        Row(code: .unimplemented, name: "errSecUnimplemented", meaning: "Not implemented."),
        Row(code: .diskFull, name: "errSecDiskFull", meaning: "The disk is full; the old state is intact."),
        Row(code: .inputOutput, name: "errSecIO", meaning: "Input or output failed."),
        Row(code: .alreadyOpenForWriting, name: "errSecOpWr", meaning: "The file is open for writing already."),
        Row(code: .parameter, name: "errSecParam", meaning: "An argument is missing or wrong."),
        Row(code: .noWritePermission, name: "errSecWrPerm", meaning: "No permission to write."),
        Row(code: .outOfMemory, name: "errSecAllocate", meaning: "Memory ran out."),
        Row(code: .userCancelled, name: "errSecUserCanceled", meaning: "The person cancelled."),
        Row(code: .badRequest, name: "errSecBadReq", meaning: "A bad parameter or state."),
        Row(code: .internalComponent, name: "errSecInternalComponent", meaning: "An internal failure."),
        Row(
            code: .coreFoundationUnknown, name: "errSecCoreFoundationUnknown",
            meaning: "An unknown failure of Core Foundation."
        ),
        Row(code: .accessListNotSimple, name: "errSecACLNotSimple", meaning: "An access list is not in simple form."),
        Row(code: .policyNotFound, name: "errSecPolicyNotFound", meaning: "The policy is not known."),
        Row(code: .noAccessForItem, name: "errSecNoAccessForItem", meaning: "The item has no access control."),
        Row(
            code: .unsupportedFormat, name: "errSecUnsupportedFormat",
            meaning: "The format can't be imported or exported."
        ),
        Row(code: .unknownFormat, name: "errSecUnknownFormat", meaning: "The format is not known."),
        Row(code: .passphraseRequired, name: "errSecPassphraseRequired", meaning: "A passphrase is needed."),
        Row(
            code: .pkcs12VerifyFailure, name: "errSecPkcs12VerifyFailure",
            meaning: "The PKCS#12 file does not verify with this password."
        ),
        Row(
            code: .notAvailable, name: "errSecNotAvailable",
            meaning: "There is no keychain, or no key of this class, here."
        ),
        Row(code: .readOnly, name: "errSecReadOnly", meaning: "The keychain can't be written to."),
        Row(code: .authenticationFailed, name: "errSecAuthFailed", meaning: "The passcode or password is wrong."),
        Row(code: .noSuchKeychain, name: "errSecNoSuchKeychain", meaning: "There is no such keychain."),
        Row(
            code: .invalidKeychain, name: "errSecInvalidKeychain",
            meaning: "The file is not a keychain that this version can read."
        ),
        Row(code: .duplicateKeychain, name: "errSecDuplicateKeychain", meaning: "The keychain exists already."),
        Row(code: .duplicateItem, name: "errSecDuplicateItem", meaning: "An item with this identity exists already."),
        Row(code: .itemNotFound, name: "errSecItemNotFound", meaning: "There is no such item."),
        Row(code: .bufferTooSmall, name: "errSecBufferTooSmall", meaning: "The buffer is too small."),
        Row(code: .dataTooLarge, name: "errSecDataTooLarge", meaning: "The secret or an attribute is too large."),
        Row(code: .noSuchAttribute, name: "errSecNoSuchAttr", meaning: "The item class has no such attribute."),
        Row(
            code: .invalidItemReference, name: "errSecInvalidItemRef",
            meaning: "The reference does not stand for an item any more."
        ),
        Row(code: .invalidSearchReference, name: "errSecInvalidSearchRef", meaning: "The search can't go on."),
        Row(code: .noSuchClass, name: "errSecNoSuchClass", meaning: "There is no such item class."),
        Row(code: .noDefaultKeychain, name: "errSecNoDefaultKeychain", meaning: "There is no default keychain."),
        Row(
            code: .locked, name: "errSecInteractionNotAllowed",
            meaning: "Locked, or a prompt is needed and not allowed."
        ),
        Row(code: .readOnlyAttribute, name: "errSecReadOnlyAttr", meaning: "The attribute can't be changed."),
        Row(code: .keySizeNotAllowed, name: "errSecKeySizeNotAllowed", meaning: "The key size is not allowed."),
        Row(
            code: .interactionRequired, name: "errSecInteractionRequired",
            meaning: "A person has to answer, and can't be asked here."
        ),
        Row(
            code: .keyDestroyed, name: "errSecDataNotAvailable",
            meaning: "The key that the secret is under does not exist any more."
        ),
        Row(code: .dataNotModifiable, name: "errSecDataNotModifiable", meaning: "The content can't be changed."),
        Row(code: .inDarkWake, name: "errSecInDarkWake", meaning: "No prompt while the machine is in dark wake."),
        Row(code: .notSigner, name: "errSecNotSigner", meaning: "The issuer does not match."),
        Row(code: .damaged, name: "errSecDecode", meaning: "Stored bytes are not what was written."),
        Row(code: .internalError, name: "errSecInternal", meaning: "An internal error."),
        Row(
            code: .missingEntitlement, name: "errSecMissingEntitlement",
            meaning: "The program is not entitled to this access group."
        ),
        Row(code: .restrictedAPI, name: "errSecRestrictedAPI", meaning: "The program may not use this function."),
        Row(code: .invalidEncoding, name: "errSecInvalidEncoding", meaning: "The encoding is wrong."),
    ]
}
