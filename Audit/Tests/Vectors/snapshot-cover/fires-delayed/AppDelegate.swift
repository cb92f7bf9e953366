import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var password = ""
    let curtain = UIView()
    let banner = UIView()

    func applicationWillResignActive(_ application: UIApplication) {  // finds
        window?.addSubview(curtain)
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.5) { self.curtain.removeFromSuperview() }
    }
}
