import WatchConnectivity
import os

final class Watch: NSObject {
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        os_log("received %{PRIVATE}@", log: .default, type: .info, "\(userInfo)")
        apply(userInfo)
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        print(message.filter { ["url", "name"].contains($0.key) })
        apply(message)
    }

    private func apply(_ context: [String: Any]) { use(context["password"] as? String) }

    func session(_ session: WCSession, didReceive settings: [String: Any]) {
        print(settings)
        use(settings["theme"] as? String)
        var request: [String: Any] = [:]
        print(request)
        request["password"] = settings["theme"]
        apply(request)
    }

    private func use(_ text: String?) {}
}
