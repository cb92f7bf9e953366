// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Guards
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import ZamokCommand

@Suite("Grants for use") struct UseGrantTests {
    private static let reference = Array("genp".utf8) + [UInt8](repeating: 7, count: 16)

    private static func grant(
        _ host: String = "api.example.com", methods: [String] = [], paths: [String] = [],
        _ place: UsePlace = .header("authorization")
    ) throws -> UseGrant {
        let item = UsedItem(reference: reference, name: "api/me", account: "me")
        let shape = try #require(PlaceholderShape(prefix: "ghp_", count: 40))
        let guest = try #require(GuestName("agent"))
        let host = try #require(UseHost(word: host))
        let patterns = paths.compactMap(PathPattern.init)
        return try #require(UseGrant(guest, item, host, methods: methods, paths: patterns, place, shape))
    }

    private static func permits(
        _ grant: UseGrant, _ host: String = "api.example.com", _ method: String = "GET", _ path: String = "/",
        _ place: UsePlace? = .header("authorization")
    ) throws -> Bool {
        grant.objection(host: try #require(UseHost(word: host)), method: method, path: path, place: place) == nil
    }

    // Rule: a variable has a name that shells know | names were not looked at | 8 names were taken
    @Test func `names of variables`() throws {
        #expect(try GuardNetwork.split("A_b1=c/d=e", "--env", "") == ("A_b1", "c/d=e"))
        for name in ["", "A B", "A-B", "A.B", "A\nB", "ä", "A\0", "BASH_FUNC_a%%", "a()"] {
            #expect(throws: CommandFailure.self, "\(name)") { try GuardNetwork.split("\(name)=a/b", "--env", "") }
        }
    }

    // Rule: a use grant is for one scheme, host and port | `isSame` was always true | 8 hosts were permitted
    @Test func `scheme, host and port`() throws {
        let grant = try Self.grant()
        #expect(try Self.permits(grant) && Self.permits(grant, "API.example.com:443"))
        for host in [
            "http://api.example.com", "http://api.example.com:443", "api.example.com:8443", "example.com",
            "evil.example.com",
            "xapi.example.com", "api.example.com.evil.org", "127.0.0.1",
        ] { #expect(try !Self.permits(grant, host), "\(host)") }
    }

    // Rule: what a use grant doesn't name is refused | methods were not compared | DELETE was permitted
    @Test func `methods, paths and places`() throws {
        let grant = try Self.grant(methods: ["GET", "POST"], paths: ["/repos/me/*/issues", "/user"])
        #expect(try Self.permits(grant, "api.example.com", "POST", "/repos/me/a/issues"))
        #expect(try Self.permits(grant, "api.example.com", "GET", "/user"))
        #expect(try !Self.permits(grant, "api.example.com", "DELETE", "/user"))
        #expect(try !Self.permits(grant, "api.example.com", "get", "/user"))
        for path in [
            "/", "/users", "/user/", "/repos/me/a/b/issues", "/repos/you/a/issues", "/repos/me/../you/a/issues",
        ] {
            #expect(try !Self.permits(grant, "api.example.com", "GET", path), "\(path)")
        }
        for place in [UsePlace.header("cookie"), .basicPassword, .basicUser, .query("authorization")] {
            #expect(try !Self.permits(grant, "api.example.com", "GET", "/user", place), "\(place)")
        }
    }

    @Test(arguments: [
        "/a/../b", "/a/./b", "/a//b", "/a/%2e%2e/b", "/a/%2E/b", "/a%2fb", "/a%5Cb", "/a\\b", "/a/..;/b", "/a%252fb",
        "/a%00b", "/a%0d%0aHost:x", "/a%1fb", "/a%7Fb", "/a%3fb", "/a%23b", "/a/%c0%ae%c0%ae/b", "/a/%u002e/b",
        "/a/%e0%80%ae/b", "/a/%%32%65%%32%65/b", "/a/%2%65%2%65/b", "/a/%", "/a/%4", "/a/%zz", "/a/%e4",
        "/a/%ef%bc%8e%ef%bc%8e/b", "/a/..%ef%bc%8fx", "/a/..%20/b", "/a/%20../b", "/a/...", "/a/%e2%80%a5/b",
        "/a/%ef%bb%bf../b", "/a/.%c2%ad./b", "/a/%ef%bc%85", "/..", "/.", "a", "",
    ])
    func `paths that servers read differently are refused where paths are named`(_ path: String) throws {
        #expect(try !Self.permits(try Self.grant(paths: ["/**"]), "api.example.com", "GET", path), "\(path)")
        #expect(try Self.permits(try Self.grant(), "api.example.com", "GET", path))
    }

    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/ab", false), ("/a*", "/abc", true), ("/a*", "/a", true), ("/a*", "/a/b", false),
        ("/*/c", "/b/c", true), ("/*/c", "/a/b/c", false), ("/**/c", "/a/b/c", true), ("/**", "/", true),
        ("/a/**", "/a", false),
        ("/**x**y", "/axbxcy", true), ("/a/**", "/a/b/c", true),
    ])
    func `patterns of paths`(_ one: (String, String, Bool)) throws {
        #expect(try #require(PathPattern(one.0)).matches(one.1) == one.2, "\(one)")
    }

