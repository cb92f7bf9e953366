// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Security
import X509

// A certificate of swift-certificates, of a key made here; as SecCertificate; and back. It goes by DER, so that it is
// the same whether or not swift-certificates has its own conversions.
let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
let name = try DistinguishedName { CommonName("Converting") }
let made = try Certificate(
    version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey, notValidBefore: Date(),
    notValidAfter: Date().addingTimeInterval(3600), issuer: name, subject: name,
    signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(), issuerPrivateKey: key)
let der = Data(try made.serializeAsPEM().derBytes)
guard let converted = SecCertificateCreateWithData(nil, der as CFData),
    SecCertificateCopySubjectSummary(converted) as String? == "Converting"
else { exit(1) }
let back = try Certificate(derEncoded: Array(SecCertificateCopyData(converted) as Data))
exit(back == made ? 0 : 2)
