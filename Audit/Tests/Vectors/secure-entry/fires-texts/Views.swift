import SwiftUI

struct SignIn: View {
    @State private var first = ""
    @State private var second = ""
    @State private var third = ""

    var body: some View {
        TextField("signin.first", text: $first)
        TextField("signin.second", text: $second)  // finds
        TextField("signin.third", text: $third)  // finds
    }
}
