#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# A reader of sync logs, written from Documentation/Formats/SyncLog.md alone. Needs Python 3.11 and the package cryptography, 47 or newer.
#
#   sync_reader.py check FILE...            reads vectors, and compares what it computes with what they say
#   sync_reader.py histories SEED COUNT     plays the histories of `sync-lab histories`, and prints the digest of all views

import hashlib
import hmac
import struct
import sys
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, hpke
from cryptography.hazmat.primitives.asymmetric import ec, mlkem, utils, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand

CLASSES = [1, 3, 4]
RECORD, SEALING = 3712, 1216
MOST, PART = 1_048_576, 786_432
PLACES = 1 << 48
ZERO = bytes(32)
SUITE = hpke.Suite(hpke.KEM.MLKEM768_X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)


class Bad(Exception):
    pass


def label(name):
    return b"zamok/1 sync " + name.encode() + b"\0"


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def num(value, size):
    return value.to_bytes(size, "big")


def need(condition, what="form"):
    if not condition:
        raise Bad(what)


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        need(size <= len(self.data) - self.at)
        self.at += size
        return self.data[self.at - size:self.at]

    def num(self, size):
        return int.from_bytes(self.take(size), "big")

    def sized(self, size, low, high):
        length = self.num(size)
        need(low <= length <= high)
        return self.take(length)

    def count(self, low, high):
        value = self.num(2)
        need(low <= value <= high)
        return value

    def end(self):
        need(self.at == len(self.data))

    def left(self):
        return len(self.data) - self.at


def entry_hash(data, account, place):
    if len(data) > MOST:
        return sha(label("oversize"), account, num(place, 8))
    return sha(label("hash"), data)


def public(raw):
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), b"\4" + raw)
    except ValueError:
        raise Bad("key")


def verifies(raw, signature, name, message):
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    try:
        public(raw).verify(utils.encode_dss_signature(r, s), label(name) + message, ec.ECDSA(hashes.SHA256()))
        return True
    except InvalidSignature:
        return False


def expand(key, info):
    return HKDFExpand(hashes.SHA256(), 32, info).derive(key)


class Entry:
    def __init__(self, data, version=1):
        r = Reader(data)
        need(r.take(4) == b"zsyn" and r.num(1) == version)
        self.kind = r.num(1)
        need(r.num(2) == 0)
        self.account, self.place, self.previous = r.take(32), r.num(8), r.take(32)
        self.epoch, self.author, self.sequence, self.last = r.num(4), r.num(4), r.num(8), r.take(32)
        self.body = r.take(r.num(4))
        self.signed = data[:r.at]
        self.signature = r.take(64)
        r.end()


class Envelope:
    def __init__(self, r, low=1, high=1024):
        self.member, self.cls = r.num(4), r.num(1)
        need(self.cls in CLASSES)
        self.keys = r.count(low, high)
        self.sealed = r.take(1120 + 36 * self.keys + 16)

    def open(self, private, account, epoch):
        info = label("epoch keys") + account + num(self.member, 4) + num(self.cls, 1) + num(epoch, 4)
        r = Reader(SUITE.decrypt(self.sealed, private, info))
        return [(r.num(4), r.take(32)) for _ in range(self.keys)]


def envelopes(r, member, high=1):
    found = [Envelope(r, 1, high) for _ in CLASSES]
    need([e.member for e in found] == [member] * 3 and [e.cls for e in found] == CLASSES)
    return found


def record(r):
    data = r.take(RECORD)
    public(data[:64])
    return data


def sealable(data):
    """Whether something can be sealed to each of the three keys behind the signing key."""
    for at in range(64, RECORD, SEALING):
        raw = data[at:at + SEALING]
        try:
            key = hpke.MLKEM768X25519PublicKey(
                mlkem.MLKEM768PublicKey.from_public_bytes(raw[:1184]),
                x25519.X25519PublicKey.from_public_bytes(raw[1184:]))
            SUITE.encrypt(b"", key, b"")
        except ValueError:
            return False
    return True


