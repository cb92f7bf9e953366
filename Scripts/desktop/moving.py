# SPDX-License-Identifier: Apache-2.0
"""`zamok setup desktop`: what gnome-keyring has comes to the keychain, counted, and stays where it was; the name changes hands, and back."""
import pathlib, shutil, tempfile

from . import fixtures, stage
from .stage import COLLECTION, ITEM, check

ODD = [
    ("plain", {"server": "example.com", "user": "anna"}, b"s3cret"), ("twin", {"of": "twins"}, b"first"), ("twin", {"of": "twins"}, b"second"),
    ("empty", {"size": "none"}, b""), ("bytes", {"a=b&c": "%41\n\x7f é\U0001f511", "xdg:schema": "org.example.Odd"}, bytes(range(256)) * 30), ("bare", {}, b"without attributes"),
    ("large", {"size": "1 MiB"}, b"x" * (1 << 20)),
]


def contents(client, collection):
    """What a provider has in a collection: (label, attributes, secret), in an order."""
    rows = []
    for path in client.get(collection, COLLECTION, "Items"):
        label, attributes = client.get(path, ITEM, "Label"), client.get(path, ITEM, "Attributes")
        # gnome-keyring gives some items a schema of its own making.
        attributes = {name: value for name, value in attributes.items() if (name, value) != ("xdg:schema", "org.freedesktop.Secret.Generic")}
        rows.append((label, sorted(attributes.items()), client.secret(path)))
    return sorted(rows)


def moving(binary):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-desktop-"))
    stage.person(folder)
    services = folder / "data/dbus-1/services"
    services.mkdir(parents=True)
    bus = stage.Bus(folder, services)
    theirs, ours = stage.Gnome(folder, bus), stage.Zamok(binary, folder, bus, DBUS_SESSION_BUS_PID="0")
    try:
        fixtures.write_keyrings(folder, [each for each in fixtures.STANDARD if each[0] != "empty"])
        theirs.start()
        client = bus.connect()
        login = f"{stage.ROOT_PATH}/collection/login"
        for label, attributes, secret in ODD:
            client.create(login, label, attributes, secret)
        client.create(f"{stage.ROOT_PATH}/collection/session", "passing", {"kept": "no"}, b"x")
        closed = theirs.create_collection(client, "closed")
        client.create(closed, "behind", {"behind": "a password"}, b"x")
        client.lock(closed)
        for name in ("english", "spanish", "german"):
            client.unlock(f"{stage.ROOT_PATH}/collection/{name}")
        names = ["login", "english", "spanish", "german"]
        before = {name: contents(client, f"{stage.ROOT_PATH}/collection/{name}") for name in names}
        count = sum(map(len, before.values()))

        done = ours.run("setup", "desktop", "--dry-run", good=False)
        said = done.stdout.decode()
        check("--dry-run counts", done.returncode == 0 and f"has {count} items in 4 collections" in said and "the collection closed" in said, done)
        check("--dry-run changes nothing", not list(services.iterdir()) and not (folder / "data/zamok").exists())
        done = ours.run("setup", "desktop", "--yes", good=False)
        check("setup copies all of it", f"{count} items copied, 0 were there, 0 have another secret here, 0 left out." in done.stdout.decode(), done)
        check("a collection that stays locked keeps the name where it is", done.returncode == 3 and b"a collection stayed locked" in done.stderr and not list(services.iterdir()), done)
        client.call(closed, "org.freedesktop.Secret.Collection", "Delete")
        done = ours.run("setup", "desktop", "--yes", good=False)
        check("without it the name is taken", done.returncode == 0 and f"0 items copied, {count} were there" in done.stdout.decode(), done)
        check("setup says who has the name, and what to do", b"gnome-keyring-daemon has the name until this session ends" in done.stderr, done.stderr)
        after = {name: contents(client, f"{stage.ROOT_PATH}/collection/{name}") for name in names}
        check("the other provider has all of its own", after == before)
        done = ours.run("setup", "desktop", "--yes", good=False)
        check("a second time adds nothing", done.returncode == 0 and f"0 items copied, {count} were there" in done.stdout.decode(), done)
        item = client.search({"server": "example.com"})[0][0]
        client.call(item, ITEM, "SetSecret", "(oayays)", ((client.session, b"", b"changed there", "text/plain"),))
        done = ours.run("setup", "desktop", "--yes", "--now", good=False)
        check("what has another secret there is named, and stays", f"{count - 1} were there, 1 have another secret here" in done.stdout.decode() and "plain" in done.stdout.decode(), done)
        client.close()
        client = bus.connect()
        owner = stage.awaited(lambda: client.owner() and client.process_of_owner())
        program = pathlib.Path(f"/proc/{owner}/exe").resolve()
        check("--now: the bus has started the keychain in its place", done.returncode == 0 and program == pathlib.Path(binary).resolve(), (program, done))
        check("the other provider has ended", theirs.process.wait(10) is not None)
        moved = {name: contents(client, f"{stage.ROOT_PATH}/collection/{name}") for name in names}
        for name in names:
            check(f"each item of {name} is there with label, attributes and secret", moved[name] == before[name], (moved[name], before[name])[:300])
        check("what was in memory only did not come", client.search({"kept": "no"}) == ([], []))
        done = ours.run("setup", "desktop", "--undo", "--yes", "--now", good=False)
        check("--undo", done.returncode == 0 and not list(services.iterdir()), done)
        check("--undo: the keychain's provider has ended", stage.awaited(lambda: not pathlib.Path(f"/proc/{owner}").exists()))
        left = [path for path in (folder / "config").rglob("*") if path.is_file() and "zamok" in path.read_text(errors="replace")]
        check("--undo leaves no file behind", not left, left)
        done = ours.run("setup", "desktop", "--undo", "--yes", good=False)
        check("a second --undo has nothing to do", done.returncode == 44, done)
        client.close()
        theirs.start()
        client = bus.connect()
        client.unlock(login)
        check("the other provider has its items when it comes back", len(contents(client, login)) == len(before["login"]))
        client.close()
    finally:
        for provider in (theirs, ours):
            provider.stop()
        bus.close()
        shutil.rmtree(folder, ignore_errors=True)


