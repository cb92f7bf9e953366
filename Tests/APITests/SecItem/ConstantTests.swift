// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import Testing

/// Code writes the constants, and what it stored long ago holds their values: both are Apple's.
@Suite("Names and their values") struct ConstantTests {
    @Test func `item classes`() {
        expect([
            (kSecClass, "class"), (kSecClassCertificate, "cert"), (kSecClassGenericPassword, "genp"),
            (kSecClassIdentity, "idnt"), (kSecClassInternetPassword, "inet"), (kSecClassKey, "keys"),
        ])
    }

    @Test func `accessibility`() {
        expect([
            (kSecAttrAccessibleAfterFirstUnlock, "ck"), (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, "cku"),
            (kSecAttrAccessibleAlways, "dk"), (kSecAttrAccessibleAlwaysThisDeviceOnly, "dku"),
            (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "akpu"), (kSecAttrAccessibleWhenUnlocked, "ak"),
            (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, "aku"),
        ])
    }

    @Test func `protocols`() {
        expect([
            (kSecAttrProtocolAFP, "afp "), (kSecAttrProtocolAppleTalk, "atlk"), (kSecAttrProtocolDAAP, "daap"),
            (kSecAttrProtocolEPPC, "eppc"), (kSecAttrProtocolFTP, "ftp "), (kSecAttrProtocolFTPAccount, "ftpa"),
            (kSecAttrProtocolFTPProxy, "ftpx"), (kSecAttrProtocolFTPS, "ftps"), (kSecAttrProtocolHTTP, "http"),
            (kSecAttrProtocolHTTPProxy, "htpx"), (kSecAttrProtocolHTTPS, "htps"), (kSecAttrProtocolHTTPSProxy, "htsx"),
            (kSecAttrProtocolIMAP, "imap"), (kSecAttrProtocolIMAPS, "imps"), (kSecAttrProtocolIPP, "ipp "),
            (kSecAttrProtocolIRC, "irc "), (kSecAttrProtocolIRCS, "ircs"), (kSecAttrProtocolLDAP, "ldap"),
            (kSecAttrProtocolLDAPS, "ldps"), (kSecAttrProtocolNNTP, "nntp"), (kSecAttrProtocolNNTPS, "ntps"),
            (kSecAttrProtocolPOP3, "pop3"), (kSecAttrProtocolPOP3S, "pops"), (kSecAttrProtocolRTSP, "rtsp"),
            (kSecAttrProtocolRTSPProxy, "rtsx"), (kSecAttrProtocolSMB, "smb "), (kSecAttrProtocolSMTP, "smtp"),
            (kSecAttrProtocolSOCKS, "sox "), (kSecAttrProtocolSSH, "ssh "), (kSecAttrProtocolTelnet, "teln"),
            (kSecAttrProtocolTelnetS, "tels"),
        ])
    }

    @Test func `types of authentication`() {
        expect([
            (kSecAttrAuthenticationTypeDPA, "dpaa"), (kSecAttrAuthenticationTypeDefault, "dflt"),
            (kSecAttrAuthenticationTypeHTMLForm, "form"), (kSecAttrAuthenticationTypeHTTPBasic, "http"),
            (kSecAttrAuthenticationTypeHTTPDigest, "httd"), (kSecAttrAuthenticationTypeMSN, "msna"),
            (kSecAttrAuthenticationTypeNTLM, "ntlm"), (kSecAttrAuthenticationTypeRPA, "rpaa"),
        ])
    }

    @Test func `classes and types of keys`() {
        expect([
            (kSecAttrKeyClassPrivate, "1"), (kSecAttrKeyClassPublic, "0"), (kSecAttrKeyClassSymmetric, "2"),
            (kSecAttrKeyType3DES, "17"), (kSecAttrKeyTypeAES, "2147483649"), (kSecAttrKeyTypeCAST, "56"),
            (kSecAttrKeyTypeDES, "14"), (kSecAttrKeyTypeDSA, "43"), (kSecAttrKeyTypeEC, "73"),
            (kSecAttrKeyTypeECDSA, "73"), (kSecAttrKeyTypeECSECPrimeRandom, "73"), (kSecAttrKeyTypeRC2, "23"),
            (kSecAttrKeyTypeRC4, "25"), (kSecAttrKeyTypeRSA, "42"), (kSecAttrPRFHmacAlgSHA1, "hsha1"),
            (kSecAttrPRFHmacAlgSHA224, "hsha224"), (kSecAttrPRFHmacAlgSHA256, "hsha256"),
            (kSecAttrPRFHmacAlgSHA384, "hsha384"), (kSecAttrPRFHmacAlgSHA512, "hsha512"),
        ])
    }

    @Test func `match keys`() {
        expect([
            (kSecMatchCaseInsensitive, "m_CaseInsensitive"), (kSecMatchDiacriticInsensitive, "m_DiacriticInsensitive"),
            (kSecMatchEmailAddressIfPresent, "m_EmailAddressIfPresent"),
            (kSecMatchHostOrSubdomainOfHost, "m_HostOrSubdomainOfHost"), (kSecMatchIssuers, "m_Issuers"),
            (kSecMatchItemList, "m_ItemList"), (kSecMatchLimit, "m_Limit"), (kSecMatchLimitAll, "m_LimitAll"),
            (kSecMatchLimitOne, "m_LimitOne"), (kSecMatchPolicy, "m_Policy"), (kSecMatchSearchList, "m_SearchList"),
            (kSecMatchSubjectContains, "m_SubjectContains"), (kSecMatchSubjectEndsWith, "m_SubjectEndsWith"),
            (kSecMatchSubjectStartsWith, "m_SubjectStartsWith"), (kSecMatchSubjectWholeString, "m_SubjectWholeString"),
            (kSecMatchTrustedOnly, "m_TrustedOnly"), (kSecMatchValidOnDate, "m_ValidOnDate"),
            (kSecMatchWidthInsensitive, "m_WidthInsensitive"),
        ])
    }

