// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOSSL

/// Whether a certificate is for the host that is granted. NIOSSL also takes one for the address that was connected to,
/// and a common name if there are no other names: a certificate that any host can have for its own address.
package enum CertificateName {
    /// Whether the certificate has the name, or the address if the host is one, in its `subjectAltName`. False also
    /// for bytes that are no certificate.
    package static func isIn(_ certificate: [UInt8], _ host: String) -> Bool {
        (try? NIOSSLCertificate(bytes: certificate, format: .der)).map { isIn($0, host) } ?? false
    }

    static func isIn(_ certificate: NIOSSLCertificate, _ host: String) -> Bool {
        let names = certificate._subjectAlternativeNames()
        if let address = Address(text: host) {
            return names.contains { $0.nameType == .ipAddress && $0.contents.elementsEqual(address.bytes) }
        }
        return names.contains { $0.nameType == .dnsName && matches(Array($0.contents), host) }
    }

    /// Whether a dNSName is for a host (RFC 6125, 6.4). A wildcard is the whole first label, is for one label, and has
    /// two more behind it.
    package static func matches(_ pattern: [UInt8], _ host: String) -> Bool {
        let wanted = labels(host.utf8.last == UInt8(ascii: ".") ? Array(host.utf8.dropLast()) : Array(host.utf8))
        guard let wanted else { return false }
        guard pattern.starts(with: "*.".utf8) else { return labels(pattern) == wanted }
        guard let rest = labels(Array(pattern.dropFirst(2))), rest.count >= 2 else { return false }
        return rest[...] == wanted.dropFirst()
    }

    /// In small letters; nil if there is another sign than those of host names, or an empty label.
    private static func labels(_ name: [UInt8]) -> [[UInt8]]? {
        var labels: [[UInt8]] = [[]]
        for byte in name {
            switch byte {
            case UInt8(ascii: "."): labels.append([])
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): labels[labels.count - 1].append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                labels[labels.count - 1].append(byte)
            default: return nil
            }
        }
        return labels.contains([]) ? nil : labels
    }

    /// TLS to a host. Nothing is sent in it before the certificate is verified, and is for the host. Errors of the
    /// connection: also ``Refusal``.
    static func client(_ context: NIOSSLContext, _ host: Host) throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler._makeSSLClientHandler(
            context: context, serverHostname: Address(text: host.name) == nil ? host.name : nil
        ) { certificate, channel in
            guard isIn(certificate, host.name) else {
                return channel.eventLoop.makeFailedFuture(
                    Refusal(502, "\(host.authority): its certificate is not for \(host.name)"))
            }
            return channel.eventLoop.makeSucceededVoidFuture()
        }
    }
}
