import UIKit

final class Page: UIViewController {
    @IBOutlet var nameField: UITextField!

    @IBAction func search(_ sender: Any) {
        guard let wanted = nameField.text, wanted.count <= 20, wanted.allSatisfy({ $0.isLetter }) else { return }
        guard let url = URL(string: "https://example.org/find?q=\(wanted)") else { return }
        UIApplication.shared.open(url)
    }
}