class Author:
    def __init__(self, status, sequence=0, last=ZERO, keys=None, acknowledged=0, ticket=None):
        self.status, self.sequence, self.last = status, sequence, last
        self.keys, self.acknowledged, self.ticket = keys, acknowledged, ticket

    def key(self):
        return {1: self.keys, 6: self.keys, 4: self.ticket}.get(self.status, b"")[:64] or None


class Fork(Exception):
    pass


class Group:
    """The persons of a group's log (SharedGroup.md): roles by person, and of each machine its person and its end."""

    def __init__(self):
        self.roles, self.machines, self.epoch = {}, {}, 1

    def left(self, person):
        return [n for n, (p, end) in self.machines.items() if p == person and end == 0]

    def only_owner(self, person):
        return self.roles.get(person) == 3 and list(self.roles.values()).count(3) == 1

    def end(self, number, place):
        person = self.machines[number][0]
        self.machines[number] = person, place
        if not self.left(person):
            self.roles.pop(person, None)

    def check(self, e):
        person, end = self.machines.get(e.author, (b"", 1))
        role = self.roles.get(person, 0)
        need(end == 0 and role > 0 and e.kind in (2, 3, 4, 5, 9, 10, 11, 17, 18))
        if e.kind in (2, 9):
            need(role >= 2 and (e.kind == 9 or all(gone <= self.epoch for _, gone in self.machines.values())))
        elif e.kind == 4:
            for number in e.removed:
                theirs = self.machines[number][0]
                need(theirs == person or role == 3 and all(n in e.removed for n in self.left(theirs)))
        elif e.kind == 11:
            need(self.left(person) != [e.author] or not self.only_owner(person))
        elif e.kind == 17:
            need(role == 3 and e.person not in self.roles)
        elif e.kind == 18:
            need(role == 3 and self.roles.get(e.person, e.role) != e.role and not self.only_owner(e.person))

    def bytes(self):
        out = [num(self.epoch, 8), num(len(self.roles), 2)]
        out += [person + num(role, 1) for person, role in sorted(self.roles.items())]
        out.append(num(len(self.machines), 4))
        return b"".join(out + [num(n, 4) + p + num(end, 8) for n, (p, end) in sorted(self.machines.items())])


