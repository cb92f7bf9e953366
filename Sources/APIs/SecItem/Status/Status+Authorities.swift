// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

#if !canImport(Darwin)

// Certificate authorities, requests and time stamps; named so that tables of codes compile.

/// An operation in steps is under way.
public let errSecStagedOperationInProgress: OSStatus = -67_806

/// No operation in steps was begun.
public let errSecStagedOperationNotStarted: OSStatus = -67_807

/// A signature or digest does not verify.
public let errSecVerifyFailed: OSStatus = -67_808

/// The size of the query is not known.
public let errSecQuerySizeUnknown: OSStatus = -67_809

/// The block sizes do not agree.
public let errSecBlockSizeMismatch: OSStatus = -67_810

/// The public key contradicts itself.
public let errSecPublicKeyInconsistent: OSStatus = -67_811

/// The device does not verify.
public let errSecDeviceVerifyFailed: OSStatus = -67_812

/// The login name is invalid.
public let errSecInvalidLoginName: OSStatus = -67_813

/// A user is logged in already.
public let errSecAlreadyLoggedIn: OSStatus = -67_814

/// The digest algorithm is invalid.
public let errSecInvalidDigestAlgorithm: OSStatus = -67_815

/// The group of lists of revoked certificates is invalid.
public let errSecInvalidCRLGroup: OSStatus = -67_816

/// The certificate can't be used for this.
public let errSecCertificateCannotOperate: OSStatus = -67_817

/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67_818

/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67_819

/// The certificate was revoked.
public let errSecCertificateRevoked: OSStatus = -67_820

/// The certificate was suspended.
public let errSecCertificateSuspended: OSStatus = -67_821

/// What was given to prove the right of access is not enough.
public let errSecInsufficientCredentials: OSStatus = -67_822

/// The action is invalid.
public let errSecInvalidAction: OSStatus = -67_823

/// The authority is invalid.
public let errSecInvalidAuthority: OSStatus = -67_824

/// The action of a verification failed.
public let errSecVerifyActionFailed: OSStatus = -67_825

/// The certificate authority is invalid.
public let errSecInvalidCertAuthority: OSStatus = -67_826

/// The authority of the list of revoked certificates is invalid.
public let errSecInvalidCRLAuthority: OSStatus = -67_827

/// The authority of the list of revoked certificates is invalid.
public let errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority

/// The encoding of the list of revoked certificates is invalid.
public let errSecInvalidCRLEncoding: OSStatus = -67_828

/// The type of the list of revoked certificates is invalid.
public let errSecInvalidCRLType: OSStatus = -67_829

/// The list of revoked certificates is invalid.
public let errSecInvalidCRL: OSStatus = -67_830

/// The type of the form is invalid.
public let errSecInvalidFormType: OSStatus = -67_831

/// The identifier is invalid.
public let errSecInvalidID: OSStatus = -67_832

/// The identifier is invalid.
public let errSecInvalidIdentifier: OSStatus = -67_833

/// The index is invalid.
public let errSecInvalidIndex: OSStatus = -67_834

/// The identifiers of the policy are invalid.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67_835

/// The time is not written as it must be.
public let errSecInvalidTimeString: OSStatus = -67_836

/// The reason is invalid.
public let errSecInvalidReason: OSStatus = -67_837

/// The input of the request is invalid.
public let errSecInvalidRequestInputs: OSStatus = -67_838

/// The answer is invalid.
public let errSecInvalidResponseVector: OSStatus = -67_839

/// The rule for stopping is invalid.
public let errSecInvalidStopOnPolicy: OSStatus = -67_840

/// The tuple is invalid.
public let errSecInvalidTuple: OSStatus = -67_841

/// Several values are not supported.
public let errSecMultipleValuesUnsupported: OSStatus = -67_842

/// A certificate or its signer is not trusted.
public let errSecNotTrusted: OSStatus = -67_843

/// There is no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67_844

/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67_845

/// The request was lost.
public let errSecRequestLost: OSStatus = -67_846

/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67_847

/// The type of the address is not supported.
public let errSecUnsupportedAddressType: OSStatus = -67_848

/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67_849

/// The group of tuples is invalid.
public let errSecInvalidTupleGroup: OSStatus = -67_850

