// SPDX-License-Identifier: Apache-2.0

import TerminalPrivacy
import Zamok

/// The choice of a user. No user's data is open here.
final class UsersScreen: Screen {
    private let directory: UserDirectory
    private let users: [AppUser]
    private var selected = 0

    init(_ directory: UserDirectory) throws {
        self.directory = directory
        users = try directory.users()
        let last = try directory.recorded()
        selected = users.firstIndex { $0.id == last?.id } ?? 0
    }

    var title: String { users.isEmpty ? "Welcome" : "Who are you?" }
    var hints: String { users.isEmpty ? "n new user   q quit" : "↑ ↓ choose   ⏎ log in   n new user   q quit" }

    func handle(_ key: Key) -> Request {
        switch key {
        case .up: selected = max(0, selected - 1)
        case .down: selected = min(max(0, users.count - 1), selected + 1)
        case .enter where users.isEmpty, .character("n"): return .show(FormScreen.newUser(directory))
        case .enter: return .show(FormScreen.logIn(users[selected], directory))
        case .character("q"), .control("c"): return .quit
        default: break
        }
        return .nothing
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        var list = area
        list.width = min(40, area.width)
        Frame.list(users.map(\.name), selected: selected, on: &canvas, in: list, .selected)
        let text = "Cards, notes and settings, for several people, each behind a passcode. Press n to begin."
        if users.isEmpty { canvas.paragraph(text, at: area.column, area.row, width: min(60, area.width)) }
    }
}
