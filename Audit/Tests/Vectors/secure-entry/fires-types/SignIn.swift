import SwiftUI

struct SignIn: View {
    @State private var text = ""
    @State private var code = ""
    @State private var token = ""
    let isSocial: Bool

    var body: some View {
        TextField("", text: $text)  // finds
            .autocorrectionDisabled()
            .textContentType(.password)
        TextField(String("123456"), text: $code).textContentType(.oneTimeCode)
        TextField(.login(.token), text: $token)  // finds
        TextField(text: $text, prompt: Text(isSocial ? "DELETE" : "Password")) {}  // finds
        TextField(text: $text) { Text("Your passcode") }  // finds
    }
}