class Log:
    """What counts, from the bytes alone."""

    def __init__(self, genesis):
        e = Entry(genesis)
        need(e.kind in (1, 16) and e.account == ZERO and e.place == 1 and e.previous == ZERO and e.last == ZERO and e.epoch > 0)
        r = Reader(e.body)
        self.group, person = None, r.take(32) if e.kind == 16 else None
        self.era = r.num(2)
        need(person is None or self.era == 0)
        before = r.take(32) + r.take(8) + r.take(32)
        self.next, self.checks = r.num(4), r.take(96)
        self.authors, self.envelopes, number = {}, [], 0
        for _ in range(r.count(1, 256)):
            last = number
            number, sequence = r.num(4), r.num(8)
            need(last < number < self.next and sequence < PLACES - 1)
            keys = record(r)
            need(all(a.keys[:64] != keys[:64] for a in self.authors.values()))
            self.authors[number] = Author(1, sequence, keys=keys)
            self.envelopes += [(x, ZERO, e.epoch) for x in envelopes(r, number)]
        r.end()
        if self.era == 0:
            need(before == bytes(72) and self.next == 2 and list(self.authors) == [1] and e.epoch == 1)
            need(self.authors[1].sequence == 0)
        founder = self.authors.get(e.author)
        need(founder and e.sequence == founder.sequence + 1)
        need(verifies(founder.keys[:64], e.signature, "entry", e.signed))
        self.account = self.hash = entry_hash(genesis, ZERO, 1)
        founder.sequence, founder.last = e.sequence, self.hash
        if person is not None:
            self.group = Group()
            self.group.roles[person], self.group.machines[e.author] = 3, (person, 0)
        self.used = {sha(a.keys[:64]) for a in self.authors.values()}
        self.version, self.place, self.epoch = 1, 1, e.epoch
        self.snapshot = self.time = self.settled = 0
        self.waiting, self.known = [], {e.epoch: self.checks}
        self.edits, self.milestones = [], []

    @classmethod
    def at(cls, state):
        """The log after an entry, from the state there."""
        self, r = cls.__new__(cls), Reader(state)
        self.version, self.account, self.era, self.place, self.hash = r.num(1), r.take(32), r.num(2), r.num(8), r.take(32)
        need(self.version == 1, "newer version")
        self.epoch, self.checks, self.next = r.num(4), r.take(96), r.num(4)
        self.snapshot, self.time, self.settled = r.num(8), r.num(8), r.num(8)
        need(1 <= self.place < PLACES and self.settled <= self.snapshot <= self.place)
        self.authors, number = {}, 0
        for _ in range(r.num(4)):
            last, number = number, r.num(4)
            need(last < number < self.next)
            a = self.authors[number] = Author(r.num(1), r.num(8), r.take(32))
            need(1 <= a.status <= 6 and a.sequence < PLACES)
            if a.status == 1:
                a.acknowledged = r.num(8)
            if a.status in (1, 6):
                a.keys = record(r)
            elif a.status == 4:
                a.ticket = r.take(64 + 2 + 8 + 32)
                public(a.ticket[:64])
        used = [r.take(32) for _ in range(r.num(4))]
        need(used == sorted(set(used)))
        self.used = set(used)
        self.waiting = [(r.num(8), r.num(4), record(r)) for _ in range(r.count(0, 256))]
        self.group = Group() if r.at < len(r.data) else None
        if self.group:
            self.group.epoch = r.num(8)
            self.group.roles = {r.take(32): r.num(1) for _ in range(r.count(0, 256))}
            self.group.machines = {r.num(4): (r.take(32), r.num(8)) for _ in range(r.num(4))}
            need(all(1 <= role <= 3 for role in self.group.roles.values()))
        r.end()
        self.envelopes, self.known, self.edits, self.milestones = [], {self.epoch: self.checks}, [], []
        return self

    @classmethod
    def start(cls, snapshot, chunks):
        """The log from a snapshot's entry and its chunks, by stream."""
        e = Entry(snapshot)
        need(e.kind == 9)
        r = Reader(e.body)
        r.take(8 + 32 + 96)
        digests = [[r.take(32) for _ in range(r.count(0, 1024))] for _ in range(4)]
        need([[sha(c) for c in stream] for stream in chunks] == digests, "chunk")
        self = cls.at(b"".join(chunks[0]))
        need(self.place + 1 == e.place and self.take(snapshot) == 0)
        self.begun = self.where(e.place), e.epoch, dict(zip(CLASSES, chunks[1:])), self.last_snapshot.codes
        self.milestones = []
        return self

    def members(self):
        return sorted(n for n, a in self.authors.items() if a.status == 1)

    def holders(self):
        return sorted(n for n, a in self.authors.items() if a.status in (1, 6))

    def where(self, n):
        return self.era << 48 | n

    def take(self, data):
        """0 if the entry counts, else the code of the reason."""
        n = self.place + 1
        code, entry = self.judge(data, n)
        self.place, self.hash = n, entry_hash(data, self.account, n)
        if code == 0:
            author = self.authors[entry.author]
            author.sequence, author.last = entry.sequence, self.hash
            self.apply(entry)
            ready = all(a.acknowledged == self.snapshot for a in self.authors.values() if a.status == 1)
            if self.snapshot and ready and self.settled != self.snapshot:
                self.settled = self.snapshot
                self.milestones.append(("drop", self.where(self.settled), self.where(n)))
        return code

    def judge(self, data, n):
        if len(data) > MOST:
            return 1, None
        try:
            e = Entry(data, self.version)
        except Bad:
            return 2, None
        if e.account != self.account:
            return 3, None
        if e.place != n:
            return 4, None
        author = self.authors.get(e.author)
        if author is None:
            return 5, None
        if author.key() is None:
            return 6, None
        if not verifies(author.key(), e.signature, "entry", e.signed):
            return 7, None
        if e.previous != self.hash:
            return 8, None
        if e.sequence != author.sequence + 1 or e.sequence >= PLACES or e.last != author.last:
            return 9, None
        if e.epoch != self.epoch:
            return 10, None
        try:
            self.parse(e, author)
        except Bad:
            return 11, None
        return 0, e

    def new(self, keys):
        return sha(keys[:64]) not in self.used

    def parse(self, e, author):
        r = Reader(e.body)
        need(author.status != 4 or e.kind == 8)
        need(author.status != 6 or e.kind == 3)
        if e.kind == 2:
            e.parts, last = [], 0
            for _ in range(r.num(1)):
                cls = r.num(1)
                need(cls in CLASSES and cls > last)
                last = cls
                e.parts.append((cls, r.take(32), r.sized(4, 272, PART + 16)))
            need(1 <= len(e.parts) <= 3)
            e.counted, e.given = {number: a.sequence for number, a in self.authors.items()}, self.next
        elif e.kind in (3, 17):
            if e.kind == 17:
                e.person, e.role = r.take(32), r.num(1)
                need(self.group is not None and 1 <= e.role <= 3)
            e.number, e.keys = r.num(4), record(r)
            e.envelopes = envelopes(r, e.number, 1024)
            need(e.number == self.next < 0xFFFFFFFF and len(self.members()) < 256)
            need(self.new(e.keys) and sealable(e.keys) or any(w[2] == e.keys for w in self.waiting))
        elif e.kind == 4:
            e.removed = [r.num(4) for _ in range(r.count(0, 256))]
            e.new_epoch, e.checks, e.envelopes, staying = r.num(4), r.take(96), [], []
            for _ in range(r.count(1, 256)):
                number = int.from_bytes(r.data[r.at:r.at + 4], "big")
                staying.append(number)
                e.envelopes += envelopes(r, number)
            members = self.members()
            need(e.removed == sorted(set(e.removed)) and all(m in members for m in e.removed))
            need(e.author not in e.removed and staying == [m for m in self.holders() if m not in e.removed])
            need(e.new_epoch == self.epoch + 1)
        elif e.kind == 5:
            e.keys, proof = record(r), r.take(64)
            message = self.account + num(e.author, 4) + num(e.sequence, 8) + e.keys
            need(self.new(e.keys) and sealable(e.keys) and verifies(e.keys[:64], proof, "rekey", message))
        elif e.kind == 6:
            e.number, e.ticket = r.num(4), r.take(64 + 2 + 8 + 32)
            public(e.ticket[:64])
            need(e.number == self.next < 0xFFFFFFFF and e.ticket[64:66] != b"\0\0")
            need(int.from_bytes(e.ticket[66:74], "big") < e.place and self.new(e.ticket))
            need(sum(a.status == 4 for a in self.authors.values()) < 256)
        elif e.kind == 7:
            e.number = r.num(4)
            need(e.number in self.authors and self.authors[e.number].status in (4, 6))
        elif e.kind == 8:
            need(author.status == 4)
            e.keys, proof = record(r), r.take(64)
            need(e.sequence <= int.from_bytes(author.ticket[64:66], "big") and len(self.waiting) < 256)
            message = self.account + num(e.author, 4) + e.keys
            need(self.new(e.keys) and sealable(e.keys) and verifies(e.keys[:64], proof, "application", message))
        elif e.kind == 9:
            e.time, digest = r.num(8), r.take(32)
            e.codes = {cls: r.take(32) for cls in CLASSES}
            e.chunks = []
            for stream in range(4):
                e.chunks.append([r.take(32) for _ in range(r.count(1 if stream == 0 else 0, 1024))])
            need(digest == sha(self.bytes()))
        elif e.kind == 10:
            e.snapshot = r.num(8)
            need(self.snapshot and e.snapshot == self.snapshot and author.acknowledged != self.snapshot)
        elif e.kind == 11:
            need(len(self.members()) > 1)
        elif e.kind == 13:
            e.number, e.keys = r.num(4), record(r)
            e.envelopes = envelopes(r, e.number, 1024)
            need(e.number == self.next < 0xFFFFFFFF and self.new(e.keys) and sealable(e.keys))
        elif e.kind == 14:
            e.number, e.ticket = r.num(4), r.take(64 + 2 + 8 + 32)
            public(e.ticket[:64])
            r.take(RECORD - 64)
            e.envelopes = envelopes(r, e.number, 1024)
            need(e.number == self.next < 0xFFFFFFFF and e.ticket[64:66] != b"\0\0")
            need(int.from_bytes(e.ticket[66:74], "big") < e.place and self.new(e.ticket))
            need(sum(a.status == 4 for a in self.authors.values()) < 256)
        elif e.kind == 18:
            e.person, e.role = r.take(32), r.num(1)
            need(self.group is not None and 1 <= e.role <= 3)
        else:
            raise Bad("kind")
        r.end()
        if self.group:
            self.group.check(e)

    def apply(self, e):
        if e.kind == 2:
            self.edits.append(e)
        elif e.kind in (3, 17):
            if self.group:
                person = e.person if e.kind == 17 else self.group.machines[e.author][0]
                self.group.machines[self.next] = person, 0
                self.group.roles.setdefault(person, getattr(e, "role", 0))
            self.authors[self.next] = Author(1, keys=e.keys)
            self.next += 1
            self.used.add(sha(e.keys[:64]))
            self.waiting = [w for w in self.waiting if w[2] != e.keys]
            self.envelopes += [(x, self.account, e.epoch) for x in e.envelopes]
        elif e.kind == 4:
            for number in e.removed:
                self.authors[number].status = 2
                if self.group:
                    self.group.end(number, e.place)
            if self.group:
                self.group.epoch = e.place
            self.epoch, self.checks = e.new_epoch, e.checks
            self.known[self.epoch] = self.checks
            self.envelopes += [(x, self.account, e.new_epoch) for x in e.envelopes]
        elif e.kind == 5:
            self.authors[e.author].keys = e.keys
            self.used.add(sha(e.keys[:64]))
        elif e.kind in (6, 14):
            self.authors[self.next] = Author(4, ticket=e.ticket)
            self.next += 1
            self.used.add(sha(e.ticket[:64]))
            self.envelopes += [(x, self.account, e.epoch) for x in getattr(e, "envelopes", [])]
        elif e.kind == 7:
            self.authors[e.number].status = 5
        elif e.kind == 8:
            self.waiting.append((e.place, e.author, e.keys))
            self.used.add(sha(e.keys[:64]))
        elif e.kind == 9:
            self.snapshot, self.time, self.last_snapshot = e.place, e.time, e
            self.milestones.append(("snapshot", self.where(e.place), self.where(e.place), e.epoch, e.codes))
        elif e.kind == 10:
            self.authors[e.author].acknowledged = e.snapshot
        elif e.kind == 11:
            self.authors[e.author].status = 3
            if self.group:
                self.group.end(e.author, e.place)
        elif e.kind == 18:
            self.group.roles[e.person] = e.role
        elif e.kind == 13:
            for a in self.authors.values():
                a.status = 5 if a.status == 6 else a.status
            self.authors[self.next] = Author(6, keys=e.keys)
            self.next += 1
            self.used.add(sha(e.keys[:64]))
            self.envelopes += [(x, self.account, e.epoch) for x in e.envelopes]

    def bytes(self):
        out = [num(self.version, 1), self.account, num(self.era, 2), num(self.place, 8), self.hash, num(self.epoch, 4),
               self.checks, num(self.next, 4), num(self.snapshot, 8), num(self.time, 8), num(self.settled, 8),
               num(len(self.authors), 4)]
        for number, a in sorted(self.authors.items()):
            out += [num(number, 4), num(a.status, 1), num(a.sequence, 8), a.last]
            if a.status == 1:
                out += [num(a.acknowledged, 8), a.keys]
            elif a.status in (4, 6):
                out.append(a.ticket or a.keys)
        out += [num(len(self.used), 4), *sorted(self.used), num(len(self.waiting), 2)]
        for place, ticket, keys in self.waiting:
            out += [num(place, 8), num(ticket, 4), keys]
        return b"".join(out) + (self.group.bytes() if self.group else b"")


