import UIKit

class BaseBadge: UIView {}

final class Badge: BaseBadge {
    required init?(coder: NSCoder) {
        super.init(coder: coder)
        tintColor = coder.decodeObject(forKey: "tint") as? UIColor
    }
}

func read(_ data: Data) throws -> NSString? {
    try NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data)
}
