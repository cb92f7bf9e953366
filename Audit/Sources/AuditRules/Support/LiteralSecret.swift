// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Whether the text of a literal is a secret itself, and not the name of one, a text for people or a stand-in.
enum LiteralSecret {
    /// A literal that is kept, compared or passed under a name which says what it is.
    static func isSecret(_ text: String, named words: SecretWords) -> Bool {
        // `Test1234` stands for nothing where it is a password: it is one.
        let isGuess = words.kind == .password && text.utf8.contains(where: Shape.isDigit) && isTried(text)
        guard text.utf8.count >= 4, text.utf8.count <= 4096, !isStandIn(text) || isGuess else { return false }
        if words.kind == .seed, isPhrase(text) { return true }
        guard !text.contains(where: { $0.isWhitespace || $0 == "\u{2022}" }), !isPath(text) else { return false }
        let isName = text.utf8.allSatisfy {
            Shape.isLetter($0) || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains($0)
        }
        if isName, SecretWords(name: text) != nil || SecretWords(text: text) != nil { return false }
        switch words.kind {
        // `Passwort:` and what is in letters of another script are for people.
        case .password
        where text.hasSuffix(":") || text.utf8.contains(where: { $0 > 0x7F }) && !text.contains(where: \.isNumber):
            return false
        case .password: return !isDotted(text) && !(isName && isSeveralWords(text)) && text.utf8.count <= 64
        case .pin, .oneTimeCode: return text.utf8.allSatisfy(Shape.isDigit) || looksRandom(text)
        case .card: return text.utf8.filter(Shape.isDigit).count >= 12
        case .answer, .bank, .health, .identity: return false
        case .seed, .key, .token, .secret: return looksRandom(text)
        }
    }

    /// Long enough, of several kinds of characters, and hard to guess from its own letters.
    static func looksRandom(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, !isDotted(text) || bytes.filter(Shape.isDigit).count > 6 else { return false }
        let digits = bytes.filter(Shape.isDigit).count
        let letters = bytes.filter(Shape.isLetter).count
        guard digits >= 2, letters >= 2 || digits >= 24, digits + letters >= bytes.count * 3 / 4 else { return false }
        return entropy(bytes) >= 3
    }

    /// Letters and digits in turn, as nobody names anything: what a request is given under a secret's name.
    static func isOpaque(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count >= 8 && bytes.contains(where: Shape.isDigit) && bytes.contains(where: Shape.isLetter)
            && !isDotted(text) && !isStandIn(text) && !isPath(text) && !text.contains { $0.isWhitespace }
            && SecretWords(name: text) == nil
    }

