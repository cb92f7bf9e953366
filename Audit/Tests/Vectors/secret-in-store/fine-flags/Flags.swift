// SPDX-License-Identifier: Apache-2.0

import Foundation

enum PasswordStyle: Int { case short, long }

func keep(style: PasswordStyle, isPasswordSet: Bool, passwordLength: Int, token: String) {
    let defaults = UserDefaults.standard
    defaults.set(isPasswordSet, forKey: "password")
    defaults.set(passwordLength, forKey: "passwordLength")
    defaults.set(style.rawValue, forKey: "passwordStyle")
    defaults.set(token.count, forKey: "tokenCount")
    defaults.removeObject(forKey: "accessToken")
}
