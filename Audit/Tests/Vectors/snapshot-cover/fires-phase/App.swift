import SwiftUI

@main
struct ExampleApp: App {  // finds
    @Environment(\.scenePhase) private var scenePhase
    @State private var isAway = false

    var body: some Scene {
        WindowGroup {
            SecureField("Password", text: .constant(""))
                .blur(radius: isAway ? 30 : 0)
                .onChange(of: scenePhase) { _, new in
                    switch new {
                    case .inactive: withAnimation { isAway = true }
                    default: isAway = false
                    }
                }
        }
    }
}
