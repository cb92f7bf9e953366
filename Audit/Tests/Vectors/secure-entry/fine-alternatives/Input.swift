import SwiftUI

struct Input: View {
    @Binding var password: String
    @Binding var pin: String
    @State private var passcode = ""
    @State private var isShown = false
    @State private var mode = Mode.hidden

    enum Mode { case hidden, shown }

    var body: some View {
        if isShown { plain } else { masked }
        switch mode {
        case .hidden: SecureField("PIN code", text: $pin)
        case .shown: TextField("PIN code", text: $pin)
        }
        ZStack {
            TextField("Passcode", text: $passcode).font(.body).opacity(isShown ? 1 : 0)
            SecureField("Passcode", text: $passcode).opacity(isShown ? 0 : 1)
        }
    }

    private var plain: some View { TextField("Password", text: $password) }
    private var masked: some View { SecureField("Password", text: $password) }

    func field(isSecure: Bool) -> AnyView {
        if isSecure { return AnyView(SecureField("Password", text: $password)) }
        return AnyView(TextField("Password", text: $password))
    }
}
