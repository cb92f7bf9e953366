// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// What programs of ill will, or none, may ask of the Secret Service: refused, bounded, and nothing of others.
@Suite struct SecretServiceLimitsTests {
    private let temporary = TemporaryHome()
    private let service: SecretService
    private static let root = "/org/freedesktop/secrets"
    private static let login = root + "/collection/login"

    init() throws {
        let home = try temporary.open { $0.identity = .ofCommand }
        service = SecretService(home, group: "org.freedesktop.secrets")
    }

    private func call(
        _ path: String, _ member: String, _ arguments: [BusValue] = [], from sender: String = ":1.1",
        interface: String? = nil
    ) throws(BusFailure) -> [BusValue] {
        try service.answer(
            BusCall(sender: sender, path: path, interface: interface, member: member, arguments: arguments))
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? BusFailure)?.name ?? "\(error)" }
        return nil
    }

    private func open(
        _ algorithm: String = "plain", _ input: BusValue = .text(""), from sender: String = ":1.1"
    ) throws
        -> (output: BusValue, path: String)
    {
        let answer = try call(Self.root, "OpenSession", [.text(algorithm), .variant(input)], from: sender)
        return (try #require(answer[0].content), try #require(answer[1].path))
    }

    private func create(
        _ attributes: [String: String], _ session: String, secret: Secret? = nil, label: String = "",
        from sender: String = ":1.1"
    ) throws -> String {
        let properties = BusValue.properties([
            ("\(SecretService.item).Attributes", .attributes(attributes)),
            ("\(SecretService.item).Label", .text(label)),
        ])
        let value = BusValue.structure([
            .path(session), .bytes(try Secret(copying: [])), .bytes(try secret ?? Secret("s")), .text("text/plain"),
        ])
        return try #require(
            try call(Self.login, "CreateItem", [properties, value, .boolean(false)], from: sender)[0].path)
    }

    private static let limits = "org.freedesktop.DBus.Error.LimitsExceeded"
    private static let arguments = "org.freedesktop.DBus.Error.InvalidArgs"
    private static let noSession = "org.freedesktop.Secret.Error.NoSession"
    private static let noObject = "org.freedesktop.Secret.Error.NoSuchObject"

    // MARK: Sessions

    // Rule: a session of the Secret Service is its client's alone | its owner not compared | another client reads
    //   through it
    @Test func `another client's session is no session, for any call that takes one`() throws {
        let mine = try open().path
        let item = try create(["a": "1"], mine)
        let secret = BusValue.structure([
            .path(mine), .bytes(try Secret(copying: [])), .bytes(try Secret("x")), .text(""),
        ])
        let calls: [(String, String, [BusValue])] = [
            (item, "GetSecret", [.path(mine)]), (item, "SetSecret", [secret]), (mine, "Close", []),
            (Self.root, "GetSecrets", [.paths([item]), .path(mine)]),
            (Self.login, "CreateItem", [.array("{sv}", []), secret, .boolean(false)]),
        ]
        for (path, member, values) in calls {
            #expect(failure { _ = try call(path, member, values, from: ":1.2") } == Self.noSession, "\(member)")
        }
        _ = try call(mine, "Close")
        #expect(failure { _ = try call(item, "GetSecret", [.path(mine)]) } == Self.noSession)
    }

    @Test func `a client has 64 sessions, others still get theirs, and one that disconnects frees them`() throws {
        for _ in 0..<SecretService.sessionLimit { _ = try open() }
        #expect(failure { _ = try open() } == Self.limits)
        let other = try open(from: ":1.2").path
        service.left(":1.1")
        _ = try open()
        #expect(try create(["a": "1"], other, from: ":1.2").hasPrefix(Self.login))
        for client in 3..<5 + SecretService.allSessionsLimit / SecretService.sessionLimit {
            for _ in 0..<SecretService.sessionLimit { _ = try open(from: ":1.\(client)") }
        }
        #expect(service.sessions.count == SecretService.allSessionsLimit)
        // Clients that kept few objects still have them.
        _ = try create(["a": "2"], other, from: ":1.2")
    }

    @Test(arguments: [1, 2, 64, 127, 128])
    func `openssl opens what a session encrypts, and what it encrypts is taken`(width: Int) throws {
        // With 1 for its private number the other side shares our public number.
        let two = [UInt8](repeating: 0, count: width - 1) + [2]
        let (output, session) = try open(SecretSession.Algorithm.agreement.rawValue, .bytes(try Secret(copying: two)))
        let shared = try #require(output.bytes).exposedBytes
        #expect(shared.count == 128)
        let openssl = try OpenSSL()
        let derived = try openssl.run(
            "kdf", "-keylen", "16", "-kdfopt", "digest:SHA256", "-kdfopt", "hexkey:\(shared.hexadecimal)", "-binary",
            "HKDF")
        let key = Array(derived).hexadecimal
        let vector = [UInt8](0..<16)
        let text = String(repeating: "secret ", count: width)
        try openssl.write(Data(text.utf8), to: "plain")
        try openssl.run("enc", "-aes-128-cbc", "-K", key, "-iv", vector.hexadecimal, "-in", "plain", "-out", "sealed")
        let sealed = BusValue.structure([
            .path(session), .bytes(try Secret(copying: vector)),
            .bytes(try Secret(copying: Array(try openssl.read("sealed")))), .text("text/plain"),
        ])
        let item = try #require(
            try call(Self.login, "CreateItem", [.array("{sv}", []), sealed, .boolean(false)])[0].path)
        let fields = try #require(try call(item, "GetSecret", [.path(session)])[0].fields)
        let (iv, value) = (try #require(fields[1].bytes).exposedBytes, try #require(fields[2].bytes).exposedBytes)
        #expect(iv.count == 16 && iv != vector)
        try openssl.write(Data(value), to: "answer")
        let opened = try openssl.run("enc", "-d", "-aes-128-cbc", "-K", key, "-iv", iv.hexadecimal, "-in", "answer")
        #expect(String(decoding: opened, as: UTF8.self) == text)
        // Cut, or for another vector's length: no more is said than that it is not for this session.
        for (parameters, bytes) in [(vector, Array(value.dropLast())), (vector, []), (Array(vector.dropLast()), value)]
        {
            let bad = BusValue.structure([
                .path(session), .bytes(try Secret(copying: parameters)), .bytes(try Secret(copying: bytes)), .text(""),
            ])
            #expect(failure { _ = try call(item, "SetSecret", [bad]) } == Self.arguments)
        }
    }

    // Rule: a public number of a session has 1 to 128 bytes | the limit left out | a longer one is taken
    @Test func `numbers that are none of the group, and algorithms that are none, open nothing`() throws {
        let prime = try #require([UInt8](hexadecimal: Self.prime))
        let above = Array(prime.dropLast()) + [0xFF]
        let below = Array(prime.dropLast()) + [0xFE]
        let numbers: [[UInt8]] = [
            [], [0], [1], [0, 1], prime, below, [1] + prime, above, [UInt8](repeating: 7, count: 4096),
            // Of the group, and longer than its numbers are.
            [UInt8](repeating: 0, count: 128) + [2],
        ]
        for number in numbers {
            let input = BusValue.bytes(try Secret(copying: number))
            #expect(failure { _ = try open(SecretSession.Algorithm.agreement.rawValue, input) } == Self.arguments)
        }
        #expect(failure { _ = try open("plain", .bytes(try Secret("x"))) } == Self.arguments)
        #expect(failure { _ = try open("plain", .text("x")) } == Self.arguments)
        #expect(failure { _ = try open("dh-ietf1024-sha256-aes128-cbc-pkcs7", .text("x")) } == Self.arguments)
        #expect(failure { _ = try open("rot13") } == "org.freedesktop.DBus.Error.NotSupported")
        #expect(service.sessions.isEmpty)
    }

    /// RFC 2409, 6.2
    private static let prime =
        "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd"
        + "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed"
        + "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece65381ffffffffffffffff"

    // MARK: Sizes and names

    @Test func `attributes, labels and secrets beyond their limits are refused, and those at the limit are kept`()
        throws
    {
        let session = try open().path
        let many = Dictionary(uniqueKeysWithValues: (0...LookupAttributes.countLimit).map { ("n\($0)", "v") })
        let most = many.filter { $0.key != "n0" }
        let name = String(repeating: "n", count: LookupAttributes.nameLimit)
        for attributes in [most, [name: "v"], ["n": String(repeating: "v", count: LookupAttributes.limit - 2)]] {
            let item = try create(attributes, session)
            let found = try call(Self.root, "SearchItems", [.attributes(attributes)])
            #expect(found[0].paths == [item])
        }
        for attributes in [
            many, [name + "n": "v"], ["": "v"], ["n": String(repeating: "v", count: LookupAttributes.limit - 1)],
        ] {
            #expect(failure { _ = try create(attributes, session) } == Self.limits)
            #expect(failure { _ = try call(Self.root, "SearchItems", [.attributes(attributes)]) } == Self.limits)
        }
        #expect(failure { _ = try create([:], session, label: String(repeating: "l", count: 4097)) } == Self.limits)
        let long = Secret(try SecretBytes(count: (16 << 20) + 1) { _ in })
        #expect(failure { _ = try create([:], session, secret: long) } == Self.limits)
    }

    @Test(arguments: [
        "/", "/org", "/org/freedesktop/secrets/", "/org/freedesktop/secrets/collection", "/org/freedesktop/secretsx",
        "/org/freedesktop/secrets/collection/login/", "/org/freedesktop/secrets/collection/login/a/b",
        "/org/freedesktop/secrets/collection/../login", "/org/freedesktop/secrets/collection//x",
        "/org/freedesktop/secrets/prompt/1", "/org/freedesktop/secrets/session/1", "/org/freedesktop/secrets/aliases/x",
        "/org/freedesktop/secrets/collection/none", "/org/freedesktop/secrets/collection/login/collection", "",
    ])
    func `a path of nothing answers no call`(path: String) {
        for member in ["GetSecret", "Delete", "Lock", "Close", "Prompt", "SearchItems", "Nonsense"] {
            #expect(failure { _ = try call(path, member, [.path(path)]) } != nil, "\(member)")
        }
    }

    @Test func `a wrong type of argument is refused, for every method`() throws {
        let session = try open().path
        let item = try create(["a": "1"], session)
        let calls: [(String, String)] = [
            (Self.root, "OpenSession"), (Self.root, "CreateCollection"), (Self.root, "SearchItems"),
            (Self.root, "Unlock"),
            (Self.root, "Lock"), (Self.root, "GetSecrets"), (Self.root, "ReadAlias"), (Self.root, "SetAlias"),
            (Self.login, "CreateItem"), (Self.login, "SearchItems"), (Self.login, "Delete"), (item, "GetSecret"),
            (item, "SetSecret"), (item, "Delete"), (session, "Close"),
        ]
        let wrong: [[BusValue]] = [
            [.word(1)], [.text("x"), .text("x")], [.array("s", [])], [.variant(.text("x"))], [.structure([.path("/")])],
        ]
        for (path, member) in calls {
            for arguments in wrong {
                #expect(failure { _ = try call(path, member, arguments) } == Self.arguments, "\(member)")
            }
        }
        // A method of another interface is none of this object's.
        #expect(
            failure { _ = try call(item, "GetSecret", [.path(session)], interface: "org.example") }
                == "org.freedesktop.DBus.Error.UnknownMethod")
        let twice = BusValue.array(
            "{ss}", [.entry(.text("a"), .text("1")), .entry(.text("a"), .text("2"))])
        #expect(failure { _ = try call(Self.root, "SearchItems", [twice]) } == Self.arguments)
    }

    // Rule: GetSecrets takes at most 16,384 paths | no limit | all are looked up
    @Test func `more paths than any program asks for at once are refused, before any is looked at`() throws {
        let session = try open().path
        func ask(_ count: Int) throws -> [BusValue] {
            let paths = (0..<count).map { Self.login + "/\($0)" }
            return try call(Self.root, "GetSecrets", [.paths(paths), .path(session)])
        }
        #expect(try ask(1 << 14).count == 1)
        #expect(failure { _ = try ask((1 << 14) + 1) } == Self.limits)
    }

    @Test func `collections are named after their labels, listed, aliased, and deleted with their items`() throws {
        func create(_ label: String, _ alias: String = "") throws -> String {
            let properties = BusValue.properties([("\(SecretService.collection).Label", .text(label))])
            return try #require(try call(Self.root, "CreateCollection", [properties, .text(alias)])[0].path)
        }
        let work = try create("Work keys", "work")
        #expect(work == Self.root + "/collection/work_keys")
        #expect(try create("Work keys") == work + "_2")
        #expect(try create("Something else", "work") == work)
        #expect(try create("../é") == Self.root + "/collection/____")
        let session = try open().path
        let value = BusValue.structure([
            .path(session), .bytes(try Secret(copying: [])), .bytes(try Secret("s")), .text(""),
        ])
        let item = try #require(
            try call(Self.root + "/aliases/work", "CreateItem", [.array("{sv}", []), value, .boolean(false)])[0].path)
        #expect(item.hasPrefix(work + "/"))
        _ = try call(Self.root, "SetAlias", [.text("work"), .path(Self.login)])
        #expect(try call(Self.root, "ReadAlias", [.text("work")])[0].path == Self.login)
        #expect(try call(Self.root, "ReadAlias", [.text("default")])[0].path == Self.login)
        #expect(try call(Self.root, "ReadAlias", [.text("none")])[0].path == "/")
        let notSupported = "org.freedesktop.DBus.Error.NotSupported"
        for (alias, target) in [("session", Self.login), ("work", Self.root + "/collection/session")] {
            #expect(failure { _ = try call(Self.root, "SetAlias", [.text(alias), .path(target)]) } == notSupported)
        }
        _ = try call(work, "Delete")
        #expect(failure { _ = try call(item, "GetSecret", [.path(session)]) } == Self.noObject)
        #expect(failure { _ = try call(work, "Delete") } == Self.noObject)
        #expect(failure { _ = try call(Self.login, "Delete") } == "org.freedesktop.DBus.Error.NotSupported")
        let all = try call(
            Self.root, "Get", [.text(SecretService.service), .text("Collections")],
            interface: "org.freedesktop.DBus.Properties")
        #expect(
            all[0].content?.paths
                == ["____", "login", "work_keys_2", "session"].map { Self.root + "/collection/\($0)" })
    }

    @Test func `the text of attributes is the same for the same attributes, and comes back as they were`() throws {
        let attributes = ["b": "2", "a=%&": "\u{0}\u{1F}\u{7F}é&=%", "": ""].filter { !$0.key.isEmpty }
        let text = try LookupAttributes.text(attributes)
        #expect(text == "a%3D%25%26=%00%1F%7Fé%26%3D%25&b=2")
        #expect(LookupAttributes.attributes(text) == attributes)
        #expect(LookupAttributes.attributes("") == [:])
        let none = ["a", "a=1&", "&", "=1", "a=%", "a=%4", "a=%zz", "a=%41%", "a=1&a=2", "a=1=2", "%FF=1", "a=\n"]
        for bad in none + [LookupAttributes.collection] {
            #expect(LookupAttributes.attributes(bad) == nil, "\(bad)")
        }
    }
}
