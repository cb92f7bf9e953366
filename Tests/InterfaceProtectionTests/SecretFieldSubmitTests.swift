// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("Submitting a secret field")
struct SecretFieldSubmitTests {
    struct Refused: Error {}

    private func field(_ text: String, policy: ClearingPolicy = .standard) throws -> SecretField {
        let field = SecretField(policy: policy, in: ConfidentialContents())
        try field.append(text)
        return field
    }

    @Test("lends the content and leaves the field empty")
    func accepted() async throws {
        let field = try field("secret")
        let count = try await field.submit { secret in
            await Task.yield()
            #expect(field.isLent)
            #expect(field.isEmpty)
            return secret.count
        }
        #expect(count == 6)
        #expect(field.isEmpty)
        #expect(!field.isLent)
        try field.append("again")
        #expect(try field.submitNow { $0.count } == 5)
        #expect(field.isEmpty)
    }

    @Test("puts the content back when it was not accepted")
    func refused() async throws {
        let field = try field("secret")
        await #expect(throws: Refused.self) { try await field.submit { _ in throw Refused() } }
        #expect(try field.text == "secret")
        #expect(throws: Refused.self) { try field.submitNow { _ in throw Refused() } }
        #expect(try field.text == "secret")
        #expect(field.count == 6)
    }

    // Rule: a secret that was lent does not come back after its field was cleared | it does | three events
    @Test(
        "does not put it back when the user left, locked or changed meanwhile",
        arguments: [
            ClearingEvent.left, .locked, .userChanged,
        ])
    func overtaken(event: ClearingEvent) async throws {
        let field = try field("secret")
        await #expect(throws: Refused.self) {
            try await field.submit { _ in
                field.handle(event)
                throw Refused()
            }
        }
        #expect(field.isEmpty)
        #expect(!field.isLent)
    }

    @Test("keeps the content if the policy says so")
    func kept() async throws {
        let field = try field("secret", policy: ClearingPolicy(submitted: .keep))
        _ = try await field.submit { $0.count }
        #expect(try field.text == "secret")
    }

    @Test("happens once at a time, and nobody edits meanwhile")
    func exclusive() async throws {
        let field = try field("secret")
        try await field.submit { _ in
            #expect(#expect(throws: SecretFieldError.self) { try field.append("x") }?.code == .isLent)
            #expect(#expect(throws: SecretFieldError.self) { try field.submitNow { $0.count } }?.code == .isLent)
        }
        #expect(#expect(throws: SecretFieldError.self) { try field.submitNow { $0.count } }?.code == .isEmpty)
    }
}
