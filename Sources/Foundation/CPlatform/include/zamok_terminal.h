// SPDX-License-Identifier: Apache-2.0

#ifndef ZAMOK_TERMINAL_H
#define ZAMOK_TERMINAL_H

#include <stddef.h>
#include <stdint.h>

/// Bytes that `zamok_read_line` needs room for: the longest line that a terminal passes on, with its end.
static const size_t ZAMOK_LINE_CAPACITY = 4096;

/// Shows `prompt` on the terminal of this process and reads a line there, without echo unless it is `shown`, into `bytes`; answers how
/// many bytes, the line's end not counted. What was typed before the prompt is dropped. Only one prompt at a time: others wait.
///
/// The terminal is as before on every way out, and what was typed and not read is dropped: an answer, a failure, exit()
/// on another thread, a signal that ends the process. After SIGKILL and SIGSTOP a second process does both, which is
/// started for the prompt and ends with it. Hidden input is read as it is typed, so that the terminal holds none of it.
/// Stopped and continued, the prompt begins anew. Signals reach the handlers that they had, when the terminal is
/// restored already.
///
/// -ENXIO: there is no terminal. -ECANCELED: Ctrl-C, Ctrl-D on an empty line, or a signal that the program survived.
/// -EMSGSIZE: the line is as long as the terminal can hold, so that its end may be missing. Else the terminal failed. In
/// each of these cases nothing of the line is left in `bytes`.
int64_t zamok_read_line(const char *prompt, size_t prompt_count, int shown, void *bytes, size_t capacity);

/// Ends the prompt that is open, if there is one, as Ctrl-C does. May be called on any thread, not in a handler of a
/// signal.
void zamok_cancel_line(void);

#endif
