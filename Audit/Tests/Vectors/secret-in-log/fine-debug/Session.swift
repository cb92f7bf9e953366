// SPDX-License-Identifier: Apache-2.0

import SwiftUI

func signIn(password: String) {
    #if DEBUG
    print("password \(password)")
    #endif
    print("The password and the access token are wrong.")
    // print(password)
}

#Preview {
    let password = "abc"
    let _ = print(password + "d")
    Text("A")
}
