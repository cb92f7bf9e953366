// SPDX-License-Identifier: Apache-2.0
//
// One call of SQLite that Swift can't make, because it takes any number of arguments. Inline, so that only who calls it links SQLite.

#ifndef ZAMOK_SQLITE_H
#define ZAMOK_SQLITE_H

struct sqlite3;
int sqlite3_db_config(struct sqlite3 *connection, int option, ...);

/// Turns one of SQLITE_DBCONFIG_... on or off; SQLite's result code.
static inline int zamok_sqlite_configure(void *connection, int option, int on) {
    return sqlite3_db_config((struct sqlite3 *)connection, option, on, (int *)0);
}

#endif
