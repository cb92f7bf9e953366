import SwiftUI

struct SignIn: View {
    @State private var text = ""
    @State private var token = ""
    let isSocial: Bool

    var body: some View {
        TextField("", text: $text).textContentType(.username)
        SecureField("", text: $text).textContentType(.password)
        TextField(.search(.token), text: $text)
        TextField(text: $text, prompt: Text(isSocial ? "DELETE" : "Name")) { Text("Your name") }
    }
}
