// SPDX-License-Identifier: Apache-2.0

import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// AWS Signature Version 4 over the headers of a request.
struct S3Signature {
    let accessKey: String
    let secretKey: String
    let region: String

    /// The value of `Authorization`. `path` is encoded, `query` is not. `headers` are all headers to sign, `host` and
    /// `x-amz-date` among them.
    func authorization(
        _ method: String, path: String, query: [(String, String)] = [], headers: [(name: String, value: String)],
        payload: String, date: String
    ) -> String {
        let sorted = headers.sorted { $0.name < $1.name }
        let names = sorted.map(\.name).joined(separator: ";")
        let request = [
            method, path, Self.encode(query), sorted.map { "\($0.name):\($0.value)\n" }.joined(), names, payload,
        ].joined(separator: "\n")
        let day = String(date.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = "AWS4-HMAC-SHA256\n\(date)\n\(scope)\n\(Self.digest(Array(request.utf8)))"
        var key = SymmetricKey(data: Data("AWS4\(secretKey)".utf8))
        for part in [day, region, "s3", "aws4_request"] {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key))
        }
        let signature = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).map { Self.digits($0) }
            .joined()
        return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    /// SHA-256 in hexadecimal digits.
    static func digest(_ bytes: [UInt8]) -> String { SHA256.hash(data: bytes).map { Self.digits($0) }.joined() }

    /// A query in the order that is signed.
    static func encode(_ query: [(String, String)]) -> String {
        query.map { (encode($0.0), encode($0.1)) }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Everything but letters, digits and `-._~` as `%XX`; a slash stays where `keeping` it.
    static func encode(_ text: String, keepingSlash: Bool = false) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            case UInt8(ascii: "/") where keepingSlash: "/"
            default: "%" + digits(byte).uppercased()
            }
        }.joined()
    }

    /// As the signature wants it: `20130524T000000Z`.
    static func stamp(_ date: Date) -> String {
        Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted, timeZone: .gmt).format(date)
    }

    private static func digits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
