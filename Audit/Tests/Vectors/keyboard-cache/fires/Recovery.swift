import SwiftUI

struct Recovery: View {
    @State private var recoveryPhrase = ""
    var body: some View {
        TextField("Words", text: $recoveryPhrase)  // finds
    }
}
