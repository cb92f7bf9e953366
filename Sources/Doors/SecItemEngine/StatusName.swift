// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)

import KeychainEngine
import SecItem

/// The names of status codes, and what they mean, for people.
enum StatusName {
    /// The name of a code, `errSecParam` for -50; nil for a number that has none.
    static func of(_ status: OSStatus) -> String? {
        if let name = KeychainError.Code(rawValue: status).name ?? otherItemNames[status] { return name }
        let index = Int(firstOfRange) - Int(status)
        return names.indices.contains(index) ? "errSec\(names[index])" : nil
    }

    /// A sentence; the words of the name where nothing better is known.
    static func sentence(of status: OSStatus) -> String {
        let code = KeychainError.Code(rawValue: status)
        if code.name != nil { return code.meaning }
        return of(status).map(words) ?? "OSStatus \(status)"
    }

    /// "Invalid CRL group." for errSecInvalidCRLGroup.
    private static func words(of name: String) -> String {
        let letters = Array(name.dropFirst("errSec".count))
        var words: [String] = []
        for (index, letter) in letters.enumerated() {
            let begins =
                letter.isUppercase
                && (index == 0 || !letters[index - 1].isUppercase
                    || letters.dropFirst(index + 1).first?.isLowercase == true)
            if begins { words.append("") }
            words[words.endIndex - 1].append(letter)
        }
        let lowered = words.enumerated().map { index, word in
            index == 0 || word.dropFirst().first?.isUppercase == true ? word : word.lowercased()
        }
        return lowered.joined(separator: " ") + "."
    }

    private static let otherItemNames: [OSStatus: String] = [
        errSecDuplicateCallback: "errSecDuplicateCallback",
        errSecInvalidCallback: "errSecInvalidCallback",
        errSecWrongSecVersion: "errSecWrongSecVersion",
        errSecNoStorageModule: "errSecNoStorageModule",
        errSecNoCertificateModule: "errSecNoCertificateModule",
        errSecNoPolicyModule: "errSecNoPolicyModule",
        errSecCreateChainFailed: "errSecCreateChainFailed",
        errSecInvalidPrefsDomain: "errSecInvalidPrefsDomain",
        errSecInvalidTrustSetting: "errSecInvalidTrustSetting",
        errSecInvalidOwnerEdit: "errSecInvalidOwnerEdit",
        errSecTrustNotAvailable: "errSecTrustNotAvailable",
        errSecKeyIsSensitive: "errSecKeyIsSensitive",
        errSecMultiplePrivKeys: "errSecMultiplePrivKeys",
        errSecInvalidPasswordRef: "errSecInvalidPasswordRef",
        errSecInvalidTrustSettings: "errSecInvalidTrustSettings",
        errSecNoTrustSettings: "errSecNoTrustSettings",
    ]

