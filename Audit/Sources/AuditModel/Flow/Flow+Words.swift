// SPDX-License-Identifier: Apache-2.0

/// Names of members and functions, by what they do to a value.
extension Flow {
    /// Words of functions that give the same in another form.
    static let conversions: Set<String> = [
        "string", "encode", "encoded", "decode", "decoded", "format", "formatted", "data", "hex", "hexadecimal", "utf",
        "json", "escape", "escaped", "percent", "trim", "trimmed", "concat", "concatenate", "join", "joined",
        "describe", "stringify", "serialize", "serialized", "convert", "converted", "base", "from", "localized",
        "quoted", "wrap", "unwrap", "identity",
        "lowercase", "uppercase", "normalize", "normalized", "pad", "padded", "zip", "some",
    ]

    /// What a function for all requests calls what it sends.
    static let bodyNames: Set<String> = ["params", "parameters", "httpBody", "payload", "bodyParameters", "headers"]
    static let textMembers: Set<String> = ["text", "stringValue", "attributedText"]
    static let transparentMembers: Set<String> = [
        "value", "wrappedValue", "projectedValue", "description", "debugDescription", "utf8", "unicodeScalars",
        "rawValue", "bytes", "base64", "absoluteString",
        "data", "string", "result", "payload", "orEmpty", "unsafelyUnwrapped", "localizedDescription_", "query", "url",
        "queryItems",
        "percentEncodedQuery", "httpBody", "hexString",
        "base64String", "asString", "stringRepresentation", "first", "last", "lowercased",
        // Objective-C's messages without arguments.
        "copy", "mutableCopy", "UTF8String", "lowercaseString", "uppercaseString", "capitalizedString",
        "stringByRemovingPercentEncoding",
    ]
    static let transparentMethods: Set<String> = [
        "trimmingCharacters", "lowercased", "uppercased", "data", "base64EncodedString", "base64EncodedData",
        "replacingOccurrences", "appending", "joined", "components",
        "split", "utf8", "description", "capitalized", "addingPercentEncoding", "removingPercentEncoding", "reversed",
        "sorted", "string", "value", "appendingPathComponent",
        "mutableCopy", "copy", "toString", "asData", "hexEncodedString", "toHexString", "withUnsafeBytes", "unwrap",
        "get", "decodeUrl", "filter",
    ]
    static let converters: Set<String> = [
        "adding", "by", "to", "as", "with", "escaped", "encoded", "trimmed", "trimming", "formatted", "replacing",
        "removing", "inserting", "appending", "decoded",
        "base", "base64", "base32", "normalized", "grouped", "url",
    ]
    static let joiningMethods: Set<String> = ["appending", "joined", "replacingOccurrences", "appendingPathComponent"]
    static let getters: Set<String> = [
        "get", "load", "read", "fetch", "retrieve", "extract", "find", "copy", "current", "object", "value", "valet",
        "obtain", "acquire", "string",
        "data", "generate", "export", "derive", "reveal", "decrypt", "unsafe",
    ]
}
