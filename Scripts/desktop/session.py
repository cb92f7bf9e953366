# SPDX-License-Identifier: Apache-2.0
"""The session round the provider: logind's signals, played by python-dbusmock on a second bus; the portal for sandboxed programs; activation by name; several
providers and the name."""
import json, os, select, signal, subprocess, sys, time

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import open_dbus_connection

from . import stage
from .stage import COLLECTION, NAME, check, figure

LOGIN, MANAGER = "org.freedesktop.login1", "org.freedesktop.login1.Manager"
MOCK = "org.freedesktop.DBus.Mock"


class Logind:
    """python-dbusmock's logind, with one session of this account and one of somebody else's."""

    def __init__(self, bus):
        self.bus = bus
        env = stage.person(bus.folder, DBUS_SYSTEM_BUS_ADDRESS=bus.address, DBUS_SESSION_BUS_ADDRESS=bus.address)
        self.process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "dbusmock", "--template", "logind"], env=env, stdout=subprocess.DEVNULL, stderr=open(bus.folder / "logind.log", "ab"))
        self.client = bus.connect()
        if not stage.awaited(lambda: self.client.owner(LOGIN)):
            raise SystemExit("try-desktop: python-dbusmock's logind does not start (Debian: python3-dbusmock)")
        self.add("mine", os.geteuid(), "me")
        self.add("theirs", 4242, "somebody")

    def mock(self, path, method, signature, body):
        return self.client.call(path, MOCK, method, signature, body, LOGIN)

    def add(self, name, uid, user):
        self.mock("/org/freedesktop/login1", "AddSession", "ssusb", (name, "seat0", uid, user, True))

    def inhibitors(self):
        return self.client.call("/org/freedesktop/login1", MANAGER, "ListInhibitors", destination=LOGIN)[0]

    def ours(self):
        return [each for each in self.inhibitors() if each[0] == "sleep" and each[3] == "delay"]

    def lock(self, session):
        self.mock(f"/org/freedesktop/login1/session/{session}", "EmitSignal", "sssav", (f"{LOGIN}.Session", "Lock", "", []))

    def prepare_for_sleep(self, begins):
        self.mock("/org/freedesktop/login1", "EmitSignal", "sssav", (MANAGER, "PrepareForSleep", "b", [("b", begins)]))

    def close(self):
        self.client.close()
        stage.ended(self.process)


def state(provider):
    return json.loads(provider.run("status", "--json").stdout)["lockState"]


def logind(binary):
    """Locked with the session, and before the machine sleeps."""
    import functools
    import pathlib, shutil, tempfile
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-desktop-"))
    system, bus = stage.Bus(folder, kind="system"), stage.Bus(folder)
    login = Logind(system)
    provider = stage.Zamok(binary, folder, bus, passcode=True, DBUS_SYSTEM_BUS_ADDRESS=system.address)
    unlock = functools.partial(provider.run, "unlock", "--passcode-file", provider.passcode_file)
    try:
        if not check("the provider starts beside logind", provider.start() is not None, provider.said()):
            return
        check("it holds sleep up (delay), so that it can lock first", stage.awaited(login.ours), login.inhibitors())
        check("unlocked to begin with", state(provider) == "unlocked", state(provider))
        login.lock("theirs")
        time.sleep(0.5)
        check("another account's session is locked: nothing happens", state(provider) == "unlocked", state(provider))
        client = bus.connect()
        item = client.create(client.alias("default"), "A", {"a": "b"}, b"s3cret")
        begin = time.monotonic()
        login.lock("mine")
        locked = stage.awaited(lambda: state(provider) != "unlocked", 5)
        check("the session is locked: the keychain is", locked, provider.said()[-800:])
        figure("from logind's Lock to locked, as another process sees it", f"{(time.monotonic() - begin) * 1000:.0f} ms")
        check("its item is locked, and not gone", client.search({"a": "b"}) == ([], [item]), client.search({"a": "b"}))
        unlock()
        for turn in range(10):
            sleeps(login, provider, turn)
            login.prepare_for_sleep(False)
            if not check(f"woken up ({turn + 1}): it holds sleep up again", stage.awaited(login.ours, 5)):
                break
            unlock()
        # Without a passcode there is nothing to lock, and no reason to hold the machine up.
        check("the secret is there again", client.secret(item) == b"s3cret")
        client.close()
        # logind may come later than the provider, or be started anew.
        login.close()
        login = Logind(system)
        check("logind is started anew: it holds sleep up again", stage.awaited(login.ours, 5), provider.said()[-800:])
        login.lock("mine")
        check("logind is started anew: its Lock locks", stage.awaited(lambda: state(provider) != "unlocked", 5), state(provider))
        provider.stop()
        check("what ends holds nothing up", stage.awaited(lambda: not login.ours(), 5), login.inhibitors())
    finally:
        provider.stop()
        login.close()
        bus.close()
        system.close()
        shutil.rmtree(folder, ignore_errors=True)


