import UIKit

class BaseController: UIViewController {
    @IBOutlet var passwordField: UITextField!
}

final class LoginController: BaseController {
    override func viewDidLoad() {
        super.viewDidLoad()
        passwordField.isSecureTextEntry = true
    }
}
