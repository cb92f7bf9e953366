// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What another process that reads this one's memory finds of a password. The bytes are searched for in everything that can be
/// read: heap, all stacks, and the arena where secrets belong.
@Suite(
    "The memory of a program with a login screen", .enabled(if: Tmux.isThere, "tmux is not installed"),
    .disabled(if: MemorySearch.isHindered))
struct MemoryTests {
    /// A login screen into which an address and a password were typed, and where the search has found both.
    private struct Login {
        let terminal: Tmux
        let program: Int32
        // Made here, so that no file and no command line holds it.
        let password = "pw-" + Login.letters(20)
        let address = Login.letters(20) + "@example.com"

        static func letters(_ count: Int) -> String {
            String((0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement() ?? "a" })
        }

        init(_ mode: String = "form") throws {
            terminal = try Tmux()
            try terminal.enter("\(terminal.probe) \(mode) --alone")
            let shown = terminal
            try shown.wait("the form") { try shown.visible().contains("ready") }
            program = try #require(terminal.logged().last { $0.what.hasPrefix("started") }?.process)
            try terminal.tmux("send-keys", "-l", address)
            try terminal.key("Tab")
            for character in password { try terminal.tmux("send-keys", "-l", String(character)) }
            try waitForBullets()
            // A search that finds nothing says something only if it finds what is there: a string on the heap, the secret in the
            // arena, and nothing of that elsewhere.
            #expect(try finds(address, inArena: false), "the search finds a planted string")
            #expect(try finds(password, inArena: true), "the search finds what is in the field")
            #expect(try !finds(password, inArena: false), "it is in the arena only")
        }

        func finds(_ text: String, inArena: Bool = true) throws -> Bool {
            try !MemorySearch.search(process: program, for: [Array(text.utf8)], inArena: inArena).isEmpty
        }

        func waitForBullets() throws {
            let bullets = String(repeating: "•", count: password.count)
            try terminal.wait("bullets") { try terminal.visible().contains(bullets) }
        }

        func waitFor(_ text: String) throws { try terminal.wait(text) { try terminal.visible().contains(text) } }
    }

    // Rule: clearing wipes the bytes | only the count set to zero | also "… after the screen was left", "holds a pasted password in the arena only
    //   …", "lends the content and leaves the field empty"
    @Test("holds the password nowhere after it was submitted")
    func submitted() throws {
        let login = try Login()
        try login.terminal.key("Enter")
        try login.terminal.waitForLog("submitted")
        try login.waitFor("logged in as \(login.address)")
        #expect(try !login.finds(login.password))
    }

    @Test("holds the password nowhere after the screen was left")
    func left() throws {
        let login = try Login()
        try login.terminal.key("C-l")
        try login.waitFor("left")
        #expect(try !login.finds(login.password))
        #expect(try !login.terminal.visible().contains("•"))
    }

    @Test("keeps it in the field through a look at another tab, and not beyond the time")
    func tabs() throws {
        let login = try Login()
        try login.terminal.key("C-t")
        try login.waitFor("another tab")
        #expect(try login.finds(login.password))
        try login.terminal.key("C-t")
        try login.waitFor("ready again")
        try login.waitForBullets()
        #expect(try login.finds(login.password, inArena: true) && !login.finds(login.password, inArena: false))

        let short = try Login("form-short")
        try short.terminal.key("C-t")
        try short.waitFor("another tab")
        try short.terminal.wait("the end of the time") { try !short.finds(short.password) }
        try short.terminal.key("C-t")
        try short.waitFor("ready again")
        #expect(try !short.terminal.visible().contains("•"))
    }

    @Test("holds a pasted password in the arena only, and nowhere after it was submitted")
    func pasted() throws {
        let login = try Login()
        try login.terminal.key("C-u")
        try login.terminal.wait("an empty field") { try !login.terminal.visible().contains("•") }
        #expect(try !login.finds(login.password))
        try login.terminal.paste(login.password)
        try login.waitForBullets()
        #expect(try login.finds(login.password) && !login.finds(login.password, inArena: false))
        try login.terminal.key("Enter")
        try login.terminal.waitForLog("submitted")
        try login.waitFor("logged in as \(login.address)")
        #expect(try !login.finds(login.password))
    }
}
