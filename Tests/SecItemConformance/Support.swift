// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A query or an item, as code for Apple's systems writes it.
typealias Item = [CFString: Any]

/// The item of most tests; without a secret.
var generic: Item {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: "account"]
}

/// The internet password of most tests; without a secret.
var internet: Item {
    [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.org", kSecAttrAccount: "account"]
}

/// Everything of one class, with no other condition.
func all(_ itemClass: CFString) -> Item { [kSecClass: itemClass, kSecMatchLimit: kSecMatchLimitAll] }

/// The bytes of a text.
func bytes(_ text: String) -> Data { Data(text.utf8) }

/// Constants as the arguments of a test, which have to be Sendable.
func names(_ constants: CFString...) -> [String] { constants.map { $0 as String } }

extension String {
    var cf: CFString { self as CFString }
}

func + (left: Item, right: Item) -> Item { left.merging(right) { _, last in last } }

private func dictionary(_ item: Item) -> CFDictionary {
    var result: [String: Any] = platformKeys
    for (key, value) in item { result[key as String] = value }
    return result as CFDictionary
}

func add(_ item: Item) -> OSStatus { SecItemAdd(dictionary(item), nil) }

/// What the functions answered, and left behind.
struct Answer {
    var status: OSStatus
    var object: CFTypeRef?

    var data: Data? { object as? Data }
    var attributes: [String: Any]? { object as? [String: Any] }
    var list: [Any]? { object as? [Any] }

    subscript(key: CFString) -> Any? { attributes?[key as String] }
}

/// The content of the caller's variable before a call.
@safe nonisolated(unsafe) let untouched = NSString(string: "untouched") as CFTypeRef

func addReturning(_ item: Item) -> Answer {
    var answer = Answer(status: 0, object: untouched)
    answer.status = unsafe SecItemAdd(dictionary(item), &answer.object)
    return answer
}

func find(_ query: Item) -> Answer {
    var answer = Answer(status: 0, object: untouched)
    answer.status = unsafe SecItemCopyMatching(dictionary(query), &answer.object)
    return answer
}

/// Whether something matches, without asking for anything.
func status(_ query: Item) -> OSStatus { SecItemCopyMatching(dictionary(query), nil) }

/// How many items match.
func count(_ query: Item) -> Int {
    find(query + [kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true]).list?.count ?? 0
}

func data(_ query: Item) -> Data? { find(query + [kSecReturnData: true]).data }

func attributes(_ query: Item) -> [String: Any] { find(query + [kSecReturnAttributes: true]).attributes ?? [:] }

func reference(_ query: Item) -> Data { find(query + [kSecReturnPersistentRef: true]).data ?? Data() }

func update(_ query: Item, _ changes: Item) -> OSStatus {
    // Only the query chooses the keychain.
    var plain: [String: Any] = [:]
    for (key, value) in changes { plain[key as String] = value }
    return SecItemUpdate(dictionary(query), plain as CFDictionary)
}

func delete(_ query: Item) -> OSStatus { SecItemDelete(dictionary(query)) }

/// An access control, or the code and domain of the error.
func accessControl(
    _ protection: CFString, _ flags: SecAccessControlCreateFlags
) -> (control: SecAccessControl?, code: Int?, domain: String?) {
    var error: Unmanaged<CFError>?
    let control = unsafe SecAccessControlCreateWithFlags(nil, protection, flags, &error)
    guard let failure = unsafe error?.takeRetainedValue() else { return (control, nil, nil) }
    return (control, CFErrorGetCode(failure), CFErrorGetDomain(failure) as String?)
}
