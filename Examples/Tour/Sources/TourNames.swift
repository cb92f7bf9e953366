// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Constants by the names they have in a program.
enum TourNames {
    static func name(of key: CFString) -> String { keys[key as String] ?? key as String }

    static func name(of value: Any, for key: CFString) -> String {
        switch value {
        case let text as String: values[text] ?? "\"\(text)\""
        case let data as Data: "Data(\"\(String(decoding: data, as: UTF8.self))\".utf8)"
        case let flag as Bool: flag ? "true" : "false"
        default: "\(value)"
        }
    }

    /// `errSecSuccess` and the like.
    static func name(of status: OSStatus) -> String { statuses[status] ?? "OSStatus" }

    private static let keys: [String: String] = table([
        (kSecClass, "kSecClass"), (kSecAttrService, "kSecAttrService"), (kSecAttrAccount, "kSecAttrAccount"),
        (kSecAttrLabel, "kSecAttrLabel"), (kSecAttrComment, "kSecAttrComment"), (kSecValueData, "kSecValueData"),
        (kSecAttrAccessGroup, "kSecAttrAccessGroup"), (kSecAttrAccessible, "kSecAttrAccessible"),
        (kSecReturnData, "kSecReturnData"), (kSecReturnAttributes, "kSecReturnAttributes"),
        (kSecMatchLimit, "kSecMatchLimit"), (kSecAttrSynchronizable, "kSecAttrSynchronizable"),
    ])

    private static let values: [String: String] = table([
        (kSecClassGenericPassword, "kSecClassGenericPassword"),
        (kSecClassInternetPassword, "kSecClassInternetPassword"),
        (kSecMatchLimitOne, "kSecMatchLimitOne"), (kSecMatchLimitAll, "kSecMatchLimitAll"),
        (kSecAttrAccessibleWhenUnlocked, "kSecAttrAccessibleWhenUnlocked"),
        (kSecAttrAccessibleAfterFirstUnlock, "kSecAttrAccessibleAfterFirstUnlock"),
        (kSecAttrAccessibleAlways, "kSecAttrAccessibleAlways"),
        (kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly"),
    ])

    private static let statuses: [OSStatus: String] = [
        errSecSuccess: "errSecSuccess", errSecParam: "errSecParam", errSecItemNotFound: "errSecItemNotFound",
        errSecDuplicateItem: "errSecDuplicateItem", errSecMissingEntitlement: "errSecMissingEntitlement",
        errSecInteractionNotAllowed: "errSecInteractionNotAllowed", errSecAuthFailed: "errSecAuthFailed",
        errSecNoSuchAttr: "errSecNoSuchAttr", errSecNotAvailable: "errSecNotAvailable",
    ]

    private static func table(_ rows: [(CFString, String)]) -> [String: String] {
        Dictionary(rows.map { ($0.0 as String, $0.1) }) { first, _ in first }
    }
}
