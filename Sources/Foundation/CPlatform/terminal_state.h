// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_TERMINAL_STATE_H
#define ZAMOK_TERMINAL_STATE_H

#include <sys/types.h>

/// Bytes of the longest sequence that takes a terminal over or gives it back, with its end.
enum { ZAMOK_SEQUENCE_LIMIT = 512 };

/// Tells the supervisor, if there is one, whether the terminal is taken over, and by what it is given back. May be called in a handler of a signal.
void zamok_terminal_tell_supervisor(int is_entered, const char *leave);

/// Whether there is a supervisor that has not given the terminal back since it was told. May be called in a handler of a signal.
int zamok_terminal_is_left_alone(void);

/// Whether a signal's handler is what gives the terminal back at the end of the process, and so no idea of the program's own.
int zamok_terminal_is_own_handler(void (*handler)(int));

/// Tells the supervisor, if there is one, whether a prompt is open. May be called in a handler of a signal.
void zamok_terminal_tell_asking(int is_asking);

struct termios;
/// Sets `settings` so that each byte arrives as it was typed: no bit is cut off, no letter or line end changed, no line
/// edited outside (EXTPROC).
void zamok_terminal_take_as_typed(struct termios *settings);

/// Whether the terminal has these settings.
int zamok_terminal_is_set_so(int terminal, const struct termios *settings);

/// Sets the terminal as it was before the prompt and, if asked to, drops what was typed and not read. Where `group` is
/// not in the foreground the terminal is another's, and only put back if that left it as the prompt had set it. May be
/// called in a handler of a signal.
void zamok_terminal_put_back(
    int terminal, pid_t group, const struct termios *visible, const struct termios *asking, int is_emptied);

/// A small process beside one that asks for a secret (Linux). It reads what is typed at once and hands it over, so that
/// the terminal has nothing that the next reader would get. Killed or stopped, the asking process can't give the
/// terminal back: the keeper does, and drops what was typed. It is a copy of the process without threads, files or
/// secret memory, made before the secret's first character; what it has read is wiped when it is handed over.
struct zamok_keeper {
    pid_t process;
    /// Where what was typed arrives; its end when the keeper's is there.
    int end;
};
/// Bytes that it reads at once: a page, which is locked and in no core file.
enum { ZAMOK_KEEPER_BUFFER = 4096 };
int zamok_keeper_start(struct zamok_keeper *keeper, const struct termios *visible, const struct termios *asking);
/// The terminal has the prompt's settings: it reads from here on, and does when this returns 0. Without this call it
/// only watches.
int zamok_keeper_begin(const struct zamok_keeper *keeper);
/// Whether a signal has stopped it, so that it reads nothing.
int zamok_keeper_is_stopped(const struct zamok_keeper *keeper);
/// Ends it, so that it does nothing any more. May be called in a handler of a signal.
void zamok_keeper_dismiss(const struct zamok_keeper *keeper);
/// Ends it and forgets it. When this returns it has done what it will ever do.
void zamok_keeper_end(struct zamok_keeper *keeper);

/// The settings to go back to. Where a program and its supervisor were killed together, nobody gave the terminal back: it is as the program left it, and what
/// is answered is as a shell wants it.
int zamok_terminal_settings(int terminal, struct termios *settings);

#endif
