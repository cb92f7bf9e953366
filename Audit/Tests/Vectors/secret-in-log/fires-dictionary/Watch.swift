import WatchConnectivity
import os

final class Watch: NSObject {
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        os_log("received %{PUBLIC}@", log: .default, type: .info, "\(userInfo)")  // finds
        apply(userInfo as [String: AnyObject])
    }

    private func apply(_ context: [String: AnyObject]) {
        guard let password = context["password"] as? String else { return }
        log("got", password)  // finds
    }

    func session(_ session: WCSession, didReceive account: [String: Any]) {
        print(account)  // finds
        use(account["accessToken"] as? String)
    }

    private func use(_ text: String?) {}

    private func log(_ items: Any...) { NSLog("%@", "\(items)") }
}
