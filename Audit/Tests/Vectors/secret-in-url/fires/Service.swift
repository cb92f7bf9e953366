import Alamofire
import Moya

final class Service {
    let baseURL = "https://api.example.com"

    func media(authToken: String?) -> [URLQueryItem] {
        [
            URLQueryItem(name: "auth", value: "token"),
            URLQueryItem(name: "secret", value: authToken?.replacingOccurrences(of: "+", with: "-")),  // finds
        ]
    }

    func open(accessToken: String) {
        socket.connect(URL(string: "wss://api.example.com/live?token=\(accessToken)")!)  // finds
    }

    func reset(password: String) {
        load(baseURL + "/reset?password=" + password)  // finds
    }

    func format(passcode: String) {
        load(String(format: "https://api.example.com/codes/%@", passcode))  // finds
    }

    func get(refreshToken: String) {
        AF.request(baseURL, method: .get, parameters: ["refresh_token": refreshToken]).resume()  // finds
    }
}

enum Route: TargetType {
    case account(String, String)
    case session(password: String)

    var path: String {
        switch self {
        case .account(let mail, let hashedPIN): return "/accounts/\(mail)/\(hashedPIN)"  // finds
        case .session: return "/sessions"
        }
    }

    var task: Task {
        switch self {
        case .session(let password):
            return .requestParameters(parameters: ["password": password], encoding: URLEncoding.queryString)  // finds
        default: return .requestPlain
        }
    }
}