class Operation:
    def __init__(self, place, author, sequence, cls, index, time, context, kind, value=b"", former=b""):
        self.place, self.author, self.sequence, self.cls, self.index = place, author, sequence, cls, index
        self.time, self.context, self.kind, self.value, self.former = time, context, kind, value, former

    def dominates(self, other):
        return self.context.get(other.author, 0) >= other.sequence and self.place > other.place

    def order(self):
        return self.time, self.author, self.sequence, self.kind != 3, self.cls, self.index


def frontier(s):
    kept = {(o.author, o.sequence) for o in s if o.kind != 3}
    found = [o for o in s if not any(f.dominates(o) for f in s)]
    found = [o for o in found if o.kind != 3 or (o.author, o.sequence) not in kept]
    return sorted(found, key=Operation.order, reverse=True)


def view(s):
    f = frontier(s)
    state = {1: 1, 2: 0, 3: 2}[f[0].kind] if f else 0
    out = [num(state, 1), num(len(f), 2)]
    for o in f:
        value = o.value if o.kind == 1 else b""
        out += [num(o.author, 4), num(o.sequence, 8), num(o.time, 8), num(o.cls, 1), num(o.kind, 1), num(o.place, 8),
                num(len(o.former), 2), o.former, num(len(value), 4), value]
    return b"".join(out) + num(len(s) - len(f), 4)


