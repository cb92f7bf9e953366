import SwiftUI

struct Search: View {
    @State private var text = ""

    var body: some View { TextField("find.password", text: $text) }
}
