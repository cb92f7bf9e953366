// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

#if !canImport(Darwin)

// Modules, handles and records; named so that tables of codes compile.

/// It is used before it was set up.
public let errSecNotInitialized: OSStatus = -67_667

/// The handle can't be used for this.
public let errSecInvalidHandleUsage: OSStatus = -67_668

/// What was referred to was not found.
public let errSecPVCReferentNotFound: OSStatus = -67_669

/// The integrity of a function could not be verified.
public let errSecFunctionIntegrityFail: OSStatus = -67_670

/// An internal error.
public let errSecInternalError: OSStatus = -67_671

/// Memory ran out or failed.
public let errSecMemoryError: OSStatus = -67_672

/// The data is invalid.
public let errSecInvalidData: OSStatus = -67_673

/// The directory of modules failed.
public let errSecMDSError: OSStatus = -67_674

/// The pointer is invalid.
public let errSecInvalidPointer: OSStatus = -67_675

/// A check of itself failed.
public let errSecSelfCheckFailed: OSStatus = -67_676

/// The function failed.
public let errSecFunctionFailed: OSStatus = -67_677

/// The manifest of the module does not verify.
public let errSecModuleManifestVerifyFailed: OSStatus = -67_678

/// The identifier is invalid.
public let errSecInvalidGUID: OSStatus = -67_679

/// The handle is invalid.
public let errSecInvalidHandle: OSStatus = -67_680

/// The list of databases is invalid.
public let errSecInvalidDBList: OSStatus = -67_681

/// The number of the special function is invalid.
public let errSecInvalidPassthroughID: OSStatus = -67_682

/// The network address is invalid.
public let errSecInvalidNetworkAddress: OSStatus = -67_683

/// The list of revoked certificates is signed already.
public let errSecCRLAlreadySigned: OSStatus = -67_684

/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67_685

/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67_686

/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67_687

/// The signature is invalid.
public let errSecInvalidSignature: OSStatus = -67_688

/// The name is invalid.
public let errSecInvalidName: OSStatus = -67_689

/// The reference does not stand for a certificate.
public let errSecInvalidCertificateRef: OSStatus = -67_690

/// The group of certificates is invalid.
public let errSecInvalidCertificateGroup: OSStatus = -67_691

/// There is no such tag.
public let errSecTagNotFound: OSStatus = -67_692

/// The query is invalid.
public let errSecInvalidQuery: OSStatus = -67_693

/// The value is invalid.
public let errSecInvalidValue: OSStatus = -67_694

/// A function that was called back failed.
public let errSecCallbackFailed: OSStatus = -67_695

/// The entry of the access list could not be deleted.
public let errSecACLDeleteFailed: OSStatus = -67_696

/// The entry of the access list could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67_697

/// The entry could not be added to the access list.
public let errSecACLAddFailed: OSStatus = -67_698

/// The access list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67_699

/// What was given to prove the right of access is invalid.
public let errSecInvalidAccessCredentials: OSStatus = -67_700

/// The record is invalid.
public let errSecInvalidRecord: OSStatus = -67_701

/// The access list is invalid.
public let errSecInvalidACL: OSStatus = -67_702

/// The sample is invalid.
public let errSecInvalidSampleValue: OSStatus = -67_703

/// The version does not fit.
public let errSecIncompatibleVersion: OSStatus = -67_704

/// The privilege was not granted.
public let errSecPrivilegeNotGranted: OSStatus = -67_705

/// The scope is invalid.
public let errSecInvalidScope: OSStatus = -67_706

/// The pointer check is set up already.
public let errSecPVCAlreadyConfigured: OSStatus = -67_707

/// The pointer check is invalid.
public let errSecInvalidPVC: OSStatus = -67_708

/// The module manager could not be loaded.
public let errSecEMMLoadFailed: OSStatus = -67_709

/// The module manager could not be unloaded.
public let errSecEMMUnloadFailed: OSStatus = -67_710

/// The add-in could not be loaded.
public let errSecAddinLoadFailed: OSStatus = -67_711

/// The reference does not stand for a key.
public let errSecInvalidKeyRef: OSStatus = -67_712

/// The hierarchy of keys is invalid.
public let errSecInvalidKeyHierarchy: OSStatus = -67_713

/// The add-in could not be unloaded.
public let errSecAddinUnloadFailed: OSStatus = -67_714

/// The library that was referred to was not found.
public let errSecLibraryReferenceNotFound: OSStatus = -67_715

/// The add-in's table of functions is invalid.
public let errSecInvalidAddinFunctionTable: OSStatus = -67_716

/// The mask of services is invalid.
public let errSecInvalidServiceMask: OSStatus = -67_717

/// The module is not loaded.
public let errSecModuleNotLoaded: OSStatus = -67_718

/// The identifier of the part of the service is invalid.
public let errSecInvalidSubServiceID: OSStatus = -67_719

/// The context does not have this attribute.
public let errSecAttributeNotInContext: OSStatus = -67_720

/// The module manager could not be set up.
public let errSecModuleManagerInitializeFailed: OSStatus = -67_721

/// There is no module manager.
public let errSecModuleManagerNotFound: OSStatus = -67_722

/// The function that events are told to was not found.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67_723

/// The input has a wrong length.
public let errSecInputLengthError: OSStatus = -67_724

/// The output has a wrong length.
public let errSecOutputLengthError: OSStatus = -67_725

/// The privilege is not supported.
public let errSecPrivilegeNotSupported: OSStatus = -67_726

/// The device failed.
public let errSecDeviceError: OSStatus = -67_727

/// The handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67_728

/// No user is logged in.
public let errSecNotLoggedIn: OSStatus = -67_729

/// The algorithms do not agree.
public let errSecAlgorithmMismatch: OSStatus = -67_730

/// The key may not be used for this.
public let errSecKeyUsageIncorrect: OSStatus = -67_731

/// The bytes of the key are of another type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67_732

/// The header of the key contradicts it.
public let errSecKeyHeaderInconsistent: OSStatus = -67_733

/// The format of the key is not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67_734

/// The size of the key is not supported.
public let errSecUnsupportedKeySize: OSStatus = -67_735

/// The mask of key usages is invalid.
public let errSecInvalidKeyUsageMask: OSStatus = -67_736

/// The mask of key usages is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67_737

/// The mask of key attributes is invalid.
public let errSecInvalidKeyAttributeMask: OSStatus = -67_738

/// The mask of key attributes is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67_739

/// The label of the key is invalid.
public let errSecInvalidKeyLabel: OSStatus = -67_740

/// The label of the key is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67_741

/// The format of the key is invalid.
public let errSecInvalidKeyFormat: OSStatus = -67_742

/// A list of buffers is not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67_743

/// The input is invalid.
public let errSecInvalidInputVector: OSStatus = -67_744

/// The output is invalid.
public let errSecInvalidOutputVector: OSStatus = -67_745

#endif
