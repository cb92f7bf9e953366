// SPDX-License-Identifier: Apache-2.0
//
// A terminal that is taken over by one program of this process, and given back by whatever ends that: a return, exit(3), a
// signal that can be caught, or a parent that watches (zamok_supervise).

#ifndef ZAMOK_PRIVATE_TERMINAL_H
#define ZAMOK_PRIVATE_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// What zamok_terminal_wait saw; bits.
static const int ZAMOK_TERMINAL_INPUT = 1;
static const int ZAMOK_TERMINAL_RESIZED = 2;
/// The program was stopped and goes on; the terminal has been taken over again, and is blank.
static const int ZAMOK_TERMINAL_CONTINUED = 4;

/// Whether a part of this process has taken the terminal over.
int zamok_terminal_is_entered(void);

/// The process's terminal, whatever standard input and output are; close-on-exec. -ENXIO if there is none.
int zamok_terminal_open(void);
int zamok_terminal_size(int terminal, int *columns, int *rows);

/// Takes the terminal over: settings without echo, lines and signals by keys; then `enter` is written. `leave` is what gives
/// the screen back; it is written by zamok_terminal_leave, at exit, and in a handler of the signals that end or stop
/// a program. Both are copied; -E2BIG beyond 512 bytes; -EBUSY if it is taken over already.
int zamok_terminal_enter(int terminal, const char *enter, const char *leave);
/// Gives it back as it was; nothing happens if that has been done.
int zamok_terminal_leave(void);
/// Gives it back, stops this process as SIGTSTP does, and takes it over again once it goes on.
int zamok_terminal_suspend(void);

/// Waits for input or for a signal, at most so many milliseconds, without end if negative. 0 when the time is over.
int zamok_terminal_wait(int terminal, int milliseconds);
/// At most `count` bytes of what was typed; 0 when the terminal is gone. One attempt.
int64_t zamok_terminal_read(int terminal, void *bytes, size_t count);
int zamok_terminal_write(int terminal, const void *bytes, size_t count);
/// As `zamok_terminal_write`, but gives up with -EAGAIN where the terminal takes nothing for 100 milliseconds.
int zamok_terminal_draw(int terminal, const void *bytes, size_t count);
/// Whether a write would be taken now, at least in part.
int zamok_terminal_takes_output(int terminal);

/// Puts a parent over this program: what gives the terminal back when the program is killed or stopped from outside. Answers 0
/// in the program, which is started anew with the same arguments, and where there is no terminal to give back. In the
/// parent it doesn't return: that ends as the program did. A negated errno where the program couldn't be started.
int zamok_supervise(char *const *arguments);
/// Leaves with the supervisor what this program has just put in the terminal's clipboard, in Base64: it clears that when the program has ended
/// without doing so, if the clipboard still holds it. `count` 0 takes it back. -ENOTSUP: there is no supervisor; -E2BIG beyond 3072 bytes: then
/// it can only tell the user that something stays.
int zamok_terminal_entrust_copy(const void *text, size_t count);
/// 1 in a program that zamok_supervise watches over.
int zamok_is_supervised(void);

#endif
