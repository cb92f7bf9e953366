// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("The check for fields that should be secure")
struct FieldAuditTests {
    @Test(
        "finds what says password, PIN, code or card",
        arguments: [
            FieldAudit.Field(contentType: "password", isSecure: false),
            FieldAudit.Field(contentType: "newPassword", isSecure: false),
            FieldAudit.Field(contentType: "oneTimeCode", isSecure: false),
            FieldAudit.Field(contentType: "creditCardNumber", isSecure: false),
            FieldAudit.Field(name: "userPasswordField", isSecure: false),
            FieldAudit.Field(name: "pin_input", isSecure: false),
            FieldAudit.Field(name: "cvv2", isSecure: false),
            FieldAudit.Field(placeholder: "Your PIN", isSecure: false),
            FieldAudit.Field(placeholder: "Passcode", isSecure: false),
            FieldAudit.Field(placeholder: "Введите пароль", isSecure: false),
            FieldAudit.Field(placeholder: "Код из SMS", isSecure: false),
            FieldAudit.Field(placeholder: "Номер карты", isSecure: false),
        ])
    func finds(field: FieldAudit.Field) {
        #expect(FieldAudit.finding(for: field) != nil)
        var secure = field
        secure.isSecure = true
        #expect(FieldAudit.finding(for: secure) == nil)
    }

    @Test(
        "leaves others alone",
        arguments: [
            "Spinning wheel", "Discard", "Postal code", "postCode", "ZIP code", "Country code", "Promo code",
            "Business card",
            "Почтовый индекс", "Картина", "Кодировка", "E-mail", "Happiness", "", "compassion",
        ])
    func leavesAlone(text: String) {
        #expect(FieldAudit.finding(for: .init(name: text, placeholder: text, isSecure: false)) == nil)
    }

    @Test("says where, and never what was typed")
    func says() {
        let finding = FieldAudit.finding(for: .init(placeholder: "Your PIN", isSecure: false))
        #expect(finding?.description == "a text field whose placeholder says \"pin\" is not secure")
    }
}
