// SPDX-License-Identifier: Apache-2.0
//
// The system's SQLite. Only SealedDatabases imports it.

#include <sqlite3.h>

/// Turns one of SQLITE_DBCONFIG_... on or off, and returns SQLite's result code. Swift can't call a function with a
/// variable number of arguments.
static inline int zamok_sqlite_configure(sqlite3 *connection, int option, int on) {
    return sqlite3_db_config(connection, option, on, (int *)0);
}
