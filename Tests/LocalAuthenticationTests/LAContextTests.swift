// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Testing

@Suite struct LAContextTests {
    @Test func `a context keeps what it is told`() {
        let context = LAContext()
        #expect(context.localizedReason.isEmpty)
        #expect(!context.interactionNotAllowed)
        context.localizedReason = "why"
        context.interactionNotAllowed = true
        context.localizedFallbackTitle = "fallback"
        context.localizedCancelTitle = "cancel"
        context.touchIDAuthenticationAllowableReuseDuration = 10
        #expect(context.localizedReason == "why")
        #expect(context.interactionNotAllowed)
        #expect(context.localizedFallbackTitle == "fallback")
        #expect(context.localizedCancelTitle == "cancel")
        #expect(context.touchIDAuthenticationAllowableReuseDuration == 10)
    }

    @Test func `there is no biometry`() {
        let context = LAContext()
        #expect(context.biometryType == .none)
        #expect(context.evaluatedPolicyDomainState == nil)
        var error: NSError?
        #expect(unsafe !context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
        #expect(error?.domain == LAErrorDomain)
        #expect(error?.code == LAError.biometryNotAvailable.rawValue)
    }

    @Test(arguments: [
        (LAPolicy.deviceOwnerAuthentication, LAError.Code.notInteractive),
        (.deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
    ])
    func `nobody is authenticated by something that is not built yet`(policy: LAPolicy, code: LAError.Code) async {
        let context = LAContext()
        await #expect(throws: LAError(code)) { try await context.evaluatePolicy(policy, localizedReason: "why") }
        let answered = await withCheckedContinuation { continuation in
            context.evaluatePolicy(policy, localizedReason: "why") { succeeded, error in
                continuation.resume(returning: (succeeded, (error as? LAError)?.code))
            }
        }
        #expect(answered == (false, code))
        #expect(!context.setCredential(Data([1]), type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
    }

    @Test func `an invalidated context says so`() async {
        let context = LAContext()
        context.invalidate()
        await #expect(throws: LAError(.invalidContext)) {
            try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "why")
        }
    }

    @Test func `an error is caught by its code`() {
        do {
            throw LAError(.userCancel)
        } catch LAError.userCancel {
            #expect((LAError(.userCancel) as NSError).code == -2)
        } catch {
            Issue.record("not caught by its code: \(error)")
        }
    }

    @Test func `an app may have a context of its own kind`() async throws {
        final class Willing: LAContext, @unchecked Sendable {
            override func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { true }
        }
        #expect(try await Willing().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "why"))
    }
}
