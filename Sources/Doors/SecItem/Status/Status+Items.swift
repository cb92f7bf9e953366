// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

/// Done, without an error.
public let errSecSuccess: OSStatus = 0

/// This is not implemented.
public let errSecUnimplemented: OSStatus = -4

/// There is no space left on the disk.
public let errSecDiskFull: OSStatus = -34

/// There is no space left on the disk.
public let errSecDskFull: OSStatus = errSecDiskFull

/// Reading or writing failed.
public let errSecIO: OSStatus = -36

/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49

/// An argument of the call breaks a rule.
public let errSecParam: OSStatus = -50

/// Writing is not permitted.
public let errSecWrPerm: OSStatus = -61

/// There is not enough memory.
public let errSecAllocate: OSStatus = -108

/// A cryptographic operation failed: what the older functions of keys answer for a signature that does not verify.
public let errSSLCrypto: OSStatus = -9_809

/// The person cancelled.
public let errSecUserCanceled: OSStatus = -128

/// The request does not fit an argument or the present state.
public let errSecBadReq: OSStatus = -909

/// A part of the system failed.
public let errSecInternalComponent: OSStatus = -2070

/// An error that Core Foundation does not name.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// The program is not entitled to this, for example to this access group.
public let errSecMissingEntitlement: OSStatus = -34_018

/// The program may not use this function.
public let errSecRestrictedAPI: OSStatus = -34_020

/// The keychain, or the key of this protection class, is not available. It may need a passcode to be set.
public let errSecNotAvailable: OSStatus = -25_291

/// The keychain can be read only.
public let errSecReadOnly: OSStatus = -25_292

/// The passcode or password is wrong.
public let errSecAuthFailed: OSStatus = -25_293

/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294

/// This is not a keychain.
public let errSecInvalidKeychain: OSStatus = -25_295

/// There is a keychain of that name already.
public let errSecDuplicateKeychain: OSStatus = -25_296

/// This callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25_297

/// This callback can't be used.
public let errSecInvalidCallback: OSStatus = -25_298

/// The keychain holds an item of the same identity already.
public let errSecDuplicateItem: OSStatus = -25_299

/// No item in the keychain matches.
public let errSecItemNotFound: OSStatus = -25_300

/// The buffer is too small.
public let errSecBufferTooSmall: OSStatus = -25_301

/// The data is larger than an item may be.
public let errSecDataTooLarge: OSStatus = -25_302

/// The class of the item has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25_303

/// The reference names an item that is gone.
public let errSecInvalidItemRef: OSStatus = -25_304

/// The search can't go on.
public let errSecInvalidSearchRef: OSStatus = -25_305

/// There is no such item class.
public let errSecNoSuchClass: OSStatus = -25_306

/// No default keychain is set.
public let errSecNoDefaultKeychain: OSStatus = -25_307

/// The keychain is locked, or a prompt would be needed where none is allowed.
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// This attribute can't be changed.
public let errSecReadOnlyAttr: OSStatus = -25_309

/// The version does not fit.
public let errSecWrongSecVersion: OSStatus = -25_310

/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25_311

/// A storage module is missing.
public let errSecNoStorageModule: OSStatus = -25_312

/// A certificate module is missing.
public let errSecNoCertificateModule: OSStatus = -25_313

/// A policy module is missing.
public let errSecNoPolicyModule: OSStatus = -25_314

/// A person has to be asked.
public let errSecInteractionRequired: OSStatus = -25_315

/// The content can't be had; the key that protects it may be destroyed.
public let errSecDataNotAvailable: OSStatus = -25_316

/// The content can't be changed.
public let errSecDataNotModifiable: OSStatus = -25_317

/// No chain of certificates could be made.
public let errSecCreateChainFailed: OSStatus = -25_318

/// The preferences domain is not valid.
public let errSecInvalidPrefsDomain: OSStatus = -25_319

/// Nobody can be asked while the display sleeps.
public let errSecInDarkWake: OSStatus = -25_320

/// The access list is not of the simple form.
public let errSecACLNotSimple: OSStatus = -25_240

/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25_241

/// The trust setting is not valid.
public let errSecInvalidTrustSetting: OSStatus = -25_242

/// The item has no access control.
public let errSecNoAccessForItem: OSStatus = -25_243

/// The owner of the item can't be changed so.
public let errSecInvalidOwnerEdit: OSStatus = -25_244

/// There is no result of a trust evaluation.
public let errSecTrustNotAvailable: OSStatus = -25_245

/// This format can't be imported or exported.
public let errSecUnsupportedFormat: OSStatus = -25_256

/// The format of the import is not known.
public let errSecUnknownFormat: OSStatus = -25_257

/// The key may leave only wrapped.
public let errSecKeyIsSensitive: OSStatus = -25_258

/// The import holds several private keys.
public let errSecMultiplePrivKeys: OSStatus = -25_259

/// The import or export needs a passphrase.
public let errSecPassphraseRequired: OSStatus = -25_260

/// The password reference is not valid.
public let errSecInvalidPasswordRef: OSStatus = -25_261

/// The record of trust settings is damaged.
public let errSecInvalidTrustSettings: OSStatus = -25_262

/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25_263

/// The PKCS#12 check failed: a wrong passphrase or a damaged file.
public let errSecPkcs12VerifyFailure: OSStatus = -25_264

/// The certificate was not signed by this issuer.
public let errSecNotSigner: OSStatus = -26_267

/// The data can't be decoded: an item is damaged, or the bytes are of another kind.
public let errSecDecode: OSStatus = -26_275

/// The keychain failed inside; private on Apple's systems.
public let errSecInternal: OSStatus = -26_276
#endif
