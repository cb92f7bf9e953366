# SPDX-License-Identifier: Apache-2.0
"""A backend of keyring over the command ``zamok``.

Passwords are generic passwords: what ``zamok set SERVICE/ACCOUNT`` stores is found here, and the other way round. Names and
passwords go through pipes, never through the command line. A locked keychain is an error and never "no password".
"""

import json
import os
import shutil
import subprocess
import sys

from keyring import backend, credentials, errors

try:
    from keyring.compat import properties
except ImportError:  # before 24.1
    from keyring.util import properties

__all__ = ["ZamokKeyring"]

_NOT_FOUND = 44
_DUPLICATE = 45
_INTERACTION = 29
_LOCKED = 36


class ZamokKeyring(backend.KeyringBackend):
    """Passwords in the keychain of the home that ``zamok`` works in (``ZAMOK_HOME``, ``ZAMOK_USER``)."""

    #: The command; a path where it is not on the PATH (KEYRING_PROPERTY_PROGRAM, or ``with_properties(program=...)``).
    program = "zamok"

    #: Seconds that a call may take.
    timeout = 120

    @properties.classproperty
    def priority(cls):
        """Above the Secret Service (5), which needs a desktop, and below what somebody chose on purpose (10)."""
        if shutil.which(os.environ.get("KEYRING_PROPERTY_PROGRAM") or cls.program) is None:
            raise RuntimeError("the command zamok is not on the PATH")
        return 6

    def get_password(self, service, username):
        status, output, message = self._run(["find", "--value"], self._names(service, username))
        if status == _NOT_FOUND:
            return None
        self._check(status, message, errors.KeyringError)
        return self._text(output)

    def set_password(self, service, username, password):
        names = self._names(service, username)
        secret = password.encode("utf-8")
        # Another process may add it, or delete it, between the two.
        for _ in range(100):
            status, _output, message = self._run(["update", "--secret", "--allow-empty"], names, secret)
            if status == _NOT_FOUND:
                status, _output, message = self._run(["add", "--allow-empty"], names, secret)
                if status == _DUPLICATE:
                    continue
            break
        self._check(status, message, errors.PasswordSetError)

    def delete_password(self, service, username):
        status, _output, message = self._run(["delete"], self._names(service, username))
        if status == _NOT_FOUND:
            raise errors.PasswordDeleteError("there is no such password")
        self._check(status, message, errors.PasswordDeleteError)

    def get_credential(self, service, username):
        """Of ``username``; without one the first account of the service that there is."""
        if username is None:
            status, output, message = self._run(["list", "--json"], self._names(service, None))
            if status == _NOT_FOUND:
                return None
            self._check(status, message, errors.KeyringError)
            accounts = sorted(json.loads(line).get("account", "") for line in output.decode("utf-8").splitlines())
            if not accounts:
                return None
            username = accounts[0]
        password = self.get_password(service, username)
        return None if password is None else credentials.SimpleCredential(username, password)

    @staticmethod
    def _names(service, username):
        names = {"class": "generic-password", "service": service}
        if username is not None:
            names["account"] = username
        return names

    def _run(self, words, names, secret=b""):
        """The status, what it printed, and what it said. It asks at the terminal only where a person is at ours."""
        line = json.dumps(names, ensure_ascii=False).encode("utf-8") + b"\n"
        try:
            done = subprocess.run(
                [self.program, "keychain", *words, "--attributes-from", "-"],
                input=line + secret,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=self.timeout,
                start_new_session=not _is_interactive(),
            )
        except OSError as error:
            raise errors.InitError(f"the command {self.program} can't be started: {error.strerror}") from error
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()

    @staticmethod
    def _check(status, message, failure):
        if status in (_LOCKED, _INTERACTION):
            raise errors.KeyringLocked(message)
        if status != 0:
            raise failure(message)

    @staticmethod
    def _text(output):
        try:
            return output.decode("utf-8")
        except UnicodeDecodeError:
            # Without the bytes, which the error would carry.
            raise errors.KeyringError("the secret is no text (UTF-8)") from None


def _is_interactive():
    try:
        return sys.stdin.isatty() and sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False
