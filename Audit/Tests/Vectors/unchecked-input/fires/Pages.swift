import UIKit
import WebKit

final class Page: UIViewController, UITextFieldDelegate {
    @IBOutlet var nameField: UITextField!
    @IBOutlet var webView: WKWebView!

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        guard let name = nameField.text else { return false }
        webView.loadHTMLString("Hello \(name)", baseURL: nil)  // finds
        return true
    }

    @IBAction func search(_ sender: Any) {
        let wanted = nameField.text ?? ""
        guard !wanted.isEmpty else { return }
        guard let url = URL(string: "https://example.org/find?q=\(wanted)") else { return }  // finds
        UIApplication.shared.open(url)
    }

    @IBAction func send(_ sender: Any) {
        var request = URLRequest(url: server)
        let form = ["card": nameField.text]
        request.httpBody = try? JSONSerialization.data(withJSONObject: form)  // finds
        URLSession.shared.dataTask(with: request).resume()
    }
}
