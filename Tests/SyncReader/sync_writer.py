#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Writes a log from Documentation/Formats/SyncLog.md alone, as a vector that the reader in Swift reads: sync_writer.py > ../Vectors/python.txt

import hashlib
import os
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, mlkem, utils, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from sync_reader import CLASSES, PLACES, SUITE, ZERO, Items, Log, entry_hash, expand, label, num, padded, private, sha


class Device:
    def __init__(self, name):
        self.name = name
        self.signing = ec.generate_private_key(ec.SECP256R1())
        self.seeds = {cls: os.urandom(32) for cls in CLASSES}
        point = self.signing.public_key().public_numbers()
        self.record = num(point.x, 32) + num(point.y, 32)
        for seed in self.seeds.values():
            wide = hashlib.shake_256(seed).digest(96)
            self.record += mlkem.MLKEM768PrivateKey.from_seed_bytes(wide[:64]).public_key().public_bytes_raw()
            self.record += x25519.X25519PrivateKey.from_private_bytes(wide[64:]).public_key().public_bytes_raw()

    def sign(self, name, message):
        r, s = utils.decode_dss_signature(self.signing.sign(label(name) + message, ec.ECDSA(hashes.SHA256())))
        return num(r, 32) + num(s, 32)

    def line(self):
        value = num(self.signing.private_numbers().private_value, 32)
        return " ".join(["device", self.name, value.hex(), *(s.hex() for s in self.seeds.values())])


def envelopes(keys, number, device, account, epoch):
    """keys: by class, the list of (epoch, key)."""
    out = b""
    for cls in CLASSES:
        info = label("epoch keys") + account + num(number, 4) + num(cls, 1) + num(epoch, 4)
        plain = b"".join(num(e, 4) + k for e, k in keys[cls])
        out += num(number, 4) + num(cls, 1) + num(len(keys[cls]), 2)
        out += SUITE.encrypt(plain, private(device.seeds[cls]).public_key(), info)
    return out


def checks(epoch, keys):
    return b"".join(expand(keys[cls], label("key check") + num(epoch, 4) + num(cls, 1)) for cls in CLASSES)


def new_keys():
    return {cls: os.urandom(32) for cls in CLASSES}


def operation(kind, time, key, context, tail=b""):
    marks = b"".join(num(a, 4) + num(n, 8) for a, n in sorted(context.items()))
    return num(kind, 1) + num(time, 8) + num(len(key), 2) + key + num(len(context), 2) + marks + tail


def put(value, former=b""):
    return num(len(former), 2) + former + num(len(value), 4) + value


class Writer:
    def __init__(self, founder):
        self.keys, self.lines = {1: new_keys()}, ["# Written by sync_writer.py from Documentation/Formats/SyncLog.md.", founder.line()]
        body = bytes(2 + 32 + 8 + 32) + num(2, 4) + checks(1, self.keys[1]) + num(1, 2) + num(1, 4) + num(0, 8) + founder.record
        body += envelopes({c: [(1, k)] for c, k in self.keys[1].items()}, 1, founder, ZERO, 1)
        data = self.entry(founder, 1, 1, ZERO, 1, ZERO, 1, 1, 1, ZERO, body)
        self.log = Log(data)
        self.lines += [f"account {self.log.account.hex()}", f"entry {data.hex()}"]

    @staticmethod
    def entry(device, version, kind, account, place, previous, epoch, author, sequence, last, body):
        data = b"zsyn" + num(version, 1) + num(kind, 1) + bytes(2) + account + num(place, 8) + previous + num(epoch, 4)
        data += num(author, 4) + num(sequence, 8) + last + num(len(body), 4) + body
        return data + device.sign("entry", data)

    def append(self, device, author, kind, body):
        log, own = self.log, self.log.authors[author]
        data = self.entry(
            device, 1, kind, log.account, log.place + 1, log.hash, log.epoch, author, own.sequence + 1, own.last, body)
        code = log.take(data)
        self.lines += [f"entry {data.hex()}", f"void {code}" if code else "counts", f"state {sha(log.bytes()).hex()}"]

    def edits(self, device, author, parts):
        log, body = self.log, num(len(parts), 1)
        for cls, content in sorted(parts.items()):
            plain = num(len(content), 4) + content
            plain += bytes(padded(len(plain)) - len(plain))
            salt = os.urandom(32)
            key = HKDF(hashes.SHA256(), 32, salt, label("body") + log.account + num(cls, 1)).derive(self.keys[log.epoch][cls])
            data = log.account + num(author, 4) + num(log.authors[author].sequence + 1, 8) + num(log.epoch, 4) + num(cls, 1)
            sealed = AESGCM(key).encrypt(bytes(12), plain, data)
            body += num(cls, 1) + salt + num(len(sealed), 4) + sealed
        self.append(device, author, 2, body)

    def add(self, device, author, newcomer):
        log = self.log
        keys = {cls: [(e, k[cls]) for e, k in sorted(self.keys.items())] for cls in CLASSES}
        body = num(log.next, 4) + newcomer.record + envelopes(keys, log.next, newcomer, log.account, log.epoch)
        self.append(device, author, 3, body)

    def epoch(self, device, author, removed, staying):
        log, number = self.log, self.log.epoch + 1
        self.keys[number] = new_keys()
        body = num(len(removed), 2) + b"".join(num(m, 4) for m in removed) + num(number, 4) + checks(number, self.keys[number])
        body += num(len(staying), 2)
        for member, keys in sorted(staying.items()):
            own = {c: [(number, k)] for c, k in self.keys[number].items()}
            body += envelopes(own, member, keys, log.account, number)
        self.append(device, author, 4, body)

    def view(self, device, classes):
        items = Items(self.log, device.seeds, classes)
        self.lines.append(f"view {device.name} {''.join(map(str, classes))} {items.view().hex()}")
        if classes == CLASSES:
            self.lines += [f"items {device.name} {c} {items.state(c, PLACES << 15).hex()}" for c in CLASSES]


def main():
    a, b, c = Device("a"), Device("b"), Device("c")
    w = Writer(a)
    w.lines += [b.line(), c.line()]
    w.add(a, 1, b)
    w.edits(a, 1, {1: operation(1, 10, b"abc", {}, put(b"a")), 4: operation(1, 3, b"k", {}, put(b"v" * 400))})
    w.edits(b, 2, {1: operation(1, 5, b"abc", {1: 3}, put(b"b")), 3: operation(3, 6, b"m", {}, num(1, 1))})
    w.edits(a, 1, {1: operation(1, 7, b"abc", {}, put(b"c", b"former"))})
    w.epoch(b, 2, [1], {2: b})
    w.edits(a, 1, {4: operation(2, 9, b"k", {1: 3})})
    w.add(b, 2, c)
    w.edits(c, 3, {4: operation(2, 9, b"k", {1: 3}), 1: operation(1, 9, b"n", {}, put(b""))})
    for device in (a, b, c):
        w.view(device, CLASSES)
    w.view(c, [3, 4])
    print("\n".join(w.lines))


main()
