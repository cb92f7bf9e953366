import Foundation

final class Trust: NSObject, URLSessionDelegate {
    let keys: KeySet
    init(keys: KeySet) { self.keys = keys }

    func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void) {
        guard let trust = challenge.protectionSpace.serverTrust else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        switch keys.check(trust: trust, host: challenge.protectionSpace.host) {
        case .success: completionHandler(.useCredential, URLCredential(trust: trust))
        case .failure: completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
