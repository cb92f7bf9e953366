// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Chapter 3: the answers that an app has to tell apart.
enum Refusals {
    static func play(on stage: TourStage) throws {
        try stage.page.chapter(3, "Refusals")
        try stage.step(
            "The same service and account again.",
            .add([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: Storing.service,
                kSecAttrAccount: Storing.account,
                kSecValueData: Data("another".utf8),
            ]),
            answers: errSecDuplicateItem
        )
        try stage.step(
            "Something that isn't there.",
            .copyMatching([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "com.example.absent",
                kSecReturnData: true,
            ]),
            answers: errSecItemNotFound
        )
        try stage.step(
            "A value that is no Data.",
            .add([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "com.example.text",
                kSecValueData: true,
            ]),
            answers: errSecParam
        )
    }
}
