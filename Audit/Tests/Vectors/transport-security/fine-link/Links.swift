import UIKit

enum Links {
    static let article = "http://example.com/article"
    static func open() { if let url = URL(string: article) { UIApplication.shared.open(url) } }
    static let namespace = "http://www.w3.org/2005/Atom"
}
