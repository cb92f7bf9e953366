// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("What a terminal keeps", .enabled(if: Tmux.isThere))
struct ScrollbackTests {
    private let secret = "CARD-4111"

    @Test("is nothing in tmux with its other screen, which is asked for by name and by the cursor")
    func withOtherScreen() throws {
        let terminal = try Tmux()
        _ = try terminal.startProbe("screen")
        for (columns, rows) in [(60, 12), (140, 40), (100, 30)] { try terminal.resize(columns: columns, rows: rows) }
        try terminal.key("q")
        try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        #expect(try !terminal.everything().contains(secret))
        try terminal.requireUsableShell()
    }

    // Rule: whether there is another screen is asked | any answer is yes | also "is nothing in GNU screen…", "is decided by the terminal's
    //   answers…", "is erased in tmux…"
    @Test("is nothing in tmux without its other screen, since the program doesn't start there, and says what to type")
    func tmuxWithout() throws {
        let terminal = try Tmux()
        try terminal.tmux("set", "-g", "alternate-screen", "off")
        try terminal.enter("\(try terminal.probe) screen")
        try terminal.wait("the refusal") {
            try terminal.visible().replacing("\n", with: "").contains("tmux set -g alternate-screen on")
        }
        #expect(try !terminal.everything().contains(secret))
        try terminal.requireUsableShell()
    }

    // Rule: what a terminal without another screen keeps is erased | not
    @Test(
        "is erased in tmux without its other screen, where the program was told to start all the same; also when it is killed",
        arguments: [false, true])
    func tmuxErased(isKilled: Bool) throws {
        let terminal = try Tmux()
        try terminal.tmux("set", "-g", "alternate-screen", "off")
        let (program, _) = try terminal.startProbe("erase")
        for (columns, rows) in [(60, 12), (140, 40), (20, 3), (100, 30)] {
            try terminal.resize(columns: columns, rows: rows)
            try terminal.wait("the content at \(columns)x\(rows)") {
                try terminal.visible().split(separator: "\n", omittingEmptySubsequences: false).count >= rows
            }
        }
        try terminal.wait("the content") { try terminal.visible().contains(secret) }
        if isKilled {
            kill(program, SIGKILL)
            try terminal.waitForPrompt()
        } else {
            try terminal.key("q")
            try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        }
        #expect(try !terminal.everything().contains(secret))
    }

    @Test(
        "is decided by the terminal's answers, not by its name: in tmux under TERM=dumb with ZAMOK_LINES=0 and without TMUX",
        arguments: [false, true])
    func nameless(hasOtherScreen: Bool) throws {
        let terminal = try Tmux()
        if !hasOtherScreen { try terminal.tmux("set", "-g", "alternate-screen", "off") }
        try terminal.enter("unset TMUX TMUX_PANE; export TERM=dumb ZAMOK_LINES=0; clear")
        if hasOtherScreen {
            _ = try terminal.startProbe("screen")
            try terminal.resize(columns: 60, rows: 12)
            try terminal.key("q")
            try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        } else {
            try terminal.enter("\(try terminal.probe) screen")
            try terminal.wait("the refusal") {
                try terminal.visible().replacing("\n", with: "").contains("tmux set -g alternate-screen on")
            }
        }
        #expect(try !terminal.everything().contains(secret))
    }

    // Rule: nothing is drawn where TERM says that nothing can be | TERM not looked at | no refusal
    @Test("is nothing with TERM=dumb and without TERM: the program doesn't start, and names the lines")
    func dumb() throws {
        let terminal = try Tmux()
        for setting in ["export TERM=dumb", "unset TERM"] {
            try terminal.enter("\(setting); clear; printf '\\033[2J\\033[H'")
            try terminal.enter("\(try terminal.probe) screen")
            try terminal.wait("the refusal") {
                try terminal.visible().replacing("\n", with: "").contains("writes lines there by LineMode")
            }
            #expect(try !terminal.everything().contains(secret))
        }
    }

    @Test(
        "is nothing in GNU screen: without its other screen the program doesn't start, with it nothing stays",
        .enabled(if: Tmux.hasScreen), arguments: [false, true])
    func gnuScreen(hasOtherScreen: Bool) throws {
        let terminal = try Tmux()
        let settings = terminal.folder.appending(path: "screenrc")
        let lines = "startup_message off\ndefscrollback 1000\naltscreen \(hasOtherScreen ? "on" : "off")\n"
        try Data(lines.utf8).write(to: settings)
        let name = terminal.folder.lastPathComponent
        try terminal.enter("screen -c \(settings.path) -S \(name) bash --norc --noprofile")
        try terminal.wait("the shell in screen") { try !terminal.visible().contains("screen -c") }
        try terminal.waitForPrompt()
        if hasOtherScreen {
            _ = try terminal.startProbe("screen")
            for (columns, rows) in [(60, 12), (140, 40), (100, 30)] {
                try terminal.resize(columns: columns, rows: rows)
            }
            try terminal.key("q")
            try terminal.wait("the end") { try terminal.visible().contains("probe ends") }
        } else {
            try terminal.enter("\(try terminal.probe) screen")
            try terminal.wait("the refusal") {
                try terminal.visible().replacing("\n", with: "").contains(":altscreen on")
            }
        }
        let kept = terminal.folder.appending(path: "kept")
        try terminal.enter("screen -S \(name) -X hardcopy -h \(kept.path)")
        try terminal.wait("what screen keeps") { FileManager.default.fileExists(atPath: kept.path) }
        try terminal.enter("exit")
        let text = String(decoding: try Data(contentsOf: kept), as: UTF8.self)
        #expect(text.contains("probe") && !text.contains(secret))
    }
}
