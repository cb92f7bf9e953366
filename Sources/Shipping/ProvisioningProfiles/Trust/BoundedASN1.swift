// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import SwiftASN1

/// The reading of ASN.1, with the errors of this module.
enum BoundedASN1 {
    /// About 8 MiB of nodes. A profile with 100 certificates has fewer than 1,000.
    static let maximumNodes = 65_536

    static func parse(
        _ bytes: ArraySlice<UInt8>, _ rules: ASN1Reading.Rules, failingAs code: ProfileError.Code
    ) throws(ProfileError) -> ASN1Node {
        do { return try ASN1Reading.value(in: bytes, rules, limit: maximumNodes) } catch {
            throw ProfileError(error, failingAs: code)
        }
    }

    /// Runs `body` and maps every error of swift-asn1 to `code`.
    static func reading<Value>(
        _ code: ProfileError.Code, what: String, _ body: () throws -> Value
    ) throws(ProfileError) -> Value {
        do {
            return try body()
        } catch let error as ProfileError {
            throw error
        } catch {
            throw ProfileError(code, "\(what) can't be read")
        }
    }
}

extension ProfileError {
    init(_ error: ReadingError, failingAs code: Code) {
        self.init([.tooLarge, .cyclic].contains(error.code) ? .tooLarge : code, error.message)
    }
}

extension ASN1Node {
    /// The nodes inside a constructed one.
    func children(failingAs code: ProfileError.Code) throws(ProfileError) -> [ASN1Node] {
        do { return try parts() } catch { throw ProfileError(error, failingAs: code) }
    }

    /// The bytes inside a primitive one.
    func primitive(failingAs code: ProfileError.Code) throws(ProfileError) -> ArraySlice<UInt8> {
        do { return try bytes() } catch { throw ProfileError(error, failingAs: code) }
    }

    /// UTCTime or GeneralizedTime as RFC 5280 and RFC 5652 use them.
    func date() throws -> Date { Date(timeIntervalSinceReferenceDate: try time()) }
}
