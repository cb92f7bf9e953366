// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

#if !canImport(Darwin)

// The keychain, its items and files.

/// No error.
public let errSecSuccess: OSStatus = 0

/// Not implemented.
public let errSecUnimplemented: OSStatus = -4

/// The disk is full; the old state is intact.
public let errSecDiskFull: OSStatus = -34

/// The disk is full; the old state is intact.
public let errSecDskFull: OSStatus = errSecDiskFull

/// Input or output failed.
public let errSecIO: OSStatus = -36

/// The file is open for writing already.
public let errSecOpWr: OSStatus = -49

/// An argument is missing or wrong.
public let errSecParam: OSStatus = -50

/// No permission to write.
public let errSecWrPerm: OSStatus = -61

/// Memory ran out.
public let errSecAllocate: OSStatus = -108

/// The person cancelled.
public let errSecUserCanceled: OSStatus = -128

/// A bad parameter or state.
public let errSecBadReq: OSStatus = -909

/// An internal failure.
public let errSecInternalComponent: OSStatus = -2070

/// An unknown failure of Core Foundation.
public let errSecCoreFoundationUnknown: OSStatus = -4960

/// A cryptographic operation failed.
public let errSSLCrypto: OSStatus = -9809

/// An access list is not in simple form.
public let errSecACLNotSimple: OSStatus = -25_240

/// The policy is not known.
public let errSecPolicyNotFound: OSStatus = -25_241

/// The trust setting is invalid.
public let errSecInvalidTrustSetting: OSStatus = -25_242

/// The item has no access control.
public let errSecNoAccessForItem: OSStatus = -25_243

/// The owner may not be changed so.
public let errSecInvalidOwnerEdit: OSStatus = -25_244

/// There are no results of a trust evaluation.
public let errSecTrustNotAvailable: OSStatus = -25_245

/// The format can't be imported or exported.
public let errSecUnsupportedFormat: OSStatus = -25_256

/// The format is not known.
public let errSecUnknownFormat: OSStatus = -25_257

/// The key must be wrapped to be exported.
public let errSecKeyIsSensitive: OSStatus = -25_258

/// There is more than one private key.
public let errSecMultiplePrivKeys: OSStatus = -25_259

/// A passphrase is needed.
public let errSecPassphraseRequired: OSStatus = -25_260

/// The reference does not stand for a password.
public let errSecInvalidPasswordRef: OSStatus = -25_261

/// The trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25_262

/// There are no trust settings.
public let errSecNoTrustSettings: OSStatus = -25_263

/// The PKCS#12 file does not verify with this password.
public let errSecPkcs12VerifyFailure: OSStatus = -25_264

/// There is no keychain, or no key of this class, here; or the TPM does not give it, or an earlier home was put back.
public let errSecNotAvailable: OSStatus = -25_291

/// The keychain can't be written to.
public let errSecReadOnly: OSStatus = -25_292

/// The passcode or password is wrong.
public let errSecAuthFailed: OSStatus = -25_293

/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25_294

/// The file is not a keychain that this version can read.
public let errSecInvalidKeychain: OSStatus = -25_295

/// The keychain exists already.
public let errSecDuplicateKeychain: OSStatus = -25_296

/// The function is registered already.
public let errSecDuplicateCallback: OSStatus = -25_297

/// The function is not registered.
public let errSecInvalidCallback: OSStatus = -25_298

/// An item with this identity exists already.
public let errSecDuplicateItem: OSStatus = -25_299

/// There is no such item.
public let errSecItemNotFound: OSStatus = -25_300

/// The buffer is too small.
public let errSecBufferTooSmall: OSStatus = -25_301

/// The secret or an attribute is too large.
public let errSecDataTooLarge: OSStatus = -25_302

/// The item class has no such attribute.
public let errSecNoSuchAttr: OSStatus = -25_303

/// The reference does not stand for an item any more.
public let errSecInvalidItemRef: OSStatus = -25_304

/// The search can't go on.
public let errSecInvalidSearchRef: OSStatus = -25_305

/// There is no such item class.
public let errSecNoSuchClass: OSStatus = -25_306

/// There is no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25_307

/// Locked, or a prompt is needed and not allowed.
public let errSecInteractionNotAllowed: OSStatus = -25_308

/// The attribute can't be changed.
public let errSecReadOnlyAttr: OSStatus = -25_309

/// The version is wrong.
public let errSecWrongSecVersion: OSStatus = -25_310

/// The key size is not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25_311

/// There is no module for storage.
public let errSecNoStorageModule: OSStatus = -25_312

/// There is no module for certificates.
public let errSecNoCertificateModule: OSStatus = -25_313

/// There is no module for policies.
public let errSecNoPolicyModule: OSStatus = -25_314

/// A person has to answer, and can't be asked here.
public let errSecInteractionRequired: OSStatus = -25_315

/// The key that the secret is under does not exist any more.
public let errSecDataNotAvailable: OSStatus = -25_316

/// The content can't be changed.
public let errSecDataNotModifiable: OSStatus = -25_317

/// A chain of certificates could not be made.
public let errSecCreateChainFailed: OSStatus = -25_318

/// The domain of preferences is invalid.
public let errSecInvalidPrefsDomain: OSStatus = -25_319

/// No prompt while the machine is in dark wake.
public let errSecInDarkWake: OSStatus = -25_320

/// The issuer does not match.
public let errSecNotSigner: OSStatus = -26_267

/// Stored bytes are not what was written.
public let errSecDecode: OSStatus = -26_275

/// An internal error.
public let errSecInternal: OSStatus = -26_276

/// The program is not entitled to this access group.
public let errSecMissingEntitlement: OSStatus = -34_018

/// The program may not use this function.
public let errSecRestrictedAPI: OSStatus = -34_020

#endif
