import UIKit

extension Login {
    override func viewDidDisappear(_ animated: Bool) { passwordField.text = nil }
}
