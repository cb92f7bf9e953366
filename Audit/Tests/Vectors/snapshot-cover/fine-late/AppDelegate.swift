import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var password = ""

    func applicationDidEnterBackground(_ application: UIApplication) {
        window?.addSubview(UIView())
    }
}
