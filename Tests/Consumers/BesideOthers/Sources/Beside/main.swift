// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import JWTKit
import Security

// A token signed with a key that lies in the keychain as a password; and a client that is made and closed.
struct Claims: JWTPayload {
    var subject: SubjectClaim
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

let item: [String: Any] = [
    kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "token", kSecAttrAccount as String: "key",
    kSecValueData as String: Data("a key of more than thirty-two bytes".utf8), kSecReturnData as String: true,
]
var stored: CFTypeRef?
guard SecItemAdd(item as CFDictionary, &stored) == errSecSuccess, let secret = stored as? Data else { exit(1) }
let keys = await JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
let token = try await keys.sign(Claims(subject: "somebody"))
guard try await keys.verify(token, as: Claims.self).subject.value == "somebody" else { exit(2) }
try await HTTPClient(eventLoopGroupProvider: .singleton).shutdown()