def activation(binary):
    """The bus starts it; a second one is refused, and takes the place with --replace; who is not first ends by itself."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-desktop-"))
    stage.person(folder)
    services = folder / "services"
    services.mkdir()
    text = (stage.ROOT / "Scripts/desktop-files/org.freedesktop.secrets.service").read_text()
    # As a package has it, but for the prefix; without systemd the bus starts it by itself.
    (folder / "prefix/bin").mkdir(parents=True)
    (folder / "prefix/bin/zamok").symlink_to(binary)
    (services / "org.freedesktop.secrets.service").write_text(text.replace("@PREFIX@", f"{folder}/prefix"))
    bus = stage.Bus(folder, services)
    second = stage.Zamok(binary, folder, bus)
    try:
        client = bus.connect()
        check("nobody has the name at first", client.owner() is None)
        collections = client.get(stage.ROOT_PATH, stage.SERVICE, "Collections")
        first = client.process_of_owner()
        check("the bus starts it when it is asked", collections and pathlib.Path(f"/proc/{first}/exe").resolve() == pathlib.Path(binary).resolve(), collections)
        done = second.run("secrets", good=False)
        check("a second one is told who is there, and ends", done.returncode == 45 and b"--replace" in done.stderr, done)
        check("a second one takes the place with --replace", second.start("--replace") is not None and client.process_of_owner() == second.process.pid, second.said())
        check("the first one ends by itself", stage.awaited(lambda: not pathlib.Path(f"/proc/{first}").exists()))
        check("it ends with 0 when it is told to", second.stop() == 0, second.process.returncode)
        client.close()
    finally:
        second.stop()
        bus.close()
        shutil.rmtree(folder, ignore_errors=True)
