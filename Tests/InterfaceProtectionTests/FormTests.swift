// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import SecretMemory
import Testing

@Suite("A form")
struct FormTests {
    struct Refused: Error {}

    let email = TextInput()
    let age = TextInput()
    let password = SecretField(in: ConfidentialContents())
    let again = SecretField(in: ConfidentialContents())

    private var form: Form<EmailAddress, Int, Secret, Secret> {
        Form(
            FormField("email", label: "E-mail", text: email, rule: .email()),
            FormField("age", label: "Age", text: age, rule: .integer(in: 0...150)),
            FormField("password", label: "Password", secret: password, rule: .newPassword()),
            FormField("again", label: "Once more", secret: again, rule: .same(as: password))
        )
    }

    private func fill() throws {
        email.text = "ann@example.com"
        age.text = "42"
        try password.replace(with: "mqzvkxwbtrpjhngd")
        try again.replace(with: "mqzvkxwbtrpjhngd")
    }

    // Rule: an error of a form reads as what the user is told | described by the fields' names | another text
    @Test("describes its errors by label and message, without what was typed")
    func described() throws {
        email.text = "anna(at)example"
        try password.replace(with: "hunter2")
        let thrown = try #require(throws: FormProblems.self) { try form.values() }
        #expect("\(thrown)".hasPrefix("E-mail: This is not an e-mail address: name@example.com. Age: Please fill"))
        #expect(!"\(thrown)".contains("anna") && !"\(thrown)".contains("hunter2"))
        #expect("\(Reason(.different))" == "The two are not the same.")
        #expect("\(Reason.refused("Taken."))" == "Taken.")
        #expect("\(Reason(Reason.Code("app.odd")))" == "This is not right.")
    }

    @Test("looks at every field, and points at the first wrong one")
    func problems() throws {
        #expect(form.problems.map(\.field) == ["email", "age", "password"])
        try fill()
        age.text = "x"
        try again.replace(with: "other")
        #expect(form.problems.map(\.field) == ["age", "again"])
        let thrown = #expect(throws: FormProblems.self) { try form.values() }
        #expect(thrown?.first == FormProblem(field: "age", label: "Age", reason: Reason(.number)))
    }

