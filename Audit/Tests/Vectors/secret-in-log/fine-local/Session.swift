import Foundation

struct Session {
    func open(_ password: String, named name: String) {
        func tell(_ value: String) { print("got \(value)") }
        func check(_ value: String) -> Bool { value.count > 8 }
        tell(name)
        let value = name
        print(check(password), value)
        let length = { (text: String) in text.count }
        print(length(password))
        fputs(name, stderr)
    }
}
