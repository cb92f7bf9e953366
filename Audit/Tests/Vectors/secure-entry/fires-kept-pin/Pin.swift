// SPDX-License-Identifier: Apache-2.0

import SwiftUI

/// A PIN that the user chooses is no one-time code, whatever its content type says.
struct PinView: View {
    @State private var newPIN = ""
    @State private var smsCode = ""

    var body: some View {
        TextField("New PIN", text: $newPIN).textContentType(.oneTimeCode)  // finds
        TextField("Code", text: $smsCode).textContentType(.oneTimeCode)
    }
}
