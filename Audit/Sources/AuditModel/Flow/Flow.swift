// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A secret that an expression carries, and how it came there.
package struct Secret: Sendable {
    package var kind: SecretKind
    /// What it is called where it comes from: `passwordField`.
    package var name: String
    /// From the source to the expression; the last step stands before the expression itself.
    package var steps: [Step]
    package var certainty: Certainty
}

/// What flows inside one function: make it once per function, then ask for expressions of its body.
///
/// Sources: text of fields whose name, outlet or wrapper says secret, names and members that say secret, keychain reads, responses of log-in calls, parameters that
/// say secret. Followed over locals, optionals, closures, tuples, collections, interpolation, conversions and one call deep into functions of the project. Stopped by
/// masks (`count`, `isEmpty`, `suffix`, hashes, comparisons, redactors), encryption and types that can't hold a secret (Bool, numbers, dates).
package final class Flow: Sendable {
    package let function: Function

    /// Nil if the expression carries no secret.
    package func secret(in expression: Expression) -> Secret? { nil }

    /// The type of an expression as far as it can be told: of a local, a parameter, a property of the project's types, a call of an initializer.
    package func type(of expression: Expression) -> String? { nil }

    /// The literal text of an expression: a literal, or a constant of the project that is one.
    package func literal(_ expression: Expression) -> String? { nil }

    package init(_ function: Function, in project: ProjectModel) { self.function = function }
}
