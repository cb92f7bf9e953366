# SPDX-License-Identifier: Apache-2.0
"""Clients that mean no good: floods, secrets without end, objects of others, calls of any shape. Refused, bounded, and nobody else is held up."""
import contextlib, multiprocessing, os, pathlib, random, subprocess, sys, threading, time

from jeepney import DBusAddress, MessageType, new_method_call

from . import speed, stage
from .stage import COLLECTION, ITEM, PROMPT, ROOT_PATH, SERVICE, SESSION, check, figure, scene


def told(call):
    """The name of the error that the call ends with; None: it was done."""
    try:
        call()
    except stage.Refused as refused:
        return refused.name
    return None


class Bystander(threading.Thread):
    """Somebody who stores and reads meanwhile; how long the slowest took."""

    def __init__(self, provider):
        super().__init__(daemon=True)
        self.provider, self.ended, self.times, self.wrong = provider, threading.Event(), [], []

    def run(self):
        client = self.provider.bus.connect()
        item = client.create(client.alias("default"), "bystander", {"who": "bystander"}, b"mine", replace=True)
        while not self.ended.wait(0.02):
            begin = time.perf_counter()
            try:
                if client.search({"who": "bystander"}) != ([item], []) or client.secret(item) != b"mine":
                    self.wrong.append("another answer")
            except (stage.Refused, TimeoutError, OSError) as error:
                self.wrong.append(repr(error))
                break
            self.times.append((time.perf_counter() - begin) * 1000)
        client.close()


@contextlib.contextmanager
def bystander(provider, what, limit=1000):
    """Somebody who works meanwhile is answered, in `limit` milliseconds; None: it is told how soon."""
    somebody = Bystander(provider)
    somebody.start()
    time.sleep(0.2)
    try:
        yield
    finally:
        somebody.ended.set()
        somebody.join(60)
        times = sorted(somebody.times) or [0]
        figure(f"a bystander meanwhile ({what})", f"{len(times)} turns, median {times[len(times) // 2]:.1f} ms, slowest {times[-1]:.0f} ms")
        if limit:
            check(f"{what}: nobody else is held up", not somebody.wrong and len(somebody.times) > 1 and times[-1] <= limit, somebody.wrong[:2] or f"{times[-1]:.0f} ms")


def objects_of_others(provider):
    mine, other = provider.bus.connect(), provider.bus.connect()
    default = mine.alias("default")
    item = mine.create(default, "mine", {"of": "mine"}, b"s3cret")
    for what, call in {
        "GetSecret": lambda: other.call(item, ITEM, "GetSecret", "o", (mine.session,)),
        "GetSecrets": lambda: other.call(ROOT_PATH, SERVICE, "GetSecrets", "aoo", ([item], mine.session)),
        "SetSecret": lambda: other.call(item, ITEM, "SetSecret", "(oayays)", ((mine.session, b"", b"theirs", "text/plain"),)),
        "CreateItem": lambda: other.call(default, COLLECTION, "CreateItem", "a{sv}(oayays)b", ({}, (mine.session, b"", b"theirs", "text/plain"), False)),
        "Close": lambda: other.call(mine.session, SESSION, "Close"),
    }.items():
        check(f"{what} with another client's session is refused", told(call), "done")
    check("the session is its owner's still, and the secret, too", mine.secret(item) == b"s3cret")
    prompt = mine.call(ROOT_PATH, SERVICE, "CreateCollection", "a{sv}s", ({f"{COLLECTION}.Label": ("s", "asked")}, ""))[1]
    if prompt != "/":
        check("another client's prompt can't be prompted", told(lambda: other.call(prompt, PROMPT, "Prompt", "s", ("",))), "done")
        check("another client's prompt can't be dismissed", told(lambda: other.call(prompt, PROMPT, "Dismiss")), "done")
        first = mine.prompted(prompt)
        again = told(lambda: mine.call(prompt, PROMPT, "Prompt", "s", ("",)))
        check("a prompt that has ended is none any more", again, first)
    mine.close()
    session = other.session
    other.close()
    third = provider.bus.connect()
    check("a session ends with its client", told(lambda: third.call(item, ITEM, "GetSecret", "o", (session,))), "done")
    third.close()


