// SPDX-License-Identifier: Apache-2.0

import Foundation
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
        "jalapeño@example.mx", " a@example.com", "a@example.com ", "\u{FEFF}a@example.com\u{A0}\n", "a@ＥＸＡＭＰＬＥ.com",
        "a@نامه\u{200C}ای.com", "a@ශ්\u{200D}රී.com", "ひらがなとカタカナと漢字@example.jp", "иван.smith@example.com",
        "a@paral·lel.cat", "a@カフェ・バー.jp", "a@example.technology", "a@t.co", "--@example.com", "_@example.com",
        "\(String(repeating: "a", count: 64))@example.com", "a@\(String(repeating: "b", count: 63)).com",
    ]
    static let badEmails = [
        "", "a", "@", "a@", "@b.com", "a@b@c.com", "a b@example.com", "a@exam ple.com", "a@example", "a@b.c", "a@b.1a",
        "a@example.c0m", "a@аpple.com", "a@аррӏе.com", "аdmin@example.com", "a@раураl.com", "\u{301}a@example.com",
        "a@\u{301}b.com", "ａ@example.com", "a＠example.com", "a@exam\u{202E}ple.com", "a\u{202E}b@example.com",
        "a@example.com©", "a@i❤.ws", "a@☃.net", "a@xn--n3h.net", "a@a·b.com", "a@cafe・bar.jp", "a@ab\u{20DD}.com",
        "a@xn--a.com", "a@xn--80ak6aa92e.com", "a@1.2.3.0x4", "a@a\u{200D}b.com", "a@יa.com",
        "a@.example.com", "a@example..com", "a@example.com.", "a@-example.com",
        "a@example-.com", "a@exa_mple.com", ".a@example.com", "a.@example.com", "a..b@example.com", "a(b)@example.com",
        "a,b@example.com", "a;b@example.com", "\"a b\"@example.com", "a@[127.0.0.1]", "a@127.0.0.1", "a@example.123",
        "<a@example.com>", "a\\b@example.com", "a\n@example.com", "a\u{0}@example.com",
        "a\u{200B}@example.com", "mailto:a@example.com", "a@exam\u{200B}ple.com",
        "\(String(repeating: "a", count: 65))@example.com", "a@\(String(repeating: "b", count: 64)).com",
        "a@" + String(repeating: "abcdefg.", count: 40) + "com",
    ]

    @Test("take e-mail addresses of every kind that providers hand out", arguments: goodEmails)
    func goodEmail(text: String) throws {
        let address = try Rule.email().parse(text)
        let typed = text.trimmingCharacters(in: .whitespacesAndNewlines.union(["\u{FEFF}"])).lowercased()
        let understood = [address.unicodeHost, address.host].map { "\(address.local)@\($0)".lowercased() }
        #expect(understood.contains(typed.replacing("ｅｘａｍｐｌｅ", with: "example")))
        #expect(address.host.utf8.allSatisfy { $0 < 0x80 })
    }

    // Rule: e-mail: no two dots in a row; web addresses: no backslash | taken | also "refuse what is no web address, or not a safe one"
    // Rule: 17 homographs | e-mail hosts not compared (EmailAddress)
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
        "https://1and1.com", " https://example.com ", "https://exam\u{AD}ple.com",
        "https://example.com/" + String(repeating: "a", count: 1990),
    ]
    static let badAddresses = [
        "", " ", "example.com", "//example.com", "https:", "https:/", "https://", "https:///path", "https:example.com",
        "http//example.com", "://example.com", "https://exa mple.com",
        "https://user@example.com", "https://user:pass@example.com", "https://bank.example@evil.example",
        "https://example", "https://-example.com", "https://example-.com", "https://example..com", "https://.com",
        "https://exa_mple.com", "https://example.com:", "https://example.com:0", "https://example.com:65536",
        "https://example.com:8a", "https://example.com:-1", "https://256.0.0.1", "https://1.2.3.4.5",
        "https://0x1.0x2.0x3.0x100",
        "https://1.2.3.08", "https://example.0x1", "https://4294967296", "https://xn--a.com", "https://يa.com",
        "https://\u{200D}.example.com", "https://a\u{200D}b.com", "https://ex%61mple.com", "https://[::1",
        "https://::1", "https://[1:2:3]", "https://[1::2::3]", "https://[12345::]",
        "https://[::1]x", "https://example.com/\\evil", "https:\\\\example.com", "https://example.com/<script>",
        "https://example.com/%", "https://example.com/%2", "https://example.com/%zz",
        "https://example.com/\u{7F}", "1https://example.com",
        "https://example.com/" + String(repeating: "a", count: 2030),
    ]

    @Test("take web addresses", arguments: goodAddresses)
    func goodWebAddress(text: String) throws {
        let address = try Rule.webAddress().parse(text)
        #expect(address.scheme == "https")
        #expect(address.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(address.text.hasPrefix("https://" + address.host))
        // What it understood, it understands the same way again.
        #expect(try Rule.webAddress().parse(address.text) == address)
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

    /// As browsers read them, by the URL Standard.
    static let hosts = [
        ("192.0x00A80001", "192.168.0.1"), ("0x7f.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("1.2.3", "1.2.0.3"), ("01.2.3.4", "1.2.3.4"), ("0x", "0.0.0.0"), ("１２７.０.０.１", "127.0.0.1"),
        ("127。0。0。1", "127.0.0.1"),
        ("ＧＯ.ｃｏｍ", "go.com"), ("GO。COM", "go.com"), ("faß.de", "xn--fa-hia.de"), ("ﬀ.com", "ff.com"),
        ("Ⅷ.com", "viii.com"),
        ("exam\u{AD}ple.com", "example.com"), ("e\u{301}a.com", "xn--a-9fa.com"),
        ("ПРИМЕР.рф", "xn--e1afmkfd.xn--p1ai"),
        ("xn--E1AFMKFD.XN--P1AI", "xn--e1afmkfd.xn--p1ai"), ("نامه\u{200C}ای.com", "xn--mgba3gch31f060k.com"),
        ("ශ්\u{200D}රී.com", "xn--10cl1a0b660p.com"), ("한글.com", "xn--bj0bj06e.com"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}.com", "xn--bj0bj06e.com"),
        ("[2001:DB8:0:0:1:0:0:1]", "[2001:db8::1:0:0:1]"), ("[::FFFF:192.0.2.1]", "[::ffff:c000:201]"),
        ("[0::]", "[::]"),
    ]

    @Test("see a host as a browser does, however it is written", arguments: hosts)
    func host(typed: String, host: String) throws {
        let address = try Rule.webAddress().parse("https://\(typed)/path")
        #expect(address.host == host)
        #expect(address.text == "https://\(host)/path")
    }

    @Test("keep an allow-list of hosts: what isn't on it has no spelling that is")
    func allowList() {
        let allowed: Set = ["bank.example", "192.0.2.1"]
        let tries = [
            "https://bank.example\\.evil.example", "https://bank.example%2eevil.example",
            "https://bank.example@evil.example",
            "https://bank。example。evil.example", "https://bank.example:80@evil.example",
            "https://192.0.2.1.evil.example",
            "https://192.0.513", "https://bаnk.example", "https://ⓑank.example.evil.example",
        ]
        for text in tries {
            guard let address = try? Rule.webAddress().parse(text) else { continue }
            let isListed = allowed.contains(address.host)
            #expect(isListed == (text == "https://192.0.513"), "\(text) is \(address.host)")
        }
    }

    static let privateHosts = [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.0x00A80001", "169.254.169.254",
        "100.64.0.1", "0.0.0.0", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "[::]", "[::1]",
        "[fe80::1]", "[fc00::1]",
        "[fd12::1]", "[ff02::1]", "[::ffff:10.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[2001:db8::1]",
        "[2001::1]",
        "[3fff::1]", "localhost", "app.localhost", "printer.local", "db.internal", "router.home.arpa", "intranet",
    ]
    static let publicHosts = [
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "198.20.0.1", "192.0.1.1",
        "223.255.255.255",
        "[2606:4700::1111]", "[2002:808:808::]", "[64:ff9b::8.8.8.8]", "[::ffff:8.8.8.8]", "example.com",
        "local.example.com",
    ]

    // Rule: 17 private addresses | every address counts as public (Host)
    @Test("refuse private and loopback hosts where they are told to", arguments: privateHosts)
    func privateHost(host: String) {
        let text = "https://\(host)/"
        #expect(Rule.webAddress(needsDot: false).problem(in: text) == nil)
        #expect(Rule.webAddress(needsDot: false, hosts: .publicOnly).problem(in: text)?.code == .privateHost)
    }

    @Test("take public hosts beside them", arguments: publicHosts)
    func publicHost(host: String) {
        #expect(Rule.webAddress(hosts: .publicOnly).problem(in: "https://\(host)/") == nil)
    }

    @Test("say which schemes they take")
    func schemeDetails() {
        #expect(
            Rule.webAddress(schemes: ["HTTPS", "http"]).problem(in: "ftp://example.com")?.details == [
                "https://", "http://",
            ])
    }

    @Test("give host and port apart")
    func parts() throws {
        let address = try Rule.webAddress().parse("https://Example.com:8443/x")
        #expect(address.host == "example.com")
        #expect(address.port == 8443)
        #expect(try Rule.webAddress(needsDot: false).parse("https://localhost").port == nil)
    }
}
