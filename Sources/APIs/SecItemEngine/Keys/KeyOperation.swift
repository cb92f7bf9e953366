// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import KeychainEngine
import SecItem

/// Runs a function of keys and turns what it throws into an error of Apple's shape.
enum KeyOperation {
    /// nil after an error, which is stored in `error`.
    static func result<R>(_ error: ErrorPointer, _ body: () throws -> R) -> R? {
        do { return try body() } catch let failure {
            let (status, message) = describe(failure)
            unsafe error.fail(status, message)
            return nil
        }
    }

    /// An operation of an algorithm that the key must support.
    static func result(
        _ error: ErrorPointer, use: KeyMaterial.Use, material: KeyMaterial, algorithm: SecKeyAlgorithm,
        _ body: (KeyAlgorithm) throws -> Data
    ) -> CFData? {
        let data = unsafe result(error) { try body(try supported(use, material: material, algorithm: algorithm)) }
        return data.map { NSData(data: $0) }
    }

    /// The algorithm, if the key can do that with it.
    static func supported(
        _ use: KeyMaterial.Use, material: KeyMaterial, algorithm: SecKeyAlgorithm
    ) throws(KeychainError) -> KeyAlgorithm {
        guard let parsed = algorithm.parsed else {
            throw KeychainError(.parameter, "there is no algorithm of this name")
        }
        if parsed.operation == .unsupported {
            throw KeychainError(.unimplemented, "the algorithm \(algorithm.name) is not supported here")
        }
        if parsed.needsSystemCrypto, let problem = SystemCrypto.problem {
            throw KeychainError(.unimplemented, "the algorithm \(algorithm.name) needs OpenSSL: \(problem)")
        }
        guard material.supports(use, parsed) else {
            throw KeychainError(.parameter, "the key can't \(use) with the algorithm \(algorithm.name)")
        }
        return parsed
    }

    private static func describe(_ error: any Error) -> (OSStatus, String) {
        guard let error = error as? KeyMaterialError else {
            let error = KeychainError(error)
            return (error.code.rawValue, error.message)
        }
        return switch error {
        case .malformed, .parted, .tooLarge: (errSecParam, "these bytes are not a key of this type and class")
        case .sizeNotAllowed: (errSecKeySizeNotAllowed, "there are no keys of this type and size")
        case .unsupported: (errSecUnimplemented, "the key can't do this")
        case .input: (errSecParam, "the data is too long for the key, or a digest of another size")
        case .failed: (errSecParam, "the data was not made for this key")
        }
    }
}
#endif
