// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// secret-tool, dbus-send and others with the provider, on a bus of their own.
@Suite struct SecretServiceProgramTests {
    private static let hasPrograms = SecretsScene.hasPrograms

    @Test(.enabled(if: hasPrograms, "this system has no dbus-daemon, dbus-send or secret-tool"))
    func `secret-tool stores, looks up, searches and clears, and the keychain has the items`() throws {
        let scene = try SecretsScene()
        try scene.expect(
            "printf %s m-secret | secret-tool store --label='My mail' server mail.example.com user anna", "")
        try scene.expect("secret-tool lookup server mail.example.com user anna", "m-secret")
        try scene.expect("secret-tool lookup user anna", "m-secret")
        try scene.expect("secret-tool lookup user levin", "", status: 1)
        try scene.expect("secret-tool search --all user anna 2>&1", containing: "label = My mail")
        // Stored again: the same item.
        try scene.expect("printf %s second | secret-tool store --label='My mail' user anna server mail.example.com", "")
        try scene.expect("secret-tool search --all user anna 2>&1 | grep -c '^secret = second$'", "1\n")
        try scene.expect(
            "zamok keychain list --group org.freedesktop.secrets --json | grep -c '\"server=mail.example.com&user=anna\"'",
            "1\n")
        // A second provider is refused, a third takes over, and the items are the same.
        try scene.expect("zamok secrets", containing: "another program is the Secret Service", status: 45)
        try scene.start("--replace", "second")
        try scene.expect("secret-tool lookup user anna", "second")
        try scene.expect("cat $D/provider.log", "zamok: another program has taken the place of this one\n")
        try scene.expect("secret-tool clear user anna; secret-tool lookup user anna", "", status: 1)
        try scene.expect(
            "kill $(cat $D/second.pid); while kill -0 $(cat $D/second.pid) 2> log; do sleep 0.05; done", "")
        try scene.expect("cat $D/second.log", "")
    }

    @Test(.enabled(if: hasPrograms, "this system has no dbus-daemon, dbus-send or secret-tool"))
    func `from the moment of a lock programs hear that it is locked, and a person's answer unlocks`() throws {
        let scene = try SecretsScene()
        guard try scene.stage.has("kernel-keyring") else { return }
        try scene.expect("printf %s m-secret | secret-tool store --label=Mail user anna", "")
        try scene.expect("zamok lock; secret-tool lookup user anna", "", status: 1)
        // No prompt is possible: the client is told at once, and the log says so.
        try scene.expect("grep -c 'no prompt is possible' $D/provider.log", "1\n")
        try scene.restart(asking: "cat $D/passcode")
        try scene.expect("secret-tool lookup user anna", "m-secret")
        try scene.expect(
            "dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/aliases/default > log 2>&1; zamok keychain find --group org.freedesktop.secrets --service user=anna --value 2> log",
            "", status: 36)
    }
}
