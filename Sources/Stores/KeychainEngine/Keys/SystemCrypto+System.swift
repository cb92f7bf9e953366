// SPDX-License-Identifier: Apache-2.0

import CSystemCrypto
package import Foundation
import Readers

/// The system's libcrypto (OpenSSL 3), opened at the first use, for functions that swift-crypto doesn't have publicly
/// (Decision 0022).
package enum SystemCrypto {
    /// Nil if the library is available; otherwise why it isn't, and what to install.
    package static var problem: String? {
        guard let text = unsafe zamok_system_crypto_problem() else { return nil }
        return unsafe String(cString: text)
    }

    static var isAvailable: Bool { unsafe zamok_system_crypto_problem() == nil }

    enum RSAOperation: Int32 {
        case sign = 1
        case verify = 2
        case encrypt = 3
        case decrypt = 4
    }

    enum RSAPadding: Int32 {
        case pkcs1 = 1
        case none = 3
        case oaep = 4
        case pss = 6
    }

    /// Bytes of the longest RSA key.
    private static let rsaLimit = 2048

    static func sha224(_ data: Data) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 28)
        guard unsafe data.lent({ unsafe zamok_system_sha224($0, &digest) }) == 1 else {
            throw KeyMaterialError.unsupported
        }
        return digest
    }

    /// The key derivation of X9.63 with SHA-224.
    static func derivedKey(of secret: Data, sharedInfo: Data, count: Int) throws -> Data {
        var output = [UInt8](repeating: 0, count: count)
        let isDone = unsafe secret.lent { secret in
            unsafe sharedInfo.lent { unsafe zamok_system_x963_sha224(secret, $0, &output, count) }
        }
        guard isDone == 1 else { throw KeyMaterialError.unsupported }
        return Data(output)
    }

    /// `key`: PKCS#1 for private keys, SubjectPublicKeyInfo for public ones. Throws `.input` for everything that the
    /// library refuses.
    static func rsa(
        _ operation: RSAOperation, padding: RSAPadding, hash: String?, key: Data, input: Data
    ) throws -> Data {
        var output = [UInt8](repeating: 0, count: rsaLimit)
        let count = call(
            operation, padding: padding, hash: hash, key: key, input: input, signature: Data(), output: &output)
        guard count >= 0 else { throw KeyMaterialError.input }
        return Data(output.prefix(count))
    }

    static func isValid(_ signature: Data, padding: RSAPadding, hash: String?, key: Data, input: Data) -> Bool {
        var nothing: [UInt8] = [0]
        return call(
            .verify, padding: padding, hash: hash, key: key, input: input, signature: signature, output: &nothing) == 1
    }

    private static func call(
        _ operation: RSAOperation, padding: RSAPadding, hash: String?, key: Data, input: Data,
        signature: Data,
        output: inout [UInt8]
    ) -> Int {
        let capacity = output.count
        return unsafe key.lent { key in
            unsafe input.lent { input in
                unsafe signature.lent { signature in
                    unsafe zamok_system_rsa(
                        operation.rawValue, padding.rawValue, hash, key, input, signature, &output, capacity)
                }
            }
        }
    }

    /// Decrypts an older scheme of PKCS#12 or PKCS#5: RC2, 3DES, RC4. Nil if it doesn't open.
    /// Throws `.unsupportedEncryption` without the library or its older ciphers.
    static func decrypted(_ bytes: Data, scheme: Data, passphrase: String) throws -> Data? {
        var output = [UInt8](repeating: 0, count: bytes.count + 1)
        let count = unsafe scheme.lent { scheme in
            unsafe Data(passphrase.utf8).lent { passphrase in
                unsafe bytes.lent { unsafe zamok_system_pbe(scheme, passphrase, $0, &output) }
            }
        }
        guard count != -2 else { throw PKCS12Error.unsupportedEncryption }
        return count < 0 ? nil : Data(output.prefix(count))
    }
}

extension Data {
    fileprivate func lent<R>(_ body: (zamok_bytes) -> R) -> R {
        unsafe withUnsafeBytes { raw in
            unsafe body(zamok_bytes(bytes: raw.bindMemory(to: UInt8.self).baseAddress, count: raw.count))
        }
    }
}

// MARK: Paths of certificates

