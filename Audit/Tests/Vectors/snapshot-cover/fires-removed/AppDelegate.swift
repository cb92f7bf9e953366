import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var password = ""
    let curtain = UIView()
    let banner = UIView()

    func applicationWillResignActive(_ application: UIApplication) {  // finds
        window?.addSubview(curtain)
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        leave()
    }

    private func leave() {
        curtain.removeFromSuperview()
    }
}
