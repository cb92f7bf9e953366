import UIKit

class HiddenField: UITextField {
    override init(frame: CGRect) {
        super.init(frame: frame)
        isSecureTextEntry = true
    }
}

final class Entry: UIView {
    private let passcodeField = HiddenField(frame: .zero)
    private lazy var passwordField: UITextField = {
        let field = UITextField()
        field.isSecureTextEntry = true
        return field
    }()
}
