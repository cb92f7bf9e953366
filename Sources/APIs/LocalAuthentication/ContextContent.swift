// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import Foundation
import Synchronization

/// The implementation behind an `LAContext`. Any package may load this module, so code that depends on C modules is
/// behind this protocol, in the module LocalAuthenticationEngine (Decision 0014).
package protocol ContextContent: AnyObject, Sendable {
    var reason: String { get set }
    var allowsInteraction: Bool { get set }
    var reuseSeconds: TimeInterval { get set }
    var isInvalidated: Bool { get }
    func invalidate()

    /// Sets the password, or removes it for nil. Returns false if the password can't be used.
    func setApplicationPassword(_ password: Data?) -> Bool
    var hasApplicationPassword: Bool { get }

    /// The evaluation of a policy in the home that is current now.
    func evaluation(of policy: LAPolicy) -> any PolicyEvaluation
}

/// The evaluation of one policy in one home.
package protocol PolicyEvaluation: Sendable {
    /// Why the policy can't be evaluated; nil if it can.
    var refusal: LAError? { get }
    /// Prompts the user.
    func evaluate(reason: String) throws(LAError)
}

/// Creates the contents of contexts. The engine registers itself before `main` (CLocalAuthenticationStart).
package enum ContextMaker {
    private static let entered = Mutex<(@Sendable () -> any ContextContent)?>(nil)

    package static func enter(_ make: @escaping @Sendable () -> any ContextContent) { entered.withLock { $0 = make } }

    static func content() -> any ContextContent {
        if let make = entered.withLock({ $0 }) { return make() }
        sayMissing
        return NoContent()
    }

    private static let sayMissing: Void = FileHandle.standardError.write(
        Data(
            """
            LocalAuthentication: the module LocalAuthenticationEngine is not linked into this program, so no prompt is possible; \
            link the whole product LocalAuthentication of zamok\n
            """.utf8))
}

/// The content in a program that links only this module, without the others of its product. It can do nothing.
private final class NoContent: ContextContent, PolicyEvaluation {
    var reason: String {
        get { "" }
        set {}
    }
    var allowsInteraction: Bool {
        get { false }
        set {}
    }
    var reuseSeconds: TimeInterval {
        get { 0 }
        set {}
    }
    var isInvalidated: Bool { false }
    func invalidate() {}
    func setApplicationPassword(_ password: Data?) -> Bool { false }
    var hasApplicationPassword: Bool { false }
    func evaluation(of policy: LAPolicy) -> any PolicyEvaluation { self }
    var refusal: LAError? { LAError(.systemCancel) }
    func evaluate(reason: String) throws(LAError) { throw LAError(.systemCancel) }
}
#endif
