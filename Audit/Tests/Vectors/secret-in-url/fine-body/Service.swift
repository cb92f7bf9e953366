import Alamofire

final class Service {
    func signIn(password: String, accessToken: String) {
        AF.request("https://api.example.com/login", method: .post, parameters: ["password": password]).resume()
        AF.request("https://api.example.com/login", method: .get, parameters: ["password": password], encoding: JSONEncoding.default).resume()
        var request = URLRequest(url: URL(string: "https://api.example.com/me")!)
        request.setValue("Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
    }

    func form(password: String) -> URLRequest {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: "password", value: password)]
        var request = URLRequest(url: URL(string: "https://api.example.com/token")!)
        request.httpBody = parts.query?.data(using: .utf8)
        return request
    }

    func text(password: String) -> String { "grant_type=password&password=\(password)" }
}
