// SPDX-License-Identifier: Apache-2.0

/// Apple's OSStatus: the functions of SecItem return it, every error has one, and the command ends with its low byte. Numbers that
/// have no row here keep their value.
package struct Status: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Apple's name, `errSecItemNotFound` for example; nil if it has none here.
    package var name: String? { Self.byRawValue[rawValue]?.name }

    /// What it means, in one sentence.
    package var meaning: String { Self.byRawValue[rawValue]?.meaning ?? "Status \(rawValue)." }

    /// The low byte, and 1 where that is 0: as macOS's `security` command ends.
    package var exitStatus: Int32 {
        let low = Int32(UInt8(truncatingIfNeeded: rawValue))
        return low == 0 ? 1 : low
    }

    /// One row of the table.
    package struct Row: Sendable {
        package let rawValue: Int32
        package let name: String
        package let meaning: String
    }

    private static let byRawValue = Dictionary(table.map { ($0.rawValue, $0) }) { first, _ in first }

    /// Every number that has a name, in descending order.
    package static let table: [Row] = [
        Row(rawValue: 0, name: "errSecSuccess", meaning: "No error."),
        Row(rawValue: -4, name: "errSecUnimplemented", meaning: "Not implemented."),
        Row(rawValue: -34, name: "errSecDiskFull", meaning: "The disk is full; the old state is intact."),
        Row(rawValue: -36, name: "errSecIO", meaning: "Input or output failed."),
        Row(rawValue: -47, name: "fBsyErr", meaning: "Somebody else is using it; try again."),
        Row(rawValue: -49, name: "errSecOpWr", meaning: "The file is open for writing already."),
        Row(rawValue: -50, name: "errSecParam", meaning: "An argument is missing or wrong."),
        Row(rawValue: -61, name: "errSecWrPerm", meaning: "No permission to write."),
        Row(rawValue: -108, name: "errSecAllocate", meaning: "Memory ran out."),
        Row(rawValue: -128, name: "errSecUserCanceled", meaning: "The person cancelled."),
        Row(rawValue: -909, name: "errSecBadReq", meaning: "A bad parameter or state."),
        Row(rawValue: -2070, name: "errSecInternalComponent", meaning: "An internal failure."),
        Row(rawValue: -4960, name: "errSecCoreFoundationUnknown", meaning: "An unknown failure of Core Foundation."),
        Row(rawValue: -9_809, name: "errSSLCrypto", meaning: "A cryptographic operation failed."),
        Row(rawValue: -25_240, name: "errSecACLNotSimple", meaning: "An access list is not in simple form."),
        Row(rawValue: -25_241, name: "errSecPolicyNotFound", meaning: "The policy is not known."),
        Row(rawValue: -25_243, name: "errSecNoAccessForItem", meaning: "The item has no access control."),
        Row(rawValue: -25_256, name: "errSecUnsupportedFormat", meaning: "The format can't be imported or exported."),
        Row(rawValue: -25_257, name: "errSecUnknownFormat", meaning: "The format is not known."),
        Row(rawValue: -25_260, name: "errSecPassphraseRequired", meaning: "A passphrase is needed."),
        Row(
            rawValue: -25_264, name: "errSecPkcs12VerifyFailure",
            meaning: "The PKCS#12 file does not verify with this password."),
        Row(
            rawValue: -25_291, name: "errSecNotAvailable",
            meaning:
                "There is no keychain, or no key of this class, here; or the chip does not give it, or an earlier home was put back."
        ),
        Row(rawValue: -25_292, name: "errSecReadOnly", meaning: "The keychain can't be written to."),
        Row(rawValue: -25_293, name: "errSecAuthFailed", meaning: "The passcode or password is wrong."),
        Row(rawValue: -25_294, name: "errSecNoSuchKeychain", meaning: "There is no such keychain."),
        Row(
            rawValue: -25_295, name: "errSecInvalidKeychain",
            meaning: "The file is not a keychain that this version can read."),
        Row(rawValue: -25_296, name: "errSecDuplicateKeychain", meaning: "The keychain exists already."),
        Row(rawValue: -25_299, name: "errSecDuplicateItem", meaning: "An item with this identity exists already."),
        Row(rawValue: -25_300, name: "errSecItemNotFound", meaning: "There is no such item."),
        Row(rawValue: -25_301, name: "errSecBufferTooSmall", meaning: "The buffer is too small."),
        Row(rawValue: -25_302, name: "errSecDataTooLarge", meaning: "The secret or an attribute is too large."),
        Row(rawValue: -25_303, name: "errSecNoSuchAttr", meaning: "The item class has no such attribute."),
        Row(
            rawValue: -25_304, name: "errSecInvalidItemRef",
            meaning: "The reference does not stand for an item any more."),
        Row(rawValue: -25_305, name: "errSecInvalidSearchRef", meaning: "The search can't go on."),
        Row(rawValue: -25_306, name: "errSecNoSuchClass", meaning: "There is no such item class."),
        Row(rawValue: -25_307, name: "errSecNoDefaultKeychain", meaning: "There is no default keychain."),
        Row(
            rawValue: -25_308, name: "errSecInteractionNotAllowed",
            meaning: "Locked, or a prompt is needed and not allowed."),
        Row(rawValue: -25_309, name: "errSecReadOnlyAttr", meaning: "The attribute can't be changed."),
        Row(rawValue: -25_311, name: "errSecKeySizeNotAllowed", meaning: "The key size is not allowed."),
        Row(
            rawValue: -25_315, name: "errSecInteractionRequired",
            meaning: "A person has to answer, and can't be asked here."),
        Row(
            rawValue: -25_316, name: "errSecDataNotAvailable",
            meaning: "The key that the secret is under does not exist any more."),
        Row(rawValue: -25_317, name: "errSecDataNotModifiable", meaning: "The content can't be changed."),
        Row(rawValue: -25_320, name: "errSecInDarkWake", meaning: "No prompt while the machine is in dark wake."),
        Row(rawValue: -26_267, name: "errSecNotSigner", meaning: "The issuer does not match."),
        Row(rawValue: -26_275, name: "errSecDecode", meaning: "Stored bytes are not what was written."),
        Row(rawValue: -26_276, name: "errSecInternal", meaning: "An internal error."),
        Row(
            rawValue: -34_018, name: "errSecMissingEntitlement",
            meaning: "The program is not entitled to this access group."),
        Row(rawValue: -34_020, name: "errSecRestrictedAPI", meaning: "The program may not use this function."),
        Row(rawValue: -67_808, name: "errSecVerifyFailed", meaning: "A signature or digest does not verify."),
        Row(rawValue: -67_843, name: "errSecNotTrusted", meaning: "A certificate or its signer is not trusted."),
        Row(rawValue: -67_853, name: "errSecInvalidEncoding", meaning: "The encoding is wrong."),
    ]
}

