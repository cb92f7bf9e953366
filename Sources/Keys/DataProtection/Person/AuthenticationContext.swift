// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// A person's answer, given to several calls so that they ask once.
///
/// The context holds the key that the passcode opened until the context is invalidated or freed, the home is locked, the passcode changes, or the time of an
/// unlock with a time is over. May be used from any thread. `LAContext` is built on it.
public final class AuthenticationContext: Sendable {
    private let state = Locked(State())

    private struct State {
        var reason = ""
        var allowsInteraction = true
        var reuseDuration = Duration.zero
        var isInvalidated = false
        var answers: [PersonAnswer] = []
        var password: Secret?
    }

    /// The longest time for which an answer counts in other contexts.
    public static let maximumReuseDuration = Duration.seconds(300)

    /// A context in which nobody was asked anything.
    public init() {}

    /// Why the person is asked, in the app's words; may be empty.
    public var reason: String {
        get { state.withLock { $0.reason } }
        set { state.withLock { $0.reason = newValue } }
    }

    /// Whether the person may be asked; if not, a call that would ask fails with `.interactionNotAllowed` (errSecInteractionNotAllowed).
    public var allowsInteraction: Bool {
        get { state.withLock { $0.allowsInteraction } }
        set { state.withLock { $0.allowsInteraction = newValue } }
    }

    /// For how long an answer counts in other contexts of this process that have a duration too; the shorter one holds, and at most
    /// ``maximumReuseDuration``. Zero, the default: in this context alone.
    public var reuseDuration: Duration {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The password of items with `applicationPassword`; nil: the person is asked when it is needed. Nil in a context that was invalidated.
    public var applicationPassword: Secret? {
        get { state.withLock { $0.password } }
        set { state.withLock { if !$0.isInvalidated { $0.password = newValue } } }
    }

    /// Whether ``invalidate()`` was called.
    public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// Forgets the answer. Calls that need the person fail from now on with `.invalidContext` (errSecAuthFailed), a prompt that is
    /// open at the moment too, once it is answered.
    public func invalidate() {
        state.withLock { state in
            state.isInvalidated = true
            state.answers = []
            state.password = nil
        }
    }

    /// Asks for the passcode, unless an answer still counts. One KDF (about 0.4 s), through the attempt limiter; may be called in every
    /// lock state and changes none.
    ///
    /// Errors: `.wrongPasscode`, `.tooManyAttempts`, `.cancelled`, `.interactionNotAllowed` (forbidden, or no terminal),
    /// `.invalidContext`, `.noPasscode`, `.erased`, `.damaged` and the like, `.forked`, `.io`.
    ///
    /// - Parameters:
    ///   - home: The home whose passcode is asked for.
    ///   - reason: Why the person is asked; nil: ``reason``.
    public func authenticate(in home: Home, reason: String? = nil) throws(DataProtectionError) {
        guard try home.keybag.knownAnswer(self) == nil else { return }
        _ = try home.keybag.askPerson(PersonPrompt(self, reason: reason), through: home.prompter)
    }

    /// The answer for a home, if one still counts.
    func answer(_ home: UniqueIdentifier) -> PersonAnswer? {
        state.withLock { state in
            state.answers.removeAll { !$0.isGood }
            return state.answers.first { $0.validity.home == home }
        }
    }

    /// Keeps an answer; false if the context was invalidated meanwhile.
    func keep(_ answer: PersonAnswer) -> Bool {
        state.withLock { state in
            guard !state.isInvalidated else { return false }
            state.answers.append(answer)
            return true
        }
    }

    /// In nanoseconds.
    var window: UInt64 {
        let (seconds, attoseconds) = min(max(reuseDuration, .zero), Self.maximumReuseDuration).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// How one call may ask a person.
package struct PersonPrompt: Sendable {
    package var context: AuthenticationContext
    /// This call may ask, if the context lets it.
    package var isAllowed = true
    /// What the answer gives access to, as the prompt shows it.
    package var subject: PromptRequest.Subject?
    private let ownReason: String?

    /// `context` nil: the answer counts for this call alone. `reason` nil: the context's reason.
    package init(_ context: AuthenticationContext? = nil, reason: String? = nil) {
        self.context = context ?? AuthenticationContext()
        ownReason = reason
    }

    /// Asks. Errors: `.interactionNotAllowed`, `.invalidContext`, what the prompter throws.
    package func ask(
        _ purpose: PromptRequest.Purpose, through prompter: any Prompter
    ) throws(DataProtectionError) -> SecretBytes {
        try context.checkValid()
        guard isAllowed, context.allowsInteraction else {
            throw DataProtectionError(
                .interactionNotAllowed, "this asks for a person, and asking is forbidden; nothing was asked")
        }
        do {
            return try prompter.answer(
                PromptRequest(purpose: purpose, reason: ownReason ?? context.reason, subject: subject))
        } catch {
            guard error.code == .noTerminal else { throw error }
            throw DataProtectionError(.interactionNotAllowed, error.message, cause: error)
        }
    }
}

extension AuthenticationContext {
    /// Errors: `.invalidContext`.
    package func checkValid() throws(DataProtectionError) {
        guard !isInvalidated else { throw .contextInvalidated }
    }
}

extension DataProtectionError {
    static var contextInvalidated: Self {
        DataProtectionError(.invalidContext, "the authentication context was invalidated; make a new one")
    }
}
