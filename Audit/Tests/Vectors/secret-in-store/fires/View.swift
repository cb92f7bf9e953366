// SPDX-License-Identifier: Apache-2.0

import SwiftUI

struct AccountView: View {
    @AppStorage("session") var accessToken: String = ""  // finds
    @AppStorage("hasAccessToken") var hasAccessToken = false
    var body: some View { Text(hasAccessToken ? "signed in" : "signed out") }
}
