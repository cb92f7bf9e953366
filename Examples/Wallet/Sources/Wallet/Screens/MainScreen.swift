// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import TerminalPrivacy
import Zamok

/// What a logged-in user sees: cards, notes, settings.
final class MainScreen: Screen {
    private let opened: Session
    private let tabs: [any Screen]
    private var index = 0

    init(_ session: Session) throws {
        opened = session
        tabs = [try CardsTab(session), try NotesTab(session), SettingsTab(session)]
    }

    let title = ""
    var session: Session? { opened }
    var hints: String { tabs[index].hints + "   ^L lock   u users   q quit" }

    func handle(_ key: Key) throws -> Request {
        let request = try tabs[index].handle(key)
        guard case .ignored = request else { return request }
        switch key {
        case .character(let key) where ("1"..."3").contains(key): select(Int(key.value) - 49)
        case .control("t"), .right: select((index + 1) % tabs.count)
        case .left: select((index + tabs.count - 1) % tabs.count)
        case .control("l"): return .lock
        case .character("u"): return .back
        case .character("q"), .control("c"): return .quit
        default: break
        }
        return .nothing
    }

    private func select(_ next: Int) {
        // What was typed stays behind another tab for a minute; a card's number that was shown does not.
        tabs[index].note(.hidden)
        index = next
        tabs[index].note(.shown)
    }

    func paste(_ secret: Secret) { tabs[index].paste(secret) }

    func note(_ event: ClearingEvent) {
        for tab in tabs { tab.note(event) }
        if event == .left { opened.close() }
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        var column = area.column
        for (number, tab) in tabs.enumerated() {
            let style = number == index ? opened.settings.chosen : .dim
            column += canvas.text(" \(number + 1) \(tab.title) ", at: column, 1, style) + 1
        }
        Frame.line(2, on: &canvas)
        tabs[index].draw(&canvas, in: area.dropping(rows: 1))
    }
}
