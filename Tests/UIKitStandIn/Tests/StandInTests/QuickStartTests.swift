// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SwiftUI
import Testing
import UIKit

@testable import InterfaceProtectionUIUnderTest

/// The lines of Documentation/Cover.md, as they stand there.
@MainActor
final class LoginController: UIViewController {
    let (password, passwordField) = (SecretField(), SecretTextField())

    override func viewDidLoad() {
        super.viewDidLoad()
        passwordField.edits(password)
        clears(password)
    }
}

@MainActor
func didFinishLaunching() {
    PrivacyScreen.install(policy: .init(locksAfter: .seconds(60))) { await askForPasscode() }
}

@MainActor
struct LoginView: View {
    @State private var password = SecretField()

    var body: some View {
        SecretInput("Password", field: password) { logIn() }
            .clears(password)
    }

    private func logIn() {}
}

struct QuickStartApp: App {
    init() {}
    var body: some Scene {
        WindowGroup { LoginView() }.privacyProtected(.init(locksAfter: .seconds(60))) { await askForPasscode() }
    }
}

@MainActor
func askForPasscode() async -> Bool { true }

@MainActor
@Suite("The quick start", .serialized)
struct QuickStartTests {
    @Test("has the lines that compile here")
    func lines() throws {
        let here = URL(filePath: #filePath)
        let root = here.deletingLastPathComponent().appending(path: "../../../..")
        let page = try String(contentsOf: root.appending(path: "Documentation/Cover.md"), encoding: .utf8)
        let source = try String(contentsOf: here, encoding: .utf8)
        for name in ["uikit", "swiftui"] {
            let mark = try #require(page.range(of: "Tests/UIKitStandIn: \(name) -->\n```\n"))
            let end = try #require(page.range(of: "```", range: mark.upperBound..<page.endIndex))
            let lines = page[mark.upperBound..<end.lowerBound].split(separator: "\n")
            #expect(lines.count == 5)
            for line in lines where !line.hasPrefix("import InterfaceProtectionUI") {
                let code = line.components(separatedBy: "  //")[0].trimmingCharacters(in: .whitespaces)
                #expect(source.contains(code), "\(code)")
            }
        }
    }

    @Test("protects from the first moment, in UIKit and in SwiftUI", arguments: [false, true])
    func works(isSwiftUI: Bool) async throws {
        let app = TestApp(policy: nil, order: .sceneFirst)
        if isSwiftUI { _ = QuickStartApp().body }
        didFinishLaunching()
        app.play(Lifecycle.all[0])
        #expect(!app.system.picture(of: "scene 0").contains("card 4111"))
        let controller = try #require(LifecycleObserver.installed?.controller)
        while controller.screen.isAuthenticating { await Task.yield() }
        #expect(app.system.picture(of: "scene 0").contains("card 4111"))
        let login = LoginController()
        _ = login.view
        login.passwordField.type("secret")
        #expect(login.password.hasContent("secret"))
        _ = LoginView().body
    }
}
