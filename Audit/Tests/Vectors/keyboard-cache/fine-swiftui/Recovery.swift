import SwiftUI

struct Recovery: View {
    @State private var recoveryPhrase = ""
    @State private var note = ""
    var body: some View {
        TextField("Words", text: $recoveryPhrase).autocorrectionDisabled()
        TextField("Note", text: $note)
    }
}
