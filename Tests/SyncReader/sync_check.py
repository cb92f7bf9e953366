# SPDX-License-Identifier: Apache-2.0
#
# Reads vectors, and compares what sync_reader computes with what they say: sync_reader.py check FILE...

from sync_reader import CLASSES, Bad, Items, Log, Reader, label, num, sha, verifies
from sync_values import preference


def spell(digest, count):
    bits = int.from_bytes(digest, "big")
    words = []
    for word in range(count):
        ten = bits >> (len(digest) * 8 - 10 * (word + 1)) & 1023
        words.append("bdfghjklmnprstvz"[ten >> 6] + "aiou"[ten >> 4 & 3] + "bdfghjklmnprstvz"[ten & 15])
    return "-".join(words)


def check(path):
    devices, log, code, messages, compared = {}, None, None, [], 0
    begun, chunks, data = None, [[], [], [], []], b""

    def same(what, mine, theirs):
        nonlocal compared
        compared += 1
        if mine != theirs:
            raise SystemExit(f"{path}: {what}: computed {mine!r}, the vector says {theirs!r}")

    for line in open(path, encoding="utf-8"):
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "device":
            name, _, *seeds = rest.rsplit(" ", 4)
            devices[name] = {c: bytes.fromhex(s) for c, s in zip(CLASSES, seeds)}
        elif word in ("entry", "filled"):
            if word == "entry":
                data = bytes.fromhex(rest)
            else:
                count, filling = rest.split()
                data = bytes([int(filling)]) * int(count)
            if log is None:
                log = Log(data)
                same("account", log.account.hex(), account)
            else:
                code = log.take(data)
                if begun:
                    same(f"entry {log.place} for who began late", begun.take(data), code)
                    same(f"state at {log.place} for who began late", begun.bytes().hex(), log.bytes().hex())
        elif word == "chunk":
            stream, piece = rest.split()
            chunks[[0, *CLASSES].index(int(stream))].append(bytes.fromhex(piece))
        elif word == "refuse":
            stream, piece = rest.split()
            spoiled = [list(pieces) for pieces in chunks]
            spoiled[[0, *CLASSES].index(int(stream))][0] = bytes.fromhex(piece)
            try:
                Log.start(data, spoiled)
                same("a spoiled chunk", "taken", "refused")
            except Bad:
                compared += 1
        elif word == "start":
            begun = Log.start(data, chunks)
            same("state where a newcomer begins", begun.bytes().hex(), log.bytes().hex())
        elif word == "begun":
            name, classes, view_of = rest.rsplit(" ", 2)
            items = Items(begun, devices[name], [int(c) for c in classes])
            same(f"view of {name} {classes}, who began late", items.view().hex(), view_of)
        elif word == "account":
            account = rest
        elif word == "counts":
            same(f"entry {log.place}", code, 0)
        elif word == "void":
            same(f"entry {log.place}", code, int(rest))
        elif word == "fork":
            same(f"entry {log.place}", code, 8)
        elif word == "state":
            same(f"state at {log.place}", sha(log.bytes()).hex(), rest)
        elif word == "view":
            name, classes, data = rest.rsplit(" ", 2)
            items = Items(log, devices[name], [int(c) for c in classes])
            same(f"view of {name} {classes}", items.view().hex(), data)
        elif word == "items":
            name, cls, data = rest.rsplit(" ", 2)
            items = Items(log, devices[name], CLASSES)
            same(f"items of {name} {cls}", items.state(int(cls)).hex(), data)
        elif word == "preference":
            name, key, said = rest.split(" ")
            items = Items(log, devices[name], CLASSES)
            try:
                found = preference(items, key)
                same(f"preference {key} of {name}", "absent" if found is None else found.hex(), said)
            except Bad:
                same(f"preference {key} of {name}", "refused", said)
        elif word == "message":
            messages.append(bytes.fromhex(rest))
        elif word == "words":
            first, second, third = messages
            same("commitment", sha(label("commitment"), third[24:]), first[24:])
            same("words", spell(sha(label("words"), *messages), 3), rest)
        elif word == "head":
            same("head", spell(sha(label("head words"), log.account, num(log.place, 8), log.hash), 6), rest)
        elif word == "statement":
            data = bytes.fromhex(rest)
            r = Reader(data)
            same("statement", (r.take(8), r.take(32)), (b"zsyh\1\0\0\0", log.account))
            member, place, digest, _ = r.num(4), r.num(8), r.take(32), r.num(8)
            same("statement's head", (place, digest), (log.place, log.hash))
            same("statement's signature", verifies(log.authors[member].keys[:64], data[-64:], "head", data[:-64]), True)
        elif word in ("#", "stops", ""):
            pass
        else:
            raise SystemExit(f"{path}: unknown line {word}")
    print(f"{path}: {compared} comparisons, all the same")