    // Rule: a grant for a database is for one role and for the databases that it names | places were not compared |
    //   another role was permitted
    @Test func `roles and databases`() throws {
        let server = "postgres://db.example.com"
        let grant = try Self.grant(server, paths: ["/shop", "/test_*"], .postgres("app"))
        func permits(_ path: String, _ place: UsePlace?, _ host: String = server) throws -> Bool {
            try Self.permits(grant, host, "CONNECT", path, place)
        }
        #expect(try permits("/shop", .postgres("app")) && permits("/test_1", .postgres("app")))
        #expect(try permits("/shop", .postgres("app"), "postgresql://DB.example.com:5432"))
        for path in ["/", "/shops", "/test_/a", "/Shop", "/test_%2e"] {
            #expect(try !permits(path, .postgres("app")), "\(path)")
        }
        for place in [UsePlace.postgres("admin"), .postgres("App"), .header("authorization"), .basicPassword] {
            #expect(try !permits("/shop", place), "\(place)")
        }
        for host in ["db.example.com", "http://db.example.com:5432", "postgres://db.example.com:5433"] {
            #expect(try !permits("/shop", .postgres("app"), host), "\(host)")
        }
        #expect(UseHost(word: "postgresql://db:5432")?.description == "postgres://db")
        let shape = try #require(PlaceholderShape(prefix: "x", count: 30))
        let (https, database) = (try #require(UseHost(word: "db")), try #require(UseHost(word: "postgres://db")))
        #expect(UseGrant(grant.guest, grant.item, https, .postgres("app"), shape) == nil)
        #expect(UseGrant(grant.guest, grant.item, database, .basicPassword, shape) == nil)
        #expect(UseGrant(grant.guest, grant.item, database, methods: ["GET"], .postgres("app"), shape) == nil)
    }

    @Test func `variables of a database`() throws {
        let grant = try Self.grant("postgres://db", paths: ["/shop"], .postgres("a b"))
        let all = DatabaseVariables.all("URL", 3130, "a b", "", grant, [:])
        #expect(all["URL"] == "postgresql://a%20b@127.0.0.1:3130/shop?sslmode=disable")
        #expect(all["PGUSER"] == "a b" && all["PGDATABASE"] == "shop" && all["PGPORT"] == "3130")
        #expect(all["PGHOST"] == "127.0.0.1" && all["PGPASSWORD"] == nil)
        #expect(DatabaseVariables.all("URL", 3130, "a", "/b", grant, ["PGHOST": "x"]).keys.sorted() == ["URL"])
    }

    @Test func `words that are no hosts, places or patterns`() {
        for word in [
            "", "a b", "a/b", "me@a", "a:0", "a:x", "a:65536", "ftp://a", "https://", "a..b", ".a", "1.2.3",
            "1.2.3.4.5", "[::1",
            "::1", "[a]", "ä.example", "a:443:443", "*.example.com",
        ] { #expect(UseHost(word: word) == nil, "\(word)") }
        #expect(UseHost(word: "[::1]:8443")?.description == "[::1]:8443")
        #expect(UseHost(word: "http://A.example")?.description == "http://a.example")
        #expect(UseHost(word: "a.example", at: "nowhere") == nil && UseHost(word: "a.example", at: "10.0.0.1") != nil)
        for name in ["", "host", "content-length", "transfer-encoding", "Authorization", "a b", "a\r\n"] {
            #expect(UsePlace(number: 1, name: name) == nil, "\(name)")
        }
        #expect(UsePlace(number: 5, name: "") == nil && UsePlace(number: 5, name: "a\n") == nil)
        #expect(
            UsePlace(number: 5, name: String(repeating: "a", count: 64)) == nil && UsePlace(number: 6, name: "") == nil)
        #expect(UsePlace(number: 2, name: "x") == nil)
        for text in ["", "a", "/a?b", "/a#b", "/a b", "/\u{7F}"] { #expect(PathPattern(text) == nil, "\(text)") }
    }

    @Test func `placeholders look like what they stand for`() throws {
        for (secret, prefix, count) in [
            ("ghp_" + String(repeating: "a", count: 36), "ghp_", 40),
            ("github_pat_" + String(repeating: "a", count: 82), "github_pat_", 93),
            ("sk-ant-api03-" + String(repeating: "a", count: 95), "sk-ant-api03-", 108),
            ("AKIAIOSFODNN7EXAMPLE", "AKIA", 31),
            ("sk_live_" + String(repeating: "a", count: 24), "sk_live_", 35),
            ("npm_" + String(repeating: "a", count: 36), "npm_", 40),
            ("hunter22", "zamok-", 33),
        ] {
            let shape = PlaceholderShape(of: Array(secret.utf8))
            let text = Placeholder.random(shape)
            #expect(text.hasPrefix(prefix) && text.utf8.count == count, "\(text)")
            #expect(Placeholder.random(shape) != text)
        }
        // The proxy's tests have the same.
        #expect(Placeholder.mark(of: Array("zamok-ABCDEFGHIJKLMNOPQRSTUV".utf8)) == Array("Rp6pi".utf8))
    }
}

/// Uses of a home's secrets, asked for as the proxy does.
@Suite("Uses") struct UseTests {
    private let scene: GuestHome
    private var home: Home { scene.home }
    private var outside: ItemStore { scene.outside }
    private var name: GuestName { scene.name }
    private let item: UsedItem

    init() throws {
        scene = try GuestHome(try #require(GuestName("agent")))
        item = UsedItem(reference: try #require(try scene.addToken()).bytes, name: "api/me", account: "me")
    }

    private func grant(
        _ host: String, methods: [String] = [], _ place: UsePlace = .header("authorization")
    ) throws -> UseGrant {
        let host = try #require(UseHost(word: host))
        let shape = try #require(PlaceholderShape(prefix: "x", count: 30))
        return try #require(UseGrant(name, item, host, methods: methods, place, shape))
    }

    private func uses() -> GuestUses {
        GuestUses(name, home, [.init("PLACE", item)], bases: [.init("BASE", item)], process: 1)
    }

    private func question(
        _ host: String = "api.example.com", _ method: String = "GET", base: Int = 0, found: [String] = ["PLACE"]
    ) throws -> ProxyQuestion {
        ProxyQuestion(
            base: base, host: try #require(UseHost(word: host)), method: method, path: "/",
            found: found.map { ($0, .header("authorization")) })
    }

    private func refusal(_ verdict: ProxyVerdict) -> String? {
        if case .refused(403, let text) = verdict { text } else { nil }
    }

    private func given(_ verdict: ProxyVerdict) -> [ProxyVerdict.Given] {
        if case .allowed(let given) = verdict { given } else { [] }
    }

    @Test func `a grant is stored, read, replaced and taken back`() throws {
        let store = GrantStore(outside)
        let first = try grant("api.example.com", methods: ["GET"])
        try store.allow(first, .whenUnlockedThisDeviceOnly)
        try store.allow(try #require(Grant(guest: name, group: "a", actions: .read)), .whenUnlockedThisDeviceOnly)
        #expect(try store.uses(of: name) == [first] && store.grants(of: name).count == 1)
        let second = try grant("api.example.com", methods: ["POST"])
        let other = try grant("b.example.com")
        try store.allow(second, .whenUnlockedThisDeviceOnly)
        try store.allow(other, .whenUnlockedThisDeviceOnly)
        #expect(try store.uses(of: name) == [second, other])
        try store.revoke(other)
        #expect(try store.uses(of: name) == [second])
        #expect(try store.revoke(name, group: nil) == 2)
        #expect(try store.uses().isEmpty)
    }

    // Rule: a secret goes to granted requests alone | `isSame` was always true | evil.example.com was given it
    @Test func `only a granted request gets the secret`() throws {
        let uses = uses()
        #expect(refusal(uses.verdict(try question())) == "api/me is not granted")
        try GrantStore(outside).allow(try grant("api.example.com", methods: ["GET"]), .whenUnlockedThisDeviceOnly)
        let given = given(uses.verdict(try question()))
        #expect(given.count == 1 && given[0].placeholder == "PLACE" && given[0].place == .header("authorization"))
        #expect(try given[0].secret.isEqual(to: Secret("the secret of the API")))
        #expect(refusal(uses.verdict(try question("evil.example.com"))) != nil)
        #expect(refusal(uses.verdict(try question("http://api.example.com"))) != nil)
        #expect(refusal(uses.verdict(try question("api.example.com", "DELETE"))) != nil)
        #expect(refusal(uses.verdict(try question(found: ["OTHER"]))) != nil)
        #expect(self.given(uses.verdict(try question(base: 1, found: []))).map(\.placeholder) == ["BASE"])
        #expect(refusal(uses.verdict(try question(base: 2, found: []))) != nil)
        _ = try GrantStore(outside).revoke(name, group: nil)
        #expect(refusal(uses.verdict(try question())) == "api/me is not granted")
    }

    // Rule: a session of a database gets the password of the granted role, and going on needs the grant and no secret |
    //   without a role any was permitted | a session without one had the password
    @Test func `only a granted session gets the password`() throws {
        let place = UsePlace.postgres("app")
        let grant = try grant("postgres://db.example.com", place)
        try GrantStore(outside).allow(grant, .whenUnlockedThisDeviceOnly)
        #expect(try GrantStore(outside).uses(of: name) == [grant])
        let uses = uses()
        func verdict(
            _ found: [UsePlace?], _ host: String = "postgres://db.example.com", base: Int = 1, isStill: Bool = false
        ) throws -> ProxyVerdict {
            let host = try #require(UseHost(word: host))
            return uses.verdict(
                ProxyQuestion(base: base, host: host, method: "CONNECT", path: "/shop", found: found.map { ("", $0) }),
                isStill: isStill)
        }
        let given = given(try verdict([place]))
        #expect(given.count == 1 && given[0].placeholder == "BASE" && given[0].place == place)
        let further = try verdict([place], isStill: true)
        #expect(refusal(further) == nil && self.given(further).isEmpty)
        for found in [[.postgres("admin")], [], [nil], [.header("authorization")]] as [[UsePlace?]] {
            #expect(refusal(try verdict(found)) != nil, "\(found)")
        }
        #expect(refusal(try verdict([place], "postgres://other.example.com")) != nil)
        #expect(refusal(try verdict([], "db.example.com:5432")) != nil)
        #expect(refusal(try verdict([place], base: 0)) != nil)
        _ = try GrantStore(outside).revoke(name, group: nil)
        #expect(refusal(try verdict([place], isStill: true)) == "api/me is not granted")
    }

    // Rule: each answer of a server is searched for all that it may have been given, by any run | only for what this
    //   run gave it | the first list was empty
    @Test func `what a server may have been given is searched for in all its answers`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        let before = given(uses().verdict(try question(found: [])))
        #expect(before.map(\.placeholder) == ["PLACE"] && before[0].place == nil)
        let without = GuestUses(name, home, [], bases: [], process: 1)
        let (first, second) = (
            given(without.verdict(try question(found: []))), given(without.verdict(try question(found: [])))
        )
        #expect(first.count == 1 && first[0].place == nil && first[0].placeholder.hasPrefix("x"))
        #expect(first[0].placeholder == second.first?.placeholder)
        let uses = uses()
        _ = uses.verdict(try question())
        let other = given(uses.verdict(try question("other.example.com", found: [])))
        #expect(other.map(\.placeholder) == ["PLACE"] && other[0].place == nil)
    }

    @Test func `an item that is gone, and that the run has not had, is not searched for`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("api")
        #expect(try outside.delete(query) == 1)
        #expect(refusal(uses().verdict(try question(found: []))) == nil)
        #expect(refusal(uses().verdict(try question())) != nil)
    }

    // Rule: a grant for an item that was removed is shown as such, and is none beside one for a new item of the name |
    //   the first grant of the name counted | the start chose the removed item; two lines that look alike
    @Test func `a new item of the name takes the place of one that was removed`() throws {
        let environment = ["ZAMOK_HOME": home.folder, "ZAMOK_USER": ""]
        func zamok(_ words: String) throws -> (text: String, status: Int32) {
            let words = words.split(separator: " ").map(String.init)
            return try Child(try Tool.url("zamok").path, words, environment: environment).rest()
        }
        let allow = "guard allow agent --item api/me --use --host "
        for host in ["a.example.com", "b.example.com"] { #expect(try zamok(allow + host).status == 0) }
        #expect(try zamok("rm api/me").status == 0)
        let gone = "(the item was removed)"
        #expect(try zamok("guard grants").text.split(separator: "\n").allSatisfy { $0.hasSuffix(gone) })
        try scene.addToken()
        #expect(try zamok(allow + "b.example.com").status == 0)
        let rows = try zamok("guard grants").text.split(separator: "\n")
        #expect(rows.count == 2 && rows.filter { $0.hasSuffix(gone) && $0.contains("a.example.com") }.count == 1)
        let known = try GrantStore(outside).uses(of: name)
        let chosen = try GuardNetwork.grant(for: "api/me", of: name, among: known, home)
        #expect(!chosen.item.isRemoved(from: outside) && known.contains(chosen))
        #expect(try zamok("guard revoke agent --item api/me --host a.example.com").status == 0)
        #expect(try GrantStore(outside).uses(of: name) == [chosen])
    }

    // Rule: a session ends when its item is gone | going on asked for the grant alone | it went on
    @Test func `a session goes on while its item is there`() throws {
        let place = UsePlace.postgres("app")
        try GrantStore(outside).allow(try grant("postgres://db.example.com", place), .whenUnlockedThisDeviceOnly)
        let uses = uses()
        let host = try #require(UseHost(word: "postgres://db.example.com"))
        let question = ProxyQuestion(base: 1, host: host, method: "CONNECT", path: "/shop", found: [("", place)])
        #expect(refusal(uses.verdict(question, isStill: true)) == nil)
        var query = ItemQuery(.genericPassword)
        query.attributes[.service] = .text("api")
        #expect(try outside.delete(query) == 1)
        #expect(refusal(uses.verdict(question, isStill: true)) == "api/me is not there")
    }

    // Rule: many uses have few lines in the log | uses were not combined | 60 lines
    @Test func `many uses have few lines in the log`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        let log = try AccessLog.of(home)
        try log.turnOn(AccessLog.Change())
        let uses = uses()
        for _ in 0..<60 { #expect(given(uses.verdict(try question())).count == 1) }
        for _ in 0..<100 { _ = uses.verdict(try question("api.example.com", "GET", found: ["OTHER"])) }
        var counts: [UInt8: Int] = [:]
        _ = try log.read { counts[$0.operation, default: 0] += 1 }
        #expect(counts[AccessOperation.use.rawValue] == 10 && counts[AccessOperation.repeated.rawValue] == 1)
        #expect(counts[AccessOperation.refusedUse.rawValue] == 60)
    }

    /// The lines of a guest of this name.
    private func lines(_ guest: String) throws -> [AccessLine] {
        var lines: [AccessLine] = []
        _ = try AccessLog.of(home).read { if $0.guest == guest { lines.append($0) } }
        return lines
    }

    // Rule: lines of requests and searches have the guest's name as other lines do | the request was put behind the
    //   name with a blank | a filter by the name found none
    @Test func `lines of requests, searches and refusals are those of the guest`() throws {
        try GrantStore(outside).allow(try grant("api.example.com:8443"), .whenUnlockedThisDeviceOnly)
        try AccessLog.of(home).turnOn(AccessLog.Change())
        let uses = uses()
        _ = uses.verdict(try question("api.example.com:8443", found: []))
        _ = uses.verdict(try question("api.example.com:8443"))
        _ = uses.verdict(try question("http://evil.example.com", "DELETE"))
        uses.note(nil, "", "", "no host")
        uses.note(UseHost(word: "[::1]:8443"), "search", "/a: b\n://c", "odd")
        let lines = try lines("agent")
        #expect(lines.map(\.operation) == [21, 21, 22, 22, 22])
        #expect(
            lines.map(\.request) == [
                .init(isSearch: true, method: nil, host: "api.example.com:8443", path: ""),
                .init(isSearch: false, method: "GET", host: "api.example.com:8443", path: "/"),
                .init(isSearch: false, method: "DELETE", host: "http://evil.example.com", path: "/"),
                .init(isSearch: false, method: nil, host: nil, path: ""),
                .init(isSearch: false, method: nil, host: "[::1]:8443", path: "/a:?b?://c"),
            ])
    }

    // Rule: a line has as much of a path as there is room | 96 bytes for all | the path was cut
    @Test func `a long path is cut at the end of the line, and no line is too long`() throws {
        try AccessLog.of(home).turnOn(AccessLog.Change())
        let uses = uses()
        let path = "/" + String(repeating: "long/", count: 1600)
        uses.note(UseHost(word: "api.example.com"), "GET", path, String(repeating: "why ", count: 100))
        uses.note(UseHost(word: "api.example.com"), "GET", String(path.prefix(100)), "why")
        let lines = try lines("agent")
        try #require(lines.count == 2)
        let cut = try #require(lines[0].request?.path)
        #expect(cut.hasSuffix("…") && path.hasPrefix(cut.dropLast()) && lines[0].name.hasPrefix("why why"))
        #expect(lines[1].request?.path == String(path.prefix(100)))
    }

    @Test func `refusals are counted for the end of the run, and what was found in answers is not`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        let uses = uses()
        _ = uses.verdict(try question())
        let host = UseHost(word: "api.example.com")
        uses.note(host, "GET", "/", "the secret was in the answer, and was taken out")
        #expect(uses.refusalCount == 0 && uses.lastRefusal == nil)
        _ = uses.verdict(try question("evil.example.com"))
        uses.note(host, "GET", "/", "no reason")
        #expect(uses.refusalCount == 2 && uses.lastRefusal == "api.example.com: no reason")
    }

    // Rule: `zamok guard log NAME` shows the lines of requests | names were compared with the request behind them |
    //   there were none
    @Test func `guard log shows them, with method, host and path as fields`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        try AccessLog.of(home).turnOn(AccessLog.Change())
        let uses = uses()
        _ = uses.verdict(try question())
        _ = uses.verdict(try question("other.example.com", found: []))
        _ = uses.verdict(try question("evil.example.com", "POST"))
        func log(_ words: String...) throws -> String {
            try Child(
                try Tool.url("zamok").path, ["guard", "log"] + words,
                environment: ["ZAMOK_HOME": home.folder, "ZAMOK_USER": ""]
            ).rest().text
        }
        let rows = try log("agent").split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(
            rows.map { $0.count == 6 ? Array($0[1...4]) : $0 } == [
                ["agent", "use", "api/me", "GET api.example.com/"],
                ["agent", "use", "api/me", "search other.example.com"],
                ["agent", "use refused", "api/me is not granted for evil.example.com", "POST evil.example.com/"],
            ])
        let objects = try log("agent", "--json").split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        try #require(objects.count == 3)
        for object in objects { #expect(object["guest"] as? String == "agent") }
        #expect(objects[0]["method"] as? String == "GET" && objects[0]["path"] as? String == "/")
        #expect(objects[1]["search"] as? Bool == true && objects[1]["host"] as? String == "other.example.com")
        #expect(objects[2]["why"] as? String == "api/me is not granted for evil.example.com")
        #expect(objects[2]["host"] as? String == "evil.example.com" && objects[2]["what"] == nil)
        #expect(try log("other").isEmpty)
    }

    @Test func `a lock changes the counters that the proxy watches`() throws {
        try home.keybag.setPasscode(try secret("1234"))
        let file = try #require(home.keybag.counters).file
        func words() throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 260)
            try #require(unsafe pread(file.number, &bytes, bytes.count, 0) == bytes.count)
            return Array(bytes[128..<136] + bytes[256..<260])
        }
        let before = try words()
        #expect(try words() == before)
        try home.keybag.lock()
        let after = try words()
        #expect(before.prefix(8) != after.prefix(8) && before.suffix(4) != after.suffix(4))
        #expect(unsafe pwrite(file.number, [0], 1, 0) == -1)
    }

