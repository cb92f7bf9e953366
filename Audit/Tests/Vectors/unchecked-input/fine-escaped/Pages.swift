import UIKit

final class Page: UIViewController {
    @IBOutlet var nameField: UITextField!

    @IBAction func search(_ sender: Any) {
        let wanted = (nameField.text ?? "").addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        guard let url = URL(string: "https://example.org/find?q=\(wanted)") else { return }
        UIApplication.shared.open(url)
    }

    @IBAction func find(_ sender: Any) {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: "q", value: nameField.text)]
    }
}
