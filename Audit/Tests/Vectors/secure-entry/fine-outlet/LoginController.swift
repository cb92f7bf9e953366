import UIKit

class BaseController: UIViewController {
    @IBOutlet var passwordField: UITextField!

    override func viewDidLoad() {
        super.viewDidLoad()
        passwordField.isSecureTextEntry = true
    }
}

final class LoginController: BaseController {}
