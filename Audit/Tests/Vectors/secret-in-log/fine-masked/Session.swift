// SPDX-License-Identifier: Apache-2.0

import Foundation

enum Redactor {
    static func redact(_ text: String) -> String { "***" }
}

func signIn(password: String, accessToken: String) {
    print("password has \(password.count) characters, empty: \(password.isEmpty)")
    print("token ends in \(accessToken.suffix(4)), \(Redactor.redact(accessToken))")
    print("accessToken is set: \(accessToken != "")")
}