extension Status {
    package static let unimplemented = Self(rawValue: -4)
    package static let diskFull = Self(rawValue: -34)
    package static let inputOutput = Self(rawValue: -36)
    package static let busy = Self(rawValue: -47)
    package static let parameter = Self(rawValue: -50)
    package static let noWritePermission = Self(rawValue: -61)
    package static let outOfMemory = Self(rawValue: -108)
    package static let userCancelled = Self(rawValue: -128)
    package static let internalComponent = Self(rawValue: -2070)
    package static let notAvailable = Self(rawValue: -25_291)
    package static let readOnly = Self(rawValue: -25_292)
    package static let authenticationFailed = Self(rawValue: -25_293)
    package static let noSuchKeychain = Self(rawValue: -25_294)
    package static let invalidKeychain = Self(rawValue: -25_295)
    package static let duplicateItem = Self(rawValue: -25_299)
    package static let itemNotFound = Self(rawValue: -25_300)
    package static let dataTooLarge = Self(rawValue: -25_302)
    package static let locked = Self(rawValue: -25_308)
    package static let interactionRequired = Self(rawValue: -25_315)
    package static let keyDestroyed = Self(rawValue: -25_316)
    package static let verifyFailed = Self(rawValue: -67_808)
    package static let notTrusted = Self(rawValue: -67_843)
    package static let damaged = Self(rawValue: -26_275)
    package static let unknownFormat = Self(rawValue: -25_257)
}
