// SPDX-License-Identifier: Apache-2.0

#include "zamok_system_bus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// DBusError of the library.
typedef struct {
    const char *name;
    const char *message;
    unsigned flags;
    void *padding;
} bus_error;

#define ZAMOK_FUNCTIONS(F)                                                                                             \
    F(void, dbus_error_init, (bus_error *))                                                                            \
    F(void, dbus_error_free, (bus_error *))                                                                            \
    F(void *, dbus_connection_open_private, (const char *, bus_error *))                                               \
    F(unsigned, dbus_bus_register, (void *, bus_error *))                                                              \
    F(const char *, dbus_bus_get_unique_name, (void *))                                                                \
    F(void, dbus_connection_set_exit_on_disconnect, (void *, unsigned))                                                \
    F(void, dbus_connection_close, (void *))                                                                           \
    F(void, dbus_connection_unref, (void *))                                                                           \
    F(unsigned, dbus_connection_get_unix_fd, (void *, int *))                                                          \
    F(unsigned, dbus_connection_get_is_connected, (void *))                                                            \
    F(unsigned, dbus_connection_read_write, (void *, int))                                                             \
    F(unsigned, dbus_connection_has_messages_to_send, (void *))                                                        \
    F(void *, dbus_connection_pop_message, (void *))                                                                   \
    F(unsigned, dbus_connection_send, (void *, void *, uint32_t *))                                                    \
    F(void, dbus_message_unref, (void *))                                                                              \
    F(int, dbus_message_get_type, (void *))                                                                            \
    F(const char *, dbus_message_get_sender, (void *))                                                                 \
    F(const char *, dbus_message_get_path, (void *))                                                                   \
    F(const char *, dbus_message_get_interface, (void *))                                                              \
    F(const char *, dbus_message_get_member, (void *))                                                                 \
    F(const char *, dbus_message_get_error_name, (void *))                                                             \
    F(const char *, dbus_message_get_signature, (void *))                                                              \
    F(uint32_t, dbus_message_get_reply_serial, (void *))                                                               \
    F(unsigned, dbus_message_get_no_reply, (void *))                                                                   \
    F(void *, dbus_message_new_method_return, (void *))                                                                \
    F(void *, dbus_message_new_error, (void *, const char *, const char *))                                            \
    F(void *, dbus_message_new_signal, (const char *, const char *, const char *))                                     \
    F(void *, dbus_message_new_method_call, (const char *, const char *, const char *, const char *))                  \
    F(unsigned, dbus_message_set_destination, (void *, const char *))                                                  \
    F(unsigned, dbus_message_iter_init, (void *, void *))                                                              \
    F(void, dbus_message_iter_init_append, (void *, void *))                                                           \
    F(int, dbus_message_iter_get_arg_type, (void *))                                                                   \
    F(int, dbus_message_iter_get_element_type, (void *))                                                               \
    F(char *, dbus_message_iter_get_signature, (void *))                                                               \
    F(void, dbus_free, (void *))                                                                                       \
    F(void, dbus_message_iter_recurse, (void *, void *))                                                               \
    F(unsigned, dbus_message_iter_next, (void *))                                                                      \
    F(void, dbus_message_iter_get_basic, (void *, void *))                                                             \
    F(void, dbus_message_iter_get_fixed_array, (void *, void *, int *))                                                \
    F(unsigned, dbus_message_iter_append_basic, (void *, int, const void *))                                           \
    F(unsigned, dbus_message_iter_append_fixed_array, (void *, int, const void *, int))                                \
    F(unsigned, dbus_message_iter_open_container, (void *, int, const char *, void *))                                 \
    F(unsigned, dbus_message_iter_close_container, (void *, void *))                                                   \
    F(unsigned, dbus_validate_path, (const char *, bus_error *))                                                       \
    F(unsigned, dbus_validate_interface, (const char *, bus_error *))                                                  \
    F(unsigned, dbus_validate_member, (const char *, bus_error *))                                                     \
    F(unsigned, dbus_validate_bus_name, (const char *, bus_error *))                                                   \
    F(unsigned, dbus_validate_error_name, (const char *, bus_error *))                                                 \
    F(unsigned, dbus_validate_utf8, (const char *, bus_error *))

#define ZAMOK_DECLARE(result, name, parameters) static result(*name) parameters;
ZAMOK_FUNCTIONS(ZAMOK_DECLARE)

static const char *problem;

#if defined(_WIN32)
static void open_library(void) { problem = "a bus is not looked for on this system"; }
#else
#include <dlfcn.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_once(void) {
    problem = "the system has no libdbus (libdbus-1.so.3); install it, on Debian and Ubuntu: apt install libdbus-1-3";
    void *handle = dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) return;
    problem = "the system's libdbus is too old: a function of it is missing";
#define ZAMOK_FIND(result, name, parameters)                                                                           \
    *(void **)&name = dlsym(handle, #name);                                                                            \
    if (!name) return;
    ZAMOK_FUNCTIONS(ZAMOK_FIND)
    problem = NULL;
}

static void open_library(void) { pthread_once(&once, open_once); }
#endif

