// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The command `zamok`.
struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zamok",
        abstract: "Keeps secrets: a keychain with Apple's rules, without a desktop.",
        discussion: """
            Secrets come from standard input or from a prompt, never from the command line. \
            A secret from standard input is stored byte for byte.

            At first there is no passcode: other users of this machine read nothing, and a copy of its disk opens everything. \
            Change that: zamok passcode set

            EXAMPLES:
              printf %s "$TOKEN" | zamok set api/deploy
              zamok get api/deploy
              zamok generate example.com/me
              zamok passcode set && zamok lock
              zamok users add Anna && zamok preferences set theme dark --user Anna

            ENVIRONMENT:
              ZAMOK_HOME            the folder; default: $XDG_DATA_HOME/zamok
                                    or ~/.local/share/zamok
              ZAMOK_CREATE          no, 0, false, off: never make a home
              ZAMOK_PASSCODE_FILE   as --passcode-file
              ZAMOK_USER            as --user
              ZAMOK_DEVICE_SECRET   where the device secret is kept
              ZAMOK_TPM             the way to the TPM that has it:
                                    device:/dev/tpmrm0 or swtpm:SOCKET

            EXIT STATUS: 0 done, 3 done in part, 64 wrong usage, otherwise the low byte of Apple's OSStatus: 36 locked, 44 not found, \
            45 duplicate, 51 wrong passcode, 93 damaged, 28 key destroyed. All of them: zamok help statuses

            SHELL COMPLETION: zamok --generate-completion-script bash|zsh|fish
            """,
        version: Version.text,
        subcommands: [
            GetCommand.self, SetCommand.self, RemoveCommand.self, ListCommand.self, GenerateCommand.self,
            OneTimeCommand.self, KeychainCommand.self, KeysCommand.self, AgentCommand.self, SecretsCommand.self,
            TokenCommand.self,
            FilesCommand.self, UsersCommand.self, PreferencesCommand.self, PasscodeCommand.self, DeviceCommand.self,
            LockCommand.self, LogCommand.self,
            UnlockCommand.self, RunCommand.self, GuardCommand.self, InjectCommand.self, StatusCommand.self,
            DoctorCommand.self, EraseCommand.self, ProfilesCommand.self, PortCommand.self,
            CredentialCommand.self, SetupCommand.self, SecurityCommand.self, AuditCommand.self,
            SyncCommand.self, ShareCommand.self, SweepCommand.self,
        ]
    )

    @OptionGroup var global: GlobalOptions
}

extension RootCommand {
    /// Parses the command that `words` name with its own parser. The parser of all commands takes longer than the rest
    /// of a short command. If the own parser refuses the words, the parser of all commands reports the error with the
    /// right help text.
    static func parsed(_ words: [String]) throws -> any ParsableCommand {
        var command: any ParsableCommand.Type = Self.self
        var rest = words[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            (command, rest) = (next, rest.dropFirst())
        }
        guard command.configuration.subcommands.isEmpty, let parsed = try? command.parseAsRoot(Array(rest)),
            type(of: parsed) == command
        else { return try parseAsRoot(words) }
        return parsed
    }
}