def drop(s, place, end):
    settled = [o for o in s if o.place <= place]
    s = [o for o in s if o.place > place or not any(f.dominates(o) for f in settled)]
    known = [o for o in s if o.place < end]
    if len(known) == 1 and known[0].kind == 2 and known[0].place <= place:
        s = [o for o in s if o is not known[0]]
    return s


def padded(size):
    step = 256
    while step <= PART:
        if size <= step:
            return step
        if size <= step // 2 * 3:
            return step // 2 * 3
        step *= 2
    return None


def operations(plain, e, place, cls):
    outer = Reader(plain)
    content = outer.sized(4, 1, PART)
    need(padded(len(content) + 4) == len(plain) and not any(outer.take(outer.left())))
    r, found = Reader(content), []
    while r.left():
        need(len(found) < 64)
        kind, time, key = r.num(1), r.num(8), r.sized(2, 1, 4096)
        context, last = {}, -1
        for _ in range(r.count(0, 1024)):
            author, mark = r.num(4), r.num(8)
            need(author > last and mark > 0 and (author != e.author or mark < e.sequence))
            last = author
            # No claim goes beyond what the log had counted before the entry; of eras before it says nothing.
            mark = min(mark, e.counted.get(author, mark)) if author < e.given else 0
            if mark:
                context[author] = mark
        value = former = b""
        if kind == 1:
            former = r.sized(2, 0, 4096)
            value = r.sized(4, 0, 716_800)
        elif kind == 3:
            to = r.num(1)
            need(to in CLASSES and to != cls)
            value = num(to, 1)
        else:
            need(kind == 2)
        found.append((key, Operation(place, e.author, e.sequence, cls, len(found), time, context, kind, value, former)))
    return found