const char *zamok_bus_problem(void) {
    open_library();
    return problem;
}

// MARK: The connection

static void tell(char *text, size_t room, bus_error *error) {
    snprintf(text, room, "%s", error->message ? error->message : "the bus gave no reason");
    dbus_error_free(error);
}

zamok_bus_connection *zamok_bus_connect(const char *address, char *text, size_t room) {
    if (zamok_bus_problem()) {
        snprintf(text, room, "%s", problem);
        return NULL;
    }
    bus_error error;
    dbus_error_init(&error);
    void *connection = dbus_connection_open_private(address, &error);
    if (!connection) {
        tell(text, room, &error);
        return NULL;
    }
    dbus_connection_set_exit_on_disconnect(connection, 0);
    if (!dbus_bus_register(connection, &error)) {
        tell(text, room, &error);
        dbus_connection_close(connection);
        dbus_connection_unref(connection);
        return NULL;
    }
    return connection;
}

void zamok_bus_disconnect(zamok_bus_connection *connection) {
    dbus_connection_close(connection);
    dbus_connection_unref(connection);
}

int zamok_bus_descriptor(zamok_bus_connection *connection) {
    int descriptor = -1;
    return dbus_connection_get_unix_fd(connection, &descriptor) ? descriptor : -1;
}

const char *zamok_bus_own_name(zamok_bus_connection *connection) { return dbus_bus_get_unique_name(connection); }

int zamok_bus_has_output(zamok_bus_connection *connection) {
    return dbus_connection_has_messages_to_send(connection) != 0;
}

int zamok_bus_move(zamok_bus_connection *connection) {
    dbus_connection_read_write(connection, 0);
    return dbus_connection_get_is_connected(connection) != 0;
}

zamok_bus_message *zamok_bus_next_message(zamok_bus_connection *connection) {
    return dbus_connection_pop_message(connection);
}

uint32_t zamok_bus_send(zamok_bus_connection *connection, zamok_bus_message *message) {
    uint32_t serial = 0;
    return dbus_connection_send(connection, message, &serial) ? serial : 0;
}

// MARK: Messages

void zamok_bus_release(zamok_bus_message *message) { dbus_message_unref(message); }

zamok_bus_head zamok_bus_head_of(zamok_bus_message *message) {
    zamok_bus_head head = {
        dbus_message_get_type(message),      dbus_message_get_sender(message),
        dbus_message_get_path(message),      dbus_message_get_interface(message),
        dbus_message_get_member(message),    dbus_message_get_error_name(message),
        dbus_message_get_signature(message), dbus_message_get_reply_serial(message),
        dbus_message_get_no_reply(message) != 0,
    };
    return head;
}

zamok_bus_message *zamok_bus_new_reply(zamok_bus_message *call) { return dbus_message_new_method_return((void *)call); }

zamok_bus_message *zamok_bus_new_error(zamok_bus_message *call, const char *name, const char *text) {
    // The library ends the process for what is none.
    if (!dbus_validate_error_name(name, NULL) || !dbus_validate_utf8(text, NULL)) return NULL;
    return dbus_message_new_error(call, name, text);
}

static int is_member(const char *path, const char *interface, const char *member) {
    return dbus_validate_path(path, NULL) && dbus_validate_interface(interface, NULL)
        && dbus_validate_member(member, NULL);
}

zamok_bus_message *zamok_bus_new_signal(
    const char *destination, const char *path, const char *interface, const char *member) {
    if (!is_member(path, interface, member)) return NULL;
    if (destination && !dbus_validate_bus_name(destination, NULL)) return NULL;
    void *message = dbus_message_new_signal(path, interface, member);
    if (message && destination && !dbus_message_set_destination(message, destination)) {
        dbus_message_unref(message);
        return NULL;
    }
    return message;
}

zamok_bus_message *zamok_bus_new_call(
    const char *destination, const char *path, const char *interface, const char *member) {
    if (!is_member(path, interface, member) || !dbus_validate_bus_name(destination, NULL)) return NULL;
    return dbus_message_new_method_call(destination, path, interface, member);
}

// MARK: Arguments

static void *place(zamok_bus_cursor *cursor) { return cursor->places[cursor->level]; }

void zamok_bus_read(zamok_bus_message *message, zamok_bus_cursor *cursor) {
    memset(cursor, 0, sizeof *cursor);
    dbus_message_iter_init(message, place(cursor));
}

int zamok_bus_type(zamok_bus_cursor *cursor) { return dbus_message_iter_get_arg_type(place(cursor)); }

int zamok_bus_element_type(zamok_bus_cursor *cursor) { return dbus_message_iter_get_element_type(place(cursor)); }

void zamok_bus_signature(zamok_bus_cursor *cursor, char *text, size_t room) {
    char *signature = dbus_message_iter_get_signature(place(cursor));
    snprintf(text, room, "%s", signature ? signature : "");
    dbus_free(signature);
}

int zamok_bus_enter(zamok_bus_cursor *cursor) {
    if (cursor->level + 1 >= zamok_bus_depth) return 0;
    dbus_message_iter_recurse(place(cursor), cursor->places[cursor->level + 1]);
    cursor->level++;
    return 1;
}

