import SwiftUI

@main struct Wallet: App {  // finds
    var body: some Scene { WindowGroup { Handoff() } }
}

struct Handoff: View {
    @Environment(\.scenePhase) private var scenePhase
    @State private var password = ""
    @State private var count = 0

    var body: some View {
        SecureField("Password", text: $password)
            .onChange(of: scenePhase) {
                if scenePhase != .active, count > 1 { count = 0 }
            }
    }
}
