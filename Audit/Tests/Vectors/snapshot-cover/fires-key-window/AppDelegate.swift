import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var password = ""

    func applicationWillResignActive(_ application: UIApplication) {  // finds
        let window = UIApplication.shared.keyWindow
        let blur = UIVisualEffectView(effect: UIBlurEffect(style: .light))
        window?.addSubview(blur)
    }
}
