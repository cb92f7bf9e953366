// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
import SecretMemory

/// What a person was asked, and what was answered, for as long as the context lives.
///
/// Evaluation is not built yet: every policy fails, with `biometryNotAvailable` or `notInteractive`.
open class LAContext: NSObject, @unchecked Sendable {
    // Open, as on Apple's systems, so the compiler can't check it; all state is in one lock.
    private let state = Locked(State())

    private struct State {
        var localizedReason = ""
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
        var interactionNotAllowed = false
        var reuseDuration: TimeInterval = 0
        var isInvalid = false
    }

    /// A context in which nobody was asked anything.
    public override init() {}

    /// Why the person is asked.
    open var localizedReason: String {
        get { state.withLock { $0.localizedReason } }
        set { state.withLock { $0.localizedReason = newValue } }
    }

    /// The title of the fallback's button.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the button that cancels.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Forbids to ask: items that need it then answer errSecInteractionNotAllowed.
    open var interactionNotAllowed: Bool {
        get { state.withLock { $0.interactionNotAllowed } }
        set { state.withLock { $0.interactionNotAllowed = newValue } }
    }

    /// For how long, in seconds, an earlier authentication of the device counts.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The state of enrolled biometry; nil, as there is none.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Always `none`.
    open var biometryType: LABiometryType { .none }

    /// Whether asking for `policy` could succeed; if not, `error` says why.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        unsafe error?.pointee = refusal(of: policy) as NSError
        return false
    }

    /// Asks the person. `reply` is called once, with an `LAError` on failure.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        reply(false, refusal(of: policy))
    }

    /// Asks the person. Throws an `LAError` on failure.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        throw refusal(of: policy)
    }

    /// Forgets what was answered; the context can't be used any more.
    open func invalidate() { state.withLock { $0.isInvalid = true } }

    /// Tells the context a credential, nil to forget it; false when it can't be used.
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { false }

    /// Whether a credential of this type was told.
    open func isCredentialSet(_ type: LACredentialType) -> Bool { false }

    private func refusal(of policy: LAPolicy) -> LAError {
        if state.withLock({ $0.isInvalid }) { return LAError(.invalidContext) }
        return LAError(policy == .deviceOwnerAuthentication ? .notInteractive : .biometryNotAvailable)
    }
}
#endif