/// A question about a certificate's path. All bytes are DER.
package struct PathQuestion: Sendable {
    /// The certificate first, then other certificates for building its path.
    package var certificates: [Data] = []
    package var anchors: [Data] = []
    package var usesSystemAnchors = true
    /// Whether revocation is checked. With `.required` a source must confirm that the certificate wasn't revoked.
    package enum Revocation: Int32, Sendable { case ignored, considered, required }
    package var revocation = Revocation.ignored
    package var revocationLists: [Data] = []
    /// An OCSP response about the certificate.
    package var statusResponse = Data()
    package var date = Date()
    package var host = ""
    package var mail = ""
    package enum Purpose: Int32, Sendable {
        case any = 0
        case client = 1
        case server = 2
        case mail = 4
    }
    package var purpose = Purpose.any
    /// Requires keys and digests of at least 112 bits of strength instead of 80.
    package var isStrict = false

    package init() {}
}

/// The answer of libcrypto.
package struct PathAnswer: Sendable {
    package struct Failure: Hashable, Sendable {
        /// The certificate's place in the path, 0 for the first.
        package let depth: Int
        /// `X509_V_ERR`, one of CSystemCrypto's own codes, or a `PathRule`.
        package let code: Int
    }

    package var failures: [Failure] = []
    /// The path as far as it could be built, the certificate first.
    package var path: [Data] = []
}

extension SystemCrypto {
    /// Nil if the first certificate can't be read, or there is no memory.
    package static func check(_ question: PathQuestion) -> PathAnswer? {
        guard var answer = checkByLibrary(question) else { return nil }
        let path = answer.path.compactMap { CertificateFields(der: Array($0)) }
        // OpenSSL reads some certificates that our reader does not. Then it is unknown whether they keep the rules.
        if path.count < answer.path.count { answer.failures.append(.init(depth: path.count, code: unreadable)) }
        answer.failures += PathRules.failures(of: path, for: question.purpose, host: question.host)
        return answer
    }

    /// X509_V_ERR_UNSPECIFIED.
    private static let unreadable = 1

    private static func checkByLibrary(_ question: PathQuestion) -> PathAnswer? {
        var asked = unsafe zamok_path_question()
        unsafe asked.with_system_anchors = question.usesSystemAnchors ? 1 : 0
        unsafe asked.with_revocation = question.revocation.rawValue
        unsafe asked.time = Int64(max(-1e11, min(1e11, question.date.timeIntervalSince1970)))
        unsafe asked.purpose = question.purpose.rawValue
        unsafe asked.level = question.isStrict ? 2 : 1
        return unsafe LentList(question.certificates).lent { certificates in
            unsafe LentList(question.anchors).lent { anchors in
                unsafe LentList(question.revocationLists).lent { lists in
                    let rest = [question.statusResponse, Data(question.host.utf8), Data(question.mail.utf8)]
                    return unsafe LentList(rest).lent { rest in
                        unsafe (asked.certificates, asked.certificate_count) = (
                            certificates.baseAddress, certificates.count
                        )
                        unsafe (asked.anchors, asked.anchor_count) = (anchors.baseAddress, anchors.count)
                        unsafe (asked.revocation_lists, asked.revocation_list_count) = (lists.baseAddress, lists.count)
                        unsafe (asked.status_response, asked.host, asked.mail) = (rest[0], rest[1], rest[2])
                        return unsafe answer(asked)
                    }
                }
            }
        }
    }

    private static func answer(_ asked: zamok_path_question) -> PathAnswer? {
        var asked = unsafe asked
        var answer = zamok_path_answer()
        guard unsafe zamok_system_path(&asked, &answer) == 1 else { return nil }
        defer { unsafe zamok_path_free(&answer) }
        var result = PathAnswer()
        unsafe withUnsafeBytes(of: answer.failures) { raw in
            let all = unsafe raw.bindMemory(to: zamok_path_failure.self)
            for i in 0..<Int(answer.failure_count) {
                unsafe result.failures.append(.init(depth: Int(all[i].depth), code: Int(all[i].code)))
            }
        }
        unsafe withUnsafeBytes(of: answer.path) { raw in
            let all = unsafe raw.bindMemory(to: zamok_bytes.self)
            for i in 0..<Int(answer.path_count) {
                unsafe result.path.append(Data(bytes: all[i].bytes, count: all[i].count))
            }
        }
        return result
    }
}

/// Several byte strings, lent together.
private struct LentList {
    private let whole: Data
    private let counts: [Int]

    init(_ parts: [Data]) {
        whole = parts.reduce(into: Data()) { $0.append($1) }
        counts = parts.map(\.count)
    }

    func lent<R>(_ body: (UnsafeBufferPointer<zamok_bytes>) -> R) -> R {
        unsafe whole.lent { all in
            var offset = 0
            let list = unsafe counts.map { count in
                defer { offset += count }
                return unsafe zamok_bytes(bytes: all.bytes?.advanced(by: offset), count: count)
            }
            return unsafe list.withUnsafeBufferPointer { unsafe body($0) }
        }
    }
}
