// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Credentials

/// What programs of the bus are called, where each has items of its own.
@Suite struct ProgramNameTests {
    private static let manager = "0::/user.slice/user-1000.slice/user@1000.service"

    // Rule: a unit names a program only below the person's own manager | any unit taken | a unit of the system names
    //   one
    @Test(arguments: [
        ("app.slice/app-gnome-org.gnome.Evolution-2345.scope", "org.gnome.Evolution"),
        ("app.slice/app-org.mozilla.firefox-99.scope", "org.mozilla.firefox"),
        ("app.slice/app-org.kde.kmail2@3f0c.service", "org.kde.kmail2"),
        ("app.slice/app-KDE-org.kde.kmail2@3f0c.service", "org.kde.kmail2"),
        // An escaped dash is a part of the identifier.
        ("app.slice/app-gnome-my\\x2dmail-7.scope", "my-mail"), ("app.slice/mbsync.service", "mbsync"),
        ("app.slice/app-org.x.Y.service", "org.x.Y"), ("mail.slice/mbsync.service", "mbsync"),
        // What holds many programs, and what is no name.
        ("app.slice/vte-spawn-3c1e.scope", nil), ("init.scope", nil), ("app.slice/tmux-spawn-1.scope", nil),
        ("app.slice", nil), ("", nil), ("app.slice/getty@tty1.service", nil), ("app.slice/app-.scope", nil),
        ("app.slice/app-a\\x2fb-1.scope", nil), ("app.slice/app-1.scope", "1"), ("app.slice/.service", nil),
    ])
    func `a unit of the person's manager names its program`(path: String, name: String?) {
        let found = ProgramName.unit(in: "\(Self.manager)/\(path)\n")
        #expect(found == name.map(ProgramName.unit))
        // Units of the system belong to no single program.
        #expect(ProgramName.unit(in: "0::/system.slice/\(path)\n") == nil)
    }

    // Rule: the name of a sandboxed program is under [Application] | the group not looked at | a name of another group
    //   is taken
    @Test func `a sandbox names its program by its identifier, and by nothing else`() {
        #expect(
            ProgramName.flatpak(in: "[Application]\nname=org.gnome.Maps\nruntime=x\n\n[Instance]\nname=other\n")
                == .flatpak("org.gnome.Maps"))
        for none in [
            "", "name=a.b", "[Runtime]\nname=org.x.Y\n", "[Application]\nruntime=x\n[Instance]\nname=a.b\n",
            "[Application]\nname=\n", "[Application]\nname=a/b\n", "[Application]\nname=.a\n",
            "[Application]\n name=a\n",
        ] { #expect(ProgramName.flatpak(in: none) == nil, "\(none)") }
    }

    @Test func `programs of other kinds, or other names, have other groups`() {
        let names: [ProgramName] = [
            .flatpak("a"), .flatpak("b"), .unit("a"), .executable("/a"), .executable("/flatpak/a"), .unnamed,
        ]
        #expect(Set(names.map { $0.group(in: "g") }).count == names.count)
        #expect(names.allSatisfy { $0.group(in: "g") != "g" })
        for none in ["", "a", "/tmp/.mount_x/AppRun", "/memfd:x", "/a\nb", "/" + String(repeating: "a", count: 1024)] {
            #expect(ProgramName.executable(at: none) == nil, "\(none)")
        }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe"), "this system has no /proc"))
    func `a process is named after its file`() throws {
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let name = ProgramName.ofProcess(getpid())
        // Where the tests run in a unit of their own, they have its name.
        let unit = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
        #expect(name == (ProgramName.unit(in: unit) ?? .executable(own)))
        #expect(ProgramName.ofProcess(Int32.max) == .unnamed)
    }
}
