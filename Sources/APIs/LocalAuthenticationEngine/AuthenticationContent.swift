// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
package import DataProtection
package import Foundation
package import LocalAuthentication
import SecretMemory

/// The content of an `LAContext`, as the engines use it.
package final class AuthenticationContent: ContextContent {
    package let authentication = AuthenticationContext()

    package var reason: String {
        get { authentication.reason }
        set { authentication.reason = newValue }
    }

    package var allowsInteraction: Bool {
        get { authentication.allowsInteraction }
        set { authentication.allowsInteraction = newValue }
    }

    package var reuseSeconds: TimeInterval {
        get {
            let (seconds, attoseconds) = authentication.reuseDuration.components
            return TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
        }
        set { authentication.reuseDuration = .seconds(newValue) }
    }

    package var isInvalidated: Bool { authentication.isInvalidated }

    package func invalidate() { authentication.invalidate() }

    package func setApplicationPassword(_ password: Data?) -> Bool {
        guard !isInvalidated else { return false }
        guard let password else {
            authentication.applicationPassword = nil
            return true
        }
        guard !password.isEmpty, let secret = try? Secret(copying: password) else { return false }
        authentication.applicationPassword = secret
        return true
    }

    package var hasApplicationPassword: Bool { authentication.applicationPassword != nil }

    package func evaluation(of policy: LAPolicy) -> any PolicyEvaluation {
        Evaluation(authentication: authentication, policy: policy, home: Result { try Home.current })
    }
}

extension LAContext {
    /// The engine's context; nil in a program without this module.
    package var authentication: AuthenticationContext? { (content as? AuthenticationContent)?.authentication }
}

private struct Evaluation: PolicyEvaluation {
    let authentication: AuthenticationContext
    let policy: LAPolicy
    let home: Result<Home, any Error>

    var refusal: LAError? {
        if authentication.isInvalidated { return LAError(.invalidContext) }
        switch policy {
        case .deviceOwnerAuthentication: break
        case .deviceOwnerAuthenticationWithCompanion: return LAError(.companionNotAvailable)
        default: return LAError(.biometryNotAvailable)
        }
        do {
            return try home.get().keybag.hasPasscode ? nil : LAError(.passcodeNotSet)
        } catch {
            return LAError(error)
        }
    }

    func evaluate(reason: String) throws(LAError) {
        if let refusal { throw refusal }
        do {
            try authentication.authenticate(in: try home.get(), reason: reason)
        } catch {
            // The context was valid above, so the call that invalidated it cancelled the prompt.
            let refusal = LAError(error)
            throw refusal.code == .invalidContext ? LAError(.appCancel) : refusal
        }
    }
}

extension LAError {
    /// Maps an error of the home to the error of an authentication.
    fileprivate init(_ error: any Error) {
        switch (error as? DataProtectionError)?.code {
        case .wrongPasscode, .tooManyAttempts, .invalidArgument: self.init(.authenticationFailed)
        case .cancelled: self.init(.userCancel)
        case .noPasscode: self.init(.passcodeNotSet)
        case .interactionNotAllowed: self.init(.notInteractive)
        case .invalidContext: self.init(.invalidContext)
        default: self.init(.systemCancel)
        }
    }
}
#endif