/// The base access lists are invalid.
public let errSecInvalidBaseACLs: OSStatus = -67_851

/// The credentials of the tuple are invalid.
public let errSecInvalidTupleCredentials: OSStatus = -67_852

/// The credentials of the tuple are invalid.
public let errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials

/// The encoding is wrong.
public let errSecInvalidEncoding: OSStatus = -67_853

/// The period of validity is invalid.
public let errSecInvalidValidityPeriod: OSStatus = -67_854

/// The requestor is not accepted.
public let errSecInvalidRequestor: OSStatus = -67_855

/// The description of the request is invalid.
public let errSecRequestDescriptor: OSStatus = -67_856

/// The information about the bundle is invalid.
public let errSecInvalidBundleInfo: OSStatus = -67_857

/// The index of the list of revoked certificates is invalid.
public let errSecInvalidCRLIndex: OSStatus = -67_858

/// The fields have no values.
public let errSecNoFieldValues: OSStatus = -67_859

/// The format of the field is not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67_860

/// The information about the index is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67_861

/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67_862

/// The number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67_863

/// The number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67_864

/// The number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67_865

/// A field was given more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67_866

/// The format of the field does not fit.
public let errSecIncompatibleFieldFormat: OSStatus = -67_867

/// The module for parsing is invalid.
public let errSecInvalidParsingModule: OSStatus = -67_868

/// The database is locked.
public let errSecDatabaseLocked: OSStatus = -67_869

/// The data store is open.
public let errSecDatastoreIsOpen: OSStatus = -67_870

/// A value is missing.
public let errSecMissingValue: OSStatus = -67_871

/// The limits of the query are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67_872

/// The number of conditions is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67_873

/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67_874

/// The location of the database is invalid.
public let errSecInvalidDBLocation: OSStatus = -67_875

/// The request for access is invalid.
public let errSecInvalidAccessRequest: OSStatus = -67_876

/// The information about the index is invalid.
public let errSecInvalidIndexInfo: OSStatus = -67_877

/// The new owner is invalid.
public let errSecInvalidNewOwner: OSStatus = -67_878

/// The way of changing is invalid.
public let errSecInvalidModifyMode: OSStatus = -67_879

/// An extension that is needed is missing.
public let errSecMissingRequiredExtension: OSStatus = -67_880

/// The extended key usage is not marked as critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67_881

/// A time stamp was expected and is missing.
public let errSecTimestampMissing: OSStatus = -67_882

/// The time stamp is invalid.
public let errSecTimestampInvalid: OSStatus = -67_883

/// The time stamp is not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67_884

/// The service for time stamps is not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67_885

/// The algorithm of the time stamp is not known or not supported.
public let errSecTimestampBadAlg: OSStatus = -67_886

/// The request for a time stamp is not permitted or not supported.
public let errSecTimestampBadRequest: OSStatus = -67_887

/// The data for the time stamp has a wrong format.
public let errSecTimestampBadDataFormat: OSStatus = -67_888

/// The time source of the time stamp is not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67_889

/// The policy of the time stamp is not supported.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67_890

/// The extension of the time stamp is not supported.
public let errSecTimestampUnacceptedExtension: OSStatus = -67_891

/// The additional information for the time stamp is not available.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67_892

/// The service for time stamps failed.
public let errSecTimestampSystemFailure: OSStatus = -67_893

/// A signing time was expected and is missing.
public let errSecSigningTimeMissing: OSStatus = -67_894

/// The time stamp was refused.
public let errSecTimestampRejection: OSStatus = -67_895

/// The time stamp is being waited for.
public let errSecTimestampWaiting: OSStatus = -67_896

/// The authority for time stamps is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67_897

/// The authority for time stamps was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67_898

/// The certificate's policy is not allowed by its issuer.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67_899

/// The certificate's name is not allowed by its issuer.
public let errSecCertificateNameNotAllowed: OSStatus = -67_900

/// The certificate is valid for longer than is allowed.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67_901

/// The certificate is one of an authority and should not be.
public let errSecCertificateIsCA: OSStatus = -67_902

/// The certificate has an extension twice.
public let errSecCertificateDuplicateExtension: OSStatus = -67_903

/// The certificate lacks a statement that a qualified one needs.
public let errSecMissingQualifiedCertStatement: OSStatus = -67_904

#endif
