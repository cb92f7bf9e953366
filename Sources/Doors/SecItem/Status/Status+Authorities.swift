// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

// Certificate authorities, requests and time stamps; named so that tables of codes compile.

/// Staged operation in progress.
public let errSecStagedOperationInProgress: OSStatus = -67_806

/// Staged operation not started.
public let errSecStagedOperationNotStarted: OSStatus = -67_807

/// Verify failed.
public let errSecVerifyFailed: OSStatus = -67_808

/// Query size unknown.
public let errSecQuerySizeUnknown: OSStatus = -67_809

/// Block size mismatch.
public let errSecBlockSizeMismatch: OSStatus = -67_810

/// Public key inconsistent.
public let errSecPublicKeyInconsistent: OSStatus = -67_811

/// Device verify failed.
public let errSecDeviceVerifyFailed: OSStatus = -67_812

/// Invalid login name.
public let errSecInvalidLoginName: OSStatus = -67_813

/// Already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67_814

/// Invalid digest algorithm.
public let errSecInvalidDigestAlgorithm: OSStatus = -67_815

/// Invalid CRL group.
public let errSecInvalidCRLGroup: OSStatus = -67_816

/// Certificate cannot operate.
public let errSecCertificateCannotOperate: OSStatus = -67_817

/// Certificate expired.
public let errSecCertificateExpired: OSStatus = -67_818

/// Certificate not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67_819

/// Certificate revoked.
public let errSecCertificateRevoked: OSStatus = -67_820

/// Certificate suspended.
public let errSecCertificateSuspended: OSStatus = -67_821

/// Insufficient credentials.
public let errSecInsufficientCredentials: OSStatus = -67_822

/// Invalid action.
public let errSecInvalidAction: OSStatus = -67_823

/// Invalid authority.
public let errSecInvalidAuthority: OSStatus = -67_824

/// Verify action failed.
public let errSecVerifyActionFailed: OSStatus = -67_825

/// Invalid cert authority.
public let errSecInvalidCertAuthority: OSStatus = -67_826

/// Invalid CRL authority.
public let errSecInvalidCRLAuthority: OSStatus = -67_827

/// An older spelling of `errSecInvalidCRLAuthority`.
public let errSecInvaldCRLAuthority: OSStatus = errSecInvalidCRLAuthority

/// Invalid CRL encoding.
public let errSecInvalidCRLEncoding: OSStatus = -67_828

/// Invalid CRL type.
public let errSecInvalidCRLType: OSStatus = -67_829

/// Invalid CRL.
public let errSecInvalidCRL: OSStatus = -67_830

/// Invalid form type.
public let errSecInvalidFormType: OSStatus = -67_831

/// Invalid ID.
public let errSecInvalidID: OSStatus = -67_832

/// Invalid identifier.
public let errSecInvalidIdentifier: OSStatus = -67_833

/// Invalid index.
public let errSecInvalidIndex: OSStatus = -67_834

/// Invalid policy identifiers.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67_835

/// Invalid time string.
public let errSecInvalidTimeString: OSStatus = -67_836

/// Invalid reason.
public let errSecInvalidReason: OSStatus = -67_837

/// Invalid request inputs.
public let errSecInvalidRequestInputs: OSStatus = -67_838

/// Invalid response vector.
public let errSecInvalidResponseVector: OSStatus = -67_839

/// Invalid stop on policy.
public let errSecInvalidStopOnPolicy: OSStatus = -67_840

/// Invalid tuple.
public let errSecInvalidTuple: OSStatus = -67_841

/// Multiple values unsupported.
public let errSecMultipleValuesUnsupported: OSStatus = -67_842

/// Not trusted.
public let errSecNotTrusted: OSStatus = -67_843

/// No default authority.
public let errSecNoDefaultAuthority: OSStatus = -67_844

/// Rejected form.
public let errSecRejectedForm: OSStatus = -67_845

/// Request lost.
public let errSecRequestLost: OSStatus = -67_846

/// Request rejected.
public let errSecRequestRejected: OSStatus = -67_847

/// Unsupported address type.
public let errSecUnsupportedAddressType: OSStatus = -67_848

/// Unsupported service.
public let errSecUnsupportedService: OSStatus = -67_849

/// Invalid tuple group.
public let errSecInvalidTupleGroup: OSStatus = -67_850

/// Invalid base ACLs.
public let errSecInvalidBaseACLs: OSStatus = -67_851

/// Invalid tuple credentials.
public let errSecInvalidTupleCredentials: OSStatus = -67_852

/// An older spelling of `errSecInvalidTupleCredentials`.
public let errSecInvalidTupleCredendtials: OSStatus = errSecInvalidTupleCredentials

