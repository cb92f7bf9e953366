// SPDX-License-Identifier: Apache-2.0

import Findings

/// One-time codes that are only called `code`: what is beside them says where they were sent.
package enum SentCodes {
    private static let addressed: Set<String> = ["phone", "mobile", "email", "mail", "msisdn", "sms", "cellphone"]
    private static let others: Set<String> = [
        "country", "area", "dial", "region", "currency", "product", "promo", "coupon", "status", "error", "message",
        "zip", "language", "locale", "state", "redirect", "client", "verifier", "city", "address_",
    ]

    /// Whether names beside a code tell of a phone or an address for mail, and of nothing else that has a code.
    package static func isSent(beside names: [String]) -> Bool {
        let words = names.map { SecretWords.words(of: $0) }
        return words.contains { $0.contains(where: addressed.contains) }
            && !words.contains { $0.contains(where: others.contains) }
    }

    /// What a function's or a type's name has that is given such a code.
    private static let verifying: Set<String> = [
        "verify", "verification", "verifying", "otp", "confirm", "confirmation", "regist", "register", "registration",
        "signup", "reset", "find", "forgot", "forget", "bind", "link", "validate", "validation", "sign", "auth",
    ]
    private static let asking: Set<String> = [
        "send", "get", "fetch", "resend", "ask", "country", "promo", "coupon", "qr",
    ]

    static func verifies(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        return words.contains(where: verifying.contains) && !words.contains(where: asking.contains)
    }

    /// Whether the member `code` of a type is one: a request that has a phone number beside it.
    static func isSent(of type: TypeModel) -> Bool {
        let words = SecretWords.words(of: type.shortName)
        guard let property = type.properties["code"], property.type.map({ $0.hasPrefix("String") }) == true,
            words.contains(where: { ["request", "dto", "form", "input", "params", "body"].contains($0) })
                || verifies(type.shortName),
            !words.contains(where: { ["response", "reply", "result", "country", "error"].contains($0) })
        else { return false }
        return isSent(beside: Array(type.properties.keys))
    }
}

extension Function {
    /// Whether it is about signing in at another service and nothing else.
    package var isAboutOAuthAlone: Bool {
        [name, owner ?? ""].flatMap { SecretWords.words(of: $0) }.contains { ["oauth", "oauth2", "pkce"].contains($0) }
            && !SentCodes.verifies(name)
    }

    /// Whether its parameter `code` is one that a person was sent.
    var takesSentCode: Bool {
        parameters.contains { $0.name == "code" } && SentCodes.verifies(name)
            && SentCodes.isSent(beside: [name] + parameters.map(\.name).filter { !["error", "message"].contains($0) })
    }
}
