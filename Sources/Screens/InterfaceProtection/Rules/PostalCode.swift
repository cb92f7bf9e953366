// SPDX-License-Identifier: Apache-2.0

extension Rule where Value == String {
    /// A postal code of `country` (ISO 3166: "GB"), in the form used there: `sw1a1aa` gives SW1A 1AA.
    ///
    /// For a country whose codes are unknown here, two to twelve letters and digits, with spaces and hyphens. For a
    /// country without codes, nothing is valid: make the field optional.
    ///
    /// Trims. Errors: `.required`, `.postal`.
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

/// The forms of postal codes. N is a digit, P one that isn't 0, A a letter, Y a letter of Canada's codes, X a letter or
/// digit. Small letters and digits represent themselves. After ?, the letters at the beginning may be omitted. All
/// other characters are separators.
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
        guard form.first != "?" else { return code(of: completed(typed, for: form), in: String(form.dropFirst())) }
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
            case UInt8(ascii: "P"):
                guard let next = rest.popFirst(), UTF8Text.isDigit(next), next != UInt8(ascii: "0") else { return nil }
                code.unicodeScalars.append(Unicode.Scalar(next))
            case UInt8(ascii: "Y"):
                guard let next = rest.popFirst(), !UTF8Text.isDigit(next), !"DFIOQU".utf8.contains(next) else {
                    return nil
                }
                code.unicodeScalars.append(Unicode.Scalar(next))
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let letter = character >= UInt8(ascii: "a") ? character - 32 : character
                guard rest.popFirst() == letter else { return nil }
                code.unicodeScalars.append(Unicode.Scalar(letter))
            default: code.unicodeScalars.append(Unicode.Scalar(character))
            }
        }
        return rest.isEmpty ? code : nil
    }

    /// `typed` with the letters at the beginning of the form, if they were omitted.
    private static func completed(_ typed: [UInt8], for form: String) -> [UInt8] {
        guard let first = typed.first, UTF8Text.isDigit(first) else { return typed }
        return form.utf8.dropFirst().prefix { (0x61...0x7A).contains($0) }.map { $0 - 32 } + typed
    }

    static func example(_ form: String) -> String {
        String(form.filter { $0 != "?" }.map { $0 == "N" || $0 == "P" ? "1" : $0 == "X" || $0 == "Y" ? "A" : $0 })
            .uppercased()
    }

    private static let text = """
        AE AO BS BW FJ GH HK QA SY UG ZW:
        FO GN IS LS MG OM PG:NNN
        AF AL AT AU BD BE BG CH CV CY DK ET GE GW HM HU LI LR LU MK MZ NE NO NZ PA PH PY SI SJ TN VE ZA:NNNN
        BA BT CU DE DO DZ EE EG EH ES FI FR GT HN HR ID IQ IT JO KE KW LA LK MA ME MM MX MY NA NP PE PK SD SN TH TR UA UY ZM:NNNNN
        BY CN CO EC KG NG RO RU SG TJ TM TT UZ:NNNNNN
        KH MN RS VN:NNNNNN|NNNNN
        MV TZ:NNNNN|NNNN
        BH:NNNN|NNN
        IN:PNNNNN
        AM:NNNN|37NNNN
        KZ:NNNNNN|ANNANAN
        SA:NNNNN|NNNNN-NNNN
        MD:?md-NNNN
        CL IL NI:NNNNNNN|NNNNN
        US:NNNNN|NNNNN-NNNN
        PR VI:00NNN|00NNN-NNNN
        AS FM GU MH MP PW UM:969NN|969NN-NNNN|967NN|967NN-NNNN|968NN
        AX:22NNN
        MC:980NN
        BL GP MF:971NN
        MQ:972NN
        GF:973NN
        RE:974NN
        PM:975NN
        YT:976NN
        WF:986NN
        PF:987NN
        NC:988NN
        SM:4789N
        VA:00120
        XK:NNNNN
        GL:39NN
        CX:6798
        CC:6799
        NF:2899
        BR:NNNNN-NNN
        IR:NNNNN-NNNNN|NNNNNNNNNN
        JP:NNN-NNNN
        KR:NNNNN
        LB:NNNN_NNNN|NNNN
        PL:NN-NNN
        PT:NNNN-NNN
        CZ GR SE SK:NNN_NN
        NL:PNNN_AA
        CA:YNY_NYN
        GG:gyN_NAA|gyNN_NAA
        JE:jeN_NAA|jeNN_NAA
        IM:imN_NAA|imNN_NAA
        GB:AN_NAA|ANN_NAA|AAN_NAA|AANN_NAA|ANA_NAA|AANA_NAA|gir_0aa|bfpo_N|bfpo_NN|bfpo_NNN|bfpo_NNNN
        GI:gx11_1aa
        AC:ascn_1zz
        FK:fiqq_1zz
        GS:siqq_1zz
        IO:bbnd_1zz
        PN:pcrn_1zz
        SH:sthl_1zz|ascn_1zz|tdcu_1zz
        TA:tdcu_1zz
        TC:tkca_1zz
        AI:?ai-2640
        BB:bbNNNNN
        BM:AA_XX
        KY:kyN-NNNN
        MU:NNNNN|NNNANNN
        SO:AA_NNNNN
        SV:?cp_NNNN
        SZ:ANNN
        VC:vcNNNN
        VG:vgNNNN
        HT:?htNNNN
        IE:ANN_XXXX|ANA_XXXX
        MT:AAA_NNNN|AAA_NN
        AD:adNNN
        AZ:?azNNNN
        LT:?lt-NNNNN
        LV:?lv-NNNN
        BN:AANNNN
        AR:NNNN|ANNNNAAA
        TW:NNN|NNNNN|NNNNNN
        """
}
