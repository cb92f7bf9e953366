// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Chapter 1: the classic recipe.
enum Storing {
    static let service = "com.example.shop"
    static let account = "Full Name"
    static let value = "Tim Appleseed"
    static let newValue = "Johnny Appleseed"

    static func play(on stage: TourStage) throws {
        try stage.page.chapter(1, "Store, find, update")
        try stage.step(
            "An item, as in every tutorial: service, account, value. What reaches the disk is sealed.",
            .add([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecValueData: Data(value.utf8),
            ])
        )
        try find("It is found by service and account.", value, on: stage)
        try stage.step(
            "A new value is sealed under a new key.",
            .update(
                [
                    kSecClass: kSecClassGenericPassword,
                    kSecAttrService: service,
                    kSecAttrAccount: account,
                ],
                [kSecValueData: Data(newValue.utf8)]
            )
        )
        try find("And is what is found from now on.", newValue, on: stage)
    }

    private static func find(_ text: String, _ value: String, on stage: TourStage) throws {
        let found = try stage.step(
            text,
            .copyMatching([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: service,
                kSecAttrAccount: account,
                kSecReturnData: true,
            ]),
            found: { "result is \"\(String(decoding: $0 as? Data ?? Data(), as: UTF8.self))\"" }
        )
        if found as? Data != Data(value.utf8) { try stage.count(false, "expected \"\(value)\"") }
    }
}