def sizes(provider):
    client = provider.bus.connect()
    client.timeout = 60
    default = client.alias("default")
    big = b"x" * (64 << 20)
    with bystander(provider, "secrets of 64 MiB", 3000):
        answers = [told(lambda: client.create(default, "big", {"size": "64 MiB"}, big)) for _ in range(3)]
    check("a secret of 64 MiB is refused", all(answers), answers)
    check("nothing of it is there", client.search({"size": "64 MiB"}) == ([], []))
    many = {f"name{number}": "v" * 100 for number in range(20000)}
    check("20,000 attributes are refused", told(lambda: client.create(default, "many", many, b"x")), "done")
    check("a label of 8 MiB is refused", told(lambda: client.create(default, "l" * (8 << 20), {"label": "8 MiB"}, b"x")), "done")
    check("nothing of that is there", client.search({"label": "8 MiB"}) == ([], []))
    paths = [f"{ROOT_PATH}/collection/none/{number}" for number in range(100000)]
    began = time.monotonic()
    with contextlib.suppress(stage.Refused):
        check("GetSecrets of 100,000 that are not there gives none", client.secrets(paths) == {})
    check("it takes at most 3 s", time.monotonic() - began < 3, f"{time.monotonic() - began:.1f} s")
    client.close()


def names(provider):
    client = provider.bus.connect()
    hostile = [
        "/", "/org", "/etc/passwd", ROOT_PATH + "/collection", ROOT_PATH + "/collection/_2e_2e_2fetc", ROOT_PATH + "/session/1", ROOT_PATH + "/prompt/1",
        ROOT_PATH + "/aliases/none", ROOT_PATH + "/collection/" + "a" * 60000, ROOT_PATH + "/collection/default/" + "9" * 400, ROOT_PATH + "/x" * 5000,
        client.alias("default") + "/18446744073709551616", client.alias("default") + "/_", client.alias("default") + "/1/1",
    ]
    for path in hostile:
        for interface, method, signature, body in [
            (ITEM, "GetSecret", "o", (client.session,)), (ITEM, "Delete", None, ()), (COLLECTION, "SearchItems", "a{ss}", ({},)), (COLLECTION, "Delete", None, ()),
            (SESSION, "Close", None, ()), (PROMPT, "Dismiss", None, ()), ("org.freedesktop.DBus.Properties", "Get", "ss", (ITEM, "Label"))]:
            answer = told(lambda: client.call(path, interface, method, signature, body))
            if not answer:
                check(f"{interface}.{method} of {path[:60]} is refused", False, "done")
    for alias in ("", "../x", "a" * 100000, "none", "default/1"):
        answer = None
        with contextlib.suppress(stage.Refused):
            answer = client.alias(alias)
        check(f"ReadAlias of {alias[:20]!r} gives none", answer in (None, "/"), answer)
    check("after paths of all kinds it answers as before", client.search({"none": "such"}) == ([], []))
    client.close()


def sessions(provider, count=20000):
    before = speed.memory(provider.process.pid)[0]
    client = provider.bus.connect()
    refused = None
    with bystander(provider, f"{count:,} sessions that nobody closes"):
        for _ in range(count):
            refused = told(lambda: client.call(ROOT_PATH, SERVICE, "OpenSession", "sv", ("plain", ("s", ""))))
            if refused:
                break
    after = speed.memory(provider.process.pid)[0]
    check("sessions that nobody closes are bounded", refused or after - before < 16, f"{after - before:.1f} MiB more")
    client.close()
    fresh = provider.bus.connect()
    check("others can open one", told(lambda: fresh.session) is None)
    fresh.close()


