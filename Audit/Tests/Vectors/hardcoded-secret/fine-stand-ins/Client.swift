import Foundation

struct Client {
    var password = "YOUR_PASSWORD"
    let apiKey = "$(API_KEY)"

    func check(_ text: String) -> Bool { text.contains("-----BEGIN PRIVATE KEY-----") }
    func status(code: Int) -> Bool { code == 200 }
    func start() { Mixpanel.initialize(token: "4f8a7c6d5e4b3a2918273645afbecd01") }
}

struct MockClient {
    let password = "hunter2harder"
}
