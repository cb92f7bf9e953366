// SPDX-License-Identifier: Apache-2.0

/// Secrets of Kubernetes as they are written for it: `kind: Secret`, with values in Base64 (`data`) or plain
/// (`stringData`).
enum ManifestText {
    private static let move = "a Secret of Kubernetes"

    /// Whether a text may have one.
    static func isOne(_ bytes: [UInt8], count: Int) -> Bool {
        var at = 0
        while at < count, let next = bytes.first(0x6B, in: at..<count) {
            if bytes.matches("kind", at: next, end: count) {
                var value = next + 4
                while value < count, [0x20, 0x22, 0x27, 0x3A].contains(bytes[value]) { value += 1 }
                if bytes.matches(exactly: "Secret", at: value, end: count),
                    value + 6 == count || !Byte.isWord(bytes[value + 6])
                {
                    return true
                }
            }
            at = next + 1
        }
        return false
    }

    /// The values that mean a secret; of a text of several documents those of all.
    static func found(in bytes: [UInt8]) -> [Found] {
        YAMLText.fields(bytes).compactMap { field in
            guard let part = field.keys.lastIndex(where: { $0 == "data" || $0 == "stringData" }),
                part == field.keys.count - 2, let name = field.keys.last
            else { return nil }
            let isEncoded = field.keys[part] == "data"
            let form: ClearSecret.Form = isEncoded ? .base64 : field.form
            let value = form.decoded(bytes[field.range])
            if isHarmless(name), URLText.firstParts(value) == nil { return nil }
            guard !value.isEmpty, !Placeholder.isOne(value), !isEncoded || isBase64(bytes[field.range]) else {
                return nil
            }
            if value.starts(with: Array("-----BEGIN CERT".utf8)) || value.starts(with: Array("-----BEGIN PUBLIC".utf8))
            {
                return nil
            }
            return Found(
                rule: Rule(.assignment, "assignment/kubernetes", issuer: move), range: field.range, form: form,
                service: "", account: name)
        }
    }

    private static func isBase64(_ text: ArraySlice<UInt8>) -> Bool {
        text.count.isMultiple(of: 4) && text.allSatisfy { Byte.isWord($0) || [0x2B, 0x2F, 0x3D].contains($0) }
    }

    private static func isHarmless(_ name: String) -> Bool {
        if SecretName.judged(name) != nil { return false }
        let words = SecretName.words(name)
        let plain: Set<String> = [
            "user", "username", "login", "host", "hostname", "port", "database", "db", "name", "email", "url", "uri",
            "crt", "ca", "cert", "namespace", "region", "endpoint", "bucket", "server", "address", "id", "type", "mode",
            "enabled", "level", "role", "issuer", "domain", "version", "config", "path", "account", "tenant", "scheme",
        ]
        return words.contains(where: plain.contains)
    }
}
