// SPDX-License-Identifier: Apache-2.0

extension PKCS12Error {
    /// How to make a file that can be read from one that is encrypted as openssl 1 and older systems did, where there is no OpenSSL 3 to read it.
    package static let remedy = """
        the PKCS#12 file is encrypted or authenticated in a way that is not read here (older ones take the system's OpenSSL 3 with its legacy \
        provider); convert it: \
        openssl pkcs12 -legacy -in OLD.p12 -nodes | openssl pkcs12 -export -out NEW.p12
        """
}

extension KeychainError {
    /// What a PKCS#12 file that was not read means to its user.
    package init(_ error: PKCS12Error) {
        self =
            switch error {
            case .malformed: KeychainError(.damaged, "this is no PKCS#12 file, or it is damaged")
            case .wrongPassphrase:
                KeychainError(.pkcs12VerifyFailure, "the passphrase is wrong, or the file is damaged")
            case .unsupportedEncryption: KeychainError(.unsupportedFormat, PKCS12Error.remedy)
            case .tooLarge: KeychainError(.dataTooLarge, "a PKCS#12 file may have 16 MiB and 10,000 certificates")
            }
    }
}
