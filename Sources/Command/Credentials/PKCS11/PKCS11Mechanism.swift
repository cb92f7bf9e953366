// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import Sealing
import SecurityTypes

/// A mechanism of the token (CKM_), with its parameter.
struct PKCS11Mechanism {
    enum Use {
        case sign, verify, encrypt, decrypt

        /// The attribute that a key must have set for this use.
        var attribute: UInt64 {
            switch self {
            case .sign: PKCS11Attribute.sign
            case .verify: PKCS11Attribute.verify
            case .encrypt: PKCS11Attribute.encrypt
            case .decrypt: PKCS11Attribute.decrypt
            }
        }
    }

    let type: UInt64
    /// The library's algorithm. Nil for a signature by CKM_RSA_PKCS, whose input is a DigestInfo or another
    /// block to pad.
    let algorithm: KeyAlgorithm?
    let family: KeyMaterial.Family

    static let exchange: UInt64 = 0x1050
    private static let pkcs: UInt64 = 0x01
    private static let oaep: UInt64 = 0x09
    private static let pss: UInt64 = 0x0D

    /// All mechanisms, each with its flags (CKF_) and the smallest and largest key.
    static let list: [(type: UInt64, flags: UInt64, sizes: ClosedRange<UInt64>)] = ofRSA + ofCurves

    private typealias Row = (type: UInt64, flags: UInt64, sizes: ClosedRange<UInt64>)

    private static let ofRSA: [Row] =
        [
            (pkcs, signs | encrypts, rsaSizes), (oaep, encrypts, rsaSizes), (pss, signs, rsaSizes),
            (rsaPair, generates, PKCS11NewPair.rsaSizes),
        ] + ([0x40, 0x41, 0x42, 0x43, 0x44, 0x45] as [UInt64]).map { ($0, signs, rsaSizes) }

    private static let ofCurves: [Row] =
        ([0x1041, 0x1044, 0x1045, 0x1046] as [UInt64]).map { ($0, signs | curves, curveSizes) }
        + [(exchange, 0x80000 | curves, curveSizes), (curvePair, generates | curves, curveSizes)]

    static let rsaPair: UInt64 = 0x00
    static let curvePair: UInt64 = 0x1040
    private static let generates: UInt64 = 0x10000

    private static let signs: UInt64 = 0x800 | 0x2000
    private static let encrypts: UInt64 = 0x100 | 0x200
    /// Curves over a prime field, given by name, with uncompressed points.
    private static let curves: UInt64 = 0x10_0000 | 0x80_0000 | 0x100_0000
    private static let rsaSizes: ClosedRange<UInt64> = 1024...8192
    private static let curveSizes: ClosedRange<UInt64> = 256...521

    /// Errors: `.mechanismInvalid`, `.mechanismParameterInvalid`.
    init(_ type: UInt64, _ parameter: [UInt8], for use: Use) throws {
        let signs = use == .sign || use == .verify
        self.type = type
        family = type < 0x1000 ? .rsa : .ec
        var words: String?
        switch (type, signs) {
        case (Self.pkcs, true): break
        case (Self.pkcs, false): words = "encrypt:RSA:PKCS1"
        case (Self.oaep, false): words = "encrypt:RSA:OAEP:\(try Self.oaepHash(parameter))"
        case (Self.pss, true): words = "sign:RSA:digest-PSS:\(try Self.pssHash(parameter))"
        case (0x40...0x42, true): words = "sign:RSA:message-PKCS1v15:\(Self.hash(type - 0x40))"
        case (0x43...0x45, true):
            let hash = Self.hash(type - 0x43)
            guard try Self.pssHash(parameter) == hash else { throw PKCS11Failure.mechanismParameterInvalid }
            words = "sign:RSA:message-PSS:\(hash)"
        case (0x1041, true): words = "sign:ECDSA:digest-RFC4754"
        case (0x1044...0x1046, true):
            words = "sign:ECDSA:message-RFC4754:\(Self.hash(type - 0x1044))"
        default: throw PKCS11Failure.mechanismInvalid
        }
        algorithm = words.flatMap { KeyAlgorithm("algid:" + $0) }
        let hasParameter = [Self.oaep, Self.pss, 0x43, 0x44, 0x45].contains(type)
        // Versions of p11-kit before 0.25.6 write an absent array where newer versions write nothing.
        guard hasParameter || parameter.isEmpty || parameter == [0xFF, 0xFF, 0xFF, 0xFF] else {
            throw PKCS11Failure.mechanismParameterInvalid
        }
    }

    private static func hash(_ place: UInt64) -> String { ["SHA256", "SHA384", "SHA512"][Int(place % 3)] }

    /// Digests with their CKM_ and CKG_MGF1_ numbers and lengths in bytes.
    private static let hashes: [(name: String, type: UInt64, mask: UInt64, count: UInt64)] = [
        ("SHA1", 0x220, 1, 20), ("SHA256", 0x250, 2, 32), ("SHA384", 0x260, 3, 48), ("SHA512", 0x270, 4, 64),
    ]

    /// The digest of PSS parameters: three numbers, which newer versions precede with a byte 1.
    /// The digest and the mask's digest must be the same, and the salt as long: the library supports no other.
    private static func pssHash(_ parameter: [UInt8]) throws -> String {
        var reader = PKCS11Reader(parameter.count == 25 && parameter[0] == 1 ? Array(parameter.dropFirst()) : parameter)
        guard let (type, mask, salt) = try? (reader.number(), reader.number(), reader.number()),
            (try? reader.end()) != nil,
            let hash = hashes.first(where: { $0.type == type }), hash.mask == mask, hash.count == salt
        else { throw PKCS11Failure.mechanismParameterInvalid }
        return hash.name
    }

