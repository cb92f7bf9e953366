import UIKit

private let CookiePassword = "hunter2harder"  // finds

final class Login: UIViewController {
    @IBOutlet var passwordField: UITextField!
    private let clientSecret = "9f8a7c6d5e4b3a2918273645afbecd01"  // finds
    let passwd = "tenzing"  // finds

    @IBAction func tapped(_ sender: Any) {
        if passwordField.text == "S@g@rm@th@8848" { show() }  // finds
        open(archive, password: "@dalo3as$qwea")  // finds
        send("Basic dXNlcjpodW50ZXIyaGFyZGVy")  // finds
    }

    func verify(code: Int) -> Bool { code == 8848 }  // finds
}
