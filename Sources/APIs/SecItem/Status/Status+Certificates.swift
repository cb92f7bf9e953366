// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

#if !canImport(Darwin)

// Trust evaluation, revocation and certificates; nothing in the keychain answers these.

/// The service is not available.
public let errSecServiceNotAvailable: OSStatus = -67_585

/// The client's identification is not enough.
public let errSecInsufficientClientID: OSStatus = -67_586

/// The device was reset.
public let errSecDeviceReset: OSStatus = -67_587

/// The device failed.
public let errSecDeviceFailed: OSStatus = -67_588

/// An application could not be added to the access list.
public let errSecAppleAddAppACLSubject: OSStatus = -67_589

/// The public key is incomplete.
public let errSecApplePublicKeyIncomplete: OSStatus = -67_590

/// The signature does not match.
public let errSecAppleSignatureMismatch: OSStatus = -67_591

/// The start date of the key is invalid.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67_592

/// The end date of the key is invalid.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67_593

/// A value could not be converted.
public let errSecConversionError: OSStatus = -67_594

/// The peer fell back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67_595

/// The quota is used up.
public let errSecQuotaExceeded: OSStatus = -67_596

/// The file is too large.
public let errSecFileTooBig: OSStatus = -67_597

/// The bytes of the database are invalid.
public let errSecInvalidDatabaseBlob: OSStatus = -67_598

/// The bytes of the key are invalid.
public let errSecInvalidKeyBlob: OSStatus = -67_599

/// The bytes of the database are of another version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67_600

/// The bytes of the key are of another version.
public let errSecIncompatibleKeyBlob: OSStatus = -67_601

/// The certificate is for another host name.
public let errSecHostNameMismatch: OSStatus = -67_602

/// A critical extension is not known.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67_603

/// The certificate has no basic constraints.
public let errSecNoBasicConstraints: OSStatus = -67_604

/// The basic constraints do not make it a certificate authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67_605

/// The identifier of the authority's key is invalid.
public let errSecInvalidAuthorityKeyID: OSStatus = -67_606

/// The identifier of the subject's key is invalid.
public let errSecInvalidSubjectKeyID: OSStatus = -67_607

/// The key usage does not fit the policy.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67_608

/// The extended key usage is invalid.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67_609

/// The identifiers of subject and issuer do not fit together.
public let errSecInvalidIDLinkage: OSStatus = -67_610

/// The chain is longer than its constraint allows.
public let errSecPathLengthConstraintExceeded: OSStatus = -67_611

/// The root certificate is invalid.
public let errSecInvalidRoot: OSStatus = -67_612

/// The list of revoked certificates has expired.
public let errSecCRLExpired: OSStatus = -67_613

/// The list of revoked certificates is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67_614

/// There is no list of revoked certificates.
public let errSecCRLNotFound: OSStatus = -67_615

/// The server for revoked certificates does not answer.
public let errSecCRLServerDown: OSStatus = -67_616

/// The address of the list of revoked certificates is invalid.
public let errSecCRLBadURI: OSStatus = -67_617

/// The certificate has an extension that is not known.
public let errSecUnknownCertExtension: OSStatus = -67_618

/// The list of revoked certificates has an extension that is not known.
public let errSecUnknownCRLExtension: OSStatus = -67_619

/// The list of revoked certificates is not trusted.
public let errSecCRLNotTrusted: OSStatus = -67_620

/// The policy for revoked certificates is not met.
public let errSecCRLPolicyFailed: OSStatus = -67_621

/// The issuing distribution point is not accepted.
public let errSecIDPFailure: OSStatus = -67_622

/// The certificate does not have the message's e-mail address.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67_623

/// The extended key usage is not one for S/MIME.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67_624

/// The key usage is not one for S/MIME.
public let errSecSMIMEBadKeyUsage: OSStatus = -67_625

/// The key usage for S/MIME is not marked as critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67_626

/// The certificate has no e-mail address.
public let errSecSMIMENoEmailAddress: OSStatus = -67_627

/// The alternative name of the subject is not marked as critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67_628

/// The extended key usage is not one for TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67_629

/// The answer about revocation can't be read or is wrong.
public let errSecOCSPBadResponse: OSStatus = -67_630

/// The question about revocation is wrong.
public let errSecOCSPBadRequest: OSStatus = -67_631

/// The service for revocation is not available.
public let errSecOCSPUnavailable: OSStatus = -67_632

/// The service for revocation does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67_633

/// The data ends here.
public let errSecEndOfData: OSStatus = -67_634

/// Revocation could not be checked to the end.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67_635

/// The network failed.
public let errSecNetworkFailure: OSStatus = -67_636

/// The answer about revocation does not lead to a trusted root.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67_637

/// The record was changed meanwhile.
public let errSecRecordModified: OSStatus = -67_638

/// The signature of the answer about revocation is wrong.
public let errSecOCSPSignatureError: OSStatus = -67_639

/// The answer about revocation has no signer.
public let errSecOCSPNoSigner: OSStatus = -67_640

/// The service for revocation could not read the question.
public let errSecOCSPResponderMalformedReq: OSStatus = -67_641

/// The service for revocation failed.
public let errSecOCSPResponderInternalError: OSStatus = -67_642

/// The service for revocation asks to try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67_643

/// The service for revocation wants a signed question.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67_644

/// The service for revocation does not answer this question.
public let errSecOCSPResponderUnauthorized: OSStatus = -67_645

/// The answer about revocation is to another question.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67_646

/// The chain of the code signature has a wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67_647

/// A certificate of the code signature has no basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67_648

/// The chain of the code signature is longer than its constraint allows.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67_649

/// The signer of the code has no extended key usage.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67_650

/// The code is signed for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67_651

/// The chain of the resources' signature has a wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67_652

/// The extended key usage is not one for signing resources.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67_653

/// The trust settings forbid it.
public let errSecTrustSettingDeny: OSStatus = -67_654

/// The name of the subject is invalid.
public let errSecInvalidSubjectName: OSStatus = -67_655

/// A statement of the qualified certificate is not known.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67_656

/// The request is in the queue and will be sent.
public let errSecMobileMeRequestQueued: OSStatus = -67_657

/// The request was redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67_658

/// The server failed.
public let errSecMobileMeServerError: OSStatus = -67_659

/// The server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67_660

/// The server has this item already.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67_661

/// A service of the server failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67_662

/// A request is under way already.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67_663

/// There is no request under way.
public let errSecMobileMeNoRequestPending: OSStatus = -67_664

/// The certificate request does not verify.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67_665

/// The answer of the server contradicts itself.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67_666

#endif