    /// The digest of OAEP parameters: three numbers and a label, which must be empty.
    private static func oaepHash(_ parameter: [UInt8]) throws -> String {
        for bytes in [parameter, Array(parameter.dropFirst())] {
            var reader = PKCS11Reader(bytes)
            guard let (type, mask, _) = try? (reader.number(), reader.number(), reader.number()),
                let label = try? reader.array() ?? [], label.isEmpty, (try? reader.end()) != nil
            else { continue }
            guard let hash = hashes.first(where: { $0.type == type }), hash.mask == mask else { break }
            return hash.name
        }
        throw PKCS11Failure.mechanismParameterInvalid
    }

    // MARK: The work

    func sign(_ data: Data, _ key: KeyMaterial) throws -> Data {
        let (algorithm, input) = try resolved(data)
        guard key.supports(.sign, algorithm) else { throw PKCS11Failure.keyTypeInconsistent }
        do { return try key.sign(input, algorithm) } catch { throw Self.failure(error, .dataInvalid) }
    }

    func verify(_ signature: Data, _ data: Data, _ key: KeyMaterial) throws {
        let (algorithm, input) = try resolved(data)
        guard key.supports(.verify, algorithm) else { throw PKCS11Failure.keyTypeInconsistent }
        guard signature.count == outputSize(key) else { throw PKCS11Failure.signatureLength }
        guard (try? key.verify(signature, of: input, algorithm)) == true else { throw PKCS11Failure.signatureInvalid }
    }

    func encrypt(_ data: Data, _ key: KeyMaterial) throws -> Data {
        guard let algorithm, key.supports(.encrypt, algorithm) else { throw PKCS11Failure.keyTypeInconsistent }
        do { return try key.encrypt(data, algorithm) } catch { throw PKCS11Failure.dataLength }
    }

    /// Decrypts. Throws the same error for any ciphertext that can't be decrypted. Errors of the TPM differ.
    func decrypt(_ data: Data, _ key: KeyMaterial) throws -> Data {
        guard let algorithm, key.supports(.decrypt, algorithm) else { throw PKCS11Failure.keyTypeInconsistent }
        do { return try key.decrypt(data, algorithm) } catch { throw Self.failure(error, .encryptedDataInvalid) }
    }

    /// The error that a program gets for a failed operation, or for an error of the TPM that the key is in.
    private static func failure(_ error: any Error, _ usual: PKCS11Failure) -> PKCS11Failure {
        error is DataProtectionError ? .deviceError : usual
    }

    /// The length in bytes of a signature or a ciphertext.
    func outputSize(_ key: KeyMaterial) -> Int { key.family == .rsa ? key.blockSize : 2 * key.blockSize }

    /// The algorithm and its input. If the program passes a whole DigestInfo (RFC 8017, 9.2), its digest is the input.
    private func resolved(_ data: Data) throws -> (KeyAlgorithm, Data) {
        if let algorithm { return (algorithm, data) }
        for (name, head, count) in Self.digestInfos where data.count == head.count + count && data.starts(with: head) {
            guard let algorithm = KeyAlgorithm("algid:sign:RSA:digest-PKCS1v15:\(name)") else { break }
            return (algorithm, Data(data.suffix(count)))
        }
        guard let algorithm = KeyAlgorithm("algid:sign:RSA:digest-PKCS1v15") else { throw PKCS11Failure.dataInvalid }
        return (algorithm, data)
    }

    private static let digestInfos: [(name: String, head: [UInt8], count: Int)] = [
        ("SHA1", [0x30, 0x21, 0x30, 9, 6, 5, 0x2B, 0x0E, 3, 2, 0x1A, 5, 0, 4, 0x14], 20),
        ("SHA256", sha2(1, 32), 32), ("SHA384", sha2(2, 48), 48), ("SHA512", sha2(3, 64), 64),
    ]

    private static func sha2(_ number: UInt8, _ count: UInt8) -> [UInt8] {
        [0x30, 17 + count, 0x30, 0x0D, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, number, 5, 0, 4, count]
    }

    /// ECDH, with or without the X9.63 derivation. `count`: the length of the key in bytes.
    /// Without a derivation the key is the last `count` bytes of the shared secret, or all of it if `count` is nil.
    static func exchange(
        _ key: KeyMaterial, point: [UInt8], derivation: UInt64, shared: [UInt8], count: Int?
    ) throws -> Data {
        let size = 1 + 2 * key.blockSize
        // The point alone, or as an OCTET STRING.
        let bare = point.count == size ? point : Array(point.suffix(size))
        guard key.family == .ec, point == bare || point == DERBytes.value(0x04, bare),
            let peer = try? KeyMaterial(.ec, .public, externalRepresentation: Data(bare))
        else { throw PKCS11Failure.mechanismParameterInvalid }
        let names: [UInt64: String] = [1: "", 2: "SHA1", 6: "SHA256", 7: "SHA384", 8: "SHA512"]
        guard let name = names[derivation], !name.isEmpty || shared.isEmpty,
            (1...1024).contains(count ?? key.blockSize),
            let algorithm = KeyAlgorithm("algid:keyexchange:ECDH" + (name.isEmpty ? "" : ":KDFX963:\(name)"))
        else { throw PKCS11Failure.mechanismParameterInvalid }
        let found: Data
        do {
            found = try key.exchange(
                with: peer, algorithm, count: count ?? key.blockSize, sharedInfo: Data(shared))
        } catch { throw failure(error, .mechanismParameterInvalid) }
        guard let count, name.isEmpty else { return found }
        guard count <= found.count else { throw PKCS11Failure.templateInconsistent }
        return Data(found.suffix(count))
    }
}
