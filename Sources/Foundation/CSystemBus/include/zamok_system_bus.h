// SPDX-License-Identifier: Apache-2.0

// The system's libdbus-1, opened when a bus is first asked for and never linked; its headers are not needed to build (Decision 0036).
// One connection is used by one thread. Nothing here waits, but `zamok_bus_connect`.

#ifndef ZAMOK_SYSTEM_BUS_H
#define ZAMOK_SYSTEM_BUS_H

#include <stddef.h>
#include <stdint.h>

/// NULL when the library is there; else why it isn't, in words.
const char *zamok_bus_problem(void);

typedef struct zamok_bus_connection zamok_bus_connection;
typedef struct zamok_bus_message zamok_bus_message;

/// A connection of its own to the bus at an address, which has given it a name. NULL: `problem` says why.
zamok_bus_connection *zamok_bus_connect(const char *address, char *problem, size_t room);
void zamok_bus_disconnect(zamok_bus_connection *connection);
int zamok_bus_descriptor(zamok_bus_connection *connection);
/// The name that the bus has given it.
const char *zamok_bus_own_name(zamok_bus_connection *connection);
/// Whether something waits to be written.
int zamok_bus_has_output(zamok_bus_connection *connection);
/// Reads and writes what is possible at once; 0: the connection is gone.
int zamok_bus_move(zamok_bus_connection *connection);
/// The next message that came; NULL: none. Given back by `zamok_bus_release`.
zamok_bus_message *zamok_bus_next_message(zamok_bus_connection *connection);
/// Puts a message into the output; its number, or 0 without memory.
uint32_t zamok_bus_send(zamok_bus_connection *connection, zamok_bus_message *message);

enum { zamok_bus_call = 1, zamok_bus_reply = 2, zamok_bus_error = 3, zamok_bus_signal = 4 };

void zamok_bus_release(zamok_bus_message *message);
/// Overwrites every array of bytes in it.
void zamok_bus_wipe(zamok_bus_message *message);

/// What the head of a message says; texts are NULL where it says nothing, and live as long as it.
typedef struct {
    int kind;
    const char *sender;
    const char *path;
    const char *interface;
    const char *member;
    const char *error;
    const char *signature;
    uint32_t reply_serial;
    int wants_no_reply;
} zamok_bus_head;

zamok_bus_head zamok_bus_head_of(zamok_bus_message *message);

/// NULL without memory, or for a name or path that is none.
zamok_bus_message *zamok_bus_new_reply(zamok_bus_message *call);
zamok_bus_message *zamok_bus_new_error(zamok_bus_message *call, const char *name, const char *text);
zamok_bus_message *zamok_bus_new_signal(
    const char *destination, const char *path, const char *interface, const char *member);
zamok_bus_message *zamok_bus_new_call(
    const char *destination, const char *path, const char *interface, const char *member);

enum { zamok_bus_depth = 12 };

/// A place in the arguments of a message.
typedef struct {
    void *places[zamok_bus_depth][16];
    int level;
} zamok_bus_cursor;

/// A run of bytes in a message.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} zamok_bus_bytes;

// Reading. Types are the letters of the specification, containers `a`, `r`, `v`, `e`; 0: the end.
void zamok_bus_read(zamok_bus_message *message, zamok_bus_cursor *cursor);
int zamok_bus_type(zamok_bus_cursor *cursor);
int zamok_bus_element_type(zamok_bus_cursor *cursor);
/// Of the value at the cursor, at most 255 letters.
void zamok_bus_signature(zamok_bus_cursor *cursor, char *text, size_t room);
/// 0: nested too deeply.
int zamok_bus_enter(zamok_bus_cursor *cursor);
void zamok_bus_leave(zamok_bus_cursor *cursor);
void zamok_bus_step(zamok_bus_cursor *cursor);
/// The bits of a number of any type.
uint64_t zamok_bus_number(zamok_bus_cursor *cursor);
const char *zamok_bus_text(zamok_bus_cursor *cursor);
zamok_bus_bytes zamok_bus_byte_array(zamok_bus_cursor *cursor);
/// A descriptor that came with the message: that of its first argument of type `h`, as one of this process's own, to be closed; -1: there is none.
int zamok_bus_taken_descriptor(zamok_bus_message *message);

// Writing; 0: no memory, nested too deeply, or a text that is none of its type.
void zamok_bus_write(zamok_bus_message *message, zamok_bus_cursor *cursor);
int zamok_bus_append_number(zamok_bus_cursor *cursor, int type, uint64_t number);
int zamok_bus_append_text(zamok_bus_cursor *cursor, int type, const char *text);
int zamok_bus_append_bytes(zamok_bus_cursor *cursor, zamok_bus_bytes bytes);
/// `signature`: of the elements of an array, or of what a variant holds; otherwise NULL.
int zamok_bus_open(zamok_bus_cursor *cursor, int type, const char *signature);
int zamok_bus_close(zamok_bus_cursor *cursor);

// MARK: What others do

/// A descriptor that can be read once another process has closed a file of the folder, or put one there; negated errno without one.
int zamok_watch_folder(const char *path);

// MARK: While nothing is to do

/// Gives the system back what a process that waits doesn't need: freed blocks, and code, which is read from its files again when it runs. Nothing that was written is lost.
void zamok_release_idle_memory(void);

#endif
