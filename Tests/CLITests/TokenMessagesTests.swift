// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Sealing
import SecretMemory
import SecurityTypes
import TestSupport
import Testing

@testable import Credentials

/// The token's messages, without a process (Documentation/Formats/TokenMessages.md). TokenProgramsTests has p11-kit.
@Suite struct TokenMessagesTests {
    private let temporary = TemporaryHome()
    private let home: Home
    private let pairs: KeyPairs
    private let server: PKCS11Server

    init() throws {
        let temporary = temporary
        let home = try temporary.open()
        try home.keybag.setPasscode(try SecretBytes(copying: Self.passcode))
        pairs = KeyPairs(Keychain(home: home))
        server = Self.server(temporary)
        self.home = home
    }

    private static let passcode = Array("tall-grass".utf8)
    private static let ok: UInt64 = 0

    private static func server(_ temporary: TemporaryHome) -> PKCS11Server {
        PKCS11Server(PKCS11Token { holder in try temporary.open { $0.holder = holder } })
    }

    // MARK: A program

    private static func request(_ call: PKCS11Call, _ parts: (inout ByteWriter) -> Void = { _ in }) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(call.rawValue)
        writer.prefixed(text: call.parts.request)
        parts(&writer)
        return writer.bytes
    }

    /// Numbers one after the other.
    private static func request(_ call: PKCS11Call, _ numbers: UInt64...) -> [UInt8] {
        request(call) { for number in numbers { $0.integer(number) } }
    }

    /// The answer's code, and what follows.
    private func ask(_ message: [UInt8], _ server: PKCS11Server? = nil) throws -> (code: UInt64, rest: PKCS11Reader) {
        let answer = (server ?? self.server).answer(message)
        var reader = PKCS11Reader(answer)
        let number = try reader.word()
        _ = try reader.array()
        return (number == 0 ? try reader.number() : Self.ok, reader)
    }

    private static let initialize = request(.initialize) {
        $0.append([1])
        $0.prefixed(text: "PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1")
        $0.append([0, 1, 0, 0, 0, 0])
    }

    private func open(_ server: PKCS11Server? = nil) throws -> UInt64 {
        #expect(try ask(Self.initialize, server).code == Self.ok)
        var answer = try ask(Self.request(.openSession, 1, 4), server)
        #expect(answer.code == Self.ok)
        return try answer.rest.number()
    }

    private func find(
        _ session: UInt64, _ kind: PKCS11Object.Kind? = nil, _ server: PKCS11Server? = nil
    ) throws -> [UInt64] {
        let start = Self.request(.findObjectsInit) {
            $0.integer(session)
            $0.integer(UInt32(kind == nil ? 0 : 1))
            guard let kind else { return }
            $0.append([0, 0, 0, 0, 1, 0, 0, 0, 8])
            $0.integer(kind.rawValue)
        }
        try #require(try ask(start, server).code == Self.ok)
        var answer = try ask(
            Self.request(.findObjects) {
                $0.integer(session)
                $0.integer(UInt32(100))
            }, server)
        #expect(try ask(Self.request(.findObjectsFinal, session), server).code == Self.ok)
        #expect(try answer.rest.byte() == 1)
        return try (0..<(try answer.rest.word())).map { _ in try answer.rest.number() }
    }

    private func attribute(_ session: UInt64, _ object: UInt64, _ type: UInt64) throws -> [UInt8]? {
        var answer = try ask(
            Self.request(.getAttributeValue) {
                $0.integer(session)
                $0.integer(object)
                for word in [1, UInt32(type), 8192] { $0.integer(word) }
            })
        guard answer.code == Self.ok else { return nil }
        #expect(try answer.rest.word() == 1 && answer.rest.word() == UInt32(type))
        guard try answer.rest.byte() == 1 else { return nil }
        _ = try answer.rest.word()
        switch PKCS11Attribute.form(type) {
        case .flag: return [try answer.rest.byte()]
        case .number: return [UInt8(truncatingIfNeeded: try answer.rest.number())]
        default: return try answer.rest.array().map { Array($0) }
        }
    }

    private static func begin(
        _ call: PKCS11Call, _ session: UInt64, _ mechanism: UInt32, _ parameter: [UInt8] = [], _ key: UInt64
    ) -> [UInt8] {
        request(call) {
            $0.integer(session)
            $0.integer(mechanism)
            $0.append(parameter)
            $0.integer(key)
        }
    }

    private static func use(_ call: PKCS11Call, _ session: UInt64, _ data: [UInt8], room: UInt32 = 4096) -> [UInt8] {
        request(call) {
            $0.integer(session)
            $0.append([1])
            $0.prefixed(data)
            $0.integer(room)
        }
    }

    /// The bytes of an answer; nil: it has only their number.
    private static func bytes(_ answer: (code: UInt64, rest: PKCS11Reader)) throws -> [UInt8]? {
        var rest = answer.rest
        return answer.code == ok ? try rest.bytes().map { Array($0) } : nil
    }

    private func logIn(_ session: UInt64, _ passcode: [UInt8], as user: UInt64 = 1) throws -> UInt64 {
        try ask(
            Self.request(.login) {
                $0.integer(session)
                $0.integer(user)
                $0.append([1])
                $0.prefixed(passcode)
            }
        ).code
    }

    @discardableResult
    private func add(
        _ name: String, _ type: KeyItem.KeyType, _ bits: Int, asks: Bool = false
    ) throws -> KeyPair {
        var wish = KeyPairs.Wish()
        (wish.name, wish.asksForPasscode) = (name, asks)
        return try pairs.add(try KeyItem(generating: type, sizeInBits: bits), wish)
    }

    // MARK: Keys at work

    private static func numbers(_ numbers: UInt64...) -> [UInt8] {
        var writer = ByteWriter()
        for number in numbers { writer.integer(number) }
        return writer.bytes
    }

    /// Mechanism, parameter as older and newer versions of p11-kit write it, bytes of what is signed (nil: any).
    private static let rsa: [(UInt32, [UInt8], Int?)] = [
        (0x01, [255, 255, 255, 255], 20), (0x40, [], nil), (0x41, [255, 255, 255, 255], nil), (0x42, [], nil),
        (0x0D, numbers(0x250, 2, 32), 32), (0x0D, [1] + numbers(0x270, 4, 64), 64),
        (0x43, [1] + numbers(0x250, 2, 32), nil),
    ]

    @Test func `what RSA keys sign verifies, in one piece and in several`() throws {
        let pair = try add("rsa", .rsa, 2048)
        let session = try open()
        let (own, shown) = (try find(session, .privateKey)[0], try find(session, .publicKey)[0])
        for (mechanism, parameter, size) in Self.rsa {
            let data = [UInt8](repeating: 7, count: size ?? 1000)
            #expect(try ask(Self.begin(.signInit, session, mechanism, parameter, own)).code == Self.ok)
            // Its size first, then with too little room: the operation stays.
            var asked = try ask(Self.use(.sign, session, data, room: 0))
            #expect(try asked.rest.byte() == 0 && asked.rest.word() == 256)
            #expect(try Self.bytes(ask(Self.use(.sign, session, data, room: 255))) == nil)
            let signature = try #require(try Self.bytes(ask(Self.use(.sign, session, data))))
            #expect(try ask(Self.use(.sign, session, data)).code == 0x91)
            let verify = Self.request(.verify) {
                $0.integer(session)
                for part in [data, signature] {
                    $0.append([1])
                    $0.prefixed(part)
                }
            }
            #expect(try ask(Self.begin(.verifyInit, session, mechanism, parameter, shown)).code == Self.ok)
            #expect(try ask(verify).code == Self.ok)
            #expect(try ask(Self.begin(.verifyInit, session, mechanism, parameter, shown)).code == Self.ok)
            #expect(try ask(verify.dropLast() + [verify.last.map { ~$0 } ?? 0]).code == 0xC0)
        }
        // Pieces, and the public half itself as judge.
        #expect(try ask(Self.begin(.signInit, session, 0x40, [], own)).code == Self.ok)
        for piece in ["in ", "pieces"] {
            #expect(try ask(Array(Self.use(.signUpdate, session, Array(piece.utf8)).dropLast(4))).code == Self.ok)
        }
        let signature = try #require(
            try Self.bytes(
                ask(
                    Self.request(.signFinal) {
                        $0.integer(session)
                        $0.integer(UInt32(256))
                    })))
        let algorithm = try #require(KeyAlgorithm("algid:sign:RSA:message-PKCS1v15:SHA256"))
        #expect(try #require(pair.publicKey).verify(Data(signature), of: Data("in pieces".utf8), algorithm))
        // Of one padding with another's parameter, or with a salt that the library doesn't make.
        for (mechanism, parameter) in [
            (0x0D, Self.numbers(0x250, 4, 32)), (0x0D, Self.numbers(0x250, 2, 20)), (0x0D, []), (0x40, [1]),
        ] as [(UInt32, [UInt8])] {
            #expect(try ask(Self.begin(.signInit, session, mechanism, parameter, own)).code == 0x71)
        }
        #expect(try ask(Self.begin(.signInit, session, 0x06, [], own)).code == 0x70)
        #expect(try ask(Self.begin(.signInit, session, 0x1041, [], own)).code == 0x63)
        #expect(try ask(Self.begin(.signInit, session, 0x40, [], shown)).code == 0x63)
    }

    @Test func `what is encrypted to an RSA key it decrypts, and nothing else`() throws {
        try add("rsa", .rsa, 2048)
        let session = try open()
        let (own, shown) = (try find(session, .privateKey)[0], try find(session, .publicKey)[0])
        let oaep = Self.numbers(0x250, 2, 1) + [255, 255, 255, 255]
        for (mechanism, parameter) in [(0x01, []), (0x09, oaep), (0x09, [1] + oaep)] as [(UInt32, [UInt8])] {
            #expect(try ask(Self.begin(.encryptInit, session, mechanism, parameter, shown)).code == Self.ok)
            let sealed = try #require(try Self.bytes(ask(Self.use(.encrypt, session, Self.passcode))))
            #expect(try ask(Self.begin(.decryptInit, session, mechanism, parameter, own)).code == Self.ok)
            var asked = try ask(Self.use(.decrypt, session, sealed, room: 3))
            #expect(try asked.rest.byte() == 0 && asked.rest.word() == UInt32(Self.passcode.count))
            #expect(try Self.bytes(ask(Self.use(.decrypt, session, sealed))) == Self.passcode)
            #expect(try ask(Self.begin(.decryptInit, session, mechanism, parameter, own)).code == Self.ok)
            #expect(try ask(Self.use(.decrypt, session, Array(sealed.dropLast()))).code == 0x40)
        }
    }

    @Test(arguments: [256, 384, 521])
    func `curves sign, and both sides of an exchange get the same`(bits: Int) throws {
        let pair = try add("first", .ellipticCurve, bits)
        let other = try KeyMaterial.generate(.ec, sizeInBits: bits)
        let session = try open()
        let own = try find(session, .privateKey)[0]
        let digest = [UInt8](repeating: 9, count: 32)
        #expect(try ask(Self.begin(.signInit, session, 0x1041, [], own)).code == Self.ok)
        let signature = try #require(try Self.bytes(ask(Self.use(.sign, session, digest))))
        let algorithm = try #require(KeyAlgorithm("algid:sign:ECDSA:digest-RFC4754"))
        let mine = try #require(pair.publicKey)
        #expect(try mine.verify(Data(signature), of: Data(digest), algorithm))
        let point = Array(try #require(other.publicKey).externalRepresentation)
        let ways: [(UInt64, String, [UInt8], [UInt8], Int?)] = [
            (1, "algid:keyexchange:ECDH", [], point, nil),
            (6, "algid:keyexchange:ECDH:KDFX963:SHA256", [1, 2], DERBytes.value(4, point), 40),
        ]
        for (derivation, name, shared, point, count) in ways {
            var answer = try ask(
                Self.request(.deriveKey) { $0.exchange(session, own, derivation, shared, point, count) })
            try #require(answer.code == Self.ok)
            let key = try answer.rest.number()
            let expected = try other.exchange(
                with: mine, try #require(KeyAlgorithm(name)), count: count ?? other.blockSize, sharedInfo: Data(shared))
            #expect(try attribute(session, key, PKCS11Attribute.value) == Array(expected))
            #expect(try ask(Self.request(.destroyObject, session, key)).code == Self.ok)
            #expect(try ask(Self.request(.destroyObject, session, key)).code == 0x82)
        }
        #expect(try ask(Self.request(.destroyObject, session, own)).code == 0xE2)
    }

    // Rule: the token never gives a private key's value | the attribute answered | it is no longer called sensitive
    @Test func `a certificate, its key and both halves have one identifier, and secrets are not told`() throws {
        let pair = try add("www", .ellipticCurve, 256)
        let certificate = try pairs.certificate(pair, subject: "/CN=www", hosts: ["www.example.com"], days: 2)
        try pairs.keychain.add(certificate)
        try add("ed", .ed25519, 256)
        let session = try open()
        let all = try find(session)
        #expect(all.count == 3)
        #expect(try Set(all.map { try attribute(session, $0, PKCS11Attribute.identifier) }).count == 1)
        let der = try #require(try certificate.der())
        #expect(try attribute(session, try find(session, .certificate)[0], PKCS11Attribute.value) == Array(der))
        let own = try find(session, .privateKey)[0]
        for type in PKCS11Attribute.secrets { #expect(try attribute(session, own, type) == nil) }
        var refused = try ask(
            Self.request(.getAttributeValue) {
                $0.integer(session)
                $0.integer(own)
                for word in [1, UInt32(PKCS11Attribute.value), 100] { $0.integer(word) }
            })
        #expect(try refused.rest.word() == 1 && refused.rest.word() == 0x11 && refused.rest.byte() == 0)
        #expect(try refused.rest.number() == 0x11)
        #expect(try attribute(session, own, PKCS11Attribute.extractable) == [0])
        #expect(try attribute(session, own, PKCS11Attribute.sensitive) == [1])
    }

    // MARK: Pairs of a session

    private static func flag(_ type: UInt32, _ value: Bool) -> [UInt8] { word(type) + [1, 0, 0, 0, 1, value ? 1 : 0] }
    private static func long(_ type: UInt32, _ value: UInt64) -> [UInt8] {
        word(type) + [1, 0, 0, 0, 8] + numbers(value)
    }
    private static func bytes(_ type: UInt32, _ value: [UInt8]) -> [UInt8] {
        word(type) + [1] + word(UInt32(value.count)) + word(UInt32(value.count)) + value
    }
    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// `parameter`: as older versions of p11-kit write that there is none, or as newer ones do.
    private static func generate(
        _ session: UInt64, _ mechanism: UInt32, _ parameter: [UInt8], _ shown: [[UInt8]], _ own: [[UInt8]]
    ) -> [UInt8] {
        request(.generateKeyPair) {
            $0.integer(session)
            $0.integer(mechanism)
            $0.append(parameter)
            for template in [shown, own] {
                $0.integer(UInt32(template.count))
                for attribute in template { $0.append(attribute) }
            }
        }
    }

    private func makePair(
        _ session: UInt64, _ mechanism: UInt32 = 0x1040, _ parameter: [UInt8] = [], _ shown: [[UInt8]] = [p256],
        _ own: [[UInt8]] = []
    ) throws -> (shown: UInt64, own: UInt64) {
        var answer = try ask(Self.generate(session, mechanism, parameter, shown, own))
        try #require(answer.code == Self.ok)
        return (try answer.rest.number(), try answer.rest.number())
    }

    private static let p256 = bytes(0x180, [6, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])

    @Test func `a program's own pair signs, is not told, and is what its template says`() throws {
        let session = try open()
        let exponent = Self.bytes(0x122, [0, 1, 0, 1])
        let rsa = try makePair(
            session, 0, [255, 255, 255, 255], [Self.long(0x121, 1024), exponent, Self.flag(2, false)])
        let curve = try makePair(session, 0x1040, [], [Self.p256, Self.bytes(3, [0x41])], [Self.flag(0x108, true)])
        for (pair, mechanism, count) in [(rsa, 0x40, 128), (curve, 0x1041, 64)] as [((UInt64, UInt64), UInt32, Int)] {
            #expect(try ask(Self.begin(.signInit, session, mechanism, [], pair.1)).code == Self.ok)
            let signature = try #require(try Self.bytes(ask(Self.use(.sign, session, [7, 7]))))
            #expect(signature.count == count)
            #expect(try ask(Self.begin(.verifyInit, session, mechanism, [], pair.0)).code == Self.ok)
            let verify = Self.request(.verify) {
                $0.integer(session)
                for part in [[7, 7], signature] {
                    $0.append([1])
                    $0.prefixed(part)
                }
            }
            #expect(try ask(verify).code == Self.ok)
            for type in PKCS11Attribute.secrets { #expect(try attribute(session, pair.1, type) == nil) }
            #expect(try attribute(session, pair.1, PKCS11Attribute.token) == [0])
            #expect(try attribute(session, pair.1, PKCS11Attribute.local) == [1])
        }
        #expect(try attribute(session, rsa.shown, PKCS11Attribute.isPrivate) == [0])
        #expect(try attribute(session, curve.shown, PKCS11Attribute.label) == [0x41])
        #expect(try Set(find(session)) == [rsa.shown, rsa.own, curve.shown, curve.own])
        // Nothing of it is in the keychain.
        #expect(try pairs.all().isEmpty)
        let mute = try makePair(session, 0x1040, [], [Self.p256], [Self.flag(0x108, false)])
        #expect(try ask(Self.begin(.signInit, session, 0x1041, [], mute.own)).code == 0x68)
    }

    // Rule: a lock destroys a program's own pair at the token | kept over it | it is found and signs after a login
    @Test func `a program's own pair dies with its session, a logout and a lock`() throws {
        var (first, second) = (try open(), try open())
        let (one, other) = (try makePair(first), try makePair(second))
        #expect(try ask(Self.request(.closeSession, first)).code == Self.ok)
        #expect(try Set(find(second)) == [other.shown, other.own])
        #expect(try ask(Self.begin(.signInit, second, 0x1041, [], one.own)).code == 0x60)
        #expect(try ask(Self.request(.logout, second)).code == Self.ok)
        #expect(try find(second).isEmpty)
        #expect(try ask(Self.generate(second, 0x1040, [], [Self.p256], [])).code == 0x101)
        // The last session takes the logout with it.
        (first, second) = (try ask(Self.request(.closeSession, second)).code, try open())
        #expect(try first == Self.ok && makePair(second).own > 0 && logIn(second, Self.passcode) == Self.ok)
        let third = try makePair(second)
        try temporary.open().keybag.lock()
        #expect(try find(second).isEmpty)
        #expect(try logIn(second, Self.passcode) == Self.ok)
        #expect(try ask(Self.begin(.signInit, second, 0x1041, [], third.own)).code == 0x60)
    }

    // Rule: sessions hold at most 1,024 objects | no limit | one more is made
    @Test func `a pair on the token, of another kind or of half a template is refused`() throws {
        let session = try open()
        let bits = Self.long(0x121, 2048)
        let tries: [(UInt32, [[UInt8]], [[UInt8]], UInt64)] = [
            (0x1040, [Self.p256, Self.flag(1, true)], [], 0xE2), (0x1040, [Self.p256], [Self.flag(1, true)], 0xE2),
            (0x1040, [], [], 0xD0), (0, [Self.p256], [], 0xD0), (0x1041, [Self.p256], [], 0x70),
            (0x1040, [Self.bytes(0x180, [6, 1, 1])], [], 0x13), (0, [Self.long(0x121, 512)], [], 0x13),
            (0, [Self.long(0x121, 1 << 40)], [], 0x13), (0, [bits, Self.bytes(0x122, [3])], [], 0x13),
            // Told, or usable for what it isn't.
            (0x1040, [Self.p256], [Self.flag(0x103, false)], 0xD1),
            (0x1040, [Self.p256], [Self.flag(0x162, true)], 0xD1),
            (0x1040, [Self.p256], [Self.flag(0x107, true)], 0xD1),
            (0x1040, [Self.p256, Self.long(0x100, 0)], [], 0xD1),
        ]
        for (mechanism, shown, own, code) in tries {
            #expect(try ask(Self.generate(session, mechanism, [], shown, own)).code == code)
        }
        #expect(try ask(Self.generate(session + 1, 0x1040, [], [Self.p256], [])).code == 0xB3)
        let (shown, own) = try makePair(session)
        for _ in 1..<512 { _ = try makePair(session) }
        #expect(try ask(Self.generate(session, 0x1040, [], [Self.p256], [])).code == 0x31)
        // What an exchange yields is one more.
        let point = Array(try #require(KeyMaterial.generate(.ec, sizeInBits: 256).publicKey).externalRepresentation)
        let derive = Self.request(.deriveKey) { $0.exchange(session, own, 1, [], point, nil) }
        #expect(try ask(derive).code == 0x31)
        #expect(try ask(Self.request(.destroyObject, session, shown)).code == Self.ok)
        #expect(try ask(derive).code == Self.ok && ask(derive).code == 0x31)
    }

    // MARK: The passcode

    // Rule: the private keys of a locked token need a login | the lock state not looked at | a key signs while locked
    // Rule: a locked token says that it wants a login | the flag never set | the token's flags lack it
    @Test func `while locked there are no private keys, and a login opens them for this program alone`() throws {
        try add("first", .ellipticCurve, 256)
        let session = try open()
        let own = try find(session, .privateKey)[0]
        let sign = Self.begin(.signInit, session, 0x1041, [], own)
        #expect(try ask(sign).code == Self.ok)
        // Another opening of the same home, as another process has it.
        let watcher = try temporary.open()
        try watcher.keybag.lock()
        #expect(try ask(Self.use(.sign, session, [1])).code == 0x101)
        #expect(try ask(sign).code == 0x101 && find(session, .privateKey).isEmpty)
        #expect(try find(session, .publicKey).count == 1)
        #expect(try isLoginRequired())
        #expect(try logIn(session, Array("wrong".utf8)) == 0xA0)
        #expect(try logIn(session, [], as: 1) == 0xA2 && logIn(session, Self.passcode, as: 0) == 0x103)
        #expect(try logIn(session, Self.passcode) == Self.ok && logIn(session, Self.passcode) == 0x100)
        #expect(try find(session, .privateKey) == [own] && !isLoginRequired())
        #expect(try ask(sign).code == Self.ok)
        #expect(try Self.bytes(ask(Self.use(.sign, session, [1])))?.count == 64)
        if case .kernelKeyring = try watcher.status().holder { #expect(watcher.keybag.lockState == .locked) }
        try watcher.keybag.lock()
        #expect(try ask(sign).code == 0x101)
        #expect(try logIn(session, Self.passcode) == Self.ok)
        #expect(try ask(Self.request(.logout, session)).code == Self.ok)
        #expect(try ask(sign).code == 0x101 && isLoginRequired())
    }

    /// Milliseconds within which a lock counts.
    private static let most = Duration.milliseconds(50)

    @Test(arguments: [HolderChoice.process, .automatic])
    func `the first use behind a lock is refused, within 50 ms`(holder: HolderChoice) throws {
        let temporary = TemporaryHome()
        let home = try temporary.open { $0.holder = holder }
        try home.keybag.setPasscode(try SecretBytes(copying: Self.passcode))
        var wish = KeyPairs.Wish()
        wish.name = "key"
        _ = try KeyPairs(Keychain(home: home)).add(try KeyItem(generating: .ellipticCurve, sizeInBits: 256), wish)
        let server = PKCS11Server(PKCS11Token { _ in try temporary.open { $0.holder = holder } })
        let session = try open(server)
        let own = try find(session, .privateKey, server)[0]
        let sign = Self.begin(.signInit, session, 0x1041, [], own)
        var times: [Duration] = []
        for _ in 0..<5 {
            #expect(try ask(sign, server).code == Self.ok)
            #expect(try Self.bytes(ask(Self.use(.sign, session, [1]), server))?.count == 64)
            #expect(try ask(sign, server).code == Self.ok)
            let other = try temporary.open { $0.holder = holder }
            let start = ContinuousClock.now
            try other.keybag.lock()
            #expect(try ask(Self.use(.sign, session, [1]), server).code == 0x101)
            times.append(ContinuousClock.now - start)
            try home.keybag.unlock(passcode: try SecretBytes(copying: Self.passcode))
            _ = try ask(Self.request(.signInit) { $0.integer(session) }, server)
        }
        // The least of five: what else the machine does is not the lock's time.
        #expect(try #require(times.min()) < Self.most, "\(times)")
    }

    // Rule: a session is of the client that opened it | any number taken | another client's number is answered
    @Test func `the session of another client is none`() throws {
        try add("key", .ellipticCurve, 256)
        let session = try open()
        let own = try find(session, .privateKey)[0]
        let other = Self.server(temporary)
        #expect(try ask(Self.initialize, other).code == Self.ok)
        #expect(try ask(Self.request(.getSessionInfo, session), other).code == 0xB3)
        #expect(try ask(Self.begin(.signInit, session, 0x1041, [], own), other).code == 0xB3)
        #expect(try ask(Self.request(.getSessionInfo, session)).code == Self.ok)
        // After closing it belongs to no client.
        #expect(try ask(Self.request(.closeSession, session)).code == Self.ok)
        #expect(try ask(Self.request(.getSessionInfo, session)).code == 0xB3)
    }

    private func isLoginRequired() throws -> Bool {
        var answer = try ask(Self.request(.getTokenInfo, 1))
        for _ in 0..<4 { _ = try answer.rest.array() }
        return try answer.rest.number() & 4 != 0
    }

    @Test func `a key that asks takes the passcode for one use`() throws {
        try add("asks", .ellipticCurve, 256, asks: true)
        let session = try open()
        let own = try find(session, .privateKey)[0]
        #expect(try attribute(session, own, PKCS11Attribute.alwaysAuthenticate) == [1])
        let sign = Self.begin(.signInit, session, 0x1041, [], own)
        #expect(try logIn(session, Self.passcode, as: 2) == 0x91)
        #expect(try ask(sign).code == Self.ok)
        #expect(try logIn(session, Array("wrong".utf8), as: 2) == 0xA0)
        #expect(try logIn(session, Self.passcode, as: 2) == Self.ok)
        #expect(try Self.bytes(ask(Self.use(.sign, session, [1])))?.count == 64)
        #expect(try ask(sign).code == Self.ok)
        #expect(try ask(Self.use(.sign, session, [1])).code == 0x101)
    }

    @Test func `a home without a passcode is always open, and none is there that can't be opened`() throws {
        let plain = TemporaryHome()
        let home = try plain.open()
        let pairs = KeyPairs(Keychain(home: home))
        var wish = KeyPairs.Wish()
        wish.name = "plain"
        _ = try pairs.add(try KeyItem(generating: .ellipticCurve, sizeInBits: 256), wish)
        let server = Self.server(plain)
        let session = try open(server)
        let code = try ask(
            Self.request(.login) {
                $0.integer(session)
                $0.integer(UInt64(1))
                $0.append([1])
                $0.prefixed(Self.passcode)
            }, server
        ).code
        #expect(code == 0x102)
        struct None: Error {}
        let absent = PKCS11Server(PKCS11Token { _ in throw None() })
        #expect(try ask(Self.request(.getInfo), absent).code == 0x190)
        #expect(try ask(Self.initialize, absent).code == Self.ok)
        #expect(try ask(Self.request(.getTokenInfo, 1), absent).code == 0xE0)
        #expect(try ask(Self.request(.openSession, 1, 4), absent).code == 0xE0)
        #expect(try ask(Self.request(.getTokenInfo, 2), absent).code == 0x03)
    }

    // MARK: Bytes from outside

    @Test func `nothing is written on the token, and what isn't understood is refused`() throws {
        let session = try open()
        for call in [PKCS11Call.createObject, .generateKey, .setPIN, .initToken] {
            #expect(try ask(Self.request(call, session)).code == 0xE2)
        }
        var unknown = ByteWriter()
        unknown.integer(UInt32(66))
        unknown.prefixed(text: "uuayay")
        #expect(try ask(unknown.bytes).code == 0x54)
        #expect(try ask([]).code == 0x30)
        let info = Self.request(.getSessionInfo, session)
        #expect(try ask(info).code == Self.ok)
        #expect(try ask(info + [0]).code == 0x30 && ask(Array(info.dropLast())).code == 0x30)
        #expect(try ask(Self.request(.getSessionInfo, session + 1)).code == 0xB3)
    }

    /// By hand: CONTRIBUTING.md.
    @Test func `hostile messages of p11-kit get an answer, and none traps`() throws {
        try add("first", .ellipticCurve, 256)
        let session = try open()
        let own = try find(session, .privateKey)[0]
        let corpus = [
            Self.initialize, Self.request(.getInfo), Self.request(.getTokenInfo, 1), Self.request(.openSession, 1, 6),
            Self.request(.closeSession, 9), Self.begin(.signInit, session, 0x1041, [], own),
            Self.use(.sign, session, [1, 2, 3]), Self.begin(.signInit, session, 0x0D, Self.numbers(0x250, 2, 32), own),
            Self.request(.findObjectsInit) {
                $0.integer(session)
                $0.append([0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 8] + Self.numbers(3))
                $0.append([0x40, 0, 2, 0x11, 1, 0, 0, 0, 0x20, 0, 0, 0, 1, 0, 0, 1, 2, 0])
            },
            Self.request(.getAttributeValue) {
                $0.integer(session)
                $0.integer(own)
                for word in [2, 3, 100, 0x120, 0] as [UInt32] { $0.integer(word) }
            },
            Self.request(.deriveKey) {
                $0.integer(session)
                $0.append([0, 0, 0x10, 0x50, 1] + Self.numbers(1) + [255, 255, 255, 255])
                $0.prefixed([UInt8](repeating: 4, count: 65))
                $0.integer(own)
                $0.integer(UInt32(0))
            },
            Self.generate(
                session, 0x1040, [255, 255, 255, 255], [Self.p256, Self.bytes(3, [0x41])], [Self.flag(2, true)]),
        ]
        let run = FuzzRun.tried("messages of p11-kit", corpus: corpus, bounded: 2_000) { bytes in
            let answer = self.server.answer(Array(bytes))
            #expect(answer.count >= 8)
            return answer[3] != 0
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
    }
}
