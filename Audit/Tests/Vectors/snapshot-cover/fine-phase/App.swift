import SwiftUI

@main
struct ExampleApp: App {
    @Environment(\.scenePhase) private var scenePhase
    @State private var isAway = false

    var body: some Scene {
        WindowGroup {
            SecureField("Password", text: .constant(""))
                .blur(radius: isAway ? 30 : 0)
                .onChange(of: scenePhase) { _, new in
                    if new == .active {
                        isAway = false
                    } else if new == .inactive {
                        isAway = true
                    }
                }
        }
    }
}
