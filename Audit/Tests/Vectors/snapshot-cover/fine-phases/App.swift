import SwiftUI

@main
struct ExampleApp: App {
    @Environment(\.scenePhase) private var scenePhase
    @State private var isAway = false

    var body: some Scene {
        WindowGroup {
            SecureField("Password", text: .constant(""))
                .overlay { if scenePhase == .inactive || scenePhase == .background { Color.black } }
        }
    }
}
