// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// Private keys without a passphrase.
extension TextScan {
    /// The longest key.
    private static let longest = 16 << 10

    mutating func privateKey(_ at: Int) -> Int {
        guard end - at > 16 else { return at + 1 }
        let head = at + 11..<min(end, at + 80)
        guard let dashes = head.first(where: { bytes.matches("-----", at: $0, end: end) }) else { return at + 11 }
        let label = bytes.text(at + 11..<dashes)
        if label == "OpenVPN Static key V1" { return staticKey(at, dashes + 5) }
        guard label.hasSuffix("PRIVATE KEY"), !label.contains("ENCRYPTED") else { return dashes + 5 }
        // A body follows, not the next beginning.
        var body = dashes + 5
        while body < end, body - dashes < 16, Byte.isSpaceOrEnd(bytes[body]) { body += 1 }
        guard !bytes.matches(exactly: "-----BEGIN", at: body, end: end) else { return body }
        let limit = min(end, dashes + Self.longest)
        guard
            let tail = (max(dashes + 5, endless)..<max(dashes + 5, endless, limit)).first(where: {
                bytes[$0] == 0x2D && bytes.matches("-----END", at: $0, end: end)
            })
        else {
            endless = max(endless, limit)
            return dashes + 5
        }
        let content = bytes[dashes + 5..<tail]
        guard isClear(content, label) else { return tail }
        var high = min(end, tail + 8)
        while high < end, high < tail + 64, bytes[high] != 0x0A, !bytes.matches("-----", at: high, end: end) {
            high += 1
        }
        high = min(end, bytes.matches("-----", at: high, end: end) ? high + 5 : high)
        let isJSON = content.contains(0x5C) && !content.contains(0x0A)
        add(
            .privateKey, "key/\(label.hasPrefix("OPENSSH") ? "openssh" : "pem")", "a private key without a passphrase",
            at..<high, isJSON ? .json : .block, service: "", account: label.lowercased())
        return high
    }

    /// The shared key of OpenVPN: 16 lines of hexadecimal digits.
    private mutating func staticKey(_ at: Int, _ start: Int) -> Int {
        let first = bytes.trimmed(start..<min(end, start + 80))
        let line = bytes.trimmed(line(first.lowerBound))
        if line.count >= 32, bytes[line].allSatisfy(Byte.isHex), !SecretValue.isSequence(Array(bytes[line])) {
            let tail = (line.upperBound..<min(end, start + 2048)).first { bytes.matches("-----END", at: $0, end: end) }
            add(
                .privateKey, "key/openvpn", "a shared key", at..<(tail ?? line.upperBound), .block, service: "",
                account: "OpenVPN")
        }
        return start
    }

    /// Whether the body of a key is one, and no passphrase protects it.
    private func isClear(_ body: ArraySlice<UInt8>, _ label: String) -> Bool {
        guard body.count >= 48,
            !(body.startIndex..<body.endIndex - 2).contains(where: {
                body[$0] == 0x2E && body[$0 + 1] == 0x2E && body[$0 + 2] == 0x2E
            })
        else { return false }
        let start = Array(body.prefix(200))
        if (0..<start.count).contains(where: {
            start.matches("ENCRYPTED", at: $0, end: start.count) || start.matches("DEK-Info", at: $0, end: start.count)
        }) {
            return false
        }
        // `\n` in a string of JSON is no part of the text.
        var text: [UInt8] = []
        var index = body.startIndex
        while index < body.endIndex, text.count < 4096 {
            if body[index] == 0x5C {
                index += 2
                continue
            }
            text.append(body[index])
            index += 1
        }
        defer { text.wipe() }
        var decoded = Base64Reader.decode(text)
        defer { decoded.wipe() }
        guard decoded.count >= 32 else { return false }
        if label.hasPrefix("OPENSSH") {
            let magic = Array("openssh-key-v1\0".utf8)
            return decoded.starts(with: magic)
                && decoded.dropFirst(magic.count).starts(with: [0, 0, 0, 4] + Array("none".utf8))
        }
        return decoded[0] == 0x30 && Set(decoded).count > 16
    }

    /// Base64 of a key in PEM, as Kubernetes has it.
    mutating func encodedKey(_ at: Int) -> Int {
        var high = at
        while high < end, high - at < Self.longest * 2, Issuer.Alphabet.base64.contains(bytes[high]) { high += 1 }
        var decoded = Base64Reader.decode(bytes[at..<high])
        defer { decoded.wipe() }
        var inner = TextScan(bytes: decoded, end: decoded.count, kind: .keys)
        _ = inner.privateKey(0)
        if !inner.found.isEmpty {
            add(
                .privateKey, "key/encoded", "a private key without a passphrase", at..<high, .base64, service: "",
                account: "private key")
        }
        return high
    }

    mutating func puttyKey(_ at: Int) -> Int {
        let head = bytes.text(at..<min(end, at + 300))
        guard head.contains("Encryption: none") else { return at + 19 }
        add(
            .privateKey, "key/putty", "a private key without a passphrase", at..<min(end, at + Self.longest), .block,
            service: "", account: "PuTTY")
        return at + 300
    }
}
