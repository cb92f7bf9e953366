// SPDX-License-Identifier: Apache-2.0

/// A host as a browser reads it, in any spelling.
struct Host {
    /// The host as a browser requests it: a name in lower-case ASCII, four decimal numbers, or an address in brackets.
    let ascii: String
    /// The same in the letters of its script.
    let unicode: String
    /// The address, if the host is one.
    let address: IPAddress?
    /// The labels of a name.
    let labels: [IDNA.Label]

    /// nil if `text` is not a host, or one that no domain can have. A name has labels of 1 to 63 letters, digits and
    /// inner hyphens, and 253 bytes in all.
    init?(_ text: Span<UInt8>, needsDot: Bool) {
        guard !text.isEmpty, text.count <= 1024 else { return nil }
        if text[0] == UInt8(ascii: "[") {
            guard text.count > 2, text[text.count - 1] == UInt8(ascii: "]"),
                let address = IPAddress(v6: text.extracting(1..<text.count - 1))
            else { return nil }
            self.init(address, text: "[\(address)]")
            return
        }
        guard let labels = Self.labels(of: text) else { return nil }
        guard labels.allSatisfy({ Self.isLabel($0.ascii) }), let last = labels.last else { return nil }
        let bytes = Self.joined(labels) { $0 += $1.ascii }
        guard bytes.count <= 253 else { return nil }
        if IPAddress.isNumber(last.ascii) {
            guard let address = IPAddress(v4: bytes) else { return nil }
            self.init(address, text: "\(address)")
            return
        }
        guard labels.count > 1 || !needsDot else { return nil }
        self.init(nil, text: String(decoding: bytes, as: UTF8.self), labels: labels)
    }

    private init(_ address: IPAddress?, text: String, labels: [IDNA.Label] = []) {
        (ascii, self.address, self.labels) = (text, address, labels)
        guard !labels.allSatisfy(\.isASCII) else {
            unicode = text
            return
        }
        let bytes = Self.joined(labels) { bytes, label in
            if label.isASCII { bytes += label.ascii }
            for scalar in label.decoded { UTF8Text.append(scalar, to: &bytes) }
        }
        unicode = String(decoding: bytes, as: UTF8.self)
    }

    private static func joined(_ labels: [IDNA.Label], _ append: (inout [UInt8], IDNA.Label) -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        for (index, label) in labels.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ".")) }
            append(&bytes, label)
        }
        return bytes
    }

    private static func labels(of text: Span<UInt8>) -> [IDNA.Label]? {
        var isPlain = true
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for index in text.indices {
            let byte = text[index]
            // Where no label begins with "xn--", ASCII needs no tables.
            if byte >= 0x80 || (byte == UInt8(ascii: "-") && index > 0 && text[index - 1] == byte) { isPlain = false }
            bytes.append(UTF8Text.lowercased(byte))
        }
        guard isPlain else { return IDNA.labels(of: text) }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { label in
            IDNA.Label(ascii: label, decoded: [])
        }
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        guard (1...63).contains(label.count), label.first != hyphen, label.last != hyphen else { return false }
        return label.allSatisfy { UTF8Text.isDigit($0) || $0 == hyphen || (0x61...0x7A).contains($0) }
    }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch UTF8Text.lowercased(byte) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UTF8Text.lowercased(byte) - 87
        default: nil
        }
    }

    static func isHexDigit(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

    /// Whether the host is on the public Internet, as far as its spelling shows: a name can resolve to any address.
    var isPublic: Bool {
        if let address { return address.isPublic }
        let names = ascii.split(separator: ".")
        guard names.count > 1, let last = names.last else { return false }
        return !Self.localNames.contains(String(last)) && !ascii.hasSuffix(".home.arpa") && ascii != "home.arpa"
    }

    /// Names that are never registered, by RFC 6761, 6762, 8375, 7686, and ICANN's resolution on "internal".
    private static let localNames: Set<String> = [
        "localhost", "local", "internal", "test", "invalid", "onion", "localdomain", "lan", "home", "corp", "intranet",
        "private",
    ]
}

/// Words made to be mistaken for others: letters of several scripts in one word, or letters that all look like those of
/// another script. By the "highly restrictive" level of UTS #39 and the practice of browsers' address bars.
enum Lookalikes {
    /// Whether `word` mixes scripts that are not written together. Chinese, Japanese and Korean mix with each other and
    /// with Latin.
    static func mixesScripts(_ word: some Sequence<Unicode.Scalar>) -> Bool {
        var only: UInt32 = 0
        for scalar in word {
            let script = HostCharacter.script(of: scalar)
            guard script != 0 else { continue }
            if only == 0 || only == script {
                only = script
                continue
            }
            guard isWrittenTogether(only), isWrittenTogether(script) else { return true }
        }
        return false
    }

    private static func isWrittenTogether(_ script: UInt32) -> Bool {
        script == HostCharacter.Script.latin
            || (HostCharacter.Script.han...HostCharacter.Script.bopomofo).contains(script)
    }

    /// Whether a label of Cyrillic or Greek letters can be read as Latin throughout.
    static func looksLatin(_ label: ArraySlice<Unicode.Scalar>) -> Bool {
        !label.allSatisfy(\.isASCII)
            && label.allSatisfy { $0 == "-" || ("0"..."9").contains($0) || latinShaped.contains($0) }
    }

    private static let latinShaped = Set("асԁеһіјӏорԗԛѕԝхуъьҽпгѵѡαικνρυωηοτ".unicodeScalars)

    /// Whether a host's name has such labels. Under a top-level domain that is not ASCII, a label may look Latin.
    static func deceive(_ labels: [IDNA.Label]) -> Bool {
        let isUnderLatin = labels.last?.isASCII ?? true
        return labels.contains { !$0.isASCII && (mixesScripts($0.decoded) || (isUnderLatin && looksLatin($0.decoded))) }
    }
}
