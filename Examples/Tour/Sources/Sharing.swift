// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Chapter 2: an access group that two programs are entitled to, and one that isn't.
enum Sharing {
    static func play(on stage: TourStage) throws {
        try stage.page.chapter(2, "Share")
        try stage.step(
            "An item in an access group that two programs are entitled to.",
            .add([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "login",
                kSecAttrAccount: "tim@example.com",
                kSecAttrAccessGroup: "group.example",
                kSecValueData: Data("shared password".utf8),
            ])
        )
        let query: TourCall = .copyMatching([
            kSecClass: kSecClassGenericPassword,
            kSecAttrService: "login",
            kSecAttrAccessGroup: "group.example",
            kSecReturnData: true,
        ])
        let widget = try TourStage.home(
            in: stage.folder, "com.example.widget", groups: ["com.example.widget", "group.example"]
        )
        try stage.step(
            "com.example.widget, entitled to the same group, finds it.", query, as: widget,
            found: { "result is \"\(String(decoding: $0 as? Data ?? Data(), as: UTF8.self))\"" }
        )
        let stranger = try TourStage.home(in: stage.folder, "com.example.stranger", groups: ["com.example.stranger"])
        try stage.step(
            "com.example.stranger is not entitled, and is told so before anything is looked up.", query,
            as: stranger, answers: errSecMissingEntitlement
        )
    }
}
