// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// Everything that writes a log: print, NSLog, os_log and Logger with their privacy, CocoaLumberjack, SwiftyBeaver, analytics and crash reporters.
struct LogSinks {
    /// A call that logs, and those of its arguments that are written in clear.
    struct Entry {
        var call: CallSite
        var sink: String
        var values: [Expression]
    }

    private static let functions: [String: String] = [
        "print": "the console", "debugPrint": "the console", "dump": "the console", "NSLog": "the device's log",
        "NSLogv": "the device's log",
        "DDLogVerbose": "the log file", "DDLogDebug": "the log file", "DDLogInfo": "the log file",
        "DDLogWarn": "the log file", "DDLogError": "the log file",
        "CLSLog": "the crash reporter", "CLSNSLog": "the crash reporter",
        "CLSLogv": "the crash reporter",
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
        "severe",
    ]

    static func entries(in project: ProjectModel, flows: Flows) -> [Entry] {
        var result: [Entry] = []
        for (name, sink) in functions {
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
                result.append(Entry(call: call, sink: sink, values: call.plainArguments.map(\.value)))
            }
        }
        for call in formatted.flatMap({ project.calls(to: $0) }) {
            let values = publicArguments(ofFormatted: call)
            if !values.isEmpty { result.append(Entry(call: call, sink: "the system log, as public", values: values)) }
        }
        result += reports(in: project)
        for name in levels {
            for call in project.calls(to: name) {
                if let entry = entry(ofLogger: call, project, flows) { result.append(entry) }
            }
        }
        return result
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
        reporting.flatMap { project.calls(to: $0) }.compactMap { call in
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
        let name = (type ?? receiver.lastName ?? "").lowercased()
        guard name.hasSuffix("log") || name.contains("logger") || name == "swiftybeaver" || name == "os" else {
            return nil
        }
        let file = project.swift(call.caller.file)
        let isSystem = type == "Logger" || (type == nil && projectUsesSystemLogger(project, file))
        let values = call.plainArguments.map(\.value)
        guard isSystem, project.declared("Logger") == nil else {
            return Entry(call: call, sink: "the log", values: values)
        }
        let open = values.flatMap(publicInterpolations)
        return open.isEmpty ? nil : Entry(call: call, sink: "the system log, as public", values: open)
    }

    private static func projectUsesSystemLogger(_ project: ProjectModel, _ file: SwiftFile?) -> Bool {
        let modules: Set<String> = ["os", "OSLog", "os.log"]
        return file?.imports.contains(where: modules.contains) ?? false
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
