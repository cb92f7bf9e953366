import UIKit

class Search: UIViewController {
    @IBOutlet var searchField: UITextField!

    @IBAction func search() {
        find("all")
        guard let text = searchField.text, isAllowed(text) else { return }
        find(text)
        look(searchField.text ?? "")
    }

    private func isAllowed(_ text: String) -> Bool { text.count < 20 }

    private func find(_ query: String) {
        guard let url = URL(string: "https://example.com/search?q=\(query)") else { return }
        open(url)
    }

    private func look(_ query: String) {
        let escaped = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        guard let url = URL(string: "https://example.com/search?q=\(escaped)") else { return }
        open(url)
    }

    private func open(_ url: URL) {}
}
