// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import Security

/// Chapter 4: the passcode, the lock, and what is refused while locked.
enum Locking {
    static let passcode = "correct horse"

    static func play(on stage: TourStage) throws {
        try stage.page.chapter(4, "Lock")
        try stage.step(
            "A passcode. New class keys are drawn, and wrapped under a key that scrypt makes of it.",
            ["try home.keybag.setPasscode(passcode)"], answers: "done"
        ) {
            try stage.home.keybag.setPasscode(try SecretBytes(copying: Array(passcode.utf8)))
            return "done"
        } showing: {
            $1.wrappedKeys(since: $0)
        }
        try stage.step(
            "Locked, as by the side button: the class keys are destroyed. A new token in a page that all processes map has every one of them do so.",
            ["try home.keybag.lock()"], answers: "locked"
        ) {
            try stage.home.keybag.lock()
            return stage.home.keybag.lockState.rawValue
        } showing: {
            $1.lockToken(since: $0)
        }
        try find(
            "The secret is refused. Never \"not found\": that has made apps wipe their users' data.", on: stage, false)
        try attributes(on: stage)
        try unlock(
            "A wrong passcode. It is counted on the disk; after five of them the next try has to wait.", "wrong",
            "wrong passcode", failedTries: 1, on: stage)
        try unlock("The right one. The count begins again.", "passcode", "unlocked", failedTries: 0, on: stage)
        try find("And the secret is there again.", on: stage, true)
    }

    private static func find(_ text: String, on stage: TourStage, _ isUnlocked: Bool) throws {
        try stage.step(
            text,
            .copyMatching([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: Storing.service,
                kSecAttrAccount: Storing.account,
                kSecReturnData: true,
            ]),
            answers: isUnlocked ? errSecSuccess : errSecInteractionNotAllowed,
            found: { "result is \"\(String(decoding: $0 as? Data ?? Data(), as: UTF8.self))\"" }
        )
    }

    private static func attributes(on stage: TourStage) throws {
        try stage.step(
            "That it exists can still be asked, as on an iPhone after its first unlock.",
            .copyMatching([
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: Storing.service,
                kSecReturnAttributes: true,
            ]),
            found: { "account is \"\(($0 as? [String: Any])?[kSecAttrAccount as String] as? String ?? "")\"" }
        )
    }

    private static func unlock(
        _ text: String, _ name: String, _ expected: String, failedTries: UInt8, on stage: TourStage
    ) throws {
        let typed = name == "passcode" ? passcode : "not the \(passcode)"
        try stage.step(text, ["try home.keybag.unlock(passcode: \(name))"], answers: expected) {
            do {
                try stage.home.keybag.unlock(passcode: try SecretBytes(copying: Array(typed.utf8)))
                return stage.home.keybag.lockState.rawValue
            } catch let error as DataProtectionError where error.code == .wrongPasscode {
                return "wrong passcode"
            }
        } showing: {
            $1.failedTries(failedTries, since: $0)
        }
    }
}
