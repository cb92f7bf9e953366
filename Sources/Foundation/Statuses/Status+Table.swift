// SPDX-License-Identifier: Apache-2.0

// Made by Scripts/statuses from Statuses.tsv.

extension Status {
    /// Those that something here answers, in descending order.
    package static let table: [Row] = [
        Row(rawValue: 0, name: "errSecSuccess", meaning: "No error."),
        Row(rawValue: -4, name: "errSecUnimplemented", meaning: "Not implemented."),
        Row(rawValue: -34, name: "errSecDiskFull", meaning: "The disk is full; the old state is intact."),
        Row(rawValue: -36, name: "errSecIO", meaning: "Input or output failed."),
        Row(rawValue: -47, name: "fBsyErr", meaning: "Another process is using it; try again."),
        Row(rawValue: -49, name: "errSecOpWr", meaning: "The file is open for writing already."),
        Row(rawValue: -50, name: "errSecParam", meaning: "An argument is missing or wrong."),
        Row(rawValue: -61, name: "errSecWrPerm", meaning: "No permission to write."),
        Row(rawValue: -108, name: "errSecAllocate", meaning: "Memory ran out."),
        Row(rawValue: -128, name: "errSecUserCanceled", meaning: "The person cancelled."),
        Row(rawValue: -909, name: "errSecBadReq", meaning: "A bad parameter or state."),
        Row(rawValue: -2070, name: "errSecInternalComponent", meaning: "An internal failure."),
        Row(rawValue: -4960, name: "errSecCoreFoundationUnknown", meaning: "An unknown failure of Core Foundation."),
        Row(rawValue: -9809, name: "errSSLCrypto", meaning: "A cryptographic operation failed."),
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
                "There is no keychain, or no key of this class, here; or the TPM does not give it, or an earlier home was put back."
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

    /// Those that Apple's Security names besides, one a line: number, name, meaning.
    static let others = """
        -25242\terrSecInvalidTrustSetting\tThe trust setting is invalid.
        -25244\terrSecInvalidOwnerEdit\tThe owner may not be changed so.
        -25245\terrSecTrustNotAvailable\tThere are no results of a trust evaluation.
        -25258\terrSecKeyIsSensitive\tThe key must be wrapped to be exported.
        -25259\terrSecMultiplePrivKeys\tThere is more than one private key.
        -25261\terrSecInvalidPasswordRef\tThe reference does not stand for a password.
        -25262\terrSecInvalidTrustSettings\tThe trust settings are damaged.
        -25263\terrSecNoTrustSettings\tThere are no trust settings.
        -25297\terrSecDuplicateCallback\tThe function is registered already.
        -25298\terrSecInvalidCallback\tThe function is not registered.
        -25310\terrSecWrongSecVersion\tThe version is wrong.
        -25312\terrSecNoStorageModule\tThere is no module for storage.
        -25313\terrSecNoCertificateModule\tThere is no module for certificates.
        -25314\terrSecNoPolicyModule\tThere is no module for policies.
        -25318\terrSecCreateChainFailed\tA chain of certificates could not be made.
        -25319\terrSecInvalidPrefsDomain\tThe domain of preferences is invalid.
        -67585\terrSecServiceNotAvailable\tThe service is not available.
        -67586\terrSecInsufficientClientID\tThe client's identification is not enough.
        -67587\terrSecDeviceReset\tThe device was reset.
        -67588\terrSecDeviceFailed\tThe device failed.
        -67589\terrSecAppleAddAppACLSubject\tAn application could not be added to the access list.
        -67590\terrSecApplePublicKeyIncomplete\tThe public key is incomplete.
        -67591\terrSecAppleSignatureMismatch\tThe signature does not match.
        -67592\terrSecAppleInvalidKeyStartDate\tThe start date of the key is invalid.
        -67593\terrSecAppleInvalidKeyEndDate\tThe end date of the key is invalid.
        -67594\terrSecConversionError\tA value could not be converted.
        -67595\terrSecAppleSSLv2Rollback\tThe peer fell back to SSL 2.
        -67596\terrSecQuotaExceeded\tThe quota is used up.
        -67597\terrSecFileTooBig\tThe file is too large.
        -67598\terrSecInvalidDatabaseBlob\tThe bytes of the database are invalid.
        -67599\terrSecInvalidKeyBlob\tThe bytes of the key are invalid.
        -67600\terrSecIncompatibleDatabaseBlob\tThe bytes of the database are of another version.
        -67601\terrSecIncompatibleKeyBlob\tThe bytes of the key are of another version.
        -67602\terrSecHostNameMismatch\tThe certificate is for another host name.
        -67603\terrSecUnknownCriticalExtensionFlag\tA critical extension is not known.
        -67604\terrSecNoBasicConstraints\tThe certificate has no basic constraints.
        -67605\terrSecNoBasicConstraintsCA\tThe basic constraints do not make it a certificate authority.
        -67606\terrSecInvalidAuthorityKeyID\tThe identifier of the authority's key is invalid.
        -67607\terrSecInvalidSubjectKeyID\tThe identifier of the subject's key is invalid.
        -67608\terrSecInvalidKeyUsageForPolicy\tThe key usage does not fit the policy.
        -67609\terrSecInvalidExtendedKeyUsage\tThe extended key usage is invalid.
        -67610\terrSecInvalidIDLinkage\tThe identifiers of subject and issuer do not fit together.
        -67611\terrSecPathLengthConstraintExceeded\tThe chain is longer than its constraint allows.
        -67612\terrSecInvalidRoot\tThe root certificate is invalid.
        -67613\terrSecCRLExpired\tThe list of revoked certificates has expired.
        -67614\terrSecCRLNotValidYet\tThe list of revoked certificates is not valid yet.
        -67615\terrSecCRLNotFound\tThere is no list of revoked certificates.
        -67616\terrSecCRLServerDown\tThe server for revoked certificates does not answer.
        -67617\terrSecCRLBadURI\tThe address of the list of revoked certificates is invalid.
        -67618\terrSecUnknownCertExtension\tThe certificate has an extension that is not known.
        -67619\terrSecUnknownCRLExtension\tThe list of revoked certificates has an extension that is not known.
        -67620\terrSecCRLNotTrusted\tThe list of revoked certificates is not trusted.
        -67621\terrSecCRLPolicyFailed\tThe policy for revoked certificates is not met.
        -67622\terrSecIDPFailure\tThe issuing distribution point is not accepted.
        -67623\terrSecSMIMEEmailAddressesNotFound\tThe certificate does not have the message's e-mail address.
        -67624\terrSecSMIMEBadExtendedKeyUsage\tThe extended key usage is not one for S/MIME.
        -67625\terrSecSMIMEBadKeyUsage\tThe key usage is not one for S/MIME.
        -67626\terrSecSMIMEKeyUsageNotCritical\tThe key usage for S/MIME is not marked as critical.
        -67627\terrSecSMIMENoEmailAddress\tThe certificate has no e-mail address.
        -67628\terrSecSMIMESubjAltNameNotCritical\tThe alternative name of the subject is not marked as critical.
        -67629\terrSecSSLBadExtendedKeyUsage\tThe extended key usage is not one for TLS.
        -67630\terrSecOCSPBadResponse\tThe answer about revocation can't be read or is wrong.
        -67631\terrSecOCSPBadRequest\tThe question about revocation is wrong.
        -67632\terrSecOCSPUnavailable\tThe service for revocation is not available.
        -67633\terrSecOCSPStatusUnrecognized\tThe service for revocation does not know the certificate.
        -67634\terrSecEndOfData\tThe data ends here.
        -67635\terrSecIncompleteCertRevocationCheck\tRevocation could not be checked to the end.
        -67636\terrSecNetworkFailure\tThe network failed.
        -67637\terrSecOCSPNotTrustedToAnchor\tThe answer about revocation does not lead to a trusted root.
        -67638\terrSecRecordModified\tThe record was changed meanwhile.
        -67639\terrSecOCSPSignatureError\tThe signature of the answer about revocation is wrong.
        -67640\terrSecOCSPNoSigner\tThe answer about revocation has no signer.
        -67641\terrSecOCSPResponderMalformedReq\tThe service for revocation could not read the question.
        -67642\terrSecOCSPResponderInternalError\tThe service for revocation failed.
        -67643\terrSecOCSPResponderTryLater\tThe service for revocation asks to try again later.
        -67644\terrSecOCSPResponderSignatureRequired\tThe service for revocation wants a signed question.
        -67645\terrSecOCSPResponderUnauthorized\tThe service for revocation does not answer this question.
        -67646\terrSecOCSPResponseNonceMismatch\tThe answer about revocation is to another question.
        -67647\terrSecCodeSigningBadCertChainLength\tThe chain of the code signature has a wrong length.
        -67648\terrSecCodeSigningNoBasicConstraints\tA certificate of the code signature has no basic constraints.
        -67649\terrSecCodeSigningBadPathLengthConstraint\tThe chain of the code signature is longer than its constraint allows.
        -67650\terrSecCodeSigningNoExtendedKeyUsage\tThe signer of the code has no extended key usage.
        -67651\terrSecCodeSigningDevelopment\tThe code is signed for development only.
        -67652\terrSecResourceSignBadCertChainLength\tThe chain of the resources' signature has a wrong length.
        -67653\terrSecResourceSignBadExtKeyUsage\tThe extended key usage is not one for signing resources.
        -67654\terrSecTrustSettingDeny\tThe trust settings forbid it.
        -67655\terrSecInvalidSubjectName\tThe name of the subject is invalid.
        -67656\terrSecUnknownQualifiedCertStatement\tA statement of the qualified certificate is not known.
        -67657\terrSecMobileMeRequestQueued\tThe request is in the queue and will be sent.
        -67658\terrSecMobileMeRequestRedirected\tThe request was redirected.
        -67659\terrSecMobileMeServerError\tThe server failed.
        -67660\terrSecMobileMeServerNotAvailable\tThe server is not available.
        -67661\terrSecMobileMeServerAlreadyExists\tThe server has this item already.
        -67662\terrSecMobileMeServerServiceErr\tA service of the server failed.
        -67663\terrSecMobileMeRequestAlreadyPending\tA request is under way already.
        -67664\terrSecMobileMeNoRequestPending\tThere is no request under way.
        -67665\terrSecMobileMeCSRVerifyFailure\tThe certificate request does not verify.
        -67666\terrSecMobileMeFailedConsistencyCheck\tThe answer of the server contradicts itself.
        -67667\terrSecNotInitialized\tIt is used before it was set up.
        -67668\terrSecInvalidHandleUsage\tThe handle can't be used for this.
        -67669\terrSecPVCReferentNotFound\tWhat was referred to was not found.
        -67670\terrSecFunctionIntegrityFail\tThe integrity of a function could not be verified.
        -67671\terrSecInternalError\tAn internal error.
        -67672\terrSecMemoryError\tMemory ran out or failed.
        -67673\terrSecInvalidData\tThe data is invalid.
        -67674\terrSecMDSError\tThe directory of modules failed.
        -67675\terrSecInvalidPointer\tThe pointer is invalid.
        -67676\terrSecSelfCheckFailed\tA check of itself failed.
        -67677\terrSecFunctionFailed\tThe function failed.
        -67678\terrSecModuleManifestVerifyFailed\tThe manifest of the module does not verify.
        -67679\terrSecInvalidGUID\tThe identifier is invalid.
        -67680\terrSecInvalidHandle\tThe handle is invalid.
        -67681\terrSecInvalidDBList\tThe list of databases is invalid.
        -67682\terrSecInvalidPassthroughID\tThe number of the special function is invalid.
        -67683\terrSecInvalidNetworkAddress\tThe network address is invalid.
        -67684\terrSecCRLAlreadySigned\tThe list of revoked certificates is signed already.
        -67685\terrSecInvalidNumberOfFields\tThe number of fields is wrong.
        -67686\terrSecVerificationFailure\tThe verification failed.
        -67687\terrSecUnknownTag\tThe tag is not known.
        -67688\terrSecInvalidSignature\tThe signature is invalid.
        -67689\terrSecInvalidName\tThe name is invalid.
        -67690\terrSecInvalidCertificateRef\tThe reference does not stand for a certificate.
        -67691\terrSecInvalidCertificateGroup\tThe group of certificates is invalid.
        -67692\terrSecTagNotFound\tThere is no such tag.
        -67693\terrSecInvalidQuery\tThe query is invalid.
        -67694\terrSecInvalidValue\tThe value is invalid.
        -67695\terrSecCallbackFailed\tA function that was called back failed.
        -67696\terrSecACLDeleteFailed\tThe entry of the access list could not be deleted.
        -67697\terrSecACLReplaceFailed\tThe entry of the access list could not be replaced.
        -67698\terrSecACLAddFailed\tThe entry could not be added to the access list.
        -67699\terrSecACLChangeFailed\tThe access list could not be changed.
        -67700\terrSecInvalidAccessCredentials\tWhat was given to prove the right of access is invalid.
        -67701\terrSecInvalidRecord\tThe record is invalid.
        -67702\terrSecInvalidACL\tThe access list is invalid.
        -67703\terrSecInvalidSampleValue\tThe sample is invalid.
        -67704\terrSecIncompatibleVersion\tThe version does not fit.
        -67705\terrSecPrivilegeNotGranted\tThe privilege was not granted.
        -67706\terrSecInvalidScope\tThe scope is invalid.
        -67707\terrSecPVCAlreadyConfigured\tThe pointer check is set up already.
        -67708\terrSecInvalidPVC\tThe pointer check is invalid.
        -67709\terrSecEMMLoadFailed\tThe module manager could not be loaded.
        -67710\terrSecEMMUnloadFailed\tThe module manager could not be unloaded.
        -67711\terrSecAddinLoadFailed\tThe add-in could not be loaded.
        -67712\terrSecInvalidKeyRef\tThe reference does not stand for a key.
        -67713\terrSecInvalidKeyHierarchy\tThe hierarchy of keys is invalid.
        -67714\terrSecAddinUnloadFailed\tThe add-in could not be unloaded.
        -67715\terrSecLibraryReferenceNotFound\tThe library that was referred to was not found.
        -67716\terrSecInvalidAddinFunctionTable\tThe add-in's table of functions is invalid.
        -67717\terrSecInvalidServiceMask\tThe mask of services is invalid.
        -67718\terrSecModuleNotLoaded\tThe module is not loaded.
        -67719\terrSecInvalidSubServiceID\tThe identifier of the part of the service is invalid.
        -67720\terrSecAttributeNotInContext\tThe context does not have this attribute.
        -67721\terrSecModuleManagerInitializeFailed\tThe module manager could not be set up.
        -67722\terrSecModuleManagerNotFound\tThere is no module manager.
        -67723\terrSecEventNotificationCallbackNotFound\tThe function that events are told to was not found.
        -67724\terrSecInputLengthError\tThe input has a wrong length.
        -67725\terrSecOutputLengthError\tThe output has a wrong length.
        -67726\terrSecPrivilegeNotSupported\tThe privilege is not supported.
        -67727\terrSecDeviceError\tThe device failed.
        -67728\terrSecAttachHandleBusy\tThe handle is in use.
        -67729\terrSecNotLoggedIn\tNo user is logged in.
        -67730\terrSecAlgorithmMismatch\tThe algorithms do not agree.
        -67731\terrSecKeyUsageIncorrect\tThe key may not be used for this.
        -67732\terrSecKeyBlobTypeIncorrect\tThe bytes of the key are of another type.
        -67733\terrSecKeyHeaderInconsistent\tThe header of the key contradicts it.
        -67734\terrSecUnsupportedKeyFormat\tThe format of the key is not supported.
        -67735\terrSecUnsupportedKeySize\tThe size of the key is not supported.
        -67736\terrSecInvalidKeyUsageMask\tThe mask of key usages is invalid.
        -67737\terrSecUnsupportedKeyUsageMask\tThe mask of key usages is not supported.
        -67738\terrSecInvalidKeyAttributeMask\tThe mask of key attributes is invalid.
        -67739\terrSecUnsupportedKeyAttributeMask\tThe mask of key attributes is not supported.
        -67740\terrSecInvalidKeyLabel\tThe label of the key is invalid.
        -67741\terrSecUnsupportedKeyLabel\tThe label of the key is not supported.
        -67742\terrSecInvalidKeyFormat\tThe format of the key is invalid.
        -67743\terrSecUnsupportedVectorOfBuffers\tA list of buffers is not supported.
        -67744\terrSecInvalidInputVector\tThe input is invalid.
        -67745\terrSecInvalidOutputVector\tThe output is invalid.
        -67746\terrSecInvalidContext\tThe context is invalid.
        -67747\terrSecInvalidAlgorithm\tThe algorithm is invalid.
        -67748\terrSecInvalidAttributeKey\tThe key among the attributes is invalid.
        -67749\terrSecMissingAttributeKey\tThe attributes have no key.
        -67750\terrSecInvalidAttributeInitVector\tThe initialization vector among the attributes is invalid.
        -67751\terrSecMissingAttributeInitVector\tThe attributes have no initialization vector.
        -67752\terrSecInvalidAttributeSalt\tThe salt among the attributes is invalid.
        -67753\terrSecMissingAttributeSalt\tThe attributes have no salt.
        -67754\terrSecInvalidAttributePadding\tThe padding among the attributes is invalid.
        -67755\terrSecMissingAttributePadding\tThe attributes have no padding.
        -67756\terrSecInvalidAttributeRandom\tThe random number among the attributes is invalid.
        -67757\terrSecMissingAttributeRandom\tThe attributes have no random number.
        -67758\terrSecInvalidAttributeSeed\tThe seed among the attributes is invalid.
        -67759\terrSecMissingAttributeSeed\tThe attributes have no seed.
        -67760\terrSecInvalidAttributePassphrase\tThe passphrase among the attributes is invalid.
        -67761\terrSecMissingAttributePassphrase\tThe attributes have no passphrase.
        -67762\terrSecInvalidAttributeKeyLength\tThe key length among the attributes is invalid.
        -67763\terrSecMissingAttributeKeyLength\tThe attributes have no key length.
        -67764\terrSecInvalidAttributeBlockSize\tThe block size among the attributes is invalid.
        -67765\terrSecMissingAttributeBlockSize\tThe attributes have no block size.
        -67766\terrSecInvalidAttributeOutputSize\tThe output size among the attributes is invalid.
        -67767\terrSecMissingAttributeOutputSize\tThe attributes have no output size.
        -67768\terrSecInvalidAttributeRounds\tThe number of rounds among the attributes is invalid.
        -67769\terrSecMissingAttributeRounds\tThe attributes have no number of rounds.
        -67770\terrSecInvalidAlgorithmParms\tThe parameters of the algorithm are invalid.
        -67771\terrSecMissingAlgorithmParms\tThe algorithm has no parameters.
        -67772\terrSecInvalidAttributeLabel\tThe label among the attributes is invalid.
        -67773\terrSecMissingAttributeLabel\tThe attributes have no label.
        -67774\terrSecInvalidAttributeKeyType\tThe key type among the attributes is invalid.
        -67775\terrSecMissingAttributeKeyType\tThe attributes have no key type.
        -67776\terrSecInvalidAttributeMode\tThe mode among the attributes is invalid.
        -67777\terrSecMissingAttributeMode\tThe attributes have no mode.
        -67778\terrSecInvalidAttributeEffectiveBits\tThe number of effective bits among the attributes is invalid.
        -67779\terrSecMissingAttributeEffectiveBits\tThe attributes have no number of effective bits.
        -67780\terrSecInvalidAttributeStartDate\tThe start date among the attributes is invalid.
        -67781\terrSecMissingAttributeStartDate\tThe attributes have no start date.
        -67782\terrSecInvalidAttributeEndDate\tThe end date among the attributes is invalid.
        -67783\terrSecMissingAttributeEndDate\tThe attributes have no end date.
        -67784\terrSecInvalidAttributeVersion\tThe version among the attributes is invalid.
        -67785\terrSecMissingAttributeVersion\tThe attributes have no version.
        -67786\terrSecInvalidAttributePrime\tThe prime among the attributes is invalid.
        -67787\terrSecMissingAttributePrime\tThe attributes have no prime.
        -67788\terrSecInvalidAttributeBase\tThe base among the attributes is invalid.
        -67789\terrSecMissingAttributeBase\tThe attributes have no base.
        -67790\terrSecInvalidAttributeSubprime\tThe subprime among the attributes is invalid.
        -67791\terrSecMissingAttributeSubprime\tThe attributes have no subprime.
        -67792\terrSecInvalidAttributeIterationCount\tThe number of iterations among the attributes is invalid.
        -67793\terrSecMissingAttributeIterationCount\tThe attributes have no number of iterations.
        -67794\terrSecInvalidAttributeDLDBHandle\tThe database handle among the attributes is invalid.
        -67795\terrSecMissingAttributeDLDBHandle\tThe attributes have no database handle.
        -67796\terrSecInvalidAttributeAccessCredentials\tThe credentials among the attributes are invalid.
        -67797\terrSecMissingAttributeAccessCredentials\tThe attributes have no credentials.
        -67798\terrSecInvalidAttributePublicKeyFormat\tThe format of the public key among the attributes is invalid.
        -67799\terrSecMissingAttributePublicKeyFormat\tThe attributes have no format of the public key.
        -67800\terrSecInvalidAttributePrivateKeyFormat\tThe format of the private key among the attributes is invalid.
        -67801\terrSecMissingAttributePrivateKeyFormat\tThe attributes have no format of the private key.
        -67802\terrSecInvalidAttributeSymmetricKeyFormat\tThe format of the symmetric key among the attributes is invalid.
        -67803\terrSecMissingAttributeSymmetricKeyFormat\tThe attributes have no format of the symmetric key.
        -67804\terrSecInvalidAttributeWrappedKeyFormat\tThe format of the wrapped key among the attributes is invalid.
        -67805\terrSecMissingAttributeWrappedKeyFormat\tThe attributes have no format of the wrapped key.
        -67806\terrSecStagedOperationInProgress\tAn operation in steps is under way.
        -67807\terrSecStagedOperationNotStarted\tNo operation in steps was begun.
        -67809\terrSecQuerySizeUnknown\tThe size of the query is not known.
        -67810\terrSecBlockSizeMismatch\tThe block sizes do not agree.
        -67811\terrSecPublicKeyInconsistent\tThe public key contradicts itself.
        -67812\terrSecDeviceVerifyFailed\tThe device does not verify.
        -67813\terrSecInvalidLoginName\tThe login name is invalid.
        -67814\terrSecAlreadyLoggedIn\tA user is logged in already.
        -67815\terrSecInvalidDigestAlgorithm\tThe digest algorithm is invalid.
        -67816\terrSecInvalidCRLGroup\tThe group of lists of revoked certificates is invalid.
        -67817\terrSecCertificateCannotOperate\tThe certificate can't be used for this.
        -67818\terrSecCertificateExpired\tThe certificate has expired.
        -67819\terrSecCertificateNotValidYet\tThe certificate is not valid yet.
        -67820\terrSecCertificateRevoked\tThe certificate was revoked.
        -67821\terrSecCertificateSuspended\tThe certificate was suspended.
        -67822\terrSecInsufficientCredentials\tWhat was given to prove the right of access is not enough.
        -67823\terrSecInvalidAction\tThe action is invalid.
        -67824\terrSecInvalidAuthority\tThe authority is invalid.
        -67825\terrSecVerifyActionFailed\tThe action of a verification failed.
        -67826\terrSecInvalidCertAuthority\tThe certificate authority is invalid.
        -67827\terrSecInvalidCRLAuthority\tThe authority of the list of revoked certificates is invalid.
        -67828\terrSecInvalidCRLEncoding\tThe encoding of the list of revoked certificates is invalid.
        -67829\terrSecInvalidCRLType\tThe type of the list of revoked certificates is invalid.
        -67830\terrSecInvalidCRL\tThe list of revoked certificates is invalid.
        -67831\terrSecInvalidFormType\tThe type of the form is invalid.
        -67832\terrSecInvalidID\tThe identifier is invalid.
        -67833\terrSecInvalidIdentifier\tThe identifier is invalid.
        -67834\terrSecInvalidIndex\tThe index is invalid.
        -67835\terrSecInvalidPolicyIdentifiers\tThe identifiers of the policy are invalid.
        -67836\terrSecInvalidTimeString\tThe time is not written as it must be.
        -67837\terrSecInvalidReason\tThe reason is invalid.
        -67838\terrSecInvalidRequestInputs\tThe input of the request is invalid.
        -67839\terrSecInvalidResponseVector\tThe answer is invalid.
        -67840\terrSecInvalidStopOnPolicy\tThe rule for stopping is invalid.
        -67841\terrSecInvalidTuple\tThe tuple is invalid.
        -67842\terrSecMultipleValuesUnsupported\tSeveral values are not supported.
        -67844\terrSecNoDefaultAuthority\tThere is no default authority.
        -67845\terrSecRejectedForm\tThe form was rejected.
        -67846\terrSecRequestLost\tThe request was lost.
        -67847\terrSecRequestRejected\tThe request was rejected.
        -67848\terrSecUnsupportedAddressType\tThe type of the address is not supported.
        -67849\terrSecUnsupportedService\tThe service is not supported.
        -67850\terrSecInvalidTupleGroup\tThe group of tuples is invalid.
        -67851\terrSecInvalidBaseACLs\tThe base access lists are invalid.
        -67852\terrSecInvalidTupleCredentials\tThe credentials of the tuple are invalid.
        -67854\terrSecInvalidValidityPeriod\tThe period of validity is invalid.
        -67855\terrSecInvalidRequestor\tThe requestor is not accepted.
        -67856\terrSecRequestDescriptor\tThe description of the request is invalid.
        -67857\terrSecInvalidBundleInfo\tThe information about the bundle is invalid.
        -67858\terrSecInvalidCRLIndex\tThe index of the list of revoked certificates is invalid.
        -67859\terrSecNoFieldValues\tThe fields have no values.
        -67860\terrSecUnsupportedFieldFormat\tThe format of the field is not supported.
        -67861\terrSecUnsupportedIndexInfo\tThe information about the index is not supported.
        -67862\terrSecUnsupportedLocality\tThe locality is not supported.
        -67863\terrSecUnsupportedNumAttributes\tThe number of attributes is not supported.
        -67864\terrSecUnsupportedNumIndexes\tThe number of indexes is not supported.
        -67865\terrSecUnsupportedNumRecordTypes\tThe number of record types is not supported.
        -67866\terrSecFieldSpecifiedMultiple\tA field was given more than once.
        -67867\terrSecIncompatibleFieldFormat\tThe format of the field does not fit.
        -67868\terrSecInvalidParsingModule\tThe module for parsing is invalid.
        -67869\terrSecDatabaseLocked\tThe database is locked.
        -67870\terrSecDatastoreIsOpen\tThe data store is open.
        -67871\terrSecMissingValue\tA value is missing.
        -67872\terrSecUnsupportedQueryLimits\tThe limits of the query are not supported.
        -67873\terrSecUnsupportedNumSelectionPreds\tThe number of conditions is not supported.
        -67874\terrSecUnsupportedOperator\tThe operator is not supported.
        -67875\terrSecInvalidDBLocation\tThe location of the database is invalid.
        -67876\terrSecInvalidAccessRequest\tThe request for access is invalid.
        -67877\terrSecInvalidIndexInfo\tThe information about the index is invalid.
        -67878\terrSecInvalidNewOwner\tThe new owner is invalid.
        -67879\terrSecInvalidModifyMode\tThe way of changing is invalid.
        -67880\terrSecMissingRequiredExtension\tAn extension that is needed is missing.
        -67881\terrSecExtendedKeyUsageNotCritical\tThe extended key usage is not marked as critical.
        -67882\terrSecTimestampMissing\tA time stamp was expected and is missing.
        -67883\terrSecTimestampInvalid\tThe time stamp is invalid.
        -67884\terrSecTimestampNotTrusted\tThe time stamp is not trusted.
        -67885\terrSecTimestampServiceNotAvailable\tThe service for time stamps is not available.
        -67886\terrSecTimestampBadAlg\tThe algorithm of the time stamp is not known or not supported.
        -67887\terrSecTimestampBadRequest\tThe request for a time stamp is not permitted or not supported.
        -67888\terrSecTimestampBadDataFormat\tThe data for the time stamp has a wrong format.
        -67889\terrSecTimestampTimeNotAvailable\tThe time source of the time stamp is not available.
        -67890\terrSecTimestampUnacceptedPolicy\tThe policy of the time stamp is not supported.
        -67891\terrSecTimestampUnacceptedExtension\tThe extension of the time stamp is not supported.
        -67892\terrSecTimestampAddInfoNotAvailable\tThe additional information for the time stamp is not available.
        -67893\terrSecTimestampSystemFailure\tThe service for time stamps failed.
        -67894\terrSecSigningTimeMissing\tA signing time was expected and is missing.
        -67895\terrSecTimestampRejection\tThe time stamp was refused.
        -67896\terrSecTimestampWaiting\tThe time stamp is being waited for.
        -67897\terrSecTimestampRevocationWarning\tThe authority for time stamps is about to be revoked.
        -67898\terrSecTimestampRevocationNotification\tThe authority for time stamps was revoked.
        -67899\terrSecCertificatePolicyNotAllowed\tThe certificate's policy is not allowed by its issuer.
        -67900\terrSecCertificateNameNotAllowed\tThe certificate's name is not allowed by its issuer.
        -67901\terrSecCertificateValidityPeriodTooLong\tThe certificate is valid for longer than is allowed.
        -67902\terrSecCertificateIsCA\tThe certificate is one of an authority and should not be.
        -67903\terrSecCertificateDuplicateExtension\tThe certificate has an extension twice.
        -67904\terrSecMissingQualifiedCertStatement\tThe certificate lacks a statement that a qualified one needs.
        """
}

extension Status {
    /// errSecSuccess: No error.
    package static let success = Self(rawValue: 0)
    /// errSecUnimplemented: Not implemented.
    package static let unimplemented = Self(rawValue: -4)
    /// errSecDiskFull: The disk is full; the old state is intact.
    package static let diskFull = Self(rawValue: -34)
    /// errSecIO: Input or output failed.
    package static let inputOutput = Self(rawValue: -36)
    /// fBsyErr: Another process is using it; try again.
    package static let busy = Self(rawValue: -47)
    /// errSecOpWr: The file is open for writing already.
    package static let alreadyOpenForWriting = Self(rawValue: -49)
    /// errSecParam: An argument is missing or wrong.
    package static let parameter = Self(rawValue: -50)
    /// errSecWrPerm: No permission to write.
    package static let noWritePermission = Self(rawValue: -61)
    /// errSecAllocate: Memory ran out.
    package static let outOfMemory = Self(rawValue: -108)
    /// errSecUserCanceled: The person cancelled.
    package static let userCancelled = Self(rawValue: -128)
    /// errSecBadReq: A bad parameter or state.
    package static let badRequest = Self(rawValue: -909)
    /// errSecInternalComponent: An internal failure.
    package static let internalComponent = Self(rawValue: -2070)
    /// errSecCoreFoundationUnknown: An unknown failure of Core Foundation.
    package static let coreFoundationUnknown = Self(rawValue: -4960)
    /// errSSLCrypto: A cryptographic operation failed.
    package static let cryptographyFailed = Self(rawValue: -9809)
    /// errSecACLNotSimple: An access list is not in simple form.
    package static let accessListNotSimple = Self(rawValue: -25_240)
    /// errSecPolicyNotFound: The policy is not known.
    package static let policyNotFound = Self(rawValue: -25_241)
    /// errSecNoAccessForItem: The item has no access control.
    package static let noAccessForItem = Self(rawValue: -25_243)
    /// errSecUnsupportedFormat: The format can't be imported or exported.
    package static let unsupportedFormat = Self(rawValue: -25_256)
    /// errSecUnknownFormat: The format is not known.
    package static let unknownFormat = Self(rawValue: -25_257)
    /// errSecPassphraseRequired: A passphrase is needed.
    package static let passphraseRequired = Self(rawValue: -25_260)
    /// errSecPkcs12VerifyFailure: The PKCS#12 file does not verify with this password.
    package static let pkcs12VerifyFailure = Self(rawValue: -25_264)
    /// errSecNotAvailable: There is no keychain, or no key of this class, here; or the TPM does not give it, or an
    /// earlier home was put back.
    package static let notAvailable = Self(rawValue: -25_291)
    /// errSecReadOnly: The keychain can't be written to.
    package static let readOnly = Self(rawValue: -25_292)
    /// errSecAuthFailed: The passcode or password is wrong.
    package static let authenticationFailed = Self(rawValue: -25_293)
    /// errSecNoSuchKeychain: There is no such keychain.
    package static let noSuchKeychain = Self(rawValue: -25_294)
    /// errSecInvalidKeychain: The file is not a keychain that this version can read.
    package static let invalidKeychain = Self(rawValue: -25_295)
    /// errSecDuplicateKeychain: The keychain exists already.
    package static let duplicateKeychain = Self(rawValue: -25_296)
    /// errSecDuplicateItem: An item with this identity exists already.
    package static let duplicateItem = Self(rawValue: -25_299)
    /// errSecItemNotFound: There is no such item.
    package static let itemNotFound = Self(rawValue: -25_300)
    /// errSecBufferTooSmall: The buffer is too small.
    package static let bufferTooSmall = Self(rawValue: -25_301)
    /// errSecDataTooLarge: The secret or an attribute is too large.
    package static let dataTooLarge = Self(rawValue: -25_302)
    /// errSecNoSuchAttr: The item class has no such attribute.
    package static let noSuchAttribute = Self(rawValue: -25_303)
    /// errSecInvalidItemRef: The reference does not stand for an item any more.
    package static let invalidItemReference = Self(rawValue: -25_304)
    /// errSecInvalidSearchRef: The search can't go on.
    package static let invalidSearchReference = Self(rawValue: -25_305)
    /// errSecNoSuchClass: There is no such item class.
    package static let noSuchClass = Self(rawValue: -25_306)
    /// errSecNoDefaultKeychain: There is no default keychain.
    package static let noDefaultKeychain = Self(rawValue: -25_307)
    /// errSecInteractionNotAllowed: Locked, or a prompt is needed and not allowed.
    package static let locked = Self(rawValue: -25_308)
    /// errSecReadOnlyAttr: The attribute can't be changed.
    package static let readOnlyAttribute = Self(rawValue: -25_309)
    /// errSecKeySizeNotAllowed: The key size is not allowed.
    package static let keySizeNotAllowed = Self(rawValue: -25_311)
    /// errSecInteractionRequired: A person has to answer, and can't be asked here.
    package static let interactionRequired = Self(rawValue: -25_315)
    /// errSecDataNotAvailable: The key that the secret is under does not exist any more.
    package static let keyDestroyed = Self(rawValue: -25_316)
    /// errSecDataNotModifiable: The content can't be changed.
    package static let dataNotModifiable = Self(rawValue: -25_317)
    /// errSecInDarkWake: No prompt while the machine is in dark wake.
    package static let inDarkWake = Self(rawValue: -25_320)
    /// errSecNotSigner: The issuer does not match.
    package static let notSigner = Self(rawValue: -26_267)
    /// errSecDecode: Stored bytes are not what was written.
    package static let damaged = Self(rawValue: -26_275)
    /// errSecInternal: An internal error.
    package static let internalError = Self(rawValue: -26_276)
    /// errSecMissingEntitlement: The program is not entitled to this access group.
    package static let missingEntitlement = Self(rawValue: -34_018)
    /// errSecRestrictedAPI: The program may not use this function.
    package static let restrictedAPI = Self(rawValue: -34_020)
    /// errSecVerifyFailed: A signature or digest does not verify.
    package static let verifyFailed = Self(rawValue: -67_808)
    /// errSecNotTrusted: A certificate or its signer is not trusted.
    package static let notTrusted = Self(rawValue: -67_843)
    /// errSecInvalidEncoding: The encoding is wrong.
    package static let invalidEncoding = Self(rawValue: -67_853)
}
