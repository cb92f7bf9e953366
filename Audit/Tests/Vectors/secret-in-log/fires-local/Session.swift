import Foundation

struct Session {
    func open(_ password: String, named name: String) {
        func tell(_ value: String) {
            let line = "got \(value)"
            print(line)  // finds
        }
        tell(name)
        tell(password)
        let show = { (value: String, mark: Int) in
            fputs(value, stderr)  // finds
        }
        show(password, 1)
        #if RELEASE
        let isQuiet = true
        #else
        print(password)  // finds
        #endif
    }
}