def sleeps(login, provider, turn):
    """The provider is stopped in the moment in which it lets the machine sleep: what isn't locked then would sleep unlocked."""
    login.prepare_for_sleep(True)
    end = time.monotonic() + 5
    while login.ours() and time.monotonic() < end:
        pass
    provider.process.send_signal(signal.SIGSTOP)
    try:
        let = not login.ours()
        check(f"before sleep ({turn + 1}): let go, and locked before that", let and state(provider) != "unlocked", (let, state(provider)))
    finally:
        provider.process.send_signal(signal.SIGCONT)


PORTAL = "org.freedesktop.impl.portal.Secret"


def retrieve(address, application, patience=10):
    """(response, bytes) of the portal."""
    connection = open_dbus_connection(bus=address, enable_fds=True)
    read, write = os.pipe()
    try:
        with open(write, "wb", closefd=False):
            message = new_method_call(
                DBusAddress("/org/freedesktop/portal/desktop", NAME, PORTAL), "RetrieveSecret", "osha{sv}",
                ("/org/freedesktop/portal/desktop/request/1_1/t", application, write, {}))
            reply = connection.send_and_get_reply(message, timeout=patience)
        os.close(write)
        write = -1
        if reply.header.message_type == MessageType.error:
            raise stage.Refused(reply.header.fields.get(4, ""), str(reply.body))
        given = b""
        while select.select([read], [], [], 1)[0]:
            more = os.read(read, 65536)
            if not more:
                break
            given += more
        return reply.body[0], given
    finally:
        connection.close()
        for end in (read, write):
            if end >= 0:
                os.close(end)


def portal(make):
    with stage.scene(make) as provider:
        response, first = retrieve(provider.bus.address, "org.example.One")
        check("the portal gives a sandboxed program a secret of 64 bytes", response == 0 and len(first) == 64, (response, len(first)))
        check("the same one again", retrieve(provider.bus.address, "org.example.One") == (0, first))
        other = retrieve(provider.bus.address, "org.example.Two")
        check("another program gets another one", other[0] == 0 and other[1] != first and len(other[1]) == 64, other[0])
        provider.stop()
        provider.start()
        check("the same one from a provider that was started again", retrieve(provider.bus.address, "org.example.One") == (0, first))
        for name in ("", "../x", "a" * 5000, "org.example.One\n"):
            try:
                answer = retrieve(provider.bus.address, name)
            except stage.Refused:
                answer = (2, b"")
            check(f"the portal takes no {name[:20]!r} for a program's name", answer[0] != 0 and not answer[1], answer[0])
        if not provider.passcode_file:
            return
        provider.run("lock")
        response, given = retrieve(provider.bus.address, "org.example.One")
        check("locked: no secret, and no other one either", response != 0 and not given, (response, len(given)))
        provider.run("unlock", "--passcode-file", provider.passcode_file)
        check("unlocked: the same one", retrieve(provider.bus.address, "org.example.One") == (0, first))
