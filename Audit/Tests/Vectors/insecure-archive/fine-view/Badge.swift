import UIKit

class BaseBadge: UIView {}

final class Badge: BaseBadge {
    required init?(coder: NSCoder) {
        super.init(coder: coder)
        tintColor = coder.decodeObject(forKey: "tint") as? UIColor
    }
}
