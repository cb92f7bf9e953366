// SPDX-License-Identifier: Apache-2.0

extension Rule where Value == String {
    /// A postal code of `country` (ISO 3166: "GB"), written as it is there: `sw1a1aa` gives SW1A 1AA. Of a country whose codes are not
    /// known here, two to twelve letters, digits, spaces and hyphens; of one that has none, nothing passes: make the field
    /// optional. Trims. Errors: `.required`, `.postal`.
    public static func postalCode(of country: String) -> Rule {
        let forms = PostalForms.table[country.uppercased()]
        let reason = Reason(.postal, details: forms.map { $0.map(PostalForms.example) } ?? [])
        return Rule(trims: true) { utf8 throws(Reason) in
            try Check.required(utf8)
            guard utf8.count <= 60, let typed = Compact.text(of: utf8), (2...12).contains(typed.count) else {
                throw reason
            }
            guard let forms else { return try plain(utf8) }
            for form in forms {
                if let code = PostalForms.code(of: typed, in: form) { return code }
            }
            throw reason
        }
    }

    private static func plain(_ utf8: Span<UInt8>) throws(Reason) -> String {
        guard let text = UTF8Text.string(utf8), text.utf8.allSatisfy({ $0 < 0x80 }) else { throw Reason(.postal) }
        return text.uppercased()
    }
}

/// How codes are written: N for a digit, A for a letter, and what stands between them.
private enum PostalForms {
    static let table: [String: [String]] = {
        var table: [String: [String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            let forms = parts[1].split(separator: "|").map { form in String(form.map { $0 == "_" ? " " : $0 }) }
            for country in parts[0].split(separator: " ") { table[String(country)] = forms }
        }
        return table
    }()

    /// `typed` in this form; nil if it doesn't fit.
    static func code(of typed: [UInt8], in form: String) -> String? {
        var rest = typed[...]
        var code = ""
        for character in form.utf8 {
            switch character {
            case UInt8(ascii: "N"), UInt8(ascii: "A"):
                guard let next = rest.popFirst(), UTF8Text.isDigit(next) == (character == UInt8(ascii: "N")) else {
                    return nil
                }
                code.unicodeScalars.append(Unicode.Scalar(next))
            case UInt8(ascii: "X"):
                guard let next = rest.popFirst() else { return nil }
                code.unicodeScalars.append(Unicode.Scalar(next))
            default: code.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        return rest.isEmpty ? code : nil
    }

    static func example(_ form: String) -> String {
        String(form.map { $0 == "N" ? "1" : $0 == "A" || $0 == "X" ? "A" : $0 })
    }

    private static let text = """
        AE AO BS BW FJ GH HK QA SY UG ZW:
        IS LS MG PG:NNN
        AF AL AM AT AU BE BG CH CY DK GE GW HT HU LI LU MD MK NE NO NZ PH SI TN ZA:NNNN
        BA BT CU DE DO DZ EE EG ES FI FR GT HN HR ID IQ IT JO KE KW LA LK MA ME MM MX MY NP PE PK RS SA SN TH TR UA UY VA XK ZM:NNNNN
        BY CN CO EC IN KG KZ MN NG PA RO RU SG TJ TM TT UZ VN:NNNNNN
        CL IL NI:NNNNNNN|NNNNN
        US PR:NNNNN|NNNNN-NNNN
        BR:NNNNN-NNN
        IR:NNNNN-NNNNN|NNNNNNNNNN
        JP:NNN-NNNN
        KR:NNNNN
        PL:NN-NNN
        PT:NNNN-NNN
        CZ GR SE SK:NNN_NN
        NL:NNNN_AA
        CA:ANA_NAN
        GB GG IM JE:AN_NAA|ANN_NAA|AAN_NAA|AANN_NAA|ANA_NAA|AANA_NAA
        GI:AANN_NAA
        IE:ANN_XXXX|ANA_XXXX
        MT:AAA_NNNN
        AD:AANNN
        AZ:NNNN|AANNNN
        LT:NNNNN
        LV:NNNN
        BN:AANNNN
        AR:NNNN|ANNNNAAA
        TW:NNN|NNNNN|NNNNNN
        """
}
