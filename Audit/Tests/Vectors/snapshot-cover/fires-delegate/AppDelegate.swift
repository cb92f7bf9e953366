// SPDX-License-Identifier: Apache-2.0

import UIKit

class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let passwordField = UITextField()

    func applicationWillResignActive(_ application: UIApplication) {  // finds
        stopTimers()
    }

    private func stopTimers() { print("timers are stopped") }
}