/// Invalid encoding.
public let errSecInvalidEncoding: OSStatus = -67_853

/// Invalid validity period.
public let errSecInvalidValidityPeriod: OSStatus = -67_854

/// Invalid requestor.
public let errSecInvalidRequestor: OSStatus = -67_855

/// Request descriptor.
public let errSecRequestDescriptor: OSStatus = -67_856

/// Invalid bundle info.
public let errSecInvalidBundleInfo: OSStatus = -67_857

/// Invalid CRL index.
public let errSecInvalidCRLIndex: OSStatus = -67_858

/// No field values.
public let errSecNoFieldValues: OSStatus = -67_859

/// Unsupported field format.
public let errSecUnsupportedFieldFormat: OSStatus = -67_860

/// Unsupported index info.
public let errSecUnsupportedIndexInfo: OSStatus = -67_861

/// Unsupported locality.
public let errSecUnsupportedLocality: OSStatus = -67_862

/// Unsupported num attributes.
public let errSecUnsupportedNumAttributes: OSStatus = -67_863

/// Unsupported num indexes.
public let errSecUnsupportedNumIndexes: OSStatus = -67_864

/// Unsupported num record types.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67_865

/// Field specified multiple.
public let errSecFieldSpecifiedMultiple: OSStatus = -67_866

/// Incompatible field format.
public let errSecIncompatibleFieldFormat: OSStatus = -67_867

/// Invalid parsing module.
public let errSecInvalidParsingModule: OSStatus = -67_868

/// Database locked.
public let errSecDatabaseLocked: OSStatus = -67_869

/// Datastore is open.
public let errSecDatastoreIsOpen: OSStatus = -67_870

/// Missing value.
public let errSecMissingValue: OSStatus = -67_871

/// Unsupported query limits.
public let errSecUnsupportedQueryLimits: OSStatus = -67_872

/// Unsupported num selection preds.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67_873

/// Unsupported operator.
public let errSecUnsupportedOperator: OSStatus = -67_874

/// Invalid DB location.
public let errSecInvalidDBLocation: OSStatus = -67_875

/// Invalid access request.
public let errSecInvalidAccessRequest: OSStatus = -67_876

/// Invalid index info.
public let errSecInvalidIndexInfo: OSStatus = -67_877

/// Invalid new owner.
public let errSecInvalidNewOwner: OSStatus = -67_878

/// Invalid modify mode.
public let errSecInvalidModifyMode: OSStatus = -67_879

/// Missing required extension.
public let errSecMissingRequiredExtension: OSStatus = -67_880

/// Extended key usage not critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67_881

/// Timestamp missing.
public let errSecTimestampMissing: OSStatus = -67_882

/// Timestamp invalid.
public let errSecTimestampInvalid: OSStatus = -67_883

/// Timestamp not trusted.
public let errSecTimestampNotTrusted: OSStatus = -67_884

/// Timestamp service not available.
public let errSecTimestampServiceNotAvailable: OSStatus = -67_885

/// Timestamp bad alg.
public let errSecTimestampBadAlg: OSStatus = -67_886

/// Timestamp bad request.
public let errSecTimestampBadRequest: OSStatus = -67_887

/// Timestamp bad data format.
public let errSecTimestampBadDataFormat: OSStatus = -67_888

/// Timestamp time not available.
public let errSecTimestampTimeNotAvailable: OSStatus = -67_889

/// Timestamp unaccepted policy.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67_890

/// Timestamp unaccepted extension.
public let errSecTimestampUnacceptedExtension: OSStatus = -67_891

/// Timestamp add info not available.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67_892

/// Timestamp system failure.
public let errSecTimestampSystemFailure: OSStatus = -67_893

/// Signing time missing.
public let errSecSigningTimeMissing: OSStatus = -67_894

/// Timestamp rejection.
public let errSecTimestampRejection: OSStatus = -67_895

/// Timestamp waiting.
public let errSecTimestampWaiting: OSStatus = -67_896

/// Timestamp revocation warning.
public let errSecTimestampRevocationWarning: OSStatus = -67_897

/// Timestamp revocation notification.
public let errSecTimestampRevocationNotification: OSStatus = -67_898

/// Certificate policy not allowed.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67_899

/// Certificate name not allowed.
public let errSecCertificateNameNotAllowed: OSStatus = -67_900

/// Certificate validity period too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67_901

/// Certificate is CA.
public let errSecCertificateIsCA: OSStatus = -67_902

/// Certificate duplicate extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67_903

/// Missing qualified cert statement.
public let errSecMissingQualifiedCertStatement: OSStatus = -67_904
#endif
