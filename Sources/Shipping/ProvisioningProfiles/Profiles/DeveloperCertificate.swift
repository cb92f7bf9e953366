// SPDX-License-Identifier: Apache-2.0

/// One entry of a profile's `DeveloperCertificates`: who may sign an app with this profile.
public struct DeveloperCertificate: Sendable, Equatable {
    /// The bytes in the profile.
    public let encoded: [UInt8]
    /// Their SHA-256 fingerprint.
    public let fingerprint: [UInt8]
    /// The certificate, or nil where the bytes are none (profiles made for tests have such entries).
    public let certificate: Certificate?

    init(encoded: [UInt8]) {
        self.encoded = encoded
        certificate = try? Certificate(encoded: encoded)
        fingerprint = certificate?.fingerprint ?? DigestAlgorithm.sha256.digest(of: encoded)
    }
}
