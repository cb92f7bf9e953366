# SPDX-License-Identifier: Apache-2.0
"""How long an add, a search and many clients at once take, beside gnome-keyring in the same run; what an idle provider costs."""
import os, pathlib, statistics, threading, time

from . import stage
from .stage import check, figure, scene

ITEMS = 10_000


def attributes(number):
    return {"xdg:schema": "org.example.Password", "server": f"host-{number:05}.example.com", "user": "me"}


def write_gnome(folder, count):
    """Written as gnome-keyring writes a collection without a password: it writes all of them again for each item that is added, which takes an hour for 10,000."""
    place = pathlib.Path(folder) / "data/keyrings"
    place.mkdir(mode=0o700, parents=True)
    (place / "default").write_text("many")
    lines = ["[keyring]\ndisplay-name=many\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"]
    for number in range(1, count + 1):
        lines.append(f"\n[{number}]\nitem-type=0\ndisplay-name=host {number}\nsecret=correct-horse-{number:05}\nmtime=0\nctime=0\n")
        for index, (name, value) in enumerate(attributes(number).items()):
            lines.append(f"\n[{number}:attribute{index}]\nname={name}\ntype=string\nvalue={value}\n")
    (place / "many.keyring").write_text("".join(lines))


def milliseconds(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


def timed(provider, count):
    """Medians: an add to `count` items, a search of one of them, and its secret."""
    client = provider.bus.connect()
    client.timeout = 120
    collection = client.alias("default") if provider.name == "zamok" else f"{stage.ROOT_PATH}/collection/many"
    if provider.name == "zamok":
        begin = time.monotonic()
        for number in range(1, count + 1):
            client.create(collection, f"host {number}", attributes(number), b"correct-horse-%05d" % number)
        figure(f"{count:,} items added over the bus", f"{time.monotonic() - begin:.1f} s")
    else:
        client.unlock(collection)
        # The form that a collection of a person's has: encrypted, which is also the quicker one to write.
        secrets = [(client.session, b"", word, "text/plain") for word in (b"", stage.PASSCODE.encode())]
        client.call(
            stage.ROOT_PATH, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "ChangeWithMasterPassword", "o(oayays)(oayays)", (collection, *secrets))
    runs = 200 if provider.name == "zamok" else 10
    adds = [milliseconds(lambda: client.create(collection, "one more", attributes(count + 1 + turn), b"another")) for turn in range(runs)]
    searches, secrets = [], []
    for turn in range(200):
        wanted = attributes(1 + turn * 37 % count)
        found = []
        searches.append(milliseconds(lambda: found.extend(client.search(wanted)[0])))
        secrets.append(milliseconds(lambda: found.append(client.secret(found[0]))))
        if found[-1] != b"correct-horse-%05d" % (1 + turn * 37 % count):
            check(f"{provider.name} finds the right one of {count:,}", False, found)
            break
    client.close()
    return statistics.median(adds), statistics.median(searches), statistics.median(secrets)


def many_clients(provider, clients=50, turns=40):
    """Seconds until each of `clients` has stored and read `turns` items of its own; and what was wrong."""
    wrong, ready = [], threading.Barrier(clients + 1)

    def one(number):
        client = provider.bus.connect()
        client.timeout = 120
        collection = client.alias("default")
        ready.wait()
        for turn in range(turns):
            mine = {"client": str(number), "turn": str(turn)}
            client.create(collection, f"{number} {turn}", mine, f"{number}.{turn}".encode())
            unlocked, _locked = client.search(mine)
            if len(unlocked) != 1 or client.secret(unlocked[0]) != f"{number}.{turn}".encode():
                wrong.append((number, turn, unlocked))
        client.close()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    ready.wait()
    begin = time.monotonic()
    for thread in threads:
        thread.join()
    return time.monotonic() - begin, wrong


def switches(process):
    """How often each of its threads was given the processor, by thread."""
    counts = {}
    for task in os.listdir(f"/proc/{process}/task"):
        lines = pathlib.Path(f"/proc/{process}/task/{task}/status").read_text().splitlines()
        counts[task] = sum(int(line.split()[1]) for line in lines if "ctxt_switches" in line)
    return counts


def memory(process):
    """MiB: resident, and of that its own alone."""
    sizes = {"Rss": 0, "Private_Clean": 0, "Private_Dirty": 0}
    for line in pathlib.Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
        name = line.split(":")[0]
        if name in sizes:
            sizes[name] += int(line.split()[1]) / 1024
    return sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


def speed(ours, peer, count=ITEMS):
    times = {}

    def make_peer(folder, bus):
        write_gnome(folder, count)
        return peer(folder, bus)

    for make in (make_peer, ours):
        with scene(make) as provider:
            add, search, secret = times[provider.name] = timed(provider, count)
            figure(f"{provider.name}, {count:,} items", f"add {add:.2f} ms, search {search:.2f} ms, secret {secret:.2f} ms (medians, over the bus)")
            figure(f"{provider.name}, {count:,} items", "resident %.1f MiB, its own %.1f" % memory(provider.process.pid))
    (add, search, _), (peer_add, peer_search, _) = times["zamok"], times["gnome-keyring"]
    figure("add, ours / gnome-keyring's", f"1/{peer_add / add:.0f}")
    figure("search, ours / gnome-keyring's", f"1/{peer_search / search:.1f}")
    check("an add takes at most 1/100 of gnome-keyring's", add <= peer_add / 100, f"{add:.2f} of {peer_add:.2f} ms")
    check("a search takes at most 1/5 of gnome-keyring's", search <= peer_search / 5, f"{search:.2f} of {peer_search:.2f} ms")
    for make in (peer, ours):
        with scene(make) as provider:
            seconds, wrong = many_clients(provider)
            figure(f"{provider.name}, 50 clients at once, 40 items each", f"{seconds:.1f} s")
            check(f"{provider.name}, 50 clients at once: nobody gets what isn't theirs", not wrong, wrong[:3])


def idle(make, seconds=20):
    """Without a passcode: other programs of this account look at homes that are in the kernel's keyring, and a look is heard."""
    with scene(make) as provider:
        client = provider.bus.connect()
        client.create(client.alias("default"), "one", {"a": "b"}, b"x")
        # One client stays, and says nothing. A second after the last work the provider lets go of keys and memory that it can have again; it is idle from then on.
        time.sleep(3)
        before, begin = switches(provider.process.pid), time.monotonic()
        time.sleep(seconds)
        after = switches(provider.process.pid)
        resident, own = memory(provider.process.pid)
        client.close()
        count = sum(value - before.get(task, 0) for task, value in after.items())
        figure(f"{provider.name}, idle", f"{count} wake-ups in {time.monotonic() - begin:.0f} s, resident {resident:.1f} MiB, its own {own:.1f}")
        check(f"{provider.name}, idle: no wake-ups", count == 0, count)
        check(f"{provider.name}, idle: at most 28 MiB resident", resident <= 28, f"{resident:.1f}")