void zamok_bus_leave(zamok_bus_cursor *cursor) { cursor->level--; }

void zamok_bus_step(zamok_bus_cursor *cursor) { dbus_message_iter_next(place(cursor)); }

uint64_t zamok_bus_number(zamok_bus_cursor *cursor) {
    union {
        uint8_t byte;
        uint16_t half;
        uint32_t word;
        uint64_t bits;
    } value = {.bits = 0};
    dbus_message_iter_get_basic(place(cursor), &value);
    switch (zamok_bus_type(cursor)) {
    case 'y': return value.byte;
    case 'n': case 'q': return value.half;
    case 'b': case 'i': case 'u': return value.word;
    default: return value.bits;
    }
}

const char *zamok_bus_text(zamok_bus_cursor *cursor) {
    const char *text = NULL;
    dbus_message_iter_get_basic(place(cursor), &text);
    return text;
}

static zamok_bus_bytes bytes_at(void *iterator) {
    void *inside[16] = {0};
    const uint8_t *bytes = NULL;
    int count = 0;
    dbus_message_iter_recurse(iterator, inside);
    dbus_message_iter_get_fixed_array(inside, &bytes, &count);
    return (zamok_bus_bytes){bytes, count > 0 ? (size_t)count : 0};
}

zamok_bus_bytes zamok_bus_byte_array(zamok_bus_cursor *cursor) { return bytes_at(place(cursor)); }

int zamok_bus_taken_descriptor(zamok_bus_message *message) {
    zamok_bus_cursor cursor;
    zamok_bus_read(message, &cursor);
    for (int type; (type = zamok_bus_type(&cursor)); zamok_bus_step(&cursor)) {
        if (type != 'h') continue;
        // The library gives a copy, with close-on-exec.
        int descriptor = -1;
        dbus_message_iter_get_basic(place(&cursor), &descriptor);
        return descriptor;
    }
    return -1;
}

static void wipe_from(zamok_bus_cursor *cursor) {
    for (int type; (type = zamok_bus_type(cursor)); zamok_bus_step(cursor)) {
        if (type == 'a' && zamok_bus_element_type(cursor) == 'y') {
            zamok_bus_bytes run = zamok_bus_byte_array(cursor);
            volatile uint8_t *byte = (volatile uint8_t *)(uintptr_t)run.bytes;
            for (size_t i = 0; i < run.count; i++) byte[i] = 0;
        } else if (strchr("arve", type) && zamok_bus_enter(cursor)) {
            wipe_from(cursor);
            zamok_bus_leave(cursor);
        }
    }
}

void zamok_bus_wipe(zamok_bus_message *message) {
    zamok_bus_cursor cursor;
    zamok_bus_read(message, &cursor);
    wipe_from(&cursor);
}

void zamok_bus_write(zamok_bus_message *message, zamok_bus_cursor *cursor) {
    memset(cursor, 0, sizeof *cursor);
    dbus_message_iter_init_append(message, place(cursor));
}

int zamok_bus_append_number(zamok_bus_cursor *cursor, int type, uint64_t number) {
    union {
        uint8_t byte;
        uint16_t half;
        uint32_t word;
        uint64_t bits;
    } value = {.bits = 0};
    switch (type) {
    case 'y': value.byte = (uint8_t)number; break;
    case 'n': case 'q': value.half = (uint16_t)number; break;
    case 'b': value.word = number != 0; break;
    case 'i': case 'u': value.word = (uint32_t)number; break;
    case 'x': case 't': case 'd': value.bits = number; break;
    default: return 0;
    }
    return dbus_message_iter_append_basic(place(cursor), type, &value) != 0;
}

int zamok_bus_append_text(zamok_bus_cursor *cursor, int type, const char *text) {
    // The library ends the process for what is none.
    if (type == 's' ? !dbus_validate_utf8(text, NULL) : type != 'o' || !dbus_validate_path(text, NULL)) return 0;
    return dbus_message_iter_append_basic(place(cursor), type, &text) != 0;
}

int zamok_bus_append_bytes(zamok_bus_cursor *cursor, zamok_bus_bytes bytes) {
    if (bytes.count > 64u << 20) return 0;
    if (!zamok_bus_open(cursor, 'a', "y")) return 0;
    int done = dbus_message_iter_append_fixed_array(place(cursor), 'y', &bytes.bytes, (int)bytes.count) != 0;
    return zamok_bus_close(cursor) && done;
}

int zamok_bus_open(zamok_bus_cursor *cursor, int type, const char *signature) {
    if (cursor->level + 1 >= zamok_bus_depth) return 0;
    memset(cursor->places[cursor->level + 1], 0, sizeof cursor->places[0]);
    if (!dbus_message_iter_open_container(place(cursor), type, signature, cursor->places[cursor->level + 1])) return 0;
    cursor->level++;
    return 1;
}

int zamok_bus_close(zamok_bus_cursor *cursor) {
    cursor->level--;
    return dbus_message_iter_close_container(place(cursor), cursor->places[cursor->level + 1]) != 0;
}
