// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("Rules for addresses")
struct AddressRuleTests {
    static let goodEmails = [
        "a@example.com", "name@example.com", "first.last@example.co.uk", "user+tag@example.org", "x@y.london",
        "n@museum.museum", "o'hara@example.ie", "under_score@example.com", "dash-er@example-host.com", "1@example.com",
        "123456@example.com", "a@1example.com", "a@example1.com", "a@sub.sub.sub.example.com", "USER@EXAMPLE.COM",
        "a!b#c$d%e&f@example.com", "a*b/c=d?e^f@example.com", "a`b{c|d}e~f@example.com", "a@xn--e1afmkfd.xn--p1ai",
        "иван@пример.рф", "почта@example.com", "用户@例子.中国", "δοκιμή@παράδειγμα.ελ", "a@münchen.de",
        "jalapeño@example.mx",
        "a@b.c", "a@example.technology", "a@t.co", "--@example.com", "_@example.com",
        "\(String(repeating: "a", count: 64))@example.com", "a@\(String(repeating: "b", count: 63)).com",
    ]
    static let badEmails = [
        "", " ", "a", "@", "a@", "@b.com", "a@b@c.com", "a b@example.com", "a@exam ple.com", " a@example.com",
        "a@example.com ", "a@example", "a@.example.com", "a@example..com", "a@example.com.", "a@-example.com",
        "a@example-.com", "a@exa_mple.com", ".a@example.com", "a.@example.com", "a..b@example.com", "a(b)@example.com",
        "a,b@example.com", "a;b@example.com", "\"a b\"@example.com", "a@[127.0.0.1]", "a@127.0.0.1", "a@example.123",
        "<a@example.com>", "a\\b@example.com", "a\n@example.com", "a@example.com\n", "a\u{0}@example.com",
        "a\u{200B}@example.com", "mailto:a@example.com", "a@exam\u{200B}ple.com",
        "\(String(repeating: "a", count: 65))@example.com", "a@\(String(repeating: "b", count: 64)).com",
        "a@" + String(repeating: "abcdefg.", count: 40) + "com",
    ]

    @Test("take e-mail addresses of every kind that providers hand out", arguments: goodEmails)
    func goodEmail(text: String) throws {
        let address = try Rule.email().parse(text)
        #expect("\(address.local)@\(address.host)".lowercased() == text.lowercased())
    }

    @Test("refuse what is no e-mail address", arguments: badEmails)
    func badEmail(text: String) {
        let reason = Rule.email().problem(in: text)
        #expect(reason?.code == (text.isEmpty ? .required : .email))
    }

    @Test("take an address without a dot where that is allowed")
    func localEmail() {
        #expect(Rule.email(needsDot: false).problem(in: "root@localhost") == nil)
        #expect(Rule.email().problem(in: "root@localhost") != nil)
    }

    static let goodAddresses = [
        "https://example.com", "https://example.com/", "https://www.example.com/a/b/c", "https://example.com?q=1",
        "https://example.com/?q=a+b&c=d", "https://example.com#top", "https://example.com/a#b?c", "HTTPS://EXAMPLE.COM",
        "https://example.com:443", "https://example.com:8443/path", "https://example.com:1",
        "https://example.com:65535",
        "https://a.b.c.d.e.example.com", "https://192.0.2.1", "https://192.0.2.1:8080/x", "https://[2001:db8::1]",
        "https://[2001:db8::1]:8443/", "https://[::]", "https://[::1]/", "https://[1:2:3:4:5:6:7:8]",
        "https://[::ffff:192.0.2.1]", "https://пример.рф", "https://例子.中国/路径", "https://xn--e1afmkfd.xn--p1ai",
        "https://example.com/%20x", "https://example.com/a;b=c", "https://example.com/~user", "https://example.com/a,b",
        "https://example.com/(a)", "https://example.com/a'b", "https://example.com/a@b", "https://example.museum",
        "https://1and1.com", "https://example.com/" + String(repeating: "a", count: 1990),
    ]
    static let badAddresses = [
        "", " ", "example.com", "//example.com", "https:", "https:/", "https://", "https:///path", "https:example.com",
        "http//example.com", "://example.com", "https://exa mple.com", " https://example.com", "https://example.com ",
        "https://user@example.com", "https://user:pass@example.com", "https://bank.example@evil.example",
        "https://example", "https://-example.com", "https://example-.com", "https://example..com", "https://.com",
        "https://exa_mple.com", "https://example.com:", "https://example.com:0", "https://example.com:65536",
        "https://example.com:8a", "https://example.com:-1", "https://256.0.0.1", "https://1.2.3", "https://1.2.3.4.5",
        "https://01.2.3.4", "https://[::1", "https://::1", "https://[1:2:3]", "https://[1::2::3]", "https://[12345::]",
        "https://[::1]x", "https://example.com/\\evil", "https:\\\\example.com", "https://example.com/<script>",
        "https://example.com/%", "https://example.com/%2", "https://example.com/%zz", "https://example.com/\n",
        "https://example.com/\u{7F}", "https://exam\u{200B}ple.com", "1https://example.com",
        "https://example.com/" + String(repeating: "a", count: 2030),
    ]

    @Test("take web addresses", arguments: goodAddresses)
    func goodWebAddress(text: String) throws {
        let address = try Rule.webAddress().parse(text)
        #expect(address.scheme == "https")
        #expect(text.lowercased().contains(address.host))
        #expect(address.text == text)
    }

    @Test("refuse what is no web address, or not a safe one", arguments: badAddresses)
    func badWebAddress(text: String) {
        #expect(Rule.webAddress().problem(in: text) != nil)
    }

    @Test(
        "take the schemes they are told, https alone unless told",
        arguments: [
            ("http://example.com", false, true), ("https://example.com", true, true),
            ("ftp://example.com", false, false),
            ("javascript://example.com/%0aalert(1)", false, false), ("file:///etc/passwd", false, false),
        ])
    func schemes(text: String, byDefault: Bool, withHTTP: Bool) {
        #expect((Rule.webAddress().problem(in: text) == nil) == byDefault)
        #expect((Rule.webAddress(schemes: ["https", "http"]).problem(in: text) == nil) == withHTTP)
        if !text.hasPrefix("file"), !byDefault { #expect(Rule.webAddress().problem(in: text)?.code == .scheme) }
    }

    @Test("give host and port apart")
    func parts() throws {
        let address = try Rule.webAddress().parse("https://Example.com:8443/x")
        #expect(address.host == "example.com")
        #expect(address.port == 8443)
        #expect(try Rule.webAddress(needsDot: false).parse("https://localhost").port == nil)
    }
}
