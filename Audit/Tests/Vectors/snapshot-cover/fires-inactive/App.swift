import SwiftUI

@main
struct ExampleApp: App {  // finds
    @Environment(\.scenePhase) private var scenePhase
    @State private var isAway = false

    var body: some Scene {
        WindowGroup {
            SecureField("Password", text: .constant(""))
                .overlay { if scenePhase == .inactive { Color.black } }
        }
    }
}