    // Rule: a repetition is the same | anything taken | the fourth; also "compare a repetition by its bytes", "looks at every field …"
    @Test("submits nothing while one field is wrong", arguments: 0..<4)
    func nothing(wrong: Int) async throws {
        try fill()
        switch wrong {
        case 0: email.text = "ann"
        case 1: age.text = "151"
        case 2: try password.replace(with: "short")
        default: try again.replace(with: "different")
        }
        await #expect(throws: FormProblems.self) {
            try await form.submit { _, _, _, _ in Issue.record("handed over") }
        }
        #expect(!again.isEmpty)
    }

    @Test("hands over typed values, and clears the secrets when they were accepted")
    func values() async throws {
        try fill()
        let text = try await form.submit { email, age, password, _ in "\(email.host) \(age) \(try password.text)" }
        #expect(text == "example.com 42 mqzvkxwbtrpjhngd")
        #expect(password.isEmpty)
        #expect(again.isEmpty)
        #expect(email.text == "ann@example.com")
    }

    @Test("keeps everything when the values were not accepted")
    func refused() async throws {
        try fill()
        await #expect(throws: Refused.self) { try await form.submit { _, _, _, _ in throw Refused() } }
        #expect(try password.text == "mqzvkxwbtrpjhngd")
    }

    // Rule: a form hands over nothing while its server objects | objections passed over
    @Test("asks a server only about values that are right, and stops at its objections")
    func server() async throws {
        let log = Log()
        let form = Form(
            FormField("email", text: email, rule: .email()).checked { address in
                log.add(address.host)
                return address.local == "taken" ? .refused("taken already") : nil
            },
            FormField("age", text: age, rule: .integer()).checked { age in
                log.add("\(age)")
                if age == 13 { throw Refused() }
                return nil
            }
        )
        email.text = "taken@example.com"
        await #expect(throws: FormProblems.self) { try await form.submit { _, _ in Issue.record("handed over") } }
        #expect(log.lines == [])
        age.text = "13"
        let problems = await #expect(throws: FormProblems.self) {
            try await form.submit { _, _ in Issue.record("handed over") }
        }
        #expect(problems?.all.map(\.reason) == [.refused("taken already"), Reason(.unreachable)])
        email.text = "free@example.com"
        age.text = "14"
        #expect(try await form.submit { email, age in "\(email) \(age)" } == "free@example.com 14")
        #expect(log.lines == ["example.com", "13", "example.com", "14"])
    }

    // Rule: a form lends its secret fields until its submission is over | held, and not marked as lent | 7 issues;
    //   also "takes no edit of a secret while a server is asked about a field, and drops what was cleared meanwhile"
    @Test("takes no edit of a secret while it is sent, and gives it back if it was refused", arguments: [true, false])
    func lent(isAccepted: Bool) async throws {
        try fill()
        // One field may stand in a form twice.
        let form = Form(
            FormField("password", secret: password, rule: .password),
            FormField("the same", secret: password, rule: .password))
        do {
            try await form.submit { sent, _ in
                #expect(password.isLent && password.isExpectedBack)
                #expect(throws: SecretFieldError.self) { try password.replace(with: "second") }
                await #expect(throws: SecretFieldError.self) { try await form.submit { _, _ in await Task.yield() } }
                #expect(try sent.text == "mqzvkxwbtrpjhngd")
                if !isAccepted { throw Refused() }
            }
        } catch is Refused {}
        #expect(!password.isLent)
        #expect(try password.text == (isAccepted ? "" : "mqzvkxwbtrpjhngd"))
        try password.replace(with: "second")
    }

    @Test("takes no edit of a secret while a server is asked about a field, and drops what was cleared meanwhile")
    func lentToServer() async throws {
        try fill()
        let (email, password) = (self.email, self.password)
        let form = Form(
            FormField("email", text: email, rule: .email()).checked { _ in
                #expect(password.isLent)
                password.handle(.locked)
                return Reason(.refused)
            },
            FormField("password", secret: password, rule: .password))
        await #expect(throws: FormProblems.self) { try await form.submit { _, _ in } }
        #expect(!password.isLent && password.isEmpty)
    }
}

@Suite("Messages")
struct MessageTests {
    static let codes: [Reason.Code] = [
        .required, .tooShort, .tooLong, .character, .hidden, .notText, .number, .amount, .fraction, .range, .email,
        .phone, .webAddress,
        .scheme, .privateHost, .card, .cvc, .expiry, .expired, .iban, .postal, .personName, .userName,
        .uuid, .identifier,
        .oneTimeDigits, .date, .commonPassword, .contextWord, .different, .refused, .unreachable, .unavailable,
    ]

