import UIKit

class Search: UIViewController {
    @IBOutlet var searchField: UITextField!

    @IBAction func search() { find(searchField.text ?? "") }

    private func find(_ query: String) {
        guard let url = URL(string: "https://example.com/search?q=\(query)") else { return }  // finds
        open(url)
    }

    private func open(_ url: URL) {}
}
