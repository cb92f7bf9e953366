import SwiftUI

struct Input: View {
    @Binding var password: String
    @State private var isShown = false
    @State private var weight = ""

    var body: some View {
        if isShown {
            TextField("Password", text: $password)
        } else {
            SecureField("Password", text: $password)
        }
        TextField("Weight", text: $weight).keyboardType(.numberPad)
    }
}