def private(seed):
    wide = hashlib.shake_256(seed).digest(96)
    return hpke.MLKEM768X25519PrivateKey(
        mlkem.MLKEM768PrivateKey.from_seed_bytes(wide[:64]), x25519.X25519PrivateKey.from_private_bytes(wide[64:]))


class Items:
    """What a device with some classes open has at the end of a log."""

    def __init__(self, log, seeds, classes):
        self.s, self.keys, self.faults = {}, {}, []
        self.learn(log, seeds, classes)
        milestones = list(log.milestones)
        if hasattr(log, "begun") and not self.begin(log, *log.begun):
            milestones = []
        for e in log.edits:
            place = log.where(e.place)
            milestones = self.reach(milestones, place)
            for cls, salt, sealed in e.parts:
                if (e.epoch, cls) in self.keys:
                    self.open(log, e, place, cls, salt, sealed)
                else:
                    # Nothing that comes after a part that is not open is done.
                    milestones = []
        self.reach(milestones, PLACES << 16)

    def learn(self, log, seeds, classes):
        keys = {cls: private(seed) for cls, seed in seeds.items()}
        for envelope, account, epoch in log.envelopes:
            if envelope.cls not in classes:
                continue
            try:
                for number, key in envelope.open(keys[envelope.cls], account, epoch):
                    check = expand(key, label("key check") + num(number, 4) + num(envelope.cls, 1))
                    at = 32 * CLASSES.index(envelope.cls)
                    if log.known.get(number, b"")[at:at + 32] == check:
                        self.keys[number, envelope.cls] = key
            except (InvalidTag, ValueError, Bad):
                pass  # sealed to somebody else

    def begin(self, log, place, epoch, chunks, codes):
        """The items of the snapshot at which the log was begun; whether all classes are open."""
        for cls, pieces in chunks.items():
            if (epoch, cls) not in self.keys:
                continue
            state = b""
            for index, piece in enumerate(pieces):
                key = HKDF(hashes.SHA256(), 32, piece[:32], label("body") + log.account + num(cls, 1)).derive(self.keys[epoch, cls])
                data = log.account + num(place & PLACES - 1, 8) + num(cls, 1) + num(index, 2) + num(len(pieces), 2)
                state += AESGCM(key).decrypt(bytes(12), piece[32:], data)
            code = hmac.digest(expand(self.keys[epoch, cls], label("state")), state, "sha256")
            need(code == codes[cls], "code")
            r = Reader(state)
            while r.left():
                register = r.sized(2, 1, 4096)
                for _ in range(r.num(4)):
                    at, index, author, sequence = r.num(8), r.num(1), r.num(4), r.num(8)
                    kind, time, context = r.num(1), r.num(8), {}
                    for _ in range(r.count(0, 1024)):
                        other = r.num(4)
                        context[other] = r.num(8)
                    former = r.sized(2, 0, 4096) if kind == 1 else b""
                    value = r.sized(4, 0, 716_800) if kind == 1 else r.take(1) if kind == 3 else b""
                    need(at < place and kind in (1, 2, 3))
                    operation = Operation(at, author, sequence, cls, index, time, context, kind, value, former)
                    self.s.setdefault(register, []).append(operation)
        return all((epoch, cls) in self.keys for cls in chunks)

    def open(self, log, e, place, cls, salt, sealed):
        key = HKDF(hashes.SHA256(), 32, salt, label("body") + log.account + num(cls, 1)).derive(self.keys[e.epoch, cls])
        data = log.account + num(e.author, 4) + num(e.sequence, 8) + num(e.epoch, 4) + num(cls, 1)
        try:
            found = operations(AESGCM(key).decrypt(bytes(12), sealed, data), e, place, cls)
        except (InvalidTag, Bad):
            self.faults.append(("part", e.place, cls))
            return
        for key, operation in found:
            self.s.setdefault(key, []).append(operation)

    def reach(self, milestones, place):
        while milestones and milestones[0][2] <= place:
            what = milestones.pop(0)
            if what[0] == "drop":
                self.s = {k: kept for k, s in self.s.items() if (kept := drop(s, what[1], what[2]))}
            else:
                _, _, at, epoch, codes = what
                for cls in CLASSES:
                    if (epoch, cls) in self.keys:
                        code = hmac.digest(expand(self.keys[epoch, cls], label("state")), self.state(cls, at), "sha256")
                        if code != codes[cls]:
                            self.faults.append(("snapshot", at, cls))
        return milestones

    def view(self):
        return b"".join(num(len(k), 2) + k + view(s) for k, s in sorted(self.s.items()))

    def state(self, cls, before=PLACES << 16):
        out = []
        for key, s in sorted(self.s.items()):
            own = sorted((o for o in s if o.cls == cls and o.place < before), key=lambda o: (o.place, o.index))
            if not own:
                continue
            out += [num(len(key), 2), key, num(len(own), 4)]
            for o in own:
                out += [num(o.place, 8), num(o.index, 1), num(o.author, 4), num(o.sequence, 8), num(o.kind, 1), num(o.time, 8)]
                out.append(num(len(o.context), 2))
                out += [num(a, 4) + num(n, 8) for a, n in sorted(o.context.items())]
                if o.kind == 1:
                    out += [num(len(o.former), 2), o.former, num(len(o.value), 4)]
                out.append(o.value)
        return b"".join(out)


