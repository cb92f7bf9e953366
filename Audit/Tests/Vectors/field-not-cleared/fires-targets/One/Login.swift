import UIKit

class Login: UIViewController {
    @IBOutlet var passwordField: UITextField!  // finds
}
