final class Pages {
    func next(pageToken: String, deviceToken: String, code: String, apiKey: String, hash: String) -> [URLQueryItem] {
        [
            URLQueryItem(name: "page_token", value: pageToken),
            URLQueryItem(name: "device_token", value: deviceToken),
            URLQueryItem(name: "code", value: code),
            URLQueryItem(name: "api_key", value: apiKey),
        ]
    }

    func weather(apiKey: String) -> URL? { URL(string: "https://weather.example.com/now?appid=\(apiKey)") }
    func picture(hash: String) -> URL? { URL(string: "https://pictures.example.com/\(hash)") }
    func transaction(txHash: String) -> URL? { URL(string: "https://chain.example.com/tx/\(txHash)") }
    func count(passwords: [String]) -> URL? { URL(string: "https://api.example.com/count?passwords=\(passwords.count)") }
}
