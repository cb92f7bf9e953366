// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Everything that writes a log: print, NSLog, os_log and Logger with their privacy, CocoaLumberjack, SwiftyBeaver, analytics and crash reporters.
struct LogSinks {
    /// A call that logs, and those of its arguments that are written in clear.
    struct Entry {
        var call: CallSite
        var sink: String
        var values: [Expression]
        /// It tells all that an object has, also of one that describes itself.
        var isDump = false
        /// How the log is reached from the call, if by functions of the project.
        var steps: [Step] = []
        /// The function of the project that is called, and what it logs.
        var inner: (Function, [Expression])?
    }

    private static let functions: [String: String] = [
        "print": "the console", "debugPrint": "the console", "dump": "the console", "NSLog": "the device's log",
        "NSLogv": "the device's log",
        "DDLogVerbose": "the log file", "DDLogDebug": "the log file", "DDLogInfo": "the log file",
        "DDLogWarn": "the log file", "DDLogError": "the log file",
        "CLSLog": "the crash reporter", "CLSNSLog": "the crash reporter",
        "CLSLogv": "the crash reporter", "CLS_LOG": "the crash reporter",
        "printLog": "the console", "logEvent": "analytics",
        "recordError_": "the crash reporter", "addBreadcrumb": "the crash reporter",
        "setCustomValue": "the crash reporter", "leaveBreadcrumb": "the crash reporter",
        "printf": "the console", "vprintf": "the console", "puts": "the console", "fputs": "the console",
        "fprintf": "the console", "vfprintf": "the console", "syslog": "the system log", "vsyslog": "the system log",
    ]
    /// With a receiver they are something else.
    private static let bare: Set<String> = [
        "print", "debugPrint", "dump", "printf", "vprintf", "puts", "fputs", "fprintf", "vfprintf", "syslog", "vsyslog",
    ]
    /// What writes into any file, the console's among them.
    private static let streams: Set<String> = ["fputs", "fprintf", "vfprintf"]
    private static let formatted = [
        "os_log", "os_log_info", "os_log_debug", "os_log_error", "os_log_fault", "os_log_with_type",
    ]
    private static let levels: Set<String> = [
        "verbose", "debug", "info", "warning", "warn", "error", "fault", "critical", "notice", "trace", "log", "fatal",
        "severe", "d", "i", "w", "e", "v", "message", "write", "success", "event", "network", "request", "response",
        "custom", "information", "err",
    ]

    static func entries(in project: ProjectModel, flows: Flows) -> [Entry] {
        var result: [Entry] = []
        for (name, sink) in functions.sorted(by: { $0.key < $1.key }) {
            for call in project.calls(to: name) {
                if bare.contains(name), call.receiver != nil, call.receiver?.lastName != "Swift" { continue }
                if call.arguments.contains(where: { $0.label == "to" }) { continue }
                if streams.contains(name),
                    !call.plainArguments.contains(where: { ["stderr", "stdout"].contains($0.value.lastName ?? "") })
                {
                    continue
                }
                // A function of the project with this name isn't the system's.
                if call.receiver == nil, !project.targets(of: call).isEmpty { continue }
                result.append(
                    Entry(
                        call: call, sink: sink, values: call.plainArguments.map(\.value), isDump: name == "dump"))
            }
        }
        result += unknown(in: project)
        for write in Files().writes(in: project, flows: flows) where write.known == nil {
            guard let call = write.call, isLog(call.caller.name) || isLog(lastPart(call.caller.owner)) else { continue }
            result.append(Entry(call: call, sink: "a log file", values: write.values))
        }
        for call in formatted.flatMap({ project.calls(to: $0) }) {
            let values = publicArguments(ofFormatted: call)
            if !values.isEmpty { result.append(Entry(call: call, sink: "the system log, as public", values: values)) }
        }
        result += reports(in: project)
        for name in levels.sorted() {
            for call in project.calls(to: name) {
                if let entry = entry(ofLogger: call, project, flows) { result.append(entry) }
            }
        }
        // Of several logs in a function the first one is told.
        return result.sorted { $0.call.place < $1.call.place }
    }

    /// What analytics and crash reporters call the sending of an event, a value or a message.
    private static let reporting: Set<String> = [
        "track", "trackEvent", "capture", "captureMessage", "setUserProperty", "setUserProperties", "identify",
        "setCustomKeysAndValues", "setCustomValue", "setExtra", "setTag", "leaveBreadcrumb", "addBreadcrumb", "log",
        "logEvent", "logEventWithName", "recordError", "record", "setObjectValue", "addAttribute", "setContext",
    ]
    private static let reporters: Set<String> = [
        "analytics", "mixpanel", "amplitude", "segment", "flurry", "firebase", "crashlytics", "sentry", "bugsnag",
        "datadog", "posthog", "appsflyer", "tracker", "telemetry", "firanalytics", "countly", "heap", "braze",
        "instabug", "rollbar", "newrelic", "appcenter", "msacanalytics",
    ]

    private static func reports(in project: ProjectModel) -> [Entry] {
        reporting.sorted().flatMap { project.calls(to: $0) }.compactMap { call in
            guard let receiver = call.receiver else { return nil }
            let words = receiver.dotted.split(separator: ".").flatMap { SecretWords.words(of: $0) + [$0.lowercased()] }
            guard words.contains(where: { reporters.contains($0) || $0.hasPrefix("sentry") }) else { return nil }
            return Entry(call: call, sink: "analytics or a crash reporter", values: call.plainArguments.map(\.value))
        }
    }

