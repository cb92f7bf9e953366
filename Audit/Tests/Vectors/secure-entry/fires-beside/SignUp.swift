import SwiftUI

struct SignUp: View {
    @State private var password = ""
    @State private var isNew = false

    var body: some View {
        SecureField("Password", text: $password)
        TextField("Password", text: $password)  // finds
        TextField("Password", text: $password, axis: .vertical)  // finds
        if isNew {
            TextField("Repeat the password", text: $password)  // finds
        }
    }
}
