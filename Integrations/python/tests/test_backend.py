# SPDX-License-Identifier: Apache-2.0
"""keyring's own tests of a backend, and what they don't ask: other processes, locks, what is seen from outside."""

import os
import subprocess
import sys
import threading

import keyring
import pytest
from keyring import errors
from keyring.testing.backend import BackendBasicTests

import keyring_zamok
from keyring_zamok import ZamokKeyring


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ZAMOK_HOME", str(tmp_path / "home"))
    for name in ("ZAMOK_USER", "ZAMOK_PASSCODE_FILE", "ZAMOK_CREATE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def zamok(*words, given=b"", status=0):
    done = subprocess.run(["zamok", *words], input=given, capture_output=True, start_new_session=True)
    assert done.returncode == status, done.stderr
    return done.stdout


class TestZamokKeyring(BackendBasicTests):
    def init_keyring(self):
        return ZamokKeyring()


def test_is_found_by_its_entry_point_and_comes_before_the_secret_service():
    found = [one for one in keyring.backend.get_all_keyring() if isinstance(one, ZamokKeyring)]
    assert found and 5 < ZamokKeyring.priority < 10


def test_is_not_offered_without_the_command(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert not ZamokKeyring.viable
    with pytest.raises(errors.InitError):
        ZamokKeyring().get_password("service", "anna")


def test_shares_items_with_the_command():
    ZamokKeyring().set_password("api", "deploy", "s3cret\n")
    assert zamok("get", "api/deploy") == b"s3cret\n"
    zamok("set", "api/other", given="пароль".encode())
    assert ZamokKeyring().get_password("api", "other") == "пароль"


def test_only_looks_and_makes_no_home(home):
    assert ZamokKeyring().get_password("service", "anna") is None
    assert ZamokKeyring().get_credential("service", None) is None
    assert not (home / "home").exists()


def test_a_locked_keychain_is_an_error_and_nothing_is_lost(home):
    ring = ZamokKeyring()
    ring.set_password("api", "deploy", "one")
    passcode = home / "passcode"
    passcode.touch(0o600)
    passcode.write_text("tall-grass")
    zamok("passcode", "set", "--passcode-file", str(passcode))
    subprocess.run(["zamok", "lock"])
    for call in (
        lambda: ring.get_password("api", "deploy"),
        lambda: ring.set_password("api", "deploy", "two"),
        lambda: ring.get_credential("api", None),
    ):
        with pytest.raises(errors.KeyringLocked):
            call()
    os.environ["ZAMOK_PASSCODE_FILE"] = str(passcode)
    try:
        assert ring.get_password("api", "deploy") == "one"
    finally:
        del os.environ["ZAMOK_PASSCODE_FILE"]


def test_a_secret_that_is_no_text_is_an_error_without_the_secret():
    zamok("set", "api/raw", given=b"\xff\xfe-raw-bytes")
    with pytest.raises(errors.KeyringError) as caught:
        ZamokKeyring().get_password("api", "raw")
    assert "raw-bytes" not in str(caught.value)


def test_neither_names_nor_passwords_stand_on_a_command_line(home, monkeypatch):
    seen = home / "seen"
    spy = home / "spy"
    spy.write_text(f'#!/bin/sh\ntr "\\0" " " < /proc/$$/cmdline >> {seen}\nexec zamok "$@"\n')
    spy.chmod(0o755)
    ring = ZamokKeyring().with_properties(program=str(spy))
    ring.set_password("a-service", "an-account", "a-password")
    assert ring.get_password("a-service", "an-account") == "a-password"
    text = seen.read_text()
    assert "keychain" in text and not any(word in text for word in ("a-service", "an-account", "a-password"))


def test_writers_at_once_lose_nothing():
    ring = ZamokKeyring()
    wrong = []

    def work(number):
        for turn in range(5):
            ring.set_password("shared", f"account {number}", f"{number}.{turn}")
            ring.set_password("shared", "one for all", f"{number}.{turn}")
            if ring.get_password("shared", f"account {number}") != f"{number}.{turn}":
                wrong.append((number, turn))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(zamok("ls").splitlines()) == 7


def test_the_command_of_keyring_uses_it():
    words = [sys.executable, "-m", "keyring", "--keyring-backend", "keyring_zamok.ZamokKeyring"]
    subprocess.run([*words, "set", "cli", "anna"], input=b"typed\n", check=True, start_new_session=True)
    assert subprocess.run([*words, "get", "cli", "anna"], capture_output=True, check=True).stdout == b"typed\n"


def test_asks_nobody_in_a_pipeline(home):
    zamok("passcode", "set", "--passcode-file", str(_passcode(home)))
    zamok("keychain", "add", "--service", "bank", "--account", "me", "--require-passcode", given=b"pin")
    with pytest.raises(errors.KeyringLocked):
        ZamokKeyring().get_password("bank", "me")
    assert keyring_zamok._is_interactive() is False


def _passcode(home):
    file = home / "passcode"
    file.touch(0o600)
    file.write_text("tall-grass")
    return file
