// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

extension KeychainError.Code {
    /// errSecSuccess: No error.
    public static let success = Self(rawValue: 0)
    /// errSecUnimplemented: Not implemented.
    public static let unimplemented = Self(rawValue: -4)
    /// errSecDiskFull: The disk is full; the old state is intact.
    public static let diskFull = Self(rawValue: -34)
    /// errSecIO: Input or output failed.
    public static let inputOutput = Self(rawValue: -36)
    /// fBsyErr: Another process is using it; try again.
    public static let busy = Self(rawValue: -47)
    /// errSecOpWr: The file is open for writing already.
    public static let alreadyOpenForWriting = Self(rawValue: -49)
    /// errSecParam: An argument is missing or wrong.
    public static let parameter = Self(rawValue: -50)
    /// errSecWrPerm: No permission to write.
    public static let noWritePermission = Self(rawValue: -61)
    /// errSecAllocate: Memory ran out.
    public static let outOfMemory = Self(rawValue: -108)
    /// errSecUserCanceled: The person cancelled.
    public static let userCancelled = Self(rawValue: -128)
    /// errSecBadReq: A bad parameter or state.
    public static let badRequest = Self(rawValue: -909)
    /// errSecInternalComponent: An internal failure.
    public static let internalComponent = Self(rawValue: -2070)
    /// errSecCoreFoundationUnknown: An unknown failure of Core Foundation.
    public static let coreFoundationUnknown = Self(rawValue: -4960)
    /// errSSLCrypto: A cryptographic operation failed.
    public static let cryptographyFailed = Self(rawValue: -9809)
    /// errSecACLNotSimple: An access list is not in simple form.
    public static let accessListNotSimple = Self(rawValue: -25_240)
    /// errSecPolicyNotFound: The policy is not known.
    public static let policyNotFound = Self(rawValue: -25_241)
    /// errSecNoAccessForItem: The item has no access control.
    public static let noAccessForItem = Self(rawValue: -25_243)
    /// errSecUnsupportedFormat: The format can't be imported or exported.
    public static let unsupportedFormat = Self(rawValue: -25_256)
    /// errSecUnknownFormat: The format is not known.
    public static let unknownFormat = Self(rawValue: -25_257)
    /// errSecPassphraseRequired: A passphrase is needed.
    public static let passphraseRequired = Self(rawValue: -25_260)
    /// errSecPkcs12VerifyFailure: The PKCS#12 file does not verify with this password.
    public static let pkcs12VerifyFailure = Self(rawValue: -25_264)
    /// errSecNotAvailable: There is no keychain, or no key of this class, here; or the TPM does not give it, or an
    /// earlier home was put back.
    public static let notAvailable = Self(rawValue: -25_291)
    /// errSecReadOnly: The keychain can't be written to.
    public static let readOnly = Self(rawValue: -25_292)
    /// errSecAuthFailed: The passcode or password is wrong.
    public static let authenticationFailed = Self(rawValue: -25_293)
    /// errSecNoSuchKeychain: There is no such keychain.
    public static let noSuchKeychain = Self(rawValue: -25_294)
    /// errSecInvalidKeychain: The file is not a keychain that this version can read.
    public static let invalidKeychain = Self(rawValue: -25_295)
    /// errSecDuplicateKeychain: The keychain exists already.
    public static let duplicateKeychain = Self(rawValue: -25_296)
    /// errSecDuplicateItem: An item with this identity exists already.
    public static let duplicateItem = Self(rawValue: -25_299)
    /// errSecItemNotFound: There is no such item.
    public static let itemNotFound = Self(rawValue: -25_300)
    /// errSecBufferTooSmall: The buffer is too small.
    public static let bufferTooSmall = Self(rawValue: -25_301)
    /// errSecDataTooLarge: The secret or an attribute is too large.
    public static let dataTooLarge = Self(rawValue: -25_302)
    /// errSecNoSuchAttr: The item class has no such attribute.
    public static let noSuchAttribute = Self(rawValue: -25_303)
    /// errSecInvalidItemRef: The reference does not stand for an item any more.
    public static let invalidItemReference = Self(rawValue: -25_304)
    /// errSecInvalidSearchRef: The search can't go on.
    public static let invalidSearchReference = Self(rawValue: -25_305)
    /// errSecNoSuchClass: There is no such item class.
    public static let noSuchClass = Self(rawValue: -25_306)
    /// errSecNoDefaultKeychain: There is no default keychain.
    public static let noDefaultKeychain = Self(rawValue: -25_307)
    /// errSecInteractionNotAllowed: Locked, or a prompt is needed and not allowed.
    public static let locked = Self(rawValue: -25_308)
    /// errSecReadOnlyAttr: The attribute can't be changed.
    public static let readOnlyAttribute = Self(rawValue: -25_309)
    /// errSecKeySizeNotAllowed: The key size is not allowed.
    public static let keySizeNotAllowed = Self(rawValue: -25_311)
    /// errSecInteractionRequired: A person has to answer, and can't be asked here.
    public static let interactionRequired = Self(rawValue: -25_315)
    /// errSecDataNotAvailable: The key that the secret is under does not exist any more.
    public static let keyDestroyed = Self(rawValue: -25_316)
    /// errSecDataNotModifiable: The content can't be changed.
    public static let dataNotModifiable = Self(rawValue: -25_317)
    /// errSecInDarkWake: No prompt while the machine is in dark wake.
    public static let inDarkWake = Self(rawValue: -25_320)
    /// errSecNotSigner: The issuer does not match.
    public static let notSigner = Self(rawValue: -26_267)
    /// errSecDecode: Stored bytes are not what was written.
    public static let damaged = Self(rawValue: -26_275)
    /// errSecInternal: An internal error.
    public static let internalError = Self(rawValue: -26_276)
    /// errSecMissingEntitlement: The program is not entitled to this access group.
    public static let missingEntitlement = Self(rawValue: -34_018)
    /// errSecRestrictedAPI: The program may not use this function.
    public static let restrictedAPI = Self(rawValue: -34_020)
    /// errSecVerifyFailed: A signature or digest does not verify.
    public static let verifyFailed = Self(rawValue: -67_808)
    /// errSecNotTrusted: A certificate or its signer is not trusted.
    public static let notTrusted = Self(rawValue: -67_843)
    /// errSecInvalidEncoding: The encoding is wrong.
    public static let invalidEncoding = Self(rawValue: -67_853)
}
