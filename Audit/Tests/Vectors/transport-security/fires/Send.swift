import Foundation

final class Payment: NSObject, URLSessionDelegate {
    var cardNumber = ""

    func pay() {
        guard let url = URL(string: "http://pay.example.com/charge") else { return }  // finds
        send(to: url)
    }

    func send(to url: URL) {
        var request = URLRequest(url: url)
        request.httpBody = try? JSONSerialization.data(withJSONObject: ["card": cardNumber])
        URLSession.shared.dataTask(with: request).resume()
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let trust = challenge.protectionSpace.serverTrust else { return }
        completionHandler(.useCredential, URLCredential(trust: trust))  // finds
    }
}
