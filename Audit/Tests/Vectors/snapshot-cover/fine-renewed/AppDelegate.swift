import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var password = ""
    let curtain = UIView()
    let banner = UIView()

    func applicationWillResignActive(_ application: UIApplication) {
        curtain.isHidden = false
        window?.addSubview(curtain)
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        curtain.removeFromSuperview()
        window?.addSubview(curtain)
    }
}