    /// The codes from -67585 down follow each other without a gap.
    private static let firstOfRange: OSStatus = -67_585
    private static let names = """
        ServiceNotAvailable InsufficientClientID DeviceReset DeviceFailed AppleAddAppACLSubject \
        ApplePublicKeyIncomplete AppleSignatureMismatch AppleInvalidKeyStartDate AppleInvalidKeyEndDate \
        ConversionError AppleSSLv2Rollback QuotaExceeded FileTooBig InvalidDatabaseBlob InvalidKeyBlob \
        IncompatibleDatabaseBlob IncompatibleKeyBlob HostNameMismatch UnknownCriticalExtensionFlag NoBasicConstraints \
        NoBasicConstraintsCA InvalidAuthorityKeyID InvalidSubjectKeyID InvalidKeyUsageForPolicy \
        InvalidExtendedKeyUsage InvalidIDLinkage PathLengthConstraintExceeded InvalidRoot CRLExpired CRLNotValidYet \
        CRLNotFound CRLServerDown CRLBadURI UnknownCertExtension UnknownCRLExtension CRLNotTrusted CRLPolicyFailed \
        IDPFailure SMIMEEmailAddressesNotFound SMIMEBadExtendedKeyUsage SMIMEBadKeyUsage SMIMEKeyUsageNotCritical \
        SMIMENoEmailAddress SMIMESubjAltNameNotCritical SSLBadExtendedKeyUsage OCSPBadResponse OCSPBadRequest \
        OCSPUnavailable OCSPStatusUnrecognized EndOfData IncompleteCertRevocationCheck NetworkFailure \
        OCSPNotTrustedToAnchor RecordModified OCSPSignatureError OCSPNoSigner OCSPResponderMalformedReq \
        OCSPResponderInternalError OCSPResponderTryLater OCSPResponderSignatureRequired OCSPResponderUnauthorized \
        OCSPResponseNonceMismatch CodeSigningBadCertChainLength CodeSigningNoBasicConstraints \
        CodeSigningBadPathLengthConstraint CodeSigningNoExtendedKeyUsage CodeSigningDevelopment \
        ResourceSignBadCertChainLength ResourceSignBadExtKeyUsage TrustSettingDeny InvalidSubjectName \
        UnknownQualifiedCertStatement MobileMeRequestQueued MobileMeRequestRedirected MobileMeServerError \
        MobileMeServerNotAvailable MobileMeServerAlreadyExists MobileMeServerServiceErr MobileMeRequestAlreadyPending \
        MobileMeNoRequestPending MobileMeCSRVerifyFailure MobileMeFailedConsistencyCheck NotInitialized \
        InvalidHandleUsage PVCReferentNotFound FunctionIntegrityFail InternalError MemoryError InvalidData MDSError \
        InvalidPointer SelfCheckFailed FunctionFailed ModuleManifestVerifyFailed InvalidGUID InvalidHandle \
        InvalidDBList InvalidPassthroughID InvalidNetworkAddress CRLAlreadySigned InvalidNumberOfFields \
        VerificationFailure UnknownTag InvalidSignature InvalidName InvalidCertificateRef InvalidCertificateGroup \
        TagNotFound InvalidQuery InvalidValue CallbackFailed ACLDeleteFailed ACLReplaceFailed ACLAddFailed \
        ACLChangeFailed InvalidAccessCredentials InvalidRecord InvalidACL InvalidSampleValue IncompatibleVersion \
        PrivilegeNotGranted InvalidScope PVCAlreadyConfigured InvalidPVC EMMLoadFailed EMMUnloadFailed AddinLoadFailed \
        InvalidKeyRef InvalidKeyHierarchy AddinUnloadFailed LibraryReferenceNotFound InvalidAddinFunctionTable \
        InvalidServiceMask ModuleNotLoaded InvalidSubServiceID AttributeNotInContext ModuleManagerInitializeFailed \
        ModuleManagerNotFound EventNotificationCallbackNotFound InputLengthError OutputLengthError \
        PrivilegeNotSupported DeviceError AttachHandleBusy NotLoggedIn AlgorithmMismatch KeyUsageIncorrect \
        KeyBlobTypeIncorrect KeyHeaderInconsistent UnsupportedKeyFormat UnsupportedKeySize InvalidKeyUsageMask \
        UnsupportedKeyUsageMask InvalidKeyAttributeMask UnsupportedKeyAttributeMask InvalidKeyLabel \
        UnsupportedKeyLabel InvalidKeyFormat UnsupportedVectorOfBuffers InvalidInputVector InvalidOutputVector \
        InvalidContext InvalidAlgorithm InvalidAttributeKey MissingAttributeKey InvalidAttributeInitVector \
        MissingAttributeInitVector InvalidAttributeSalt MissingAttributeSalt InvalidAttributePadding \
        MissingAttributePadding InvalidAttributeRandom MissingAttributeRandom InvalidAttributeSeed \
        MissingAttributeSeed InvalidAttributePassphrase MissingAttributePassphrase InvalidAttributeKeyLength \
        MissingAttributeKeyLength InvalidAttributeBlockSize MissingAttributeBlockSize InvalidAttributeOutputSize \
        MissingAttributeOutputSize InvalidAttributeRounds MissingAttributeRounds InvalidAlgorithmParms \
        MissingAlgorithmParms InvalidAttributeLabel MissingAttributeLabel InvalidAttributeKeyType \
        MissingAttributeKeyType InvalidAttributeMode MissingAttributeMode InvalidAttributeEffectiveBits \
        MissingAttributeEffectiveBits InvalidAttributeStartDate MissingAttributeStartDate InvalidAttributeEndDate \
        MissingAttributeEndDate InvalidAttributeVersion MissingAttributeVersion InvalidAttributePrime \
        MissingAttributePrime InvalidAttributeBase MissingAttributeBase InvalidAttributeSubprime \
        MissingAttributeSubprime InvalidAttributeIterationCount MissingAttributeIterationCount \
        InvalidAttributeDLDBHandle MissingAttributeDLDBHandle InvalidAttributeAccessCredentials \
        MissingAttributeAccessCredentials InvalidAttributePublicKeyFormat MissingAttributePublicKeyFormat \
        InvalidAttributePrivateKeyFormat MissingAttributePrivateKeyFormat InvalidAttributeSymmetricKeyFormat \
        MissingAttributeSymmetricKeyFormat InvalidAttributeWrappedKeyFormat MissingAttributeWrappedKeyFormat \
        StagedOperationInProgress StagedOperationNotStarted VerifyFailed QuerySizeUnknown BlockSizeMismatch \
        PublicKeyInconsistent DeviceVerifyFailed InvalidLoginName AlreadyLoggedIn InvalidDigestAlgorithm \
        InvalidCRLGroup CertificateCannotOperate CertificateExpired CertificateNotValidYet CertificateRevoked \
        CertificateSuspended InsufficientCredentials InvalidAction InvalidAuthority VerifyActionFailed \
        InvalidCertAuthority InvalidCRLAuthority InvalidCRLEncoding InvalidCRLType InvalidCRL InvalidFormType \
        InvalidID InvalidIdentifier InvalidIndex InvalidPolicyIdentifiers InvalidTimeString InvalidReason \
        InvalidRequestInputs InvalidResponseVector InvalidStopOnPolicy InvalidTuple MultipleValuesUnsupported \
        NotTrusted NoDefaultAuthority RejectedForm RequestLost RequestRejected UnsupportedAddressType \
        UnsupportedService InvalidTupleGroup InvalidBaseACLs InvalidTupleCredentials InvalidEncoding \
        InvalidValidityPeriod InvalidRequestor RequestDescriptor InvalidBundleInfo InvalidCRLIndex NoFieldValues \
        UnsupportedFieldFormat UnsupportedIndexInfo UnsupportedLocality UnsupportedNumAttributes UnsupportedNumIndexes \
        UnsupportedNumRecordTypes FieldSpecifiedMultiple IncompatibleFieldFormat InvalidParsingModule DatabaseLocked \
        DatastoreIsOpen MissingValue UnsupportedQueryLimits UnsupportedNumSelectionPreds UnsupportedOperator \
        InvalidDBLocation InvalidAccessRequest InvalidIndexInfo InvalidNewOwner InvalidModifyMode \
        MissingRequiredExtension ExtendedKeyUsageNotCritical TimestampMissing TimestampInvalid TimestampNotTrusted \
        TimestampServiceNotAvailable TimestampBadAlg TimestampBadRequest TimestampBadDataFormat \
        TimestampTimeNotAvailable TimestampUnacceptedPolicy TimestampUnacceptedExtension TimestampAddInfoNotAvailable \
        TimestampSystemFailure SigningTimeMissing TimestampRejection TimestampWaiting TimestampRevocationWarning \
        TimestampRevocationNotification CertificatePolicyNotAllowed CertificateNameNotAllowed \
        CertificateValidityPeriodTooLong CertificateIsCA CertificateDuplicateExtension MissingQualifiedCertStatement
        """.split(separator: " ")
}
#endif
