# SPDX-License-Identifier: Apache-2.0
"""What the judges of try-desktop stand on: a bus of their own, the two providers, one client that speaks the protocol by hand."""
import contextlib, os, pathlib, shutil, signal, subprocess, tempfile, time

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "org.freedesktop.secrets"
ROOT_PATH = "/org/freedesktop/secrets"
SERVICE, COLLECTION, ITEM = (f"org.freedesktop.Secret.{word}" for word in ("Service", "Collection", "Item"))
SESSION, PROMPT = "org.freedesktop.Secret.Session", "org.freedesktop.Secret.Prompt"
PASSCODE = "correct horse battery"

failures, figures = [], []


def check(what, holds, more=""):
    print(("ok      " if holds else "FAILED  ") + what + (f": {more}" if more and not holds else ""), flush=True)
    if not holds:
        failures.append(what)
    return holds


def figure(what, value):
    print(f"        {what}: {value}", flush=True)
    figures.append((what, value))


def ended(process, patience=10):
    """Ends a process that was started here, by its id; waits for it."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
    return process.wait()


def awaited(what, patience=10.0, pause=0.01):
    """What `what` gives, as soon as it gives something true; None after `patience` seconds."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        value = what()
        if value:
            return value
        time.sleep(pause)


class Bus:
    """A message bus of its own, with the limits of a session's bus, in a folder of its own. Nothing of this account's desktop is reached."""

    def __init__(self, folder, services=None, kind="session"):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        activation = f"<servicedir>{services}</servicedir>" if services else ""
        config = self.folder / f"{kind}.conf"
        config.write_text(
            f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:path={self.folder}/{kind}</listen><auth>EXTERNAL</auth>{activation}
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy>
<limit name="max_incoming_bytes">1000000000</limit><limit name="max_outgoing_bytes">1000000000</limit><limit name="max_message_size">1000000000</limit>
<limit name="service_start_timeout">120000</limit><limit name="auth_timeout">240000</limit><limit name="max_completed_connections">100000</limit>
<limit name="max_incomplete_connections">10000</limit><limit name="max_connections_per_user">100000</limit><limit name="max_pending_service_starts">10000</limit>
<limit name="max_names_per_connection">50000</limit><limit name="max_match_rules_per_connection">50000</limit><limit name="max_replies_per_connection">50000</limit>
</busconfig>""")
        self.address = f"unix:path={self.folder}/{kind}"
        self.process = subprocess.Popen(
            ["dbus-daemon", "--nofork", f"--config-file={config}"], env=person(self.folder), stdout=subprocess.DEVNULL, stderr=open(self.folder / "bus.log", "ab"))
        if not awaited(lambda: (self.folder / kind).exists()):
            raise SystemExit("try-desktop: dbus-daemon does not start")

    def close(self):
        ended(self.process)

    def connect(self):
        return Client(self.address)


def person(folder, **more):
    """The environment of somebody who has nothing but `folder`."""
    folder = pathlib.Path(folder)
    for name in ("run", "data", "config", "cache", "tmp"):
        (folder / name).mkdir(mode=0o700, parents=True, exist_ok=True)
    path = f"{folder}/bin:/usr/local/bin:/usr/bin:/bin"
    return {
        "HOME": str(folder), "PATH": path, "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": f"{folder}/run", "XDG_DATA_HOME": f"{folder}/data",
        "XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache", "TMPDIR": f"{folder}/tmp", **more}


class Refused(Exception):
    """An error that came as an answer."""

    def __init__(self, name, text):
        super().__init__(f"{name}: {text}")
        self.name, self.text = name, text


class Client:
    """The protocol by hand, with a `plain` session."""

    def __init__(self, address, timeout=30):
        self.connection = open_dbus_connection(bus=address)
        self.timeout, self.session_path = timeout, None

    def close(self):
        self.connection.close()

    @property
    def name(self):
        return self.connection.unique_name

    def call(self, path, interface, method, signature=None, body=(), destination=NAME, timeout=None):
        message = new_method_call(DBusAddress(path, destination, interface), method, signature, body)
        reply = self.connection.send_and_get_reply(message, timeout=timeout or self.timeout)
        if reply.header.message_type == MessageType.error:
            raise Refused(reply.header.fields.get(4, ""), str(reply.body[0]) if reply.body else "")
        return reply.body

    def owner(self, name=NAME):
        try:
            return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "s", (name,), "org.freedesktop.DBus")[0]
        except Refused:
            return None

    def process_of_owner(self, name=NAME):
        return self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "GetConnectionUnixProcessID", "s", (name,), "org.freedesktop.DBus")[0]

    def get(self, path, interface, name):
        return self.call(path, "org.freedesktop.DBus.Properties", "Get", "ss", (interface, name))[0][1]

    def set(self, path, interface, name, signature, value):
        self.call(path, "org.freedesktop.DBus.Properties", "Set", "ssv", (interface, name, (signature, value)))

    @property
    def session(self):
        if not self.session_path:
            self.session_path = self.call(ROOT_PATH, SERVICE, "OpenSession", "sv", ("plain", ("s", "")))[1]
        return self.session_path

    def create(self, collection, label, attributes, secret, replace=False, content_type="text/plain"):
        properties = {f"{ITEM}.Label": ("s", label), f"{ITEM}.Attributes": ("a{ss}", attributes)}
        body = (properties, (self.session, b"", secret, content_type), replace)
        item, prompt = self.call(collection, COLLECTION, "CreateItem", "a{sv}(oayays)b", body)
        return item if prompt == "/" else self.prompted(prompt)

    def search(self, attributes):
        """(unlocked, locked)"""
        return self.call(ROOT_PATH, SERVICE, "SearchItems", "a{ss}", (attributes,))

    def secret(self, item):
        return bytes(self.call(item, ITEM, "GetSecret", "o", (self.session,))[0][2])

    def secrets(self, items):
        given = self.call(ROOT_PATH, SERVICE, "GetSecrets", "aoo", (items, self.session))[0]
        return {path: bytes(value[2]) for path, value in given.items()}

    def delete(self, item, interface=ITEM):
        prompt = self.call(item, interface, "Delete")[0]
        return prompt == "/" or self.prompted(prompt)

    def lock(self, *paths):
        return self.call(ROOT_PATH, SERVICE, "Lock", "ao", (list(paths),))

    def unlock(self, *paths):
        return self.call(ROOT_PATH, SERVICE, "Unlock", "ao", (list(paths),))

    def alias(self, name):
        return self.call(ROOT_PATH, SERVICE, "ReadAlias", "s", (name,))[0]

    def prompted(self, prompt, patience=10):
        """What a prompt comes to; None: dismissed."""
        rule = f"type='signal',interface='{PROMPT}',path='{prompt}'"
        self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", (rule,), "org.freedesktop.DBus")
        from jeepney import MatchRule
        with self.connection.filter(MatchRule(type="signal", interface=PROMPT, path=prompt)) as queue:
            self.call(prompt, PROMPT, "Prompt", "s", ("",))
            dismissed, result = self.connection.recv_until_filtered(queue, timeout=patience).body
        return None if dismissed else result[1]

    def create_collection(self, label, alias=""):
        properties = {f"{COLLECTION}.Label": ("s", label)}
        path, prompt = self.call(ROOT_PATH, SERVICE, "CreateCollection", "a{sv}s", (properties, alias))
        return path if prompt == "/" else self.prompted(prompt)


class Zamok:
    """Ours."""

    name = "zamok"

    def __init__(self, binary, folder, bus, passcode=False, words=(), alone=True, **more):
        self.alone = alone
        self.folder, self.bus = pathlib.Path(folder), bus
        self.environment = person(folder, DBUS_SESSION_BUS_ADDRESS=bus.address, **more)
        self.binary, self.words, self.process = binary, list(words), None
        bin_ = self.folder / "bin"
        bin_.mkdir(exist_ok=True)
        if not (bin_ / "zamok").exists():
            (bin_ / "zamok").symlink_to(binary)
        self.passcode_file = self.folder / "passcode"
        if passcode:
            with open(os.open(self.passcode_file, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
                file.write(PASSCODE)
            self.run("passcode", "set", "--passcode-file", self.passcode_file)
            self.run("unlock", "--passcode-file", self.passcode_file)

    def run(self, *words, given=b"", good=True):
        done = subprocess.run(
            [str(self.binary), *map(str, words)], input=given, capture_output=True, env=self.environment, timeout=600, start_new_session=True)
        if good and done.returncode:
            raise SystemExit(f"try-desktop: zamok {' '.join(map(str, words))}: {done.stderr.decode()}")
        return done

    def start(self, *words):
        self.log = open(self.folder / "provider.log", "ab")
        self.process = subprocess.Popen(
            [str(self.binary), "secrets", *self.words, *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log,
            start_new_session=self.alone)
        return owned(self.bus, self.process)

    def stop(self):
        return ended(self.process) if self.process else 0

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def lock(self):
        self.run("lock")

    def unlock(self):
        self.run("unlock", "--passcode-file", self.passcode_file)

    @property
    def default(self):
        return f"{ROOT_PATH}/aliases/default"

    def said(self):
        return (self.folder / "provider.log").read_text(errors="replace")


class Gnome:
    """The peer: gnome-keyring-daemon, its login collection unlocked, as after a login."""

    name = "gnome-keyring"
    passcode_file = None

    def __init__(self, folder, bus, alone=True):
        self.folder, self.bus, self.alone = pathlib.Path(folder), bus, alone
        self.environment = person(folder, DBUS_SESSION_BUS_ADDRESS=bus.address)
        self.process = None

    def start(self):
        self.log = open(self.folder / "provider.log", "ab")
        self.process = subprocess.Popen(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], env=self.environment, stdin=subprocess.PIPE,
            stdout=self.log, stderr=self.log, start_new_session=self.alone)
        self.process.stdin.write(PASSCODE.encode())
        self.process.stdin.close()
        return owned(self.bus, self.process)

    stop, kill = Zamok.stop, Zamok.kill

    @property
    def default(self):
        return f"{ROOT_PATH}/collection/login"

    def lock(self):
        client = self.bus.connect()
        client.lock(self.default)
        client.close()

    def unlock(self):
        client = self.bus.connect()
        secret = (client.session, b"", PASSCODE.encode(), "text/plain")
        client.call(ROOT_PATH, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword", "o(oayays)", (self.default, secret))
        client.close()

    def create_collection(self, client, label):
        """Without a person: by the interface that gnome-keyring has for its own programs."""
        properties = {f"{COLLECTION}.Label": ("s", label)}
        secret = (client.session, b"", PASSCODE.encode(), "text/plain")
        body = (properties, secret)
        return client.call(ROOT_PATH, "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "CreateWithMasterPassword", "a{sv}(oayays)", body)[0]

    def said(self):
        return (self.folder / "provider.log").read_text(errors="replace")


def owned(bus, process, patience=90):
    """Waits until the name is owned by the process; its seconds, or None."""
    begin = time.monotonic()
    client = bus.connect()
    try:
        def mine():
            if process.poll() is not None:
                return "gone"
            return client.owner() and client.process_of_owner() == process.pid
        return time.monotonic() - begin if awaited(mine, patience) is True else None
    finally:
        client.close()


@contextlib.contextmanager
def scene(make, keep=False):
    """A bus, and a provider that `make` makes on it, started; both ended and their folder removed."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-desktop-"))
    bus = Bus(folder)
    provider = None
    try:
        provider = make(folder, bus)
        if provider.start() is None:
            raise SystemExit(f"try-desktop: {provider.name} does not own {NAME}: {provider.said()[-2000:]}")
        yield provider
    finally:
        if provider:
            provider.stop()
        bus.close()
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
