// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
public import SecItem
import Synchronization

/// The longest time, in seconds, that `touchIDAuthenticationAllowableReuseDuration` can mean.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// A person's answer, kept for as long as the context lives: pass the context as `kSecUseAuthenticationContext` to
/// several calls, and they ask once.
///
/// The person is asked for the passcode of `Home.current`, by that home's prompter. An answer counts until the context is invalidated
/// or freed, the home is locked, or its passcode changes.
open class LAContext: NSObject, @unchecked Sendable {
    // Open, as on Apple's systems, so the compiler can't check it; all state is in one lock and in the context below.
    private let state = Mutex(State())

    package let content = ContextMaker.content()

    private struct State {
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
    }

    /// A context in which nobody was asked anything.
    public override init() {}

    /// Why the person is asked.
    open var localizedReason: String {
        get { content.reason }
        set { content.reason = newValue }
    }

    /// The title of the fallback's button. Kept but not shown.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the button that cancels. Kept but not shown.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether asking is forbidden: items that would ask then answer errSecInteractionNotAllowed.
    open var interactionNotAllowed: Bool {
        get { !content.allowsInteraction }
        set { content.allowsInteraction = !newValue }
    }

    /// For how long, in seconds, an answer counts in other contexts of this process that have such a time too; the shorter one holds,
    /// and at most ``LATouchIDAuthenticationMaximumAllowableReuseDuration``. 0, the default: in this context alone.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { content.reuseSeconds }
        set {
            let most = LATouchIDAuthenticationMaximumAllowableReuseDuration
            // NaN means no time.
            content.reuseSeconds = newValue > 0 ? min(newValue, most) : 0
        }
    }

    /// The state of enrolled biometry; nil, as there is none.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Always `none`.
    open var biometryType: LABiometryType { .none }

    /// Whether asking for `policy` could succeed; if not, `error` says why: `passcodeNotSet`, `biometryNotAvailable`,
    /// `invalidContext`. Asks nobody.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let refusal = content.evaluation(of: policy).refusal else { return true }
        unsafe error?.pointee = refusal as NSError
        return false
    }

    /// Asks the person for the passcode, unless an answer of this context still counts. `reply` is called once, on a thread of its own,
    /// with an `LAError` on failure.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Looked up here, since another home may be the current one on another thread.
        let evaluation = content.evaluation(of: policy)
        Thread.detachNewThread {
            do {
                try evaluation.evaluate(reason: localizedReason)
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    /// Asks the person for the passcode, unless an answer of this context still counts. Throws an `LAError` on failure.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { succeeded, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(succeeded))
            }
        }
    }

    /// Asks for what an access control demands, unless an answer of this context still counts: the passcode, or nothing where it demands nothing.
    /// `reply` is called once, on a thread of its own, with an `LAError` on failure: `biometryNotAvailable` or `companionNotAvailable`
    /// for what is not there, `notInteractive` for an application password that the context was not given.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let flags = accessControl.flags ?? []
        guard !flags.contains(.applicationPassword) || isCredentialSet(.applicationPassword) else {
            return Thread.detachNewThread { reply(false, LAError(.notInteractive)) }
        }
        guard let policy = flags.policy else {
            let refusal = content.isInvalidated ? LAError(.invalidContext) : nil
            return Thread.detachNewThread { reply(refusal == nil, refusal) }
        }
        evaluatePolicy(policy, localizedReason: localizedReason, reply: reply)
    }

    /// Forgets the answer; the context can't be used any more. A prompt that is shown at the moment fails with `appCancel` once
    /// it is answered.
    open func invalidate() { content.invalidate() }

    /// Gives the context a credential, or makes it forget the credential for nil; false if the credential can't be used: it is empty, of another type than
    /// `applicationPassword`, or the context was invalidated. It is not checked here: with a wrong one, reading the item answers
    /// errSecAuthFailed.
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        type == .applicationPassword && content.setApplicationPassword(credential)
    }

    /// Whether the context has a credential of this type.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        type == .applicationPassword && content.hasApplicationPassword
    }
}

/// Where a function stores its error; nil if the caller doesn't want it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What a person is asked for.
public enum LAPolicy: Int, Sendable {
    /// Biometry; there is none away from Apple's systems.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// The passcode of the home.
    case deviceOwnerAuthentication = 2
    /// A companion device; there is none away from Apple's systems.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Biometry or a companion device; there are none away from Apple's systems.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4

    /// The older name of `deviceOwnerAuthenticationWithCompanion`.
    public static var deviceOwnerAuthenticationWithWatch: Self { .deviceOwnerAuthenticationWithCompanion }
    /// The older name of `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
    public static var deviceOwnerAuthenticationWithBiometricsOrWatch: Self {
        .deviceOwnerAuthenticationWithBiometricsOrCompanion
    }
}

/// What an access control is evaluated for. All of them demand the same here.
public enum LAAccessControlOperation: Int, Sendable {
    /// An item is made.
    case createItem = 0
    /// An item is used.
    case useItem = 1
    /// A key is made.
    case createKey = 2
    /// A key signs.
    case useKeySign = 3
    /// A key decrypts.
    case useKeyDecrypt = 4
    /// A key agrees on a secret.
    case useKeyKeyExchange = 5
}

extension SecAccessControlCreateFlags {
    /// Which policy meets these constraints; nil: no person has to be asked.
    fileprivate var policy: LAPolicy? {
        let asksForPasscode = !isDisjoint(with: [.userPresence, .devicePasscode])
        if asksForPasscode, contains(.or) { return .deviceOwnerAuthentication }
        if !isDisjoint(with: [.biometryAny, .biometryCurrentSet]) { return .deviceOwnerAuthenticationWithBiometrics }
        if contains(.companion) { return .deviceOwnerAuthenticationWithCompanion }
        return asksForPasscode ? .deviceOwnerAuthentication : nil
    }
}

/// Which biometry there is.
public enum LABiometryType: Int, Sendable {
    /// None: always, away from Apple's systems.
    case none = 0
    /// A finger.
    case touchID = 1
    /// A face.
    case faceID = 2
    /// An iris.
    case opticID = 4
}

/// The credentials that an app can give a context, so that nobody is asked for them.
public enum LACredentialType: Int, Sendable {
    /// The password of an item with the flag `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3
}
#endif