    /// Capitals and small letters in turn, without the words of a name.
    static func looksMixed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes.allSatisfy({ Shape.isLetter($0) || Shape.isDigit($0) }) else { return false }
        let isCapital = bytes.map { (0x41...0x5A).contains($0) }
        let turns = zip(isCapital, isCapital.dropFirst()).count { $0 != $1 }
        let runs = text.split { !$0.isUppercase }.count { $0.count > 1 }
        return turns >= bytes.count / 3 && runs > 1 && SecretWords(name: text) == nil
    }

    /// In bits for each byte.
    private static func entropy(_ bytes: [UInt8]) -> Double {
        var counts: [UInt8: Int] = [:]
        for byte in bytes { counts[byte, default: 0] += 1 }
        return counts.values.reduce(0) { sum, count in
            let share = Double(count) / Double(bytes.count)
            return sum - share * logarithm(share)
        }
    }

    /// To the base 2, of a number between 0 and 1, near enough: by the exponent and a polynomial.
    private static func logarithm(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let fraction = value.significand - 1
        return Double(value.exponent) + fraction * (1.4142 - fraction * (0.5787 - fraction * 0.1645))
    }

    // MARK: What is no secret

    private static let standIns = [
        "your", "todo", "fixme", "replace", "changeme", "dummy", "sample", "example", "placeholder", "redact", "xxxx",
        "null",
        "unknown", "invalid", "test", "mock", "fake", "preview", "lorem",
    ]

    /// A word that is tried first, with digits or marks behind it: `test123`, `Example@1`.
    private static func isTried(_ text: String) -> Bool {
        let low = text.lowercased()
        guard let word = ["test", "sample", "example", "dummy", "demo"].first(where: low.hasPrefix) else {
            return false
        }
        return low.dropFirst(word.count).utf8.allSatisfy { Shape.isDigit($0) || !Shape.isLetter($0) && $0 > 0x20 }
    }

    static func isStandIn(_ text: String) -> Bool {
        let low = text.lowercased()
        if isAnonymous(text) || mediaTypes.contains(where: low.hasPrefix) { return true }
        if ["nothing", "none", "anonymous", "guest", "empty"].contains(low) { return true }
        if standIns.contains(where: low.contains) || Set(low).count <= 2 && !low.utf8.allSatisfy(Shape.isDigit) {
            return true
        }
        return isReference(text) || text.contains("%@") || text.contains("${") || text.hasPrefix("<")
            || text.contains("***")
            || text.contains("...")
    }

    /// `$(API_KEY)`
    private static func isReference(_ text: String) -> Bool {
        guard let start = text.firstRange(of: "$(") else { return false }
        let name = text[start.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return !name.isEmpty && text[name.endIndex...].first == ")"
    }

    private static let mediaTypes = ["application/", "text/", "image/", "audio/", "video/", "font/", "multipart/"]

    /// A JSON Web Token whose payload says that its role is `anon`, in the three ways in which base64 cuts it: every
    /// client has it.
    private static func isAnonymous(_ text: String) -> Bool {
        text.hasPrefix("eyJ")
            && ["JvbGUiOiJhbm9u", "yb2xlIjoiYW5vbi", "cm9sZSI6ImFub24"].contains(where: text.contains)
    }

    private static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        // `user/changePassword`
        if parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Shape.isLetter) }),
            SecretWords(name: parts[1]) != nil
        {
            return true
        }
        // `wp/v2/users/me`
        if parts.count > 2,
            parts.allSatisfy({
                $0.utf8.allSatisfy { Shape.isLetter($0) || Shape.isDigit($0) || $0 == 0x2D || $0 == 0x5F }
                    && $0.utf8.count < 24
            })
        {
            return true
        }
        return isOtherPath(text)
    }

    private static func isOtherPath(_ text: String) -> Bool {
        text.contains("://") || text.hasPrefix("/") || text.hasPrefix("\\") || text.hasPrefix("^")
            || text.contains("(?")
            || text.hasPrefix("-----")
    }

    /// `com.example.password`, `login.password.title`.
    private static func isDotted(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1
            && parts.allSatisfy { part in
                part.utf8.first.map(Shape.isLetter) == true
                    && part.utf8.allSatisfy {
                        Shape.isLetter($0) || Shape.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    }
            }
    }

    /// `enter_code`, `showField`, `reset-link`: names have several words, passwords of letters alone rarely do.
    private static func isSeveralWords(_ text: String) -> Bool { SecretWords.words(of: text).count > 1 }

    /// Twelve or more small words.
    private static func isPhrase(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return [12, 15, 18, 21, 24].contains(words.count)
            && words.allSatisfy { (3...8).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
    }

    enum Shape {
        static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }
        static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    }

    // MARK: Known shapes

    private static let prefixes: [(prefix: String, least: Int, what: String)] = [
        ("AKIA", 20, "an access key of AWS"), ("ghp_", 40, "a token of GitHub"), ("gho_", 40, "a token of GitHub"),
        ("ghs_", 40, "a token of GitHub"), ("github_pat_", 40, "a token of GitHub"),
        ("glpat-", 20, "a token of GitLab"),
        ("xoxb-", 24, "a token of Slack"), ("xoxp-", 24, "a token of Slack"),
        ("sk_live_", 24, "a secret key of Stripe"),
        ("rk_live_", 24, "a restricted key of Stripe"), ("sk-proj-", 40, "a key of OpenAI"),
        ("sk-ant-", 40, "a key of Anthropic"),
        ("SG.", 60, "a key of SendGrid"), ("npm_", 40, "a token of npm"), ("ya29.", 40, "an access token of Google"),
        ("sk_test_", 24, "a secret key of Stripe"), ("xapp-", 40, "a token of Slack"),
        ("hf_", 36, "a token of Hugging Face"), ("gsk_", 50, "a key of Groq"), ("whsec_", 32, "a secret of webhooks"),
        ("pplx-", 40, "a key of Perplexity"), ("sk-or-", 40, "a key of OpenRouter"), ("EAAA", 60, "a token of Square"),
        ("dckr_pat_", 30, "a token of Docker"), ("ASIA", 20, "an access key of AWS"),
        ("GOCSPX-", 30, "a client secret of Google"), ("ghu_", 40, "a token of GitHub"),
        ("ghr_", 40, "a token of GitHub"), ("rk_test_", 24, "a restricted key of Stripe"),
        ("sq0csp-", 40, "a secret of Square"), ("shpss_", 38, "a secret of Shopify"),
        ("shpca_", 38, "a token of Shopify"), ("dop_v1_", 60, "a token of DigitalOcean"),
        ("ntn_", 40, "a token of Notion"), ("lin_api_", 40, "a key of Linear"), ("figd_", 36, "a token of Figma"),
        ("glsa_", 40, "a token of Grafana"), ("sbp_", 40, "a token of Supabase"), ("r8_", 36, "a token of Replicate"),
        ("xai-", 60, "a key of xAI"), ("PMAK-", 50, "a key of Postman"), ("FLWSECK", 32, "a secret key of Flutterwave"),
        ("sk.eyJ", 60, "a secret token of Mapbox"), ("sk_prod_", 24, "a secret key"),
        ("shpat_", 38, "a token of Shopify"), ("key-", 36, "a key of Mailgun"),
    ]

    /// What a literal is by its own shape, whatever it is called; nil for anything else.
    static func known(_ text: String) -> String? {
        guard text.utf8.count >= 12, let what = shape(text), !isStandIn(text) else { return nil }
        return what
    }

    private static func shape(_ text: String) -> String? {
        let isLong = text.utf8.count > 100
        guard
            isLong || text.utf8.contains(UInt8(ascii: "@"))
                || "AgxsrnykSBehwpEdGdlfPF".utf8.contains(text.utf8.first ?? 0)
        else { return nil }
        let isSolid = !text.contains { $0.isWhitespace }
        if isSolid, let row = prefixes.first(where: { text.hasPrefix($0.prefix) && text.utf8.count >= $0.least }) {
            let rest = text.utf8.dropFirst(row.prefix.utf8.count)
            let isPlain = rest.allSatisfy {
                Shape.isLetter($0) || Shape.isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                    || $0 == UInt8(ascii: ".")
            }
            if isPlain, rest.contains(where: Shape.isDigit) { return row.what }
        }
        // The key by which a server sends notifications to everyone; a device's own token begins otherwise.
        if isLong, isSolid, text.hasPrefix("AAAA"), text.contains(":APA91b") { return "a server key of Firebase" }
        if isSolid, text.hasPrefix("eyJ"), text.utf8.count >= 80, text.split(separator: ".").count == 3 {
            return "a JSON Web Token"
        }
        if isLong, text.contains("PRIVATE KEY-----") {
            let body = text.split(separator: "-----", omittingEmptySubsequences: true)
            if body.contains(where: { $0.utf8.count > 100 && $0.utf8.filter(Shape.isDigit).count > 5 }) {
                return "a private key"
            }
        }
        for scheme in ["Basic ", "Bearer "] where text.hasPrefix(scheme) && text.utf8.count >= scheme.utf8.count + 16 {
            let rest = text.dropFirst(scheme.count)
            if !rest.contains(where: { $0.isWhitespace || $0 == "{" || $0 == "<" }),
                rest.utf8.contains(where: Shape.isDigit)
            {
                return "the credentials of a request"
            }
        }
        return credentialsInURL(text) ? "a URL with a password" : nil
    }

    private static func credentialsInURL(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "@")), let mark = text.firstRange(of: "://") else { return false }
        let host = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = host.lastIndex(of: "@"), let colon = host[..<at].firstIndex(of: ":") else { return false }
        let password = host[host.index(after: colon)..<at]
        return password.utf8.count >= 4 && !password.contains("\\") && SecretWords(name: password) == nil
    }
}
