// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
package import Readers

/// An X.509 certificate. Two certificates are equal when their bytes are.
public final class SecCertificate: NSObject, Sendable {
    package let der: Data
    package let fields: CertificateFields

    package init?(der: Data) {
        guard let fields = CertificateFields(der: Array(der)) else { return nil }
        self.der = der
        self.fields = fields
    }

    /// Whether `object` is a certificate of the same bytes.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecCertificate)?.der == der }

    /// Equal certificates have equal hashes.
    public override var hash: Int { der.hashValue }
}

/// The certificate of these DER bytes; nil when they are not exactly one X.509 certificate.
///
/// - Parameter allocator: Ignored.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    SecCertificate(der: Data(referencing: data))
}

/// The certificate's DER bytes, exactly as they were given.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
    NSData(data: certificate.der)
}
#endif