    @Test func `return keys`() {
        expect([
            (kSecReturnAttributes, "r_Attributes"), (kSecReturnData, "r_Data"),
            (kSecReturnPersistentRef, "r_PersistentRef"), (kSecReturnRef, "r_Ref"),
        ])
    }

    @Test func `value keys`() {
        expect([
            (kSecValueData, "v_Data"), (kSecValuePersistentRef, "v_PersistentRef"), (kSecValueRef, "v_Ref"),
        ])
    }

    @Test func `keys about use`() {
        expect([
            (kSecUseAuthenticationContext, "u_AuthCtx"), (kSecUseAuthenticationUI, "u_AuthUI"),
            (kSecUseAuthenticationUIAllow, "u_AuthUIA"), (kSecUseAuthenticationUIFail, "u_AuthUIF"),
            (kSecUseAuthenticationUISkip, "u_AuthUIS"), (kSecUseDataProtectionKeychain, "nleg"),
            (kSecUseItemList, "u_ItemList"), (kSecUseKeychain, "u_Keychain"), (kSecUseNoAuthenticationUI, "u_NoAuthUI"),
            (kSecUseOperationPrompt, "u_OpPrompt"), (kSecUseUserIndependentKeychain, "u_UserIndependentKeychain"),
        ])
    }

    @Test func `attributes`() {
        expect([
            (kSecAttrAccess, "acls"), (kSecAttrAccessControl, "accc"), (kSecAttrAccessGroup, "agrp"),
            (kSecAttrAccessGroupToken, "com.apple.token"), (kSecAttrAccessible, "pdmn"), (kSecAttrAccount, "acct"),
            (kSecAttrApplicationLabel, "klbl"), (kSecAttrApplicationTag, "atag"), (kSecAttrAuthenticationType, "atyp"),
            (kSecAttrCanDecrypt, "decr"), (kSecAttrCanDerive, "drve"), (kSecAttrCanEncrypt, "encr"),
            (kSecAttrCanSign, "sign"), (kSecAttrCanUnwrap, "unwp"), (kSecAttrCanVerify, "vrfy"),
            (kSecAttrCanWrap, "wrap"), (kSecAttrCertificateEncoding, "cenc"), (kSecAttrCertificateType, "ctyp"),
            (kSecAttrComment, "icmt"), (kSecAttrCreationDate, "cdat"), (kSecAttrCreator, "crtr"),
            (kSecAttrDescription, "desc"), (kSecAttrEffectiveKeySize, "esiz"), (kSecAttrGeneric, "gena"),
            (kSecAttrIsExtractable, "extr"), (kSecAttrIsInvisible, "invi"), (kSecAttrIsNegative, "nega"),
            (kSecAttrIsPermanent, "perm"), (kSecAttrIsSensitive, "sens"), (kSecAttrIssuer, "issr"),
            (kSecAttrKeyClass, "kcls"), (kSecAttrKeySizeInBits, "bsiz"), (kSecAttrKeyType, "type"),
            (kSecAttrLabel, "labl"), (kSecAttrModificationDate, "mdat"), (kSecAttrPRF, "prf"), (kSecAttrPath, "path"),
            (kSecAttrPersistantReference, "persistref"), (kSecAttrPersistentReference, "persistref"),
            (kSecAttrPort, "port"), (kSecAttrProtocol, "ptcl"), (kSecAttrPublicKeyHash, "pkhh"),
            (kSecAttrRounds, "rounds"), (kSecAttrSalt, "salt"), (kSecAttrSecurityDomain, "sdmn"),
            (kSecAttrSerialNumber, "slnr"), (kSecAttrServer, "srvr"), (kSecAttrService, "svce"),
            (kSecAttrSubject, "subj"), (kSecAttrSubjectKeyID, "skid"), (kSecAttrSyncViewHint, "vwht"),
            (kSecAttrSynchronizable, "sync"), (kSecAttrSynchronizableAny, "syna"), (kSecAttrTokenID, "tkid"),
            (kSecAttrTokenIDSecureEnclave, "com.apple.setoken"), (kSecAttrType, "type"),
        ])
    }

    @Test func `parameters of keys and imports`() {
        expect([
            (kSecSharedPassword, "spwd"), (kSecPrivateKeyAttrs, "private"), (kSecPublicKeyAttrs, "public"),
            (kSecImportExportPassphrase, "passphrase"), (kSecImportItemLabel, "label"), (kSecImportItemKeyID, "keyid"),
            (kSecImportItemTrust, "trust"), (kSecImportItemCertChain, "chain"), (kSecImportItemIdentity, "identity"),
        ])
    }

    private func expect(_ constants: [(constant: CFString, value: String)]) {
        for (constant, value) in constants { #expect(constant as String == value) }
    }
}
