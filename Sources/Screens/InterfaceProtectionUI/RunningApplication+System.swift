// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// The application, where there is one.
@MainActor
enum RunningApplication {
    /// nil before UIApplicationMain has made it (in the initializer of a SwiftUI `App`), and in an extension, which has none.
    /// `UIApplication.shared` answers nothing usable there and says so nowhere, so that it is asked in the way in which nothing is an answer.
    static var current: UIApplication? {
        let shared = NSSelectorFromString("sharedApplication")
        guard !Bundle.main.bundlePath.hasSuffix(".appex"), UIApplication.responds(to: shared) else { return nil }
        return unsafe UIApplication.perform(shared)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
