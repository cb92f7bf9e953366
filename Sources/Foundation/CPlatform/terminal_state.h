// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_TERMINAL_STATE_H
#define ZAMOK_TERMINAL_STATE_H

/// Bytes of the longest sequence that takes a terminal over or gives it back, with its end.
enum { ZAMOK_SEQUENCE_LIMIT = 512 };

/// Tells the supervisor, if there is one, whether the terminal is taken over, and by what it is given back. May be called in a handler of a signal.
void zamok_terminal_tell_supervisor(int is_entered, const char *leave);

/// Whether there is a supervisor that has not given the terminal back since it was told. May be called in a handler of a signal.
int zamok_terminal_is_left_alone(void);

/// Whether a signal's handler is what gives the terminal back at the end of the process, and so no idea of the program's own.
int zamok_terminal_is_own_handler(void (*handler)(int));

struct termios;
/// The settings to go back to. Where a program and its supervisor were killed together, nobody gave the terminal back: it is as the program left it, and what
/// is answered is as a shell wants it.
int zamok_terminal_settings(int terminal, struct termios *settings);

#endif
