// SPDX-License-Identifier: Apache-2.0

/// Why a statement is not taken. The group's state stays as it was.
package enum GroupError: Error, Equatable, Sendable {
    /// Bytes that break the format.
    case malformed
    /// The statement is of another group.
    case anotherGroup
    /// The key is not one of the author's machines.
    case unknownMachine
    /// The signature is not the machine's.
    case badSignature
    /// The author had no right to this, by what it knew itself, or built on such a statement.
    case notAllowed
    /// The group has as many statements, or as many that wait, as there may be.
    case full
}
