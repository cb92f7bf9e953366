// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecretMemory

/// A key pair that a program generates for its own session.
/// It is kept in secret memory, and is deleted with the session, by a lock and by a logout.
struct PKCS11NewPair {
    private let family: KeyMaterial.Family
    private let bits: Int
    private let shown: [UInt64: PKCS11Value]
    private let own: [UInt64: PKCS11Value]

    static let rsaSizes: ClosedRange<UInt64> = 1024...4096
    /// The only supported public exponent, which every program asks for.
    private static let exponent: [UInt8] = [1, 0, 1]
    /// The attributes that a program may choose for each half. All others are fixed.
    private static let choices: Set<UInt64> = [
        PKCS11Attribute.isPrivate, PKCS11Attribute.label, PKCS11Attribute.identifier, PKCS11Attribute.subject,
        PKCS11Attribute.startDate, PKCS11Attribute.endDate, PKCS11Attribute.sign, PKCS11Attribute.decrypt,
        PKCS11Attribute.verify, PKCS11Attribute.encrypt, PKCS11Attribute.derive,
    ]
    /// The attributes in the public half's template that describe the pair.
    private static let measures: Set<UInt64> = [
        PKCS11Attribute.modulusBits, PKCS11Attribute.publicExponent, PKCS11Attribute.curve,
    ]

    /// Errors: `.mechanismInvalid`, `.writeProtected` (on the token),
    /// `.templateIncomplete`, `.templateInconsistent`, `.attributeValueInvalid`.
    init(_ type: UInt64, shown: PKCS11Template, own: PKCS11Template) throws(PKCS11Failure) {
        for template in [shown, own] {
            guard template.values[PKCS11Attribute.token] != .flag(true) else { throw .writeProtected }
            guard !template.isImpossible else { throw .templateInconsistent }
        }
        switch type {
        case PKCS11Mechanism.rsaPair: (family, bits) = (.rsa, try Self.modulus(shown.values))
        case PKCS11Mechanism.curvePair: (family, bits) = (.ec, try Self.curve(shown.values))
        default: throw .mechanismInvalid
        }
        self.shown = shown.values.filter { !Self.measures.contains($0.key) }
        self.own = own.values
    }

    private static func modulus(_ values: [UInt64: PKCS11Value]) throws(PKCS11Failure) -> Int {
        guard case .number(let bits) = values[PKCS11Attribute.modulusBits] else { throw .templateIncomplete }
        guard rsaSizes.contains(bits), bits % 8 == 0 else { throw .attributeValueInvalid }
        if case .bytes(let asked) = values[PKCS11Attribute.publicExponent],
            !asked.drop(while: { $0 == 0 }).elementsEqual(exponent)
        {
            throw .attributeValueInvalid
        }
        return Int(bits)
    }

    private static func curve(_ values: [UInt64: PKCS11Value]) throws(PKCS11Failure) -> Int {
        guard case .bytes(let name) = values[PKCS11Attribute.curve] else { throw .templateIncomplete }
        guard let found = PKCS11Object.curves.first(where: { $0.value == name }) else { throw .attributeValueInvalid }
        return found.key
    }

    /// Generates both halves. Errors: `.templateInconsistent` if a template asks for a value that the
    /// half doesn't have.
    func make(session: UInt64) throws -> (shown: PKCS11Object, own: PKCS11Object) {
        let (publicKey, secret) = try ClearedScope.run(depth: ClearedScope.depthOfMany) {
            let key = try KeyMaterial.generate(family, sizeInBits: bits)
            return (key.publicKey, Secret(try SecretBytes(copying: key.externalRepresentation)))
        }
        guard let publicKey else { throw PKCS11Failure.functionFailed }
        let identifier = publicKey.publicKeyHash ?? []
        let shown = PKCS11Object(
            kind: .publicKey, identifier: identifier, publicKey: publicKey, session: session,
            asked: self.shown.filter { Self.choices.contains($0.key) })
        let own = PKCS11Object(
            kind: .privateKey, identifier: identifier, publicKey: publicKey, secret: secret, session: session,
            asked: self.own.filter { Self.choices.contains($0.key) })
        for (object, template) in [(shown, self.shown), (own, self.own)] {
            for (type, value) in template where (try? object.value(type)) != value {
                throw PKCS11Failure.templateInconsistent
            }
        }
        return (shown, own)
    }
}

extension PKCS11Server {
    /// C_GenerateKeyPair, for objects of the session.
    func generate(_ reader: inout PKCS11Reader, _ writer: inout PKCS11Writer) throws {
        let number = try reader.number()
        let asked = try reader.keyPair()
        try reader.end()
        // The session must exist.
        try withSession(number) { _ in }
        guard token.isOpen(try token.home()) else { throw PKCS11Failure.notLoggedIn }
        let pair = try PKCS11NewPair(asked.type, shown: asked.shown, own: asked.own).make(session: number)
        let handles = [try token.add(pair.shown), try token.add(pair.own)]
        for handle in handles { writer.number(handle) }
    }
}
