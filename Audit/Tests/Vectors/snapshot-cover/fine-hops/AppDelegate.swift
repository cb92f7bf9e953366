// SPDX-License-Identifier: Apache-2.0

import UIKit

class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    let passwordField = UITextField()

    func applicationWillResignActive(_ application: UIApplication) { update() }

    private func update() { setRoot(UIViewController()) }

    private func setRoot(_ controller: UIViewController) { window?.rootViewController = controller }
}
