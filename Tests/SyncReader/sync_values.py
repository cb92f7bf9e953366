# SPDX-License-Identifier: Apache-2.0
#
# Reads the values of preferences, from Documentation/Formats/SyncItem.md and Preferences.md alone.

import datetime
import json
import math
import struct
from sync_reader import Reader, frontier, need

EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)
MOST = 1_000_000


class Date(float):
    def __str__(self):
        return (EPOCH + datetime.timedelta(seconds=self)).strftime("%Y-%m-%dT%H:%M:%SZ")


def text(r):
    try:
        return r.take(r.num(4)).decode()
    except UnicodeDecodeError:
        need(False)


def value(r, depth, left):
    left[0] -= 1
    need(depth <= 64 and left[0] >= 0)
    kind = r.num(1)
    if kind < 2:
        return kind == 1
    if kind == 2:
        return int.from_bytes(r.take(8), "big", signed=True)
    if kind in (3, 4):
        number = struct.unpack(">d", r.take(8))[0]
        if kind == 3:
            return number
        need(math.isfinite(number) and -63_114_076_800 <= number < 252_423_993_600)
        return Date(number)
    if kind == 5:
        return r.take(r.num(4))
    if kind == 6:
        return text(r)
    need(kind in (7, 8))
    count = r.num(4)
    need(count <= r.left())
    if kind == 7:
        return [value(r, depth + 1, left) for _ in range(count)]
    entries, last = {}, None
    for _ in range(count):
        key = text(r)
        need(last is None or last < key.encode())
        last = key.encode()
        entries[key] = value(r, depth + 1, left)
    return entries


def read(data):
    r = Reader(data)
    need(r.num(1) == 1)
    found = value(r, 1, [MOST])
    r.end()
    return found


def shown(found):
    """As a person reads it; lists as JSON."""
    if isinstance(found, bytes):
        return found
    if isinstance(found, bool):
        return b"true" if found else b"false"
    if isinstance(found, (list, dict)):
        return json.dumps(found, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return str(found).encode()


def preference(items, name):
    """Bytes for a person; none for one that is absent, `Bad` for what is to be refused."""
    found = frontier(items.s.get(b"\x10" + name.encode(), []))
    if not found or found[0].kind == 2:
        return None
    need(found[0].kind == 1)
    return shown(read(found[0].value))
