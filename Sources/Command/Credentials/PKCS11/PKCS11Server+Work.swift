// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecretMemory

extension PKCS11Server {
    /// C_SignInit, C_Sign and similar calls.
    func work(_ call: PKCS11Call, _ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        let number = try reader.number()
        try withSession(number) { session in
            switch call {
            case .signInit: try begin(.sign, &session, &reader)
            case .verifyInit: try begin(.verify, &session, &reader)
            case .encryptInit: try begin(.encrypt, &session, &reader)
            case .decryptInit: try begin(.decrypt, &session, &reader)
            case .sign: try whole(.sign, &session, &reader, &writer)
            case .encrypt: try whole(.encrypt, &session, &reader, &writer)
            case .decrypt: try whole(.decrypt, &session, &reader, &writer)
            case .signUpdate: try piece(.sign, &session, &reader)
            case .verifyUpdate: try piece(.verify, &session, &reader)
            case .signFinal:
                let room = try reader.room()
                try reader.end()
                try finish(.sign, nil, room, &session, &writer)
            case .verify: try verify(try reader.bytes() ?? [], &session, &reader)
            case .verifyFinal: try verify(nil, &session, &reader)
            default: throw PKCS11Failure.notSupported
            }
        }
    }

    private func begin(
        _ use: PKCS11Mechanism.Use, _ session: inout PKCS11Session, _ reader: inout PKCS11Reader
    ) throws {
        let asked = try reader.mechanism(before: 8)
        let handle = try reader.number()
        try reader.end()
        guard let asked else {
            session[use] = nil
            return
        }
        guard session[use] == nil else { throw PKCS11Failure.operationActive }
        let mechanism = try PKCS11Mechanism(asked.type, asked.parameter, for: use)
        let object: PKCS11Object
        do { object = try token.object(handle) } catch {
            guard error == .objectHandleInvalid else { throw error }
            throw PKCS11Failure.keyHandleInvalid
        }
        let isPrivate = use == .sign || use == .decrypt
        guard object.kind == (isPrivate ? .privateKey : .publicKey), object.publicKey?.family == mechanism.family else {
            throw PKCS11Failure.keyTypeInconsistent
        }
        guard try object.value(use.attribute) == .flag(true) else { throw PKCS11Failure.keyFunctionNotPermitted }
        session[use] = PKCS11Session.Operation(use: use, mechanism: mechanism, object: object)
    }

    private func piece(
        _ use: PKCS11Mechanism.Use, _ session: inout PKCS11Session, _ reader: inout PKCS11Reader
    ) throws {
        let bytes = try reader.bytes() ?? []
        try reader.end()
        guard var operation = session[use] else { throw PKCS11Failure.operationNotInitialized }
        // Taken out, so that the pieces aren't copied each time.
        session[use] = nil
        guard operation.data.count + bytes.count <= PKCS11Session.dataLimit else {
            throw PKCS11Failure.dataLength
        }
        operation.data.append(contentsOf: bytes)
        operation.isInPieces = true
        session[use] = operation
    }

    private func whole(
        _ use: PKCS11Mechanism.Use, _ session: inout PKCS11Session, _ reader: inout PKCS11Reader,
        _ writer: inout PKCS11Writer
    ) throws {
        let bytes = try reader.bytes() ?? []
        let room = try reader.room()
        try reader.end()
        try finish(use, Data(bytes), room, &session, &writer)
    }

    /// Ends an operation. `data`: the whole input; nil: the pieces so far.
    /// The operation stays active if the program asks only for the length, or if its buffer is too small.
    private func finish(
        _ use: PKCS11Mechanism.Use, _ data: Data?, _ room: Int?, _ session: inout PKCS11Session,
        _ writer: inout PKCS11Writer
    ) throws {
        guard let operation = session[use] else { throw PKCS11Failure.operationNotInitialized }
        guard data == nil || !operation.isInPieces else { throw PKCS11Failure.operationActive }
        guard let publicKey = operation.object.publicKey else { throw PKCS11Failure.keyHandleInvalid }
        let most = operation.mechanism.outputSize(publicKey)
        guard let room, use == .decrypt || room >= most else { return writer.count(most) }
        session[use] = nil
        let input = data ?? operation.data
        let output: Data
        if use == .encrypt {
            output = try operation.mechanism.encrypt(input, publicKey)
        } else {
            output = try token.withPrivateKey(operation.object, use == .sign ? .sign : .decrypt, operation.answer) {
                key in
                use == .sign ? try operation.mechanism.sign(input, key) : try operation.mechanism.decrypt(input, key)
            }
        }
        guard output.count <= room else {
            session[use] = operation
            return writer.count(output.count)
        }
        writer.bytes(Array(output))
    }

    /// Ends a verification. `data`: the whole input; nil: the pieces so far.
    private func verify(
        _ data: ArraySlice<UInt8>?, _ session: inout PKCS11Session, _ reader: inout PKCS11Reader
    ) throws {
        let signature = try reader.bytes() ?? []
        try reader.end()
        guard let operation = session[.verify] else { throw PKCS11Failure.operationNotInitialized }
        session[.verify] = nil
        guard let publicKey = operation.object.publicKey else { throw PKCS11Failure.keyHandleInvalid }
        try operation.mechanism.verify(Data(signature), data.map { Data($0) } ?? operation.data, publicKey)
    }

    // MARK: Exchange

    /// C_DeriveKey: a shared key, as an object of the session.
    func derive(_ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        let number = try reader.number()
        let asked = try reader.exchange()
        let handle = try reader.number()
        let template = try reader.template()
        try reader.end()
        // The session must exist.
        try withSession(number) { _ in }
        let object = try token.object(handle)
        guard object.kind == .privateKey else { throw PKCS11Failure.keyTypeInconsistent }
        let isReadable = try Self.check(template)
        var count: Int?
        if case .number(let value) = template.values[PKCS11Attribute.valueLength] {
            guard let short = Int(exactly: value) else { throw PKCS11Failure.templateInconsistent }
            count = short
        }
        let found = try token.withPrivateKey(object, .agree, nil) { key in
            Secret(
                try SecretBytes(
                    copying: try PKCS11Mechanism.exchange(
                        key, point: asked.point, derivation: asked.derivation, shared: asked.shared, count: count)))
        }
        writer.number(
            try token.add(
                PKCS11Object(kind: .secretKey, secret: found, session: number, isReadable: isReadable)))
    }

    /// Checks the template of the new key: it is of the session, and of a type without a use here.
    /// Returns whether its value may be read.
    private static func check(_ template: PKCS11Template) throws -> Bool {
        let values = template.values
        guard values[PKCS11Attribute.token] != .flag(true) else { throw PKCS11Failure.writeProtected }
        guard !template.isImpossible,
            [nil, .number(PKCS11Object.Kind.secretKey.rawValue)].contains(values[PKCS11Attribute.objectClass]),
            [nil, .number(0x10)].contains(values[PKCS11Attribute.keyType])
        else { throw PKCS11Failure.templateInconsistent }
        return values[PKCS11Attribute.sensitive] != .flag(true) && values[PKCS11Attribute.extractable] != .flag(false)
    }
}
