// SPDX-License-Identifier: Apache-2.0

import UIKit

/// An app that shows nothing confidential.
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var title = "Clock"
}
