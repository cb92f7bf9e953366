// SPDX-License-Identifier: Apache-2.0
//
// Measures what a user waits for: an event's way to its action, the check of a field, a secret's end, the cover of a terminal. A
// program of its own, since the last of these needs a second process on a terminal. Prints a table; status 1 if a goal is missed.

import Foundation
import InterfaceProtection
import SecretMemory
import TerminalPrivacy

if CommandLine.arguments.contains("--screen") { try CoverLatency.showScreen() }

struct Figure {
    let name: String
    let goal: Double?
    let unit: String
    /// In `unit`, sorted.
    let samples: [Double]

    var median: Double { samples[samples.count / 2] }
    var p99: Double { samples[samples.count * 99 / 100] }
    /// A check is a person's wait: what one in a hundred takes counts, not the median.
    var isMissed: Bool { goal.map { (name.hasPrefix("check") ? p99 : median) > $0 } ?? false }
    var row: String {
        let goal = goal.map { String(format: "%.3g", $0) } ?? ""
        return String(
            format: "| %@ | %.3g %@ | %.3g %@ | %@ | %@ |", name, median, unit, p99, unit, goal,
            isMissed ? "missed" : "met")
    }
}

/// Medians of 200 samples, of as many calls each.
func measure(_ name: String, goal: Double?, unit: String, per calls: Int, _ body: () throws -> Void) rethrows -> Figure
{
    let nanoseconds = unit == "ns" ? 1.0 : 1000
    var samples: [Double] = []
    for _ in 0..<200 {
        let time = try ContinuousClock().measure { for _ in 0..<calls { try body() } }
        let (seconds, attoseconds) = time.components
        samples.append((Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(calls) / nanoseconds)
    }
    return Figure(name: name, goal: goal, unit: unit, samples: samples.sorted())
}

func events() -> [Figure] {
    let scenes = [SceneID("one"), SceneID("two")]
    var screen = PrivacyScreen(policy: .init(locksAfter: .seconds(3600)))
    for scene in scenes { _ = screen.handle(.sceneWillConnect(scene), at: .now) }
    var (actions, step) = (0, 0)
    let round: [(SceneID) -> PrivacyScreen.Event] = [
        { .sceneWillEnterForeground($0) }, { .sceneDidActivate($0) }, { .sceneWillDeactivate($0) },
        { .sceneDidEnterBackground($0) },
    ]
    let figure = measure("event to action, two scenes", goal: 5, unit: "µs", per: 2_000) {
        actions += screen.handle(round[step / 2 % 4](scenes[step % 2]), at: .now).count
        step += 1
    }
    precondition(actions > step / 4, "nothing was decided")
    return [figure]
}

func checks() -> [Figure] {
    func check<Value>(
        _ name: String, _ rule: Rule<Value>, _ text: String, isRight: Bool = true, goal: Double? = 5
    ) -> Figure {
        let bytes = Array(text.utf8)
        precondition((rule.problem(in: text) == nil) == isRight, "\(name) is not judged as it should be")
        return measure("check: " + name, goal: goal, unit: "µs", per: 2_000) { _ = try? rule.parse(utf8: bytes.span) }
    }
    guard let today = CalendarDate(year: 2026, month: 2, day: 28) else { preconditionFailure("no such day") }
    let policy = PasswordPolicy(contextWords: ["example", "anna", "wallet"])
    return [
        check("e-mail", .email(), "first.last+tag@mail.example.co.uk"), check("phone", .phone, "+44 (20) 7946-0123"),
        check("web address", .webAddress(), "https://www.example.com:8443/a/b?c=d#e"),
        check("web address of another script", .webAddress(), "https://www.пример.рф/"),
        check("web address, IPv4 in another form", .webAddress(), "https://192.0x00A80001/"),
        check("e-mail of another script", .email(), "иван.петров@пример.рф"),
        check("IBAN", .iban, "DE89 3704 0044 0532 0130 00"),
        check("text of 40 characters, none hidden", .text(), "Привет, 👩‍👩‍👧 как дела сегодня вечером, друзья?"),
        check("person's name", .personName(), "Jean-Luc O’Neill"), check("ИНН", .inn(), "7707083893"),
        check("amount", .amount(in: 0...1_000_000), "12,345.67", isRight: true),
        check("card's expiry", .cardExpiry(today: today), "02/29"),
        check("security code", .securityCode(of: .visa), "123"), check("one-time code", .oneTimeCode(), "123 456"),
        check("postal code", .postalCode(of: "GB"), "sw1a1aa"), check("user name", .userName(), "anna.petrova"),
        check("UUID", .uuid, "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"), check("КПП", .kpp, "770801001"),
        check("СНИЛС", .snils, "112-233-445 95"), check("ОГРН", .ogrn, "1027700132195"),
        check("БИК", .bik, "044525225"),
        check("payment card", .paymentCard, "4111 1111 1111 1111"), check("date", .date(), "2026-02-28"),
        check("new password, blocklist and three context words", .newPassword(policy), "tall amber kettle, 7 rivers"),
        check("new password in Cyrillic", .newPassword(policy), "мокрый велосипед у забора"),
        check("new password of signs", .newPassword(policy), "x9#kL2$vQ!7mZ@4tB"),
        check("new password on the blocklist", .newPassword(.withSecondFactor), "Password123!", isRight: false),
        // No field of a form: shows that the time grows with the length, and no faster.
        check("text of 100 characters", .text(length: 1...1000), String(repeating: "naïve ", count: 16), goal: nil),
        check("text of 1,000 characters", .text(length: 1...1000), String(repeating: "naïve ", count: 166), goal: nil),
    ]
}

func secrets() throws -> [Figure] {
    let text = Array("tall amber kettle".utf8)
    let field = SecretField(in: ConfidentialContents())
    // An upper bound of the wiping alone.
    let wiped = try measure("a secret of 64 bytes made, wiped and given back", goal: 100, unit: "ns", per: 5_000) {
        _ = try SecretBytes(count: 64) { _ in }
    }
    let typed = try measure("a field typed and cleared", goal: nil, unit: "ns", per: 2_000) {
        try field.replace(with: text.span)
        field.clear()
    }
    var many: [Secret] = []
    for _ in 0..<1_000 { many.append(Secret(try SecretBytes.random(count: 32))) }
    let status = SecretArena.status
    print("1,000 secrets of 32 bytes: \(status)\n")
    let locked = Figure(
        name: "1,000 secrets of 32 bytes, locked", goal: 64, unit: "KiB", samples: [Double(status.bytesLocked) / 1024])
    precondition(status.bytesUnlocked == 0 || status.lockRefusal != nil, "degraded, and not said so")
    return [wiped, typed, locked]
}

var figures = events() + checks()
figures += try secrets()
figures.append(try CoverLatency.measure())
print("| figure | median | p99 | goal | |\n|---|---|---|---|---|")
for figure in figures { print(figure.row) }
exit(figures.contains(where: \.isMissed) ? 1 : 0)
