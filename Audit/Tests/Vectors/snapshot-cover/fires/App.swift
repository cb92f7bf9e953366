// SPDX-License-Identifier: Apache-2.0

import SwiftUI

@main
struct ExampleApp: App {  // finds
    @Environment(\.scenePhase) private var phase
    @State private var now = Date()
    var body: some Scene {
        WindowGroup {
            SecureField("Password", text: .constant(""))
                .privacySensitive()
                .overlay { Text("\(now)") }
                .onChange(of: phase) { _, new in if new == .active { now = Date() } }
        }
    }
}