    @Test("exist for every reason, in both languages", arguments: codes)
    func complete(code: Reason.Code) {
        let reason = Reason(code, minimum: "77777", maximum: "88888", details: ["Xyz"])
        let english = Messages.english.text(for: reason)
        let russian = Messages.russian.text(for: reason)
        #expect(english != "This is not right." && english.hasSuffix("."))
        for text in [english, russian] { #expect(!text.contains("{") && !text.contains("}") && !text.contains("  ")) }
        // What the policy says is in both or in neither.
        for value in ["77777", "88888", "Xyz"] { #expect(english.contains(value) == russian.contains(value)) }
        #expect(english.unicodeScalars.allSatisfy { $0.isASCII })
        #expect(russian.contains { ("а"..."я").contains($0) })
    }

    @Test(
        "decline as the language does",
        arguments: [
            (1, "Не менее 1 символа."), (2, "Не менее 2 символов."), (11, "Не менее 11 символов."),
            (15, "Не менее 15 символов."),
            (21, "Не менее 21 символа."), (111, "Не менее 111 символов."),
        ])
    func russian(count: Int, text: String) {
        #expect(Messages.russian.text(for: Reason(.tooShort, minimum: String(count))) == text)
    }

    @Test(
        "speak the language that the user prefers",
        arguments: [
            (["ru_RU.UTF-8"], "ru"), (["ru-RU", "en"], "ru"), (["de-DE", "ru"], "ru"), (["en-GB"], "en"), (["C"], "en"),
            ([], "en"),
        ])
    func preference(languages: [String], language: String) {
        #expect(Messages.preferring(languages).language == language)
    }

    @Test("say what the policy says")
    func parameters() {
        let messages = Messages.english
        let scheme = Rule.webAddress(schemes: ["https", "http", "ftp"]).problem(in: "x://y.example")
        #expect(
            messages.text(for: scheme ?? Reason(.required))
                == "The address must begin with https://, http:// or ftp://.")
        let date = Rule.date(.dayMonthYear(".")).problem(in: "x")
        #expect(
            messages.text(for: date ?? Reason(.required))
                == "There is no such date. Write it like this, the year with four digits: 31.12.2026.")
        #expect(
            messages.text(for: Reason(.cvc, minimum: "3", maximum: "3")) == "The security code has 3 digits.")
        #expect(messages.text(for: Reason(.range, minimum: "5")) == "5 or more, please.")
        #expect(
            Messages.russian.text(for: Reason(.scheme, details: ["https://", "http://"]))
                == "Адрес должен начинаться с https:// или http://.")
    }

    @Test("have the same names in both languages")
    func names() throws {
        let russian = Messages.russian
        for name in Messages.template.keys where !["or"].contains(name) && !name.contains(".") {
            #expect(
                russian.text(for: Reason(.init(name), minimum: "1", details: ["x"]))
                    != Messages.english.text(for: Reason(.init(name), minimum: "1", details: ["x"])), "\(name)")
        }
    }

    @Test("can be added in a file, with the plural forms of the language")
    func file() throws {
        let text = """
            {"language": "pl", "messages": {"required": "Wypełnij to pole.", "or": " lub ", "scheme": "Adres musi zaczynać się od {details}.",
            "tooShort": "Co najmniej {minimum} {minimum:one=znak|few=znaki|many=znaków|other=znaku}."}}
            """
        let polish = try Messages(json: Data(text.utf8))
        let expected = [
            (1, "1 znak."), (2, "2 znaki."), (5, "5 znaków."), (12, "12 znaków."), (22, "22 znaki."),
            (25, "25 znaków."),
        ]
        for (count, end) in expected {
            #expect(polish.text(for: Reason(.tooShort, minimum: "\(count)")) == "Co najmniej " + end)
        }
        #expect(
            polish.text(for: Reason(.scheme, details: ["a://", "b://"])) == "Adres musi zaczynać się od a:// lub b://.")
        #expect(polish.text(for: Reason(.number)) == "This is not a number.")
        #expect(Messages.preferring(["pl-PL", "en"], others: [polish]).language == "pl")
    }

    @Test(
        "are refused with what is wrong with the file",
        arguments: [
            "[]", "{}", #"{"language": "de", "messages": {"requird": "x"}}"#,
            #"{"language": "de", "messages": {"tooShort": "{count}"}}"#,
            #"{"language": "de", "messages": {"tooShort": "{minimum"}}"#,
            #"{"language": "de", "messages": {"tooShort": "{minimum:one=x}"}}"#,
        ])
    func brokenFile(text: String) {
        let error = #expect(throws: MessageError.self) { try Messages(json: Data(text.utf8)) }
        #expect(error?.description.isEmpty == false)
    }

    @Test("can be another's, and fall back to English")
    func own() {
        let german = Messages(language: "de") { $0.code == .required ? "Bitte ausfüllen." : nil }
        #expect(german.text(for: Reason(.required)) == "Bitte ausfüllen.")
        #expect(german.text(for: Reason(.number)) == "This is not a number.")
        #expect(german.text(for: Reason(.init("app.own"))) == "This is not right.")
        let problem = FormProblem(field: "age", label: "Alter", reason: Reason(.init("app.own"), message: "Zu jung."))
        #expect(german.text(for: problem) == "Alter: Zu jung.")
    }

}
