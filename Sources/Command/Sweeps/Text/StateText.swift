// SPDX-License-Identifier: Apache-2.0

/// The state of Terraform (JSON, version 4): outputs that are marked as sensitive, and attributes of resources.
enum StateText {
    /// Keys: `output` or `attribute`, and the name.
    static func fields(_ bytes: [UInt8]) -> [Field] {
        let all = JSONText.fields(bytes)
        var sensitive: Set<String> = []
        var passwords: Set<String> = []
        for field in all {
            if field.keys.count == 3, field.keys[0] == "outputs", field.keys[2] == "sensitive",
                bytes.text(field.range) == "true"
            {
                sensitive.insert(field.keys[1])
            } else if field.keys.count == 3, field.keys[0] == "resources", field.keys[2] == "type",
                ["random_password", "random_bytes"].contains(bytes.text(field.range))
            {
                passwords.insert(field.keys[1])
            }
        }
        return all.compactMap { field in
            let keys = field.keys
            if keys.count >= 3, keys[0] == "outputs", keys[2] == "value", sensitive.contains(keys[1]) {
                return Field(["output", keys[1]], field.range, field.form)
            }
            guard keys.count >= 6, keys[0] == "resources", keys[4] == "attributes", let name = keys.last else {
                return nil
            }
            let isResult = name == "result" && passwords.contains(keys[1])
            guard isResult || SecretName.judged(name).map({ $0 != .weak }) == true || name.hasPrefix("private_key")
            else {
                return nil
            }
            return Field(["attribute", name], field.range, field.form)
        }
    }
}
