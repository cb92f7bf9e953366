# SPDX-License-Identifier: Apache-2.0
"""Four writers, and a provider that is killed and started again under them: what was acknowledged is there, whole."""
import random, threading, time

from . import stage
from .stage import check, figure, scene


class Writer(threading.Thread):
    """Stores, replaces and deletes items of its own, and remembers what was acknowledged. A call without an answer may have happened or not."""

    def __init__(self, provider, number, ended):
        super().__init__(daemon=True)
        self.provider, self.number, self.ended = provider, number, ended
        # Turn: what it may be. None: not there.
        self.may_be, self.acknowledged, self.unanswered, self.refusals = {}, 0, 0, set()

    def secret(self, turn, version):
        # Long enough to be torn, were it written in parts.
        return (f"{self.number}.{turn}.{version}|" * 200).encode()

    def run(self):
        client, turn = None, 0
        while not self.ended.is_set():
            try:
                if client is None:
                    client = self.provider.bus.connect()
                    client.timeout = 5
                self.step(client, turn)
                turn += 1
            except (stage.Refused, OSError, TimeoutError) as error:
                if client:
                    client.close()
                client = None
                # Otherwise there is nobody for a moment, or the session went with the process.
                if getattr(error, "name", "org.freedesktop.DBus.Error.NoReply") == "org.freedesktop.DBus.Error.NoReply":
                    self.unanswered += 1
                elif not error.name.endswith((".ServiceUnknown", ".NameHasNoOwner", ".NoSession")):
                    self.refusals.add(str(error)[:200])
                self.ended.wait(0.005)

    def step(self, client, turn):
        mine = {"writer": str(self.number), "turn": str(turn)}
        choice = turn % 4
        older = turn - 8
        if choice == 3 and older in self.may_be and self.may_be[older] != {None}:
            wanted = {"writer": str(self.number), "turn": str(older)}
            found = client.search(wanted)[0]
            if not found:
                # Deleted by a call that had no answer, or lost: the end tells which.
                return
            self.may_be[older] = self.may_be[older] | {None}
            client.delete(found[0])
            self.may_be[older] = {None}
        else:
            self.may_be.setdefault(turn, {None})
            first = self.secret(turn, 0)
            self.may_be[turn] = self.may_be[turn] | {first}
            client.create(client.alias("default"), str(turn), mine, first, replace=True)
            self.may_be[turn] = {first}
            if choice == 1:
                second = self.secret(turn, 1)
                self.may_be[turn] = {first, second}
                client.create(client.alias("default"), str(turn), mine, second, replace=True)
                self.may_be[turn] = {second}
        self.acknowledged += 1


def kills(make, count, seed=1, writers=4):
    dice = random.Random(seed)
    with scene(make) as provider:
        ended = threading.Event()
        threads = [Writer(provider, number, ended) for number in range(writers)]
        for thread in threads:
            thread.start()
        begin, failed = time.monotonic(), 0
        for _ in range(count):
            # Long enough for some writes, and often in the midst of a start.
            time.sleep(dice.uniform(0.0, dice.choice([0.05, 0.5])))
            provider.kill()
            if provider.start() is None:
                failed += 1
                break
        ended.set()
        for thread in threads:
            thread.join(30)
        check(f"the provider starts after each of {count} kills", not failed, provider.said()[-1000:])
        client = provider.bus.connect()
        lost, half, twice, told = [], [], [], 0
        for thread in threads:
            for turn, may_be in thread.may_be.items():
                unlocked, locked = client.search({"writer": str(thread.number), "turn": str(turn)})
                found = unlocked + locked
                told += 1
                is_now = client.secret(found[0]) if found else None
                if len(found) > 1:
                    twice.append((thread.number, turn, len(found)))
                if is_now not in may_be:
                    (lost if is_now is None else half).append((thread.number, turn, is_now and is_now[:40]))
        client.close()
        acknowledged, unanswered = sum(thread.acknowledged for thread in threads), sum(thread.unanswered for thread in threads)
        figure(f"{provider.name}, {count} kills", f"{acknowledged:,} changes acknowledged, {unanswered:,} without an answer, {time.monotonic() - begin:.0f} s")
        refusals = set().union(*(thread.refusals for thread in threads))
        check(f"{count} kills: no writer was told anything but that nobody answers", not refusals, sorted(refusals)[:3])
        check(f"{count} kills met changes under way", unanswered >= count / 4, unanswered)
        check(f"{count} kills under {writers} writers: 0 of {told:,} lost", not lost, f"{len(lost)}: {lost[:3]}")
        check(f"{count} kills under {writers} writers: 0 half", not half, f"{len(half)}: {half[:3]}")
        check(f"{count} kills under {writers} writers: 0 twice", not twice, f"{len(twice)}: {twice[:3]}")
