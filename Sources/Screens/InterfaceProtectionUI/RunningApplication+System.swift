// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The application, if there is one.
@MainActor
enum RunningApplication {
    /// The running application. nil before `UIApplicationMain` has made it (in the initializer of a SwiftUI `App`), and
    /// in an extension, which has none. There `UIApplication.shared` returns nothing usable, although its type promises
    /// an application. So this asks in a way that can give nil.
    static var current: UIApplication? {
        let shared = NSSelectorFromString("sharedApplication")
        guard !Bundle.main.bundlePath.hasSuffix(".appex"), UIApplication.responds(to: shared) else { return nil }
        return unsafe UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    }

    /// The window of an app without scenes. UIKit doesn't retain the delegate.
    static var delegateWindow: UIWindow? { unsafe current?.delegate?.window.flatMap { $0 } }

    /// Whether it runs on a Mac: as a Catalyst app, or as an iPad's app.
    static var isOnMac: Bool { ProcessInfo.processInfo.isMacCatalystApp || ProcessInfo.processInfo.isiOSAppOnMac }
}
#endif
