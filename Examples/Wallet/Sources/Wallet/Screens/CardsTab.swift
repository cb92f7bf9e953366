// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import TerminalPrivacy
import Zamok

final class CardsTab: Screen {
    private let opened: Session
    private var cards: [Card] = []
    private var selected = 0
    private var form: FormScreen?
    /// The user is asked whether the chosen card goes for good.
    private var isRemoving = false
    // The number that is shown. It is masked after its time and behind every cover. It is wiped in the background, by a
    // lock, and by a change of tab or user.
    private let shown = SecretField(policy: .strict)

    init(_ session: Session) throws {
        opened = session
        try reload()
    }

    let title = "Cards"
    var hints: String {
        if isRemoving { return "Remove \(cards[selected].name) for good?   y yes   any other key no" }
        return form?.hints ?? "↑ ↓ choose   ⏎ show the number   a add   D remove"
    }

    func handle(_ key: Key) throws -> Request {
        if let form {
            let request = form.handle(key)
            if case .back = request { close() } else { return request }
            return .nothing
        }
        if isRemoving { return try remove(isSure: key == .character("y")) }
        switch key {
        case .up, .down: choose(selected + (key == .up ? -1 : 1))
        case .enter: try showNumber()
        case .character("a"): form = newCard()
        case .character("D"): isRemoving = !cards.isEmpty
        default: return .ignored
        }
        return .nothing
    }

    private func remove(isSure: Bool) throws -> Request {
        isRemoving = false
        guard isSure else { return .nothing }
        try opened.cards.remove(cards[selected])
        try reload()
        return .nothing
    }

    func paste(_ secret: Secret) { form?.paste(secret) }

    func note(_ event: ClearingEvent) {
        shown.handle(event)
        form?.note(event)
    }

    private func choose(_ index: Int) {
        shown.clear()
        selected = max(0, min(cards.count - 1, index))
    }

    private func reload() throws {
        cards = try opened.cards.cards()
        choose(selected)
    }

    /// From the keychain's guarded memory to the field's, and from there to the screen alone.
    private func showNumber() throws {
        guard !cards.isEmpty, !shown.isRevealed, let number = try opened.cards.number(of: cards[selected]) else {
            return shown.clear()
        }
        try number.withSecretBytes { try shown.replace(with: $0) }
        shown.reveal(for: .seconds(10))
    }

    func newCard() -> FormScreen {
        let fields = Form(
            FormField("name", label: "Name", text: TextInput(), rule: .text(length: 1...22)),
            FormField("number", label: "Number", secret: SecretField(), rule: .paymentCard),
            FormField("expires", label: "Expires", text: TextInput(), rule: .validCard))
        return FormScreen("", fields.entries, busy: "Sealing …") { [self] in
            try await fields.submit { [self] name, card, expires in
                try opened.cards.add(name, card, expires: expires)
                try reload()
                choose(cards.firstIndex { $0.name == name } ?? 0)
            }
            close()
            return .nothing
        }
    }

    private func close() {
        form?.note(.left)
        form = nil
    }

    func draw(_ canvas: inout Canvas, in area: Area) {
        if let form { return form.draw(&canvas, in: area) }
        if cards.isEmpty {
            canvas.paragraph("No cards yet. Press a to add one.", at: area.column, area.row, width: area.width)
        }
        guard !cards.isEmpty else { return }
        // Beside the list where there is room for both, otherwise below it.
        let isWide = area.width >= 60
        var list = area
        if isWide { list.width = area.width - 40 } else { list.height = max(1, area.height - 2) }
        Frame.list(cards.map(\.name), selected: selected, on: &canvas, in: list, opened.settings.chosen)
        let (card, style) = (cards[selected], Style(opened.settings.colour))
        if isWide { return draw(card, style, on: &canvas, area.column + list.width + 4, area.row) }
        let row = area.row + list.height
        canvas.text(number(of: card), at: area.column + 1, row, .bold, width: area.width - 1)
        canvas.text(card.network.uppercased() + "  " + card.expires, at: area.column + 1, row + 1, style)
    }

    private func draw(_ card: Card, _ style: Style, on canvas: inout Canvas, _ column: Int, _ row: Int) {
        canvas.box(column, row, width: 36, height: 9, style)
        canvas.text(card.network.uppercased(), at: column + 3, row + 2, style)
        canvas.text(number(of: card), at: column + 3, row + 4, .bold, width: 30)
        canvas.text(card.name, at: column + 3, row + 6, style)
        canvas.text(card.expires, at: column + 28, row + 6, style)
    }

    private func number(of card: Card) -> String {
        let lastFour = opened.settings[.digits] ? card.lastFour : "••••"
        var number = shown.exposingRevealedText() ?? "••••••••••••\(lastFour)"
        for place in stride(from: 12, to: 0, by: -4) where number.count > place {
            number.insert(contentsOf: "  ", at: number.index(number.startIndex, offsetBy: place))
        }
        return number
    }
}

extension Rule where Value == CardExpiry {
    /// The month and year on a card that is valid today, by the machine's clock and time zone.
    static var validCard: Rule {
        let now = Calendar(identifier: .gregorian).dateComponents([.year, .month, .day], from: Date())
        guard let today = CalendarDate(year: now.year ?? 0, month: now.month ?? 0, day: now.day ?? 0) else {
            return Rule { _ throws(Reason) in throw Reason(.unavailable) }
        }
        return .cardExpiry(today: today)
    }
}
