import UIKit

final class LoginController: UIViewController {
    @IBOutlet var passwordField: UITextField!
}