def processor(process):
    """Seconds of processor time so far."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def flooding(provider, clients, calls, outstanding, answered, number):
    """Sends `calls` calls, with at most `outstanding` of them unanswered; every second client reads nothing in the end."""
    client = provider.bus.connect()
    address = DBusAddress(ROOT_PATH, stage.NAME, SERVICE)

    def receive():
        if client.connection.receive(timeout=60).header.message_type in (MessageType.method_return, MessageType.error):
            answered[number] += 1

    with contextlib.suppress(TimeoutError):
        for sent in range(calls):
            client.connection.send(new_method_call(address, "SearchItems", "a{ss}", ({"who": "bystander"},)))
            while sent - answered[number] >= outstanding:
                receive()
        while number % 2 and answered[number] < calls:
            receive()
    client.close()


def flood(provider, clients=20):
    """Calls without end, as many at once as the bus carries; and then 60,000 before anybody reads an answer, which it doesn't: dbus-daemon looks through all calls that wait for
    each call that it hands on. So that a bystander of these is held up by the bus, with any provider; judged is what the provider takes of the time."""
    # Processes, so that nobody waits for this one's interpreter.
    fork = multiprocessing.get_context("fork")
    for calls, outstanding, limit in ((3000, 50, 1000), (3000, 3000, None)):
        before, began = speed.memory(provider.process.pid)[0], processor(provider.process.pid)
        bus_began = processor(provider.bus.process.pid)
        answered = fork.Array("i", clients)
        what = f"{clients} clients with {calls:,} calls each, {outstanding:,} of them at once"
        with bystander(provider, what, limit):
            each = [fork.Process(target=flooding, args=(provider, clients, calls, outstanding, answered, number)) for number in range(clients)]
            for process in each:
                process.start()
            for process in each:
                process.join()
        took, bus_took = processor(provider.process.pid) - began, processor(provider.bus.process.pid) - bus_began
        figure(what, f"processor time {took:.1f} s of the provider's, {bus_took:.1f} s of the bus's")
        check(f"{what}: who reads gets every answer", all(count == calls for count in answered[1::2]), list(answered))
        check(f"{what}: the provider takes less of the processor than the bus, and at most 0.1 ms a call", took <= min(bus_took, clients * calls / 10_000), f"{took:.1f} s")
        after = speed.memory(provider.process.pid)[0]
        check(f"{what}: it leaves at most 32 MiB", after - before < 32, f"{after - before:.1f} MiB more")
        client = provider.bus.connect()
        client.timeout = 60
        check(f"{what}: afterwards it answers as before", len(client.search({"who": "bystander"})[0]) == 1)
        client.close()


def any_value(dice, signature):
    """A value of the type, drawn."""
    kind = signature[0]
    if kind in "ybnqiuxt":
        bits = {"y": 8, "b": 1, "n": 15, "q": 16, "i": 31, "u": 32, "x": 63, "t": 64}[kind]
        return bool(dice.getrandbits(1)) if kind == "b" else dice.choice([0, 1, (1 << bits) - 1, dice.getrandbits(bits)])
    if kind == "d":
        return dice.choice([0.0, -1.5, 1e300])
    if kind == "s":
        return dice.choice(["", "plain", "default", "dh-ietf1024-sha256-aes128-cbc-pkcs7", ITEM, COLLECTION, "Label", "é\u0300\U0001f511" * 5, "a" * dice.randrange(5000)])
    if kind == "o":
        return dice.choice(["/", ROOT_PATH, f"{ROOT_PATH}/collection/login", f"{ROOT_PATH}/aliases/default", f"{ROOT_PATH}/session/s{dice.randrange(9)}", "/a" * dice.randrange(1, 200)])
    if kind == "g":
        return dice.choice(["", "s", "a{sv}"])
    if kind == "v":
        inner = any_signature(dice, 2)
        return (inner, any_value(dice, inner))
    if kind == "(":
        return tuple(any_value(dice, part) for part in parts(signature[1:-1]))
    if signature.startswith("a{"):
        key, value = parts(signature[2:-1])
        return {any_value(dice, key): any_value(dice, value) for _ in range(dice.randrange(4))}
    if signature == "ay":
        return dice.randbytes(dice.choice([0, 1, 16, 127, 128, 129, 4096]))
    return [any_value(dice, signature[1:]) for _ in range(dice.randrange(4))]


def parts(signature):
    """The single types that a signature is made of."""
    found, place = [], 0
    while place < len(signature):
        end = place
        while signature[end] == "a":
            end += 1
        if signature[end] in "({":
            depth = 0
            while True:
                depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(signature[end], 0)
                if not depth:
                    break
                end += 1
        found.append(signature[place : end + 1])
        place = end + 1
    return found


def any_signature(dice, depth=3):
    kind = dice.choice("ybnqiuxtdsogv" if depth else "ysuo")
    shape = dice.random()
    if depth and shape < 0.15:
        return "a" + any_signature(dice, depth - 1)
    if depth and shape < 0.25:
        return "(" + "".join(any_signature(dice, depth - 1) for _ in range(dice.randrange(1, 4))) + ")"
    if depth and shape < 0.35:
        return "a{" + dice.choice("sou") + any_signature(dice, depth - 1) + "}"
    return kind


METHODS = {
    SERVICE: {"OpenSession": "sv", "CreateCollection": "a{sv}s", "SearchItems": "a{ss}", "Unlock": "ao", "Lock": "ao", "GetSecrets": "aoo", "ReadAlias": "s", "SetAlias": "so"},
    COLLECTION: {"Delete": "", "SearchItems": "a{ss}", "CreateItem": "a{sv}(oayays)b"},
    ITEM: {"Delete": "", "GetSecret": "o", "SetSecret": "(oayays)"}, SESSION: {"Close": ""}, PROMPT: {"Prompt": "s", "Dismiss": ""},
    "org.freedesktop.DBus.Properties": {"Get": "ss", "GetAll": "s", "Set": "ssv"}, "org.freedesktop.DBus.Introspectable": {"Introspect": ""},
    "org.freedesktop.DBus.Peer": {"Ping": "", "GetMachineId": ""}, "org.freedesktop.impl.portal.Secret": {"RetrieveSecret": "osha{sv}"},
}


def fuzz(make, count, seed=1):
    """Valid messages of any method, object and type. The provider answers each, stays, and keeps what it has."""
    dice = random.Random(seed)
    with scene(make) as provider:
        client = provider.bus.connect()
        client.timeout = 20
        kept = provider.bus.connect()
        item = kept.create(kept.alias("default"), "kept", {"kept": "yes"}, b"kept")
        before, begin, done = speed.memory(provider.process.pid)[0], time.monotonic(), 0
        slowest, unanswered = 0.0, []
        for number in range(count):
            interface = dice.choice(list(METHODS))
            method = dice.choice(list(METHODS[interface]))
            signature = METHODS[interface][method] if dice.random() < 0.6 else "".join(any_signature(dice) for _ in range(dice.randrange(5)))
            if "h" in signature:
                signature = "os"
            body = tuple(any_value(dice, part) for part in parts(signature))
            # Items are its own: what fuzzing deletes or locks must not be what is looked for.
            path = dice.choice([ROOT_PATH, client.session, f"{ROOT_PATH}/collection/login", f"{ROOT_PATH}/aliases/default", f"{ROOT_PATH}/collection/session", any_value(dice, "o")])
            if method == "Delete":
                path = f"{ROOT_PATH}/collection/none"
            if method == "Lock" and signature == "ao":
                body = ([f"{ROOT_PATH}/collection/none"] * dice.randrange(50),)
            if interface == SESSION and path == client.session:
                client.session_path = None
            if dice.random() < 0.05:
                interface, method = interface + dice.choice(["", ".More"]), dice.choice(["Unknown", method])
            began = time.monotonic()
            try:
                client.call(path, interface, method, signature or None, body)
                done += 1
            except stage.Refused:
                pass
            except (TimeoutError, OSError) as error:
                unanswered.append((interface, method, signature, repr(error)))
                client = provider.bus.connect()
            slowest = max(slowest, time.monotonic() - began)
            if provider.process.poll() is not None:
                break
        figure(f"{provider.name}, {count:,} messages of any shape (seed {seed})", f"{done:,} done, the others refused; slowest {slowest * 1000:.0f} ms; {time.monotonic() - begin:.0f} s")
        if not check("fuzzed: the provider is there still", provider.process.poll() is None, provider.said()[-1500:]):
            return
        check("fuzzed: each message was answered", not unanswered, unanswered[:3])
        check("fuzzed: what it keeps is there", kept.search({"kept": "yes"})[0] == [item] and kept.secret(item) == b"kept")
        after = speed.memory(provider.process.pid)[0]
        check("fuzzed: at most 24 MiB more", after - before < 24, f"{after - before:.1f} MiB")


OTHER = """
import sys
sys.path[:0] = [sys.argv[1]]
from desktop import stage
client = stage.Client(sys.argv[2])
for what, call in (("session", lambda: client.session), ("search", lambda: client.search({"of": "mine"})), ("alias", lambda: client.alias("default"))):
    try:
        print(what, call())
    except stage.Refused as refused:
        print(what, "refused", refused.name)
"""


def another_user(provider):
    """Another account that has got onto the bus: a bus of a person's own lets nobody in, so that this one is opened for it."""
    if os.geteuid() != 0:
        return print("not tried: another account, which takes root to become")
    os.chmod(provider.bus.folder, 0o755)
    os.chmod(provider.bus.folder / "session", 0o777)
    done = subprocess.run(
        ["setpriv", "--reuid", "65534", "--clear-groups", sys.executable, "-B", "-c", OTHER, str(stage.ROOT / "Scripts"), provider.bus.address],
        capture_output=True, env={**provider.environment, "HOME": "/", "PYTHONPATH": os.pathsep.join(sys.path)}, timeout=60, start_new_session=True)
    lines = done.stdout.decode().splitlines()
    check("another account is refused", len(lines) == 3 and all(" refused " in line for line in lines), done)
    os.chmod(provider.bus.folder, 0o700)


def hostile(make):
    with scene(make) as provider:
        for judge in (objects_of_others, names, sizes, sessions, flood, another_user):
            judge(provider)
            if not check(f"the provider is there after {judge.__name__.replace('_', ' ')}", provider.process.poll() is None, provider.said()[-2000:]):
                return
