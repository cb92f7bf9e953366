// SPDX-License-Identifier: Apache-2.0
//
// Protected files beside age, gocryptfs, openssl and a plain copy, in one run. Each goal on a line; status 1 if one is missed.
//
//   FilesBenchmarks DIR [MIB] [ZAMOK]    DIR on a tmpfs; ZAMOK: the command's binary
//   FilesBenchmarks only memory | whole | small [DIR]    one of them alone; whole files of 1 GiB
//   FilesBenchmarks repeat CLASS COUNT DIR    reads a small file of the class, and nothing else, for profilers

import Foundation
import Meter

let arguments = Array(CommandLine.arguments.dropFirst())

/// What a child of this program does; prints seconds and resident megabytes.
func child(_ what: String, _ folder: String, _ threads: Int) throws {
    let work = try Work(folder, threads: threads)
    let seconds = try what == "protect" ? work.protect() : what == "open" ? work.open() : work.copy()
    print(seconds, Meter.residentMegabytes)
}

if arguments.count == 4, arguments[0] == "repeat" {
    try Work(arguments[3]).repeatedly(arguments[1], Int(arguments[2]) ?? 1)
} else if arguments.count == 4, arguments[0] == "child" {
    try child(arguments[1], arguments[2], Int(arguments[3]) ?? 1)
} else if arguments.count >= 2, arguments[0] == "only" {
    let folder = arguments.count > 2 ? arguments[2] : "/dev/shm/zamok-benchmark"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let report = try Report(folder, megabytes: arguments[1] == "whole" ? 1024 : 1)
    switch arguments[1] {
    case "memory": try report.memory()
    case "whole": try report.wholeFiles()
    default: try report.small()
    }
    try? FileManager.default.removeItem(atPath: folder)
} else {
    let folder = arguments.first ?? "/dev/shm/zamok-benchmark"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let report = try Report(folder, megabytes: arguments.count > 1 ? Int(arguments[1]) ?? 1024 : 1024)
    try report.memory()
    try report.wholeFiles()
    try report.random()
    try report.small()
    if arguments.count > 2 { try report.command(arguments[2]) }
    try? FileManager.default.removeItem(atPath: folder)
    exit(report.missed == 0 ? 0 : 1)
}
