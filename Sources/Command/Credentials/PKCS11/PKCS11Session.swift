// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation

/// A session of a program, with its active operations.
struct PKCS11Session {
    /// An active signature, verification, encryption or decryption.
    struct Operation {
        let use: PKCS11Mechanism.Use
        let mechanism: PKCS11Mechanism
        let object: PKCS11Object
        /// The pieces of the message so far.
        var data = Data()
        var isInPieces = false
        /// The user's answer, for this use only.
        var answer: AuthenticationContext?
    }

    /// The maximum total length in bytes of a message in pieces.
    static let dataLimit = 256 << 20
    /// The maximum number of sessions of a program.
    static let limit = 1024

    let isReadWrite: Bool
    /// The results of a search that weren't returned yet. Nil: no search is active.
    var found: ArraySlice<UInt64>?
    private var operations: [PKCS11Mechanism.Use: Operation] = [:]

    init(isReadWrite: Bool) { self.isReadWrite = isReadWrite }

    subscript(use: PKCS11Mechanism.Use) -> Operation? {
        get { operations[use] }
        set { operations[use] = newValue }
    }

    /// Gives the answer to the operation that waits for one. Returns false if none does.
    mutating func give(_ answer: AuthenticationContext) -> Bool {
        guard let use = waiting else { return false }
        operations[use]?.answer = answer
        return true
    }

    /// The operation whose key needs a prompt and has no answer yet.
    var waiting: PKCS11Mechanism.Use? {
        operations.values.first { $0.object.kind == .privateKey && $0.object.asks && $0.answer == nil }?.use
    }
}
