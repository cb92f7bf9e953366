// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

extension StatusName {
    /// Name and sentence of the codes from -67585 down, one a line, without a gap.
    static let sentences = """
        ServiceNotAvailable: The service is not available.
        InsufficientClientID: The client's identification is not enough.
        DeviceReset: The device was reset.
        DeviceFailed: The device failed.
        AppleAddAppACLSubject: An application could not be added to the access list.
        ApplePublicKeyIncomplete: The public key is incomplete.
        AppleSignatureMismatch: The signature does not match.
        AppleInvalidKeyStartDate: The start date of the key is invalid.
        AppleInvalidKeyEndDate: The end date of the key is invalid.
        ConversionError: A value could not be converted.
        AppleSSLv2Rollback: The peer fell back to SSL 2.
        QuotaExceeded: The quota is used up.
        FileTooBig: The file is too large.
        InvalidDatabaseBlob: The bytes of the database are invalid.
        InvalidKeyBlob: The bytes of the key are invalid.
        IncompatibleDatabaseBlob: The bytes of the database are of another version.
        IncompatibleKeyBlob: The bytes of the key are of another version.
        HostNameMismatch: The certificate is for another host name.
        UnknownCriticalExtensionFlag: A critical extension is not known.
        NoBasicConstraints: The certificate has no basic constraints.
        NoBasicConstraintsCA: The basic constraints do not make it a certificate authority.
        InvalidAuthorityKeyID: The identifier of the authority's key is invalid.
        InvalidSubjectKeyID: The identifier of the subject's key is invalid.
        InvalidKeyUsageForPolicy: The key usage does not fit the policy.
        InvalidExtendedKeyUsage: The extended key usage is invalid.
        InvalidIDLinkage: The identifiers of subject and issuer do not fit together.
        PathLengthConstraintExceeded: The chain is longer than its constraint allows.
        InvalidRoot: The root certificate is invalid.
        CRLExpired: The list of revoked certificates has expired.
        CRLNotValidYet: The list of revoked certificates is not valid yet.
        CRLNotFound: There is no list of revoked certificates.
        CRLServerDown: The server for revoked certificates does not answer.
        CRLBadURI: The address of the list of revoked certificates is invalid.
        UnknownCertExtension: The certificate has an extension that is not known.
        UnknownCRLExtension: The list of revoked certificates has an extension that is not known.
        CRLNotTrusted: The list of revoked certificates is not trusted.
        CRLPolicyFailed: The policy for revoked certificates is not met.
        IDPFailure: The issuing distribution point is not accepted.
        SMIMEEmailAddressesNotFound: The certificate does not have the message's e-mail address.
        SMIMEBadExtendedKeyUsage: The extended key usage is not one for S/MIME.
        SMIMEBadKeyUsage: The key usage is not one for S/MIME.
        SMIMEKeyUsageNotCritical: The key usage for S/MIME is not marked as critical.
        SMIMENoEmailAddress: The certificate has no e-mail address.
        SMIMESubjAltNameNotCritical: The alternative name of the subject is not marked as critical.
        SSLBadExtendedKeyUsage: The extended key usage is not one for TLS.
        OCSPBadResponse: The answer about revocation can't be read or is wrong.
        OCSPBadRequest: The question about revocation is wrong.
        OCSPUnavailable: The service for revocation is not available.
        OCSPStatusUnrecognized: The service for revocation does not know the certificate.
        EndOfData: The data ends here.
        IncompleteCertRevocationCheck: Revocation could not be checked to the end.
        NetworkFailure: The network failed.
        OCSPNotTrustedToAnchor: The answer about revocation does not lead to a trusted root.
        RecordModified: The record was changed meanwhile.
        OCSPSignatureError: The signature of the answer about revocation is wrong.
        OCSPNoSigner: The answer about revocation has no signer.
        OCSPResponderMalformedReq: The service for revocation could not read the question.
        OCSPResponderInternalError: The service for revocation failed.
        OCSPResponderTryLater: The service for revocation asks to try again later.
        OCSPResponderSignatureRequired: The service for revocation wants a signed question.
        OCSPResponderUnauthorized: The service for revocation does not answer this question.
        OCSPResponseNonceMismatch: The answer about revocation is to another question.
        CodeSigningBadCertChainLength: The chain of the code signature has a wrong length.
        CodeSigningNoBasicConstraints: A certificate of the code signature has no basic constraints.
        CodeSigningBadPathLengthConstraint: The chain of the code signature is longer than its constraint allows.
        CodeSigningNoExtendedKeyUsage: The signer of the code has no extended key usage.
        CodeSigningDevelopment: The code is signed for development only.
        ResourceSignBadCertChainLength: The chain of the resources' signature has a wrong length.
        ResourceSignBadExtKeyUsage: The extended key usage is not one for signing resources.
        TrustSettingDeny: The trust settings forbid it.
        InvalidSubjectName: The name of the subject is invalid.
        UnknownQualifiedCertStatement: A statement of the qualified certificate is not known.
        MobileMeRequestQueued: The request is in the queue and will be sent.
        MobileMeRequestRedirected: The request was redirected.
        MobileMeServerError: The server failed.
        MobileMeServerNotAvailable: The server is not available.
        MobileMeServerAlreadyExists: The server has this item already.
        MobileMeServerServiceErr: A service of the server failed.
        MobileMeRequestAlreadyPending: A request is under way already.
        MobileMeNoRequestPending: There is no request under way.
        MobileMeCSRVerifyFailure: The certificate request does not verify.
        MobileMeFailedConsistencyCheck: The answer of the server contradicts itself.
        NotInitialized: It is used before it was set up.
        InvalidHandleUsage: The handle can't be used for this.
        PVCReferentNotFound: What was referred to was not found.
        FunctionIntegrityFail: The integrity of a function could not be verified.
        InternalError: An internal error.
        MemoryError: Memory ran out or failed.
        InvalidData: The data is invalid.
        MDSError: The directory of modules failed.
        InvalidPointer: The pointer is invalid.
        SelfCheckFailed: A check of itself failed.
        FunctionFailed: The function failed.
        ModuleManifestVerifyFailed: The manifest of the module does not verify.
        InvalidGUID: The identifier is invalid.
        InvalidHandle: The handle is invalid.
        InvalidDBList: The list of databases is invalid.
        InvalidPassthroughID: The number of the special function is invalid.
        InvalidNetworkAddress: The network address is invalid.
        CRLAlreadySigned: The list of revoked certificates is signed already.
        InvalidNumberOfFields: The number of fields is wrong.
        VerificationFailure: The verification failed.
        UnknownTag: The tag is not known.
        InvalidSignature: The signature is invalid.
        InvalidName: The name is invalid.
        InvalidCertificateRef: The reference does not stand for a certificate.
        InvalidCertificateGroup: The group of certificates is invalid.
        TagNotFound: There is no such tag.
        InvalidQuery: The query is invalid.
        InvalidValue: The value is invalid.
        CallbackFailed: A function that was called back failed.
        ACLDeleteFailed: The entry of the access list could not be deleted.
        ACLReplaceFailed: The entry of the access list could not be replaced.
        ACLAddFailed: The entry could not be added to the access list.
        ACLChangeFailed: The access list could not be changed.
        InvalidAccessCredentials: What was given to prove the right of access is invalid.
        InvalidRecord: The record is invalid.
        InvalidACL: The access list is invalid.
        InvalidSampleValue: The sample is invalid.
        IncompatibleVersion: The version does not fit.
        PrivilegeNotGranted: The privilege was not granted.
        InvalidScope: The scope is invalid.
        PVCAlreadyConfigured: The pointer check is set up already.
        InvalidPVC: The pointer check is invalid.
        EMMLoadFailed: The module manager could not be loaded.
        EMMUnloadFailed: The module manager could not be unloaded.
        AddinLoadFailed: The add-in could not be loaded.
        InvalidKeyRef: The reference does not stand for a key.
        InvalidKeyHierarchy: The hierarchy of keys is invalid.
        AddinUnloadFailed: The add-in could not be unloaded.
        LibraryReferenceNotFound: The library that was referred to was not found.
        InvalidAddinFunctionTable: The add-in's table of functions is invalid.
        InvalidServiceMask: The mask of services is invalid.
        ModuleNotLoaded: The module is not loaded.
        InvalidSubServiceID: The identifier of the part of the service is invalid.
        AttributeNotInContext: The context does not have this attribute.
        ModuleManagerInitializeFailed: The module manager could not be set up.
        ModuleManagerNotFound: There is no module manager.
        EventNotificationCallbackNotFound: The function that events are told to was not found.
        InputLengthError: The input has a wrong length.
        OutputLengthError: The output has a wrong length.
        PrivilegeNotSupported: The privilege is not supported.
        DeviceError: The device failed.
        AttachHandleBusy: The handle is in use.
        NotLoggedIn: Nobody is logged in.
        AlgorithmMismatch: The algorithms do not agree.
        KeyUsageIncorrect: The key may not be used for this.
        KeyBlobTypeIncorrect: The bytes of the key are of another type.
        KeyHeaderInconsistent: The header of the key contradicts it.
        UnsupportedKeyFormat: The format of the key is not supported.
        UnsupportedKeySize: The size of the key is not supported.
        InvalidKeyUsageMask: The mask of key usages is invalid.
        UnsupportedKeyUsageMask: The mask of key usages is not supported.
        InvalidKeyAttributeMask: The mask of key attributes is invalid.
        UnsupportedKeyAttributeMask: The mask of key attributes is not supported.
        InvalidKeyLabel: The label of the key is invalid.
        UnsupportedKeyLabel: The label of the key is not supported.
        InvalidKeyFormat: The format of the key is invalid.
        UnsupportedVectorOfBuffers: A list of buffers is not supported.
        InvalidInputVector: The input is invalid.
        InvalidOutputVector: The output is invalid.
        InvalidContext: The context is invalid.
        InvalidAlgorithm: The algorithm is invalid.
        InvalidAttributeKey: The key among the attributes is invalid.
        MissingAttributeKey: The attributes have no key.
        InvalidAttributeInitVector: The initialization vector among the attributes is invalid.
        MissingAttributeInitVector: The attributes have no initialization vector.
        InvalidAttributeSalt: The salt among the attributes is invalid.
        MissingAttributeSalt: The attributes have no salt.
        InvalidAttributePadding: The padding among the attributes is invalid.
        MissingAttributePadding: The attributes have no padding.
        InvalidAttributeRandom: The random number among the attributes is invalid.
        MissingAttributeRandom: The attributes have no random number.
        InvalidAttributeSeed: The seed among the attributes is invalid.
        MissingAttributeSeed: The attributes have no seed.
        InvalidAttributePassphrase: The passphrase among the attributes is invalid.
        MissingAttributePassphrase: The attributes have no passphrase.
        InvalidAttributeKeyLength: The key length among the attributes is invalid.
        MissingAttributeKeyLength: The attributes have no key length.
        InvalidAttributeBlockSize: The block size among the attributes is invalid.
        MissingAttributeBlockSize: The attributes have no block size.
        InvalidAttributeOutputSize: The output size among the attributes is invalid.
        MissingAttributeOutputSize: The attributes have no output size.
        InvalidAttributeRounds: The number of rounds among the attributes is invalid.
        MissingAttributeRounds: The attributes have no number of rounds.
        InvalidAlgorithmParms: The parameters of the algorithm are invalid.
        MissingAlgorithmParms: The algorithm has no parameters.
        InvalidAttributeLabel: The label among the attributes is invalid.
        MissingAttributeLabel: The attributes have no label.
        InvalidAttributeKeyType: The key type among the attributes is invalid.
        MissingAttributeKeyType: The attributes have no key type.
        InvalidAttributeMode: The mode among the attributes is invalid.
        MissingAttributeMode: The attributes have no mode.
        InvalidAttributeEffectiveBits: The number of effective bits among the attributes is invalid.
        MissingAttributeEffectiveBits: The attributes have no number of effective bits.
        InvalidAttributeStartDate: The start date among the attributes is invalid.
        MissingAttributeStartDate: The attributes have no start date.
        InvalidAttributeEndDate: The end date among the attributes is invalid.
        MissingAttributeEndDate: The attributes have no end date.
        InvalidAttributeVersion: The version among the attributes is invalid.
        MissingAttributeVersion: The attributes have no version.
        InvalidAttributePrime: The prime among the attributes is invalid.
        MissingAttributePrime: The attributes have no prime.
        InvalidAttributeBase: The base among the attributes is invalid.
        MissingAttributeBase: The attributes have no base.
        InvalidAttributeSubprime: The subprime among the attributes is invalid.
        MissingAttributeSubprime: The attributes have no subprime.
        InvalidAttributeIterationCount: The number of iterations among the attributes is invalid.
        MissingAttributeIterationCount: The attributes have no number of iterations.
        InvalidAttributeDLDBHandle: The database handle among the attributes is invalid.
        MissingAttributeDLDBHandle: The attributes have no database handle.
        InvalidAttributeAccessCredentials: The credentials among the attributes are invalid.
        MissingAttributeAccessCredentials: The attributes have no credentials.
        InvalidAttributePublicKeyFormat: The format of the public key among the attributes is invalid.
        MissingAttributePublicKeyFormat: The attributes have no format of the public key.
        InvalidAttributePrivateKeyFormat: The format of the private key among the attributes is invalid.
        MissingAttributePrivateKeyFormat: The attributes have no format of the private key.
        InvalidAttributeSymmetricKeyFormat: The format of the symmetric key among the attributes is invalid.
        MissingAttributeSymmetricKeyFormat: The attributes have no format of the symmetric key.
        InvalidAttributeWrappedKeyFormat: The format of the wrapped key among the attributes is invalid.
        MissingAttributeWrappedKeyFormat: The attributes have no format of the wrapped key.
        StagedOperationInProgress: An operation in steps is under way.
        StagedOperationNotStarted: No operation in steps was begun.
        VerifyFailed: A signature or digest does not verify.
        QuerySizeUnknown: The size of the query is not known.
        BlockSizeMismatch: The block sizes do not agree.
        PublicKeyInconsistent: The public key contradicts itself.
        DeviceVerifyFailed: The device does not verify.
        InvalidLoginName: The login name is invalid.
        AlreadyLoggedIn: Somebody is logged in already.
        InvalidDigestAlgorithm: The digest algorithm is invalid.
        InvalidCRLGroup: The group of lists of revoked certificates is invalid.
        CertificateCannotOperate: The certificate can't be used for this.
        CertificateExpired: The certificate has expired.
        CertificateNotValidYet: The certificate is not valid yet.
        CertificateRevoked: The certificate was revoked.
        CertificateSuspended: The certificate was suspended.
        InsufficientCredentials: What was given to prove the right of access is not enough.
        InvalidAction: The action is invalid.
        InvalidAuthority: The authority is invalid.
        VerifyActionFailed: The action of a verification failed.
        InvalidCertAuthority: The certificate authority is invalid.
        InvalidCRLAuthority: The authority of the list of revoked certificates is invalid.
        InvalidCRLEncoding: The encoding of the list of revoked certificates is invalid.
        InvalidCRLType: The type of the list of revoked certificates is invalid.
        InvalidCRL: The list of revoked certificates is invalid.
        InvalidFormType: The type of the form is invalid.
        InvalidID: The identifier is invalid.
        InvalidIdentifier: The identifier is invalid.
        InvalidIndex: The index is invalid.
        InvalidPolicyIdentifiers: The identifiers of the policy are invalid.
        InvalidTimeString: The time is not written as it must be.
        InvalidReason: The reason is invalid.
        InvalidRequestInputs: The input of the request is invalid.
        InvalidResponseVector: The answer is invalid.
        InvalidStopOnPolicy: The rule for stopping is invalid.
        InvalidTuple: The tuple is invalid.
        MultipleValuesUnsupported: Several values are not supported.
        NotTrusted: A certificate or its signer is not trusted.
        NoDefaultAuthority: There is no default authority.
        RejectedForm: The form was rejected.
        RequestLost: The request was lost.
        RequestRejected: The request was rejected.
        UnsupportedAddressType: The type of the address is not supported.
        UnsupportedService: The service is not supported.
        InvalidTupleGroup: The group of tuples is invalid.
        InvalidBaseACLs: The base access lists are invalid.
        InvalidTupleCredentials: The credentials of the tuple are invalid.
        InvalidEncoding: The encoding is wrong.
        InvalidValidityPeriod: The period of validity is invalid.
        InvalidRequestor: Whoever asks is not accepted.
        RequestDescriptor: The description of the request is invalid.
        InvalidBundleInfo: The information about the bundle is invalid.
        InvalidCRLIndex: The index of the list of revoked certificates is invalid.
        NoFieldValues: The fields have no values.
        UnsupportedFieldFormat: The format of the field is not supported.
        UnsupportedIndexInfo: The information about the index is not supported.
        UnsupportedLocality: The locality is not supported.
        UnsupportedNumAttributes: The number of attributes is not supported.
        UnsupportedNumIndexes: The number of indexes is not supported.
        UnsupportedNumRecordTypes: The number of record types is not supported.
        FieldSpecifiedMultiple: A field was given more than once.
        IncompatibleFieldFormat: The format of the field does not fit.
        InvalidParsingModule: The module for parsing is invalid.
        DatabaseLocked: The database is locked.
        DatastoreIsOpen: The data store is open.
        MissingValue: A value is missing.
        UnsupportedQueryLimits: The limits of the query are not supported.
        UnsupportedNumSelectionPreds: The number of conditions is not supported.
        UnsupportedOperator: The operator is not supported.
        InvalidDBLocation: The location of the database is invalid.
        InvalidAccessRequest: The request for access is invalid.
        InvalidIndexInfo: The information about the index is invalid.
        InvalidNewOwner: The new owner is invalid.
        InvalidModifyMode: The way of changing is invalid.
        MissingRequiredExtension: An extension that is needed is missing.
        ExtendedKeyUsageNotCritical: The extended key usage is not marked as critical.
        TimestampMissing: A time stamp was expected and is missing.
        TimestampInvalid: The time stamp is invalid.
        TimestampNotTrusted: The time stamp is not trusted.
        TimestampServiceNotAvailable: The service for time stamps is not available.
        TimestampBadAlg: The algorithm of the time stamp is not known or not supported.
        TimestampBadRequest: The request for a time stamp is not permitted or not supported.
        TimestampBadDataFormat: The data for the time stamp has a wrong format.
        TimestampTimeNotAvailable: The time source of the time stamp is not available.
        TimestampUnacceptedPolicy: The policy of the time stamp is not supported.
        TimestampUnacceptedExtension: The extension of the time stamp is not supported.
        TimestampAddInfoNotAvailable: The additional information for the time stamp is not available.
        TimestampSystemFailure: The service for time stamps failed.
        SigningTimeMissing: A signing time was expected and is missing.
        TimestampRejection: The time stamp was refused.
        TimestampWaiting: The time stamp is being waited for.
        TimestampRevocationWarning: The authority for time stamps is about to be revoked.
        TimestampRevocationNotification: The authority for time stamps was revoked.
        CertificatePolicyNotAllowed: The certificate's policy is not allowed by its issuer.
        CertificateNameNotAllowed: The certificate's name is not allowed by its issuer.
        CertificateValidityPeriodTooLong: The certificate is valid for longer than is allowed.
        CertificateIsCA: The certificate is one of an authority and should not be.
        CertificateDuplicateExtension: The certificate has an extension twice.
        MissingQualifiedCertStatement: The certificate lacks a statement that a qualified one needs.
        """
}
#endif