MASK = (1 << 64) - 1


class Seed:
    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return (z ^ z >> 31) % limit


def partial_order(seed):
    edits, known = [], {}
    for index in range(6):
        author = seed.below(3) + 1
        context = dict(known.get(author, {}))
        for other in (1, 2, 3):
            theirs = [e for e in edits if e[0] == other]
            if other == author or not theirs:
                continue
            for e in theirs[:seed.below(len(theirs) + 1)]:
                for a, n in [(e[0], e[1]), *e[3].items()]:
                    context[a] = max(context.get(a, 0), n)
        sequence = sum(e[0] == author for e in edits) + 1
        if sequence > 1:
            context[author] = max(context.get(author, 0), sequence - 1)
        time, roll, own = seed.below(4), seed.below(12), seed.below(3)
        other = (own + 1 + seed.below(2)) % 3
        changes = [(CLASSES[own], 2 if 7 <= roll < 10 else 1, b"" if 7 <= roll < 10 else bytes([index]))]
        if roll >= 10:
            changes.append((CLASSES[other], 3, num(CLASSES[own], 1)))
        edits.append((author, sequence, time, context, changes))
        known[author] = {**context, author: sequence}
    return edits


def logs(edits, order=()):
    if len(order) == len(edits):
        yield order
        return
    for index, e in enumerate(edits):
        if index not in order and all(
            before == index or before in order or e[3].get(b[0], 0) < b[1] for before, b in enumerate(edits)
        ):
            yield from logs(edits, (*order, index))


def histories(first, count):
    seed, digest, played, orders, views = Seed(first), hashlib.sha256(), 0, 0, 0
    while played < count:
        edits = partial_order(seed)
        orders += 1
        for log in logs(edits):
            s = [
                Operation(place + 1, e[0], e[1], cls, 0, e[2], e[3], kind, value if kind == 1 else b"")
                for place, index in enumerate(log) for e in [edits[index]] for cls, kind, value in e[4]
            ]
            digest.update(view(s))
            views += 1
            played += 24
    print(f"partial orders {orders}\norders of the log {views}\nhistories {played}\ndigest {digest.hexdigest()}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        from sync_check import check
        for name in sys.argv[2:]:
            check(name)
    elif sys.argv[1:2] == ["histories"] and len(sys.argv) == 4:
        histories(int(sys.argv[2]), int(sys.argv[3]))
    else:
        raise SystemExit("usage: sync_reader.py check FILE... | histories SEED COUNT")