    @Test func `locked`() throws {
        try GrantStore(outside).allow(try grant("api.example.com"), .whenUnlockedThisDeviceOnly)
        let uses = uses()
        try home.keybag.setPasscode(try secret("1234"))
        #expect(given(uses.verdict(try question())).count == 1)
        try home.keybag.lock()
        #expect(refusal(uses.verdict(try question())) == "locked")
        #expect(refusal(uses.verdict(try question(found: []))) == "locked")
    }
}

/// The vectors of Documentation/Formats/GuardMessages.md, as the guard writes and reads them.
@Suite("Messages to the proxy") struct ProxyMessageTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter { $0 != " " }
        return stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(digits.dropFirst(index).prefix(2), radix: 16)
        }
    }

    @Test func `what the guard says`() throws {
        #expect(try Frame.framed(ProxyCommand.locked.bytes) == bytes("00000002 01 03"))
        let refused = ProxyCommand.answer(7, .refused(status: 403, "no"))
        #expect(try Frame.framed(refused.bytes) == bytes("0000000f 01 02 00000007 00 0193 00000002 6e6f"))
        let given = ProxyVerdict.Given(
            placeholder: "P", place: .header("a"), account: "m", secret: try Secret("12345678"))
        #expect(
            try Frame.framed(ProxyCommand.answer(7, .allowed([given])).bytes)
                == bytes(
                    "00000026 01 02 00000007 01 0001 00000001 50 01 01 00000001 61 00000001 6d 00000008 3132333435363738"
                ))
    }

    @Test func `what the proxy says`() throws {
        let question = try ProxyReport(
            bytes(
                "01 02 00000007 0000 01 00000001 68 01bb 00000003 474554 00000002 2f78 0001 00000001 50 03 00000001 6b")
        )
        guard case .question(7, let asked) = question else { return #expect(Bool(false)) }
        #expect(asked.base == 0 && asked.host == UseHost(word: "h") && asked.method == "GET" && asked.path == "/x")
        #expect(asked.found.map(\.placeholder) == ["P"] && asked.found.map(\.place) == [.query("k")])
        let again = "01 04 00000007 0000 01 00000001 68 01bb 00000003 474554 00000002 2f78 0000"
        guard case .still(7, let still) = try ProxyReport(bytes(again)) else { return #expect(Bool(false)) }
        #expect(still.method == "GET" && still.found.isEmpty)
        guard
            case .note(nil, method: "", path: "", "no") = try ProxyReport(
                bytes("01 03 00 00000000 00000000 00000002 6e6f"))
        else { return #expect(Bool(false)) }
        for digits in [
            "", "01", "02 03", "01 04", "01 05", "01 03 02", "01 02 00000007", "01 01 ffffffff",
            "01 03 00 00000000 00000000 00000002 6e6f 00",
        ] {
            #expect(throws: (any Error).self, "\(digits)") { try ProxyReport(bytes(digits)) }
        }
    }
}