    private static func entry(ofLogger call: CallSite, _ project: ProjectModel, _ flows: Flows) -> Entry? {
        guard let receiver = call.receiver else { return nil }
        let type = flows.project.scope(of: call.caller).type(of: receiver).map {
            String($0.split(separator: ".").last ?? "")
        }
        if let type, project.declared(type) != nil { return nil }
        guard isLog(type ?? receiver.lastName ?? "") else { return nil }
        let file = project.swift(call.caller.file)
        let isSystem = (type == "Logger" && !usesOtherLogger(file)) || projectUsesSystemLogger(project, file)
        let values = call.plainArguments.map(\.value)
        guard isSystem, type == nil || type == "Logger", project.declared("Logger") == nil else {
            return Entry(call: call, sink: "the log", values: values)
        }
        let open = values.flatMap(publicInterpolations)
        return open.isEmpty ? nil : Entry(call: call, sink: "the system log, as public", values: open)
    }

    private static func lastPart(_ type: String?) -> String { String(type?.split(separator: ".").last ?? "") }

    /// Whether a logger is called so: `log`, `appLogger`, `LogManager`, `SwiftyBeaver`.
    static func isLog(_ name: String) -> Bool {
        if ["SwiftyBeaver", "os"].contains(name) { return true }
        let words = SecretWords.words(of: name)
        guard !words.contains(where: { ["in", "out", "on", "off", "view", "controller"].contains($0) }) else {
            return false
        }
        return words.contains { ["log", "logs", "logger", "logging", "oslog", "applog", "nslog"].contains($0) }
            || words.last.map { $0.hasSuffix("logger") } == true
    }

    /// A function or a macro that no source of the project has, and that is called like a log: `DLog`, `LogInfo`.
    private static func unknown(in project: ProjectModel) -> [Entry] {
        let files = project.resources.objectiveC
        let debug = files.reduce(into: Set<String>()) { $0.formUnion($1.debugMacros) }
        var macros: [String: String] = [:]
        // An empty one is the other branch of a switch that the file itself sets.
        for macro in files.flatMap(\.macros)
        where macros[macro.name].map({ $0.utf8.count < macro.text.utf8.count }) ?? true {
            macros[macro.name] = macro.text
        }
        func logs(_ name: String, depth: Int = 0) -> Bool {
            if functions[name] != nil || formatted.contains(name) { return true }
            guard depth < 4, let text = macros[name] else { return false }
            return text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.prefix(40).contains {
                logs(String($0), depth: depth + 1)
            }
        }
        let named = project.calledNames.filter { name in
            guard functions[name] == nil, !formatted.contains(name), name != "log" else { return false }
            if macros[name] != nil { return logs(name) }
            return !debug.contains(name) && isLogFunction(name)
        }
        return named.sorted().flatMap { name in
            project.calls(to: name).filter { call in
                guard case .name = call.callee.kind else { return false }
                return project.targets(of: call).isEmpty && project.declared(name) == nil
            }.map { Entry(call: $0, sink: "the log", values: $0.plainArguments.map(\.value)) }
        }
    }

    private static func isLogFunction(_ name: String) -> Bool {
        let words = SecretWords.words(of: name)
        guard words.count > 1 || words.first == "dlog", words.count <= 3 else { return false }
        return words.last == "log" || words.last == "dlog"
            || words.contains("log") && words.contains { levels.contains($0) && $0.count > 2 }
    }

    private static func projectUsesSystemLogger(_ project: ProjectModel, _ file: SwiftFile?) -> Bool {
        let modules: Set<String> = ["os", "OSLog", "os.log"]
        return file?.imports.contains(where: modules.contains) ?? false
    }

    /// The logger of swift-log and of others hides nothing.
    private static func usesOtherLogger(_ file: SwiftFile?) -> Bool {
        file?.imports.contains { ["Logging", "Puppy", "CocoaLumberjackSwift", "Willow", "Pulse"].contains($0) } ?? false
    }

    /// The interpolations of a message that say `privacy: .public`.
    private static func publicInterpolations(_ message: Expression) -> [Expression] {
        guard case .text(let parts) = message.kind else { return [] }
        return parts.compactMap { part in
            guard case .interpolation(let arguments) = part, let value = arguments.first?.value else { return nil }
            let privacy = arguments.first { $0.label == "privacy" }?.value.lastName
            return privacy == "public" ? value : nil
        }
    }

    /// The arguments of `os_log("%{public}@", value)` whose place in the format says public.
    private static func publicArguments(ofFormatted call: CallSite) -> [Expression] {
        let arguments = call.plainArguments
        guard let index = arguments.firstIndex(where: { if case .text = $0.value.kind { true } else { false } }) else {
            return []
        }
        let format = arguments[index].value
        guard let text = format.literal else { return publicInterpolations(format) }
        // Other arguments, the log and the type, come before the text or have labels.
        let values = arguments[(index + 1)...].filter { $0.label == nil }.map(\.value)
        let marks = text.replacing("%%", with: "").split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        return zip(marks, values).filter { $0.0.prefix(7).lowercased() == "{public" }.map(\.1)
    }
}
