import SwiftUI
import UIKit

struct InputField: View {
    let title: String
    @Binding var text: String

    var body: some View { TextField(title, text: $text) }
}

struct SignIn: View {
    @State private var name = ""
    @State private var entered = ""

    var body: some View {
        InputField(title: "Name", text: $name)
        InputField(title: "Password", text: $entered)  // finds
    }
}

class Unlock: UIViewController {
    override func viewDidLoad() {
        let first = UITextField()  // finds
        first.placeholder = "Passcode"
        view.addSubview(first)
        let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
        alert.addTextField()
        alert.textFields?.first?.placeholder = "Password"  // finds
        present(alert, animated: true)
    }
}
