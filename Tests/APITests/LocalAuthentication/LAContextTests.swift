// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import LocalAuthentication
import SecItem
import SecretMemory
import TestSupport
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

    @Test func `numbers are Apple's`() {
        #expect(
            [LAPolicy.deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthentication].map(\.rawValue) == [1, 2])
        #expect([LABiometryType.none, .touchID, .faceID, .opticID].map(\.rawValue) == [0, 1, 2, 4])
        #expect([LACredentialType.applicationPassword, .smartCardPIN].map(\.rawValue) == [0, -3])
        #expect(LAErrorDomain == "com.apple.LocalAuthentication")
    }

    @Test func `there is no biometry`() {
        let context = LAContext()
        #expect(context.biometryType == .none)
        #expect(context.evaluatedPolicyDomainState == nil)
        var error: NSError?
        #expect(unsafe !context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error))
        #expect(error?.domain == LAErrorDomain)
        #expect(error?.code == LAError.biometryNotAvailable.rawValue)
        #expect(LATouchIDAuthenticationMaximumAllowableReuseDuration == 300)
    }

    @Test(arguments: [
        (LAPolicy.deviceOwnerAuthentication, LAError.Code.passcodeNotSet),
        (.deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
    ])
    func `without a passcode or biometry no prompt is shown`(policy: LAPolicy, code: LAError.Code) async throws {
        let (home, prompter) = try stage(passcode: nil)
        await Home.withCurrent(home) {
            let context = LAContext()
            #expect(refusal(context, policy) == code)
            #expect(await answer(context, policy) == code)
            await #expect(throws: LAError(code)) { try await context.evaluatePolicy(policy, localizedReason: "why") }
        }
        #expect(prompter.asked.isEmpty)
    }

    @Test func `the passcode is asked for once, with the reason`() async throws {
        let (home, prompter) = try stage(.text("1234"))
        try await Home.withCurrent(home) {
            let context = LAContext()
            #expect(refusal(context, .deviceOwnerAuthentication) == nil)
            let succeeded = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to sign in")
            #expect(succeeded)
            #expect(await answer(context, .deviceOwnerAuthentication) == nil)
        }
        #expect(prompter.asked.map(\.reason) == ["to sign in"])
    }

    @Test(
        arguments: [
            (SecAccessControlCreateFlags([]), nil, 0), ([.privateKeyUsage], nil, 0), ([.userPresence], nil, 1),
            ([.devicePasscode, .privateKeyUsage], nil, 1), ([.biometryAny, .or, .devicePasscode], nil, 1),
            ([.biometryAny], .biometryNotAvailable, 0),
            ([.biometryCurrentSet, .and, .devicePasscode], .biometryNotAvailable, 0),
            ([.companion], .companionNotAvailable, 0), ([.applicationPassword], .notInteractive, 0),
        ] as [(SecAccessControlCreateFlags, LAError.Code?, Int)])
    func `an access control asks for the passcode where the passcode meets it`(
        flags: SecAccessControlCreateFlags, code: LAError.Code?, questions: Int
    ) async throws {
        let (home, prompter) = try stage(.text("1234"))
        try await Home.withCurrent(home) {
            let made = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil)
            let control = try #require(made)
            let context = LAContext()
            let error: (any Error)? = await withCheckedContinuation { continuation in
                context.evaluateAccessControl(control, operation: .useItem, localizedReason: "why") {
                    succeeded, error in
                    #expect(succeeded == (error == nil))
                    continuation.resume(returning: error)
                }
            }
            #expect((error as? LAError)?.code == code)
        }
        #expect(prompter.asked.count == questions)
    }

    @Test func `cancelled, wrong and not interactive are different errors; wrong ones are counted`() async throws {
        let (home, prompter) = try stage(.cancels, .text("wrong"))
        await Home.withCurrent(home) {
            let context = LAContext()
            #expect(await answer(context, .deviceOwnerAuthentication) == .userCancel)
            #expect(await answer(context, .deviceOwnerAuthentication) == .authenticationFailed)
            context.interactionNotAllowed = true
            #expect(await answer(context, .deviceOwnerAuthentication) == .notInteractive)
        }
        #expect(prompter.asked.count == 2)
        #expect(try home.status().failedAttempts == 1)
    }

    @Test func `the home is that of the caller, not that of the thread that asks`() async throws {
        let first = try stage(.text("1234"))
        let second = try stage(.text("1234"))
        let context = LAContext()
        for home in [first.home, second.home] {
            await Home.withCurrent(home) { #expect(await answer(context, .deviceOwnerAuthentication) == nil) }
        }
        #expect(first.prompter.asked.count == 1 && second.prompter.asked.count == 1)
    }

    @Test func `invalidated while the user types, the app has cancelled`() async throws {
        let context = LAContext()
        let (home, _) = try stage(.meanwhile({ context.invalidate() }, "1234"))
        await Home.withCurrent(home) {
            #expect(await answer(context, .deviceOwnerAuthentication) == .appCancel)
            #expect(await answer(context, .deviceOwnerAuthentication) == .invalidContext)
        }
    }

    @Test func `a credential is a password of an item, kept until it is taken back or the context is invalidated`() {
        let context = LAContext()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(context.setCredential(Data([1]), type: .applicationPassword))
        #expect(context.isCredentialSet(.applicationPassword))
        #expect(!context.isCredentialSet(.smartCardPIN))
        #expect(context.setCredential(nil, type: .applicationPassword))
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data(), type: .applicationPassword))
        #expect(!context.setCredential(Data([1]), type: .smartCardPIN))
        #expect(context.setCredential(Data([1]), type: .applicationPassword))
        context.invalidate()
        #expect(!context.isCredentialSet(.applicationPassword))
        #expect(!context.setCredential(Data([1]), type: .applicationPassword))
    }

    @Test(arguments: [(-1.0, 0.0), (.nan, 0), (0, 0), (0.5, 0.5), (300, 300), (301, 300), (.infinity, 300)])
    func `a time of reuse is from 0 to 300 s`(given: Double, expected: Double) {
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = given
        #expect(context.touchIDAuthenticationAllowableReuseDuration == expected)
    }

    // MARK: Stage

    private func stage(
        _ answers: ScriptedPrompter.Answer..., passcode: String? = "1234"
    ) throws -> (home: Home, prompter: ScriptedPrompter) {
        let prompter = ScriptedPrompter()
        for answer in answers { prompter.add(answer) }
        let home = try temporaries.new().open { $0.prompter = prompter }
        if let passcode { try home.keybag.setPasscode(try SecretBytes(text: passcode)) }
        return (home, prompter)
    }

    private let temporaries = Temporaries()

    /// What the form with a reply answers; nil: success.
    private func answer(_ context: LAContext, _ policy: LAPolicy) async -> LAError.Code? {
        await withCheckedContinuation { continuation in
            context.evaluatePolicy(policy, localizedReason: "why") { succeeded, error in
                #expect(succeeded == (error == nil))
                continuation.resume(returning: (error as? LAError)?.code)
            }
        }
    }

    private func refusal(_ context: LAContext, _ policy: LAPolicy) -> LAError.Code? {
        var error: NSError?
        guard unsafe !context.canEvaluatePolicy(policy, error: &error) else { return nil }
        return error.flatMap { LAError.Code(rawValue: $0.code) }
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

/// Homes that are removed with the test.
private final class Temporaries: Sendable {
    private let homes = Locked<[TemporaryHome]>([])

    func new() -> TemporaryHome {
        let home = TemporaryHome()
        homes.withLock { $0.append(home) }
        return home
    }
}
