// SPDX-License-Identifier: Apache-2.0

import SwiftUI

struct Password { let id: Int }

struct LoginView: View {
    @State private var password = ""
    var body: some View { SecureField("Password", text: $password) }
}

final class DetailController: UIViewController {
    var password: Password?
    @IBOutlet var passwordHintField: UITextField!
}
