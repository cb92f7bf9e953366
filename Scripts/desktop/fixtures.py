# SPDX-License-Identifier: Apache-2.0
"""Run by libsecret's tests in the place of their mock service: starts a real provider on the same bus with a home of its own, loads the items that the mock has, and
says the provider's name. Ends with it."""
import json, os, pathlib, shutil, signal, sys, tempfile

from . import stage

PRIMES, SCHEMA = "org.mock.Primes", "org.mock.Schema"


def row(number, string, schema=SCHEMA, **more):
    return {"number": number, "string": string, **more, "xdg:schema": schema}


# (collection, label, locked, [(item, label, secret, attributes)]), as libsecret/mock/service.py has them.
STANDARD = [
    ("english", "Collection One", False, [
        ("1", "Item One", "111", row("1", "one", even="false")), ("2", "Item Two", "222", row("2", "two", even="true")),
        ("3", "Item Three", "333", row("3", "three", even="false"))]),
    ("spanish", "Collection", True, [
        ("10", "Item", "111", row("1", "uno", even="false")), ("20", "Item", "222", row("2", "dos", even="true")),
        ("30", "Item", "3333", row("3", "tres", even="false"))]),
    ("german", "Collection", True, [
        ("300", "Item", "333", row("3", "drei", PRIMES, prime="true")), ("400", "Item", "444", row("4", "vier", PRIMES, prime="false")),
        ("500", "Item", "555", row("5", "fuenf", PRIMES, prime="true")), ("600", "Item", "666", row("6", "sechs", PRIMES, prime="false"))]),
    ("empty", "Collection", False, []),
]
ONE, TWO, THREE = ({"number": "1", "string": "one", "even": "false"}, {"number": "2", "string": "two", "even": "true"}, {"number": "3", "string": "three", "even": "false"})
MORE = {
    "mock-service-lock.py": [
        ("lockone", "Collection", False, [("item", "Item", "uno", ONE), ("confirm", "Item", "dos", TWO)]),
        ("lockprompt", "Collection", True, [("locked", "Item", "tres", THREE)])],
    "mock-service-delete.py": [
        ("todelete", "Collection", False, [("item", "Item", "uno", ONE), ("confirm", "Item", "dos", TWO)]),
        ("twodelete", "Collection", True, [("locked", "Item", "tres", THREE)])],
}


def import_items(provider, collections):
    """By the command, as Documentation/Formats/SecretService.md says where collections and items are. There is one lock, so that none of them is locked alone."""
    lines = []
    for name, label, _locked, items in collections:
        lines.append({"service": "collection", "account": name, "label": label, "comment": "default" if name == "english" else "", "value": ""})
        for part, item_label, secret, attributes in items:
            fields = "&".join(f"{key}={value}" for key, value in sorted(attributes.items()))
            lines.append({"service": fields, "account": f"{name}/{part}", "label": item_label, "value": secret})
    for line in lines:
        line.update({"class": "generic-password", "group": stage.NAME})
    if lines:
        provider.run("keychain", "import", "/dev/stdin", given="".join(json.dumps(line) + "\n" for line in lines).encode())


def write_keyrings(folder, collections):
    """As gnome-keyring writes collections without a password, which it opens and closes without a question."""
    place = folder / "data/keyrings"
    place.mkdir(mode=0o700, parents=True)
    (place / "default").write_text("english")
    for name, label, _locked, items in collections:
        lines = [f"[keyring]\ndisplay-name={label}\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"]
        for part, item_label, secret, attributes in items:
            lines.append(f"\n[{part}]\nitem-type=0\ndisplay-name={item_label}\nsecret={secret}\nmtime=0\nctime=0\n")
            for place_of, (key, value) in enumerate(attributes.items()):
                lines.append(f"\n[{part}:attribute{place_of}]\nname={key}\ntype=string\nvalue={value}\n")
        (place / f"{name}.keyring").write_text("".join(lines))


def zamok(folder, bus, script, collections):
    """A copy of a home that is made once for each script. With a passcode, so that it can be locked; a person who knows it answers each prompt."""
    binary, template = os.environ["TRY_DESKTOP_BINARY"], pathlib.Path(os.environ["TRY_DESKTOP_TEMPLATES"]) / script
    if not template.exists():
        first = stage.Zamok(binary, template.with_suffix(".new"), bus, passcode=True)
        import_items(first, collections)
        first.folder.rename(template)
    shutil.copytree(template, folder, symlinks=True, dirs_exist_ok=True)
    provider = stage.Zamok(binary, folder, bus, words=["--passcode-file", f"{folder}/passcode"], alone=False)
    if json.loads(provider.run("status", "--json").stdout)["lockState"] != "unlocked":
        provider.unlock()
    return provider


def serve(script):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-mock-"))
    bus = type("Bus", (), {"address": os.environ["DBUS_SESSION_BUS_ADDRESS"], "connect": lambda self: stage.Client(self.address)})()
    collections = [] if script == "mock-service-empty.py" else STANDARD + MORE.get(script, [])
    provider = None
    try:
        if os.environ["TRY_DESKTOP_PROVIDER"] == "gnome-keyring":
            stage.person(folder)
            write_keyrings(folder, collections)
            provider = stage.Gnome(folder, bus, alone=False)
        else:
            provider = zamok(folder, bus, script, collections)
        if provider.start() is None:
            sys.exit(provider.said()[-2000:])
        client = bus.connect()
        if provider.name != "zamok":
            for name, _label, locked, _items in collections:
                path = f"{stage.ROOT_PATH}/collection/{name}"
                (client.lock if locked else client.unlock)(path)
            if collections:
                client.call(stage.ROOT_PATH, stage.SERVICE, "SetAlias", "so", ("default", f"{stage.ROOT_PATH}/collection/english"))
        print(client.owner(), flush=True)
        client.close()
        provider.process.wait()
    finally:
        if provider:
            provider.stop()
        shutil.rmtree(folder, ignore_errors=True)
