// SPDX-License-Identifier: Apache-2.0

// A program as another developer would write it: Foundation, Security, and nothing else of this package. Tests run it
// under several names, with and without entitlements beside it.
//
//     add SERVICE ACCOUNT SECRET [GROUP]     prints the status
//     find SERVICE ACCOUNT [GROUP]           prints the status, then the group and the secret
//     silent SERVICE ACCOUNT                 the same, where no prompt is allowed
//     time SERVICE ACCOUNT COUNT             prints the median of so many lookups, in microseconds
//     exhaust                                prints the status of an add while memory has run out
//     identity                               prints the bundle identifier

import Foundation
import Security

func item(_ words: ArraySlice<String>, group: String?) -> [CFString: Any] {
    var result: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
    result[kSecAttrService] = words.first
    result[kSecAttrAccount] = words.dropFirst().first
    result[kSecAttrAccessGroup] = group
    return result
}

func find(_ words: ArraySlice<String>, _ more: [CFString: Any] = [:]) -> String {
    let query = item(words, group: words.dropFirst(2).first).merging(
        [kSecReturnAttributes: true, kSecReturnData: true] as [CFString: Any]
    ) { $1 }.merging(more) { $1 }
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
    guard let found = result as? [String: Any] else { return "\(status)" }
    let group = found[kSecAttrAccessGroup as String] as? String ?? ""
    let secret = (found[kSecValueData as String] as? Data).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return "\(status) \(group) \(secret)"
}

func add(_ words: ArraySlice<String>, _ secret: Data, group: String?) -> OSStatus {
    SecItemAdd(item(words, group: group).merging([kSecValueData: secret]) { $1 } as CFDictionary, nil)
}

/// Gives the program hardly more memory than it has, then adds something large.
func exhaust() -> OSStatus {
    let large = Data(repeating: 7, count: 12 << 20)
    // Foundation copies bytes when it bridges them, and makes nothing of them when it can't: so this comes first.
    let attributes = item(["large", "one"], group: nil).merging([kSecValueData: large]) { $1 } as CFDictionary
    _ = add(["warm", "up"], Data("x".utf8), group: nil)
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ").first
    guard let pages = pages.flatMap({ rlim_t($0) }) else { return errSecInternalComponent }
    var limit = rlimit()
    limit.rlim_cur = pages * 4096 + 4 << 20
    limit.rlim_max = limit.rlim_cur
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return errSecInternalComponent }
    return SecItemAdd(attributes, nil)
}

func time(_ words: ArraySlice<String>) -> String {
    let count = words.dropFirst(2).first.flatMap { Int($0) } ?? 1
    for _ in 0..<100 { _ = find(words.prefix(2)) }
    var times: [Duration] = []
    for _ in 0..<count {
        let begin = ContinuousClock.now
        let found = find(words.prefix(2))
        times.append(begin.duration(to: .now))
        guard found.hasPrefix("0 ") else { return found }
    }
    return "\(times.sorted()[count / 2] / .microseconds(1))"
}

let words = CommandLine.arguments.dropFirst()
switch words.first {
case "add": print(add(words.dropFirst(), Data((words.dropFirst(3).first ?? "").utf8), group: words.dropFirst(4).first))
case "find": print(find(words.dropFirst()))
case "silent": print(find(words.dropFirst(), [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]))
case "time": print(time(words.dropFirst()))
case "exhaust": print(exhaust())
case "identity": print(Bundle.main.bundleIdentifier ?? "none")
default: exit(64)
}
