// SPDX-License-Identifier: Apache-2.0
//
// Not compiled and not run where this project is built: see README.md in the folder above.

import ImageIO
import InterfaceProtection
import InterfaceProtectionUI
import LocalAuthentication
import UIKit

/// A colour that occurs nowhere else.
let sentinel = (red: UInt8(0xE6), green: UInt8(0x00), blue: UInt8(0x7E))

@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let arguments = ProcessInfo.processInfo.arguments
        if !arguments.contains("-uncovered") {
            // Unlocks by itself: what is tested is the cover, and an open app that leaves.
            PrivacyScreen.install(policy: .init(locksAfter: .seconds(60))) { true }
        }
        return true
    }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var alert: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        self.window = window
        if ProcessInfo.processInfo.arguments.contains("-search") {
            window.rootViewController = SearchController()
            window.makeKeyAndVisible()
            return
        }
        window.rootViewController = PlantedController()
        window.makeKeyAndVisible()
        let alert = UIWindow(windowScene: scene)
        alert.windowLevel = .alert
        alert.frame = CGRect(x: 0, y: 200, width: 200, height: 60)
        alert.rootViewController = PlantedController()
        alert.isHidden = false
        self.alert = alert
    }
}

final class PlantedController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor(
            red: CGFloat(sentinel.red) / 255, green: CGFloat(sentinel.green) / 255, blue: CGFloat(sentinel.blue) / 255,
            alpha: 1)
        let field = UITextField(frame: CGRect(x: 20, y: 120, width: 200, height: 40))
        field.accessibilityIdentifier = "field"
        field.backgroundColor = view.backgroundColor
        view.addSubview(field)
        let prompt = UIAction(title: "prompt") { _ in
            // The system's own prompt, which is not answered.
            LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "A prompt that is left.") {
                @Sendable _, _ in
            }
        }
        let scene = UIAction(title: "scene") { _ in
            UIApplication.shared.requestSceneSessionActivation(nil, userActivity: nil, options: nil)
        }
        for (place, action) in [prompt, scene].enumerated() {
            let button = UIButton(type: .system, primaryAction: action)
            button.frame = CGRect(x: 20 + place * 120, y: 180, width: 100, height: 40)
            button.accessibilityIdentifier = action.title
            view.addSubview(button)
        }
    }
}

/// Says what is in the snapshot folders.
final class SearchController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .white
        let label = UILabel(frame: CGRect(x: 20, y: 120, width: 340, height: 200))
        label.numberOfLines = 0
        label.accessibilityIdentifier = "result"
        label.text = Self.search()
        view.addSubview(label)
    }

    static func search() -> String {
        guard let found = try? StoredSnapshots().find() else { return "unreadable folder" }
        let pictures = found.filter { ["ktx", "atx", "jpeg", "png", "heic"].contains($0.url.pathExtension) }
        let images = pictures.compactMap {
            CGImageSourceCreateWithURL($0.url as CFURL, nil).flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) }
        }
        let showing = images.filter(hasSentinel)
        return "pictures \(pictures.count) read \(images.count) showing \(showing.count)"
    }

    /// Compression changes a colour a little; three in a thousand pixels near it are enough.
    private static func hasSentinel(_ image: CGImage) -> Bool {
        let (width, height) = (image.width, image.height)
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let near = pixels.withUnsafeMutableBytes { buffer -> Int in
            let context = CGContext(
                data: buffer.baseAddress, width: width, height: height, bitsPerComponent: 8, bytesPerRow: width * 4,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            context?.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
            return stride(from: 0, to: buffer.count, by: 4).count { place in
                let wanted = [sentinel.red, sentinel.green, sentinel.blue]
                return (0..<3).allSatisfy { abs(Int(buffer[place + $0]) - Int(wanted[$0])) <= 24 }
            }
        }
        return near * 1000 > width * height * 3
    }
}
