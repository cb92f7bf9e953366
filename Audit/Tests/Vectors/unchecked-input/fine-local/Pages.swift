import UIKit

final class Page: UIViewController {
    @IBOutlet var nameField: UITextField!
    @IBOutlet var label: UILabel!

    @IBAction func compare(_ sender: Any) {
        label.text = "Hello \(nameField.text ?? "")"
        let amount = Int(nameField.text ?? "") ?? 0
        let url = URL(string: "https://example.org/items/\(amount)")
        print(url as Any)
    }
}
