// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory

/// Answers p11-kit's messages (Documentation/Formats/TokenMessages.md): one request in, one answer out.
/// Each program has a process of its own for this.
package final class PKCS11Server {
    /// The maximum length of a message in bytes.
    package static let messageLimit = 4 << 20
    /// The protocol version that every p11-kit supports.
    package static let version: UInt8 = 0

    static let slot: UInt64 = 1
    private static let handshake = Array("PRIVATE-GNOME-KEYRING-PKCS11-PROTOCOL-V-1".utf8)
    private static let randomLimit = 1 << 20

    let token: PKCS11Token
    private var isInitialized = false
    private var sessions: [UInt64: PKCS11Session] = [:]
    private var lastSession: UInt64 = 0

    package init(_ token: PKCS11Token) { self.token = token }

    /// The answer to a message. Errors of any kind become an answer too.
    package func answer(_ message: [UInt8]) -> [UInt8] {
        do { return try answered(message) } catch {
            return PKCS11Writer.failure(error as? PKCS11Failure ?? .deviceError)
        }
    }

    private func answered(_ message: [UInt8]) throws -> [UInt8] {
        var reader = PKCS11Reader(message)
        let number = try reader.word()
        let parts = try reader.array() ?? []
        guard let call = PKCS11Call(rawValue: number) else { throw PKCS11Failure.notSupported }
        guard parts.elementsEqual(call.parts.request.utf8) else { throw PKCS11Failure.deviceError }
        guard isInitialized || call == .initialize else { throw PKCS11Failure.notInitialized }
        guard !call.isWriting else { throw PKCS11Failure.writeProtected }
        var writer = PKCS11Writer(call)
        switch call {
        case .initialize, .finalize, .getInfo, .getSlotList, .getSlotInfo, .getTokenInfo, .getMechanismList,
            .getMechanismInfo, .waitForSlotEvent:
            try general(call, &reader, &writer)
        case .openSession, .closeSession, .closeAllSessions, .getSessionInfo, .login, .logout:
            try session(call, &reader, &writer)
        case .findObjectsInit, .findObjects, .findObjectsFinal, .getAttributeValue, .getObjectSize, .destroyObject:
            try objects(call, &reader, &writer)
        case .seedRandom, .generateRandom: try random(call, &reader, &writer)
        case .deriveKey: try derive(&reader, &writer)
        case .generateKeyPair: try generate(&reader, &writer)
        default: try work(call, &reader, &writer)
        }
        return writer.bytes
    }

    // MARK: The token

    private func general(_ call: PKCS11Call, _ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        switch call {
        case .initialize:
            guard try reader.bytes().map({ $0.elementsEqual(Self.handshake) }) == true else {
                throw PKCS11Failure.generalError
            }
            _ = try reader.byte()
            _ = try reader.bytes()
            try reader.end()
            isInitialized = true
        case .finalize:
            try reader.end()
            end { _ in true }
            isInitialized = false
        case .getInfo:
            try reader.end()
            writer.version(2, 40)
            writer.text("Zamok", 32)
            writer.number(0)
            writer.text("Zamok keychain", 32)
            writer.version(1, 0)
        case .getSlotList:
            let wantsToken = try reader.byte() != 0
            let room = try reader.word()
            try reader.end()
            let isThere = !wantsToken || (try? token.home()) != nil
            writer.numbers(isThere ? [Self.slot] : [], room: room)
        case .getMechanismList:
            try checkSlot(&reader)
            writer.numbers(PKCS11Mechanism.list.map(\.type), room: try reader.word())
            try reader.end()
        case .getMechanismInfo:
            try checkSlot(&reader)
            let type = try reader.number()
            try reader.end()
            guard let found = PKCS11Mechanism.list.first(where: { $0.type == type }) else {
                throw PKCS11Failure.mechanismInvalid
            }
            for value in [found.sizes.lowerBound, found.sizes.upperBound, found.flags] { writer.number(value) }
        case .waitForSlotEvent:
            let flags = try reader.number()
            try reader.end()
            // The token is never inserted or removed.
            throw flags & 1 != 0 ? PKCS11Failure.noEvent : .notSupported
        default:
            try checkSlot(&reader)
            try reader.end()
            if call == .getSlotInfo { slotInfo(&writer) } else { try tokenInfo(&writer) }
        }
    }

    private func checkSlot(_ reader: inout PKCS11Reader) throws {
        guard try reader.number() == Self.slot else { throw PKCS11Failure.slotInvalid }
    }

    private func slotInfo(_ writer: inout PKCS11Writer) {
        let isThere = (try? token.home()) != nil
        writer.text(isThere ? "Zamok" : "Zamok: no keychain here", 64)
        writer.text("Zamok", 32)
        writer.number(isThere ? 1 : 0)
        writer.version(1, 0)
        writer.version(1, 0)
    }

    private enum TokenFlag {
        static let random: UInt64 = 0x01
        static let writeProtected: UInt64 = 0x02
        static let loginRequired: UInt64 = 0x04
        static let hasPasscode: UInt64 = 0x08
        static let initialized: UInt64 = 0x400
        static let countLow: UInt64 = 0x1_0000
        static let finalTry: UInt64 = 0x2_0000
        static let passcodeLocked: UInt64 = 0x4_0000
    }

    private func tokenInfo(_ writer: inout PKCS11Writer) throws {
        let home = try token.home()
        var flags = TokenFlag.random | TokenFlag.writeProtected | TokenFlag.initialized
        if let status = try? home.status(), status.hasPasscode {
            flags |= TokenFlag.hasPasscode
            if !token.isOpen(home) { flags |= TokenFlag.loginRequired }
            let failures = status.failedAttempts ?? 0
            if failures > 0 { flags |= TokenFlag.countLow }
            if let limit = status.erasesAfter, failures == limit - 1 { flags |= TokenFlag.finalTry }
            if status.nextAttempt > .zero { flags |= TokenFlag.passcodeLocked }
        }
        writer.text("Zamok", 32)
        writer.text("Zamok", 32)
        writer.text("keychain", 16)
        let serial = home.keybag.homeIdentifier.prefix(8).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }
        writer.text(serial.joined(), 16)
        writer.number(flags)
        writer.number(UInt64(PKCS11Session.limit))
        writer.number(UInt64(sessions.count))
        writer.number(UInt64(PKCS11Session.limit))
        writer.number(UInt64(sessions.values.count(where: \.isReadWrite)))
        writer.number(UInt64(Self.passcodeLimit))
        writer.number(1)
        for _ in 0..<4 { writer.unknown() }
        writer.version(1, 0)
        writer.version(1, 0)
        writer.text("", 16)
    }

    /// The maximum length of a passcode in bytes, which the token reports.
    private static let passcodeLimit = 1024

    // MARK: Sessions

    private func session(_ call: PKCS11Call, _ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        if call == .openSession || call == .closeAllSessions {
            try checkSlot(&reader)
            guard call == .openSession else {
                try reader.end()
                return end { _ in true }
            }
            let flags = try reader.number()
            try reader.end()
            _ = try token.home()
            guard flags & 4 != 0 else { throw PKCS11Failure.parallelNotSupported }
            guard sessions.count < PKCS11Session.limit else { throw PKCS11Failure.sessionCount }
            lastSession += 1
            sessions[lastSession] = PKCS11Session(isReadWrite: flags & 2 != 0)
            return writer.number(lastSession)
        }
        let number = try reader.number()
        guard let session = sessions[number] else { throw PKCS11Failure.sessionInvalid }
        switch call {
        case .closeSession:
            try reader.end()
            end { $0 == number }
        case .getSessionInfo:
            try reader.end()
            let user: UInt64 = token.isLoggedIn(try token.home()) ? 1 : 0
            for value in [Self.slot, user + (session.isReadWrite ? 2 : 0), session.isReadWrite ? 6 : 4, 0] {
                writer.number(value)
            }
        case .logout:
            try reader.end()
            try token.logOut()
        default: try logIn(number, &reader)
        }
    }

    private func logIn(_ number: UInt64, _ reader: inout PKCS11Reader) throws {
        let user = try reader.number()
        let passcode = try reader.bytes()
        try reader.end()
        guard let passcode else { throw PKCS11Failure.argumentsBad }
        guard (1...Self.passcodeLimit).contains(passcode.count) else { throw PKCS11Failure.pinLength }
        switch user {
        case 1: try token.logIn(passcode)
        case 2:
            // A context-specific login needs an operation that waits for an answer.
            guard sessions[number]?.waiting != nil else { throw PKCS11Failure.operationNotInitialized }
            let answer = try token.answer(passcode)
            _ = sessions[number]?.give(answer)
        default: throw PKCS11Failure.userTypeInvalid
        }
    }

    private func end(_ isEnded: (UInt64) -> Bool) {
        for number in sessions.keys where isEnded(number) { sessions[number] = nil }
        token.dropSecrets(isEnded)
        if sessions.isEmpty { token.forgetLogin() }
    }

    private func checkSession(_ reader: inout PKCS11Reader) throws -> UInt64 {
        let number = try reader.number()
        guard sessions[number] != nil else { throw PKCS11Failure.sessionInvalid }
        return number
    }

    // MARK: Objects

    private func objects(_ call: PKCS11Call, _ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        let number = try checkSession(&reader)
        switch call {
        case .findObjectsInit:
            let template = try reader.template()
            try reader.end()
            guard sessions[number]?.found == nil else { throw PKCS11Failure.operationActive }
            sessions[number]?.found = try token.find(template, session: number)[...]
        case .findObjects:
            let room = try reader.word()
            try reader.end()
            guard let found = sessions[number]?.found else { throw PKCS11Failure.operationNotInitialized }
            let told = found.prefix(Int(room))
            sessions[number]?.found = found.dropFirst(told.count)
            writer.numbers(Array(told), room: room)
        case .findObjectsFinal:
            try reader.end()
            guard sessions[number]?.found != nil else { throw PKCS11Failure.operationNotInitialized }
            sessions[number]?.found = nil
        case .destroyObject:
            let handle = try reader.number()
            try reader.end()
            try token.remove(handle)
        case .getObjectSize:
            _ = try token.object(try reader.number())
            try reader.end()
            writer.unknown()
        default:
            let handle = try reader.number()
            let wanted = try reader.wanted()
            try reader.end()
            let object = try token.object(handle)
            writer.attributes(
                wanted.map { type, room in
                    (type, room, Result { () throws(PKCS11Failure) in try object.value(type) })
                })
        }
    }

    private func random(_ call: PKCS11Call, _ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        _ = try checkSession(&reader)
        guard call == .generateRandom else {
            // The system's generator needs no seed.
            _ = try reader.bytes()
            return try reader.end()
        }
        let room = try reader.room()
        try reader.end()
        guard let room, room > 0 else { return writer.bytes([]) }
        guard room <= Self.randomLimit else { throw PKCS11Failure.argumentsBad }
        var generator = SystemRandomNumberGenerator()
        writer.bytes((0..<room).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    // MARK: Work

    /// Runs a change of a session. If `body` throws, only the changes that it has already made remain.
    func withSession<R>(_ number: UInt64, _ body: (inout PKCS11Session) throws -> R) throws -> R {
        guard var session = sessions.removeValue(forKey: number) else { throw PKCS11Failure.sessionInvalid }
        defer { sessions[number] = session }
        return try body(&session)
    }
}
