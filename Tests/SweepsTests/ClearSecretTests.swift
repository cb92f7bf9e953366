// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Sweeps
import Testing

@Suite struct ClearSecretTests {
    @Test func `a rule is known by its kind and its words`() {
        #expect(Rule(.place, "npm/authToken", issuer: "npm") != Rule(.token, "npm/authToken", issuer: "npm"))
    }
}
