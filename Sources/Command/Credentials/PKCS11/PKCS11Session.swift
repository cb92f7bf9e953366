// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// What a program has begun with the token.
struct PKCS11Session {
    /// A signature, a verification or the like that was begun.
    struct Operation {
        let use: PKCS11Mechanism.Use
        let mechanism: PKCS11Mechanism
        let object: PKCS11Object
        /// The pieces of a message so far.
        var data = Data()
        var isInPieces = false
        /// A person's answer, for this use alone.
        var answer: AuthenticationContext?
    }

    /// Bytes of a message in pieces.
    static let dataLimit = 256 << 20
    /// Sessions of one program.
    static let limit = 1024

    let isReadWrite: Bool
    /// What a search has found and not told yet.
    var found: ArraySlice<UInt64>?
    private var operations: [PKCS11Mechanism.Use: Operation] = [:]

    init(isReadWrite: Bool) { self.isReadWrite = isReadWrite }

    subscript(use: PKCS11Mechanism.Use) -> Operation? {
        get { operations[use] }
        set { operations[use] = newValue }
    }

    /// Gives the answer to what waits for one; false: nothing does.
    mutating func give(_ answer: AuthenticationContext) -> Bool {
        guard let use = waiting else { return false }
        operations[use]?.answer = answer
        return true
    }

    /// The operation of a key that asks and has no answer yet.
    var waiting: PKCS11Mechanism.Use? {
        operations.values.first { $0.object.kind == .privateKey && $0.object.asks && $0.answer == nil }?.use
    }
}
