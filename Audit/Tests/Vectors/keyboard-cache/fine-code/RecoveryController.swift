import UIKit

final class RecoveryController: UIViewController {
    @IBOutlet var answerField: UITextField!
    override func viewDidLoad() { answerField.autocorrectionType = .no }
}
