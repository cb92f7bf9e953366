# SPDX-License-Identifier: Apache-2.0
"""A login unlocks: real PAM stacks, in a mount namespace whose /etc is this script's own, with accounts that exist there alone. Needs root."""
import json, os, pathlib, pty, select, shutil, subprocess, tempfile, time

from .stage import ROOT, check

LOGIN, OTHER = "tr0ub4dor and 3", "another passcode"


def inside(binary):
    """Runs this in a namespace of its own."""
    if os.geteuid() != 0:
        return print("not tried: logins, which take root to try")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-login-"))
    os.chmod(folder, 0o755)
    for name in ("upper", "work", "bin", "homes"):
        (folder / name).mkdir(mode=0o755)
    shutil.copy(binary, folder / "bin/zamok")
    script = f"mount -t overlay overlay -o lowerdir=/etc,upperdir={folder}/upper,workdir={folder}/work /etc && exec \"$@\""
    try:
        done = subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh", os.sys.executable, "-B", "-c",
             f"import sys; sys.path[:0] = [{str(ROOT / 'Scripts')!r}]; from desktop import login; login.logins({str(folder)!r})"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(os.sys.path)}, timeout=300)
        check("the logins ran to their end", done.returncode == 0, done.returncode)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Person:
    def __init__(self, folder, name, password):
        self.name, self.folder = name, pathlib.Path(folder) / "homes" / name
        self.program = f"{folder}/bin/zamok"
        subprocess.run(["useradd", "-m", "-d", self.folder, "-s", "/bin/sh", name], check=True, capture_output=True)
        subprocess.run(["chpasswd"], input=f"{name}:{password}".encode(), check=True)

    def run(self, *words, given=b""):
        env = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        return subprocess.run(
            ["setpriv", "--reuid", self.name, "--regid", self.name, "--init-groups", self.program, *words], input=given, capture_output=True, env=env, cwd="/",
            timeout=60)

    def status(self):
        return json.loads(self.run("status", "--json").stdout)

    def log_in(self, password, service="zamok-try"):
        """As a program of the login does: asks PAM."""
        done = subprocess.run(
            ["pamtester", service, self.name, "authenticate"], input=password.encode() + b"\n", capture_output=True, cwd="/", timeout=60,
            env={"PATH": "/usr/bin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "ZAMOK_HOME": "/nowhere", "ZAMOK_PASSCODE_FILE": "/etc/shadow"})
        return done.returncode == 0

    def passcode(self, word, verb="set", old=None):
        file = self.folder / "code"
        file.write_text(word)
        os.chmod(file, 0o600)
        shutil.chown(file, self.name, self.name)
        words = ["passcode", verb, "--new-passcode-file" if old else "--passcode-file", str(file)]
        if old:
            before = self.folder / "old"
            before.write_text(old)
            os.chmod(before, 0o600)
            shutil.chown(before, self.name, self.name)
            words += ["--passcode-file", str(before)]
        done = self.run(*words)
        if done.returncode:
            raise SystemExit(done.stderr.decode())
        file.unlink()


def logins(folder):
    line = f"auth optional pam_exec.so expose_authtok quiet {folder}/bin/zamok unlock --login\n"
    pathlib.Path("/etc/pam.d/zamok-try").write_text(f"@include common-auth\n{line}@include common-account\n@include common-session\n")
    anna, bert, carl = (Person(folder, name, LOGIN) for name in ("anna-try", "bert-try", "carl-try"))
    anna.run("set", "api/deploy", given=b"s3cret")
    anna.passcode(LOGIN)
    anna.run("lock")
    check("locked to begin with", anna.run("get", "api/deploy").returncode == 36)
    check("a wrong password logs nobody in", not anna.log_in("wrong"))
    check("and costs no try of the passcode", anna.status()["failedAttempts"] == 0 and anna.status()["lockState"] != "unlocked", anna.status())
    check("the right password logs in", anna.log_in(LOGIN))
    check("and unlocks", anna.status()["lockState"] == "unlocked" and anna.run("get", "api/deploy").stdout == b"s3cret", anna.status()["lockState"])
    left = [path for path in anna.folder.rglob("*") if path.stat().st_uid != anna.folder.stat().st_uid]
    check("nothing in the home is root's", not left, left)
    check("a second login is one, too", anna.log_in(LOGIN) and anna.status()["lockState"] == "unlocked")
    # Nobody without a home gets one, and one without a passcode is left alone.
    check("who has no home logs in as ever, and gets none", bert.log_in(LOGIN) and not (bert.folder / ".local").exists())
    carl.run("set", "a/b", given=b"x")
    check("who has no passcode logs in as ever", carl.log_in(LOGIN) and carl.run("get", "a/b").stdout == b"x")
    # The passcode is another one than the password.
    anna.passcode(OTHER, "change", LOGIN)
    anna.run("lock")
    for _ in range(6):
        check("with another passcode the login is one, and unlocks nothing", anna.log_in(LOGIN) and anna.status()["lockState"] != "unlocked")
    check("six such logins cost three tries, and no delay", anna.status()["failedAttempts"] == 3 and not anna.status().get("nextAttemptSeconds"), anna.status())
    anna.run("unlock", "--passcode-file", "-", given=OTHER.encode())
    check("the passcode itself unlocks", anna.status()["lockState"] == "unlocked", anna.status())
    anna.passcode(LOGIN, "change", OTHER)
    anna.run("lock")
    with_su(folder, anna, bert, line)
    # Whoever is no root and no PAM gets nothing by the option.
    done = bert.run("unlock", "--login", given=LOGIN.encode())
    check("--login without PAM is wrong usage", done.returncode == 64, done)
    done = subprocess.run(
        ["setpriv", "--reuid", "bert-try", "--regid", "bert-try", "--init-groups", f"{folder}/bin/zamok", "unlock", "--login"], input=LOGIN.encode(), capture_output=True,
        env={"PAM_USER": "anna-try", "PATH": "/usr/bin:/bin"}, cwd="/")
    check("--login for another account is refused to who is not root", done.returncode != 0 and b"only root" in done.stderr, done)
    os.sys.exit(0)


def with_su(folder, anna, bert, line):
    """su as it is on this system, with the line behind its common-auth, from another account at a terminal."""
    text = pathlib.Path("/etc/pam.d/su").read_text()
    pathlib.Path("/etc/pam.d/su").write_text(text.replace("@include common-auth\n", f"@include common-auth\n{line}"))
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe("setpriv", ["setpriv", "--reuid", bert.name, "--regid", bert.name, "--init-groups", "su", anna.name, "-c", f"cd; {folder}/bin/zamok get api/deploy"],
                   {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"})
    said, end, typed = b"", time.monotonic() + 30, False
    while time.monotonic() < end and select.select([terminal], [], [], 30)[0]:
        try:
            said += os.read(terminal, 4096)
        except OSError:
            break
        if b"assword:" in said and not typed:
            typed = True
            os.write(terminal, LOGIN.encode() + b"\n")
    status = os.waitpid(child, 0)[1]
    check("su with the password, and its program reads the secret", status == 0 and b"s3cret" in said, (status, said))
