// SPDX-License-Identifier: Apache-2.0

package import Statuses

extension KeychainError.Code {
    /// errSecSuccess: no error.
    public static let success = Self(rawValue: 0)
    /// errSecUnimplemented: not implemented.
    public static let unimplemented = Self(rawValue: -4)
    /// errSecDiskFull: the disk is full; the old state is intact.
    public static let diskFull = Self(rawValue: -34)
    /// errSecIO: Input or output failed.
    public static let inputOutput = Self(rawValue: -36)
    /// fBsyErr: somebody else is using it; try again.
    public static let busy = Self(rawValue: -47)
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
    public var name: String? { Status(rawValue: rawValue).name }

    /// What the code means, in one sentence.
    public var meaning: String { Status(rawValue: rawValue).meaning }

    /// A code by Apple's name; nil if none here has it.
    public init?(name: String) {
        guard let row = Status.table.first(where: { $0.name == name }) else { return nil }
        self.init(rawValue: row.rawValue)
    }

    /// Every code that has a name, in descending order of the raw values.
    public static var named: [Self] { Status.table.map { Self(rawValue: $0.rawValue) } }
}

extension KeychainError.Code: StatusCode {
    /// As `named`.
    package static var all: [Self] { named }
    /// Apple's name, or the number.
    package var codeName: String { name ?? "\(rawValue)" }
    /// The code is one.
    package var status: Status? { Status(rawValue: rawValue) }
}
