# SPDX-License-Identifier: Apache-2.0
"""Judges that others wrote: secret-tool, libsecret's own tests, secretstorage's, keyring's. None of their tests is changed; libsecret's get another start of its mock
service, which loads the same items into a real one."""
import atexit, contextlib, os, pathlib, re, shutil, signal, subprocess, sys, tempfile, textwrap, types

from . import stage
from .stage import PASSCODE, check, figure, scene

LIBSECRET = ["test-session", "test-service", "test-paths", "test-methods", "test-password", "test-item", "test-collection", "test-prompt"]


def run(words, provider, given=b"", timeout=120, **more):
    return subprocess.run(
        [str(word) for word in words], input=given, capture_output=True, env={**provider.environment, **more}, timeout=timeout, start_new_session=True)


def secret_tool(make):
    """Each word of secret-tool, odd values among them."""
    with scene(make) as provider:
        def tool(*words, given=b""):
            return run(["secret-tool", *words], provider, given)

        odd = "zwölf äpfel/%s\\ \t'\"$"
        done = tool("store", "--label", "A label", "server", "example.com", "user", odd, given=b"s3cret")
        check("secret-tool store", done.returncode == 0, done.stderr)
        done = tool("lookup", "server", "example.com", "user", odd)
        check("secret-tool lookup", done.stdout == b"s3cret" and done.returncode == 0, done)
        done = tool("lookup", "server", "example.com")
        check("secret-tool lookup by one of two attributes", done.stdout == b"s3cret", done)
        done = tool("lookup", "server", "example.org")
        check("secret-tool lookup of what is not there: 1, and nothing said", (done.returncode, done.stdout) == (1, b""), done)
        tool("store", "--label", "Another", "server", "example.com", "user", odd, given=b"replaced")
        done = tool("search", "--all", "server", "example.com")
        check("secret-tool store again replaces", done.stdout.count(b"secret = ") == 1 and b"secret = replaced" in done.stdout, done)
        check("secret-tool search shows label, times and attributes", all(
            word in done.stdout for word in (b"label = Another", b"created = 20", b"modified = 20")) and b"attribute.server = example.com" in done.stdout + done.stderr, done)
        # It takes no more.
        big = os.urandom(4000).hex().encode()
        done = tool("store", "--label", "8,000 bytes", "size", "big", given=big)
        check("secret-tool stores 8,000 bytes", tool("lookup", "size", "big").stdout == big, done.stderr)
        done = tool("store", "--label", "empty", "size", "none", given=b"")
        found = tool("search", "size", "none")
        check("secret-tool stores an empty secret", done.returncode == 0 and b"label = empty" in found.stdout, found)
        done = tool("store", "--collection", "session", "--label", "In memory", "kept", "no", given=b"passing")
        check("secret-tool --collection session", done.returncode == 0 and tool("lookup", "kept", "no").stdout == b"passing", done.stderr)
        tool("clear", "server", "example.com")
        done = tool("lookup", "server", "example.com")
        check("secret-tool clear", (done.returncode, done.stdout) == (1, b""), done)
        # What was in memory only goes with the provider; the rest stays.
        provider.stop()
        if provider.start() is None:
            return check("the provider starts again", False, provider.said())
        check("the provider's items are there again after a start", tool("lookup", "size", "big").stdout == big)
        check("those of the session collection are not", tool("lookup", "kept", "no").stdout == b"")


def locked_tool(make):
    """Locked is told, and never 'no such item'."""
    with scene(make) as provider:
        def tool(*words, given=b""):
            return run(["secret-tool", *words], provider, given)

        tool("store", "--label", "A", "server", "example.com", given=b"s3cret")
        client = provider.bus.connect()
        default = client.alias("default")
        item = client.search({"server": "example.com"})[0][0]
        if provider.name == "zamok":
            provider.run("lock")
        else:
            client.lock(default)
        check("locked: the collection says so", client.get(default, stage.COLLECTION, "Locked") is True)
        check("locked: the item says so", client.get(item, stage.ITEM, "Locked") is True)
        check("locked: SearchItems names it among the locked", client.search({"server": "example.com"}) == ([], [item]), client.search({"server": "example.com"}))
        for what, call in {
            "GetSecret": lambda: client.secret(item),
            "SetSecret": lambda: client.call(item, stage.ITEM, "SetSecret", "(oayays)", ((client.session, b"", b"x", "text/plain"),)),
            "CreateItem": lambda: client.create(default, "B", {"a": "b"}, b"x"),
            "CreateItem with replace": lambda: client.create(default, "A", {"server": "example.com"}, b"x", replace=True),
        }.items():
            try:
                answer = call()
            except stage.Refused as refused:
                check(f"locked: {what} is IsLocked", refused.name == "org.freedesktop.Secret.Error.IsLocked", refused)
            else:
                # A prompt that nobody answers is an answer, too; a secret is none.
                check(f"locked: {what} is refused", answer is None, answer)
        try:
            answer = client.secrets([item])
        except stage.Refused as refused:
            answer = {} if refused.name == "org.freedesktop.Secret.Error.IsLocked" else refused
        check("locked: GetSecrets gives nothing of it, or says IsLocked", answer == {}, answer)
        done = tool("lookup", "server", "example.com")
        check("locked: secret-tool lookup ends soon, and gives nothing", done.stdout == b"" and done.returncode != 0, done)
        if provider.passcode_file:
            provider.run("unlock", "--passcode-file", provider.passcode_file)
            check("unlocked by the command: there again", tool("lookup", "server", "example.com").stdout == b"s3cret")
        client.close()


def python_tests(make, work, environment):
    """secretstorage and keyring, with the tests of their own archives; secretstorage's also as its authors run them, in the place of libsecret's mock services."""
    python = work / "venv/bin/python"
    storage, ring = next(work.glob("secretstorage-*/tests")), next(work.glob("keyring-*/tests"))

    def storage_tests(provider, *mock):
        done = run([python, storage / "run_tests.py", *mock], provider, PYTHONDONTWRITEBYTECODE="1", **(started(environment) if mock else {}))
        said = done.stderr.decode()
        count, skipped = re.search(r"Ran (\d+) tests", said), re.search(r"skipped=(\d+)", said)
        bad = re.findall(r"^(?:FAIL|ERROR): (\S+)", said, re.M)
        name = f"in the place of {mock[0].name}" if mock else "as a person's provider"
        what = f"secretstorage's own tests, {name}: {count and count[1]}, {skipped[1] if skipped else 0} of them left out by themselves"
        check(what, done.returncode == 0 and count, bad + [said[-1500:]])

    with scene(make) as provider:
        storage_tests(provider)
    source = prepared_libsecret(work)
    for script in ("mock-service-normal.py", "mock-service-lock.py"):
        with alone() as nobody:
            storage_tests(nobody, source / "libsecret" / script)
    for backend in ("SecretService", "libsecret"):
        with scene(make) as provider:
            done = run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", ring / f"backends/test_{backend}.py"], provider, timeout=300)
            said = done.stdout.decode()
            check(f"keyring's own tests of its backend {backend}: {said.strip().splitlines()[-1] if said else ''}", done.returncode == 0 and " skipped" not in said, said[-3000:])


@contextlib.contextmanager
def alone():
    """A bus on which nobody is yet."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="zamok-desktop-"))
    bus = stage.Bus(folder)
    try:
        yield types.SimpleNamespace(bus=bus, folder=folder, environment=stage.person(folder, DBUS_SESSION_BUS_ADDRESS=bus.address))
    finally:
        bus.close()
        shutil.rmtree(folder, ignore_errors=True)


def started(environment):
    """What the start in the place of a mock service needs to know."""
    templates = tempfile.mkdtemp(prefix="zamok-desktop-")
    atexit.register(shutil.rmtree, templates, ignore_errors=True)
    scripts = str(pathlib.Path(__file__).resolve().parents[1])
    return {**environment, "TRY_DESKTOP_SCRIPTS": scripts, "TRY_DESKTOP_PYTHON": sys.executable, "TRY_DESKTOP_TEMPLATES": templates}


# What takes the place of each of libsecret's mock-service-*.py.
START = """
    import os, sys
    if not os.environ.get("TRY_DESKTOP_PROVIDER"):
        os.execvp(sys.executable, [sys.executable, os.path.join(os.path.dirname(__file__), "kept", os.path.basename(__file__))])
    if sys.executable != os.environ["TRY_DESKTOP_PYTHON"]:
        os.execv(os.environ["TRY_DESKTOP_PYTHON"], [os.environ["TRY_DESKTOP_PYTHON"], "-B", __file__])
    sys.path.insert(0, os.environ["TRY_DESKTOP_SCRIPTS"])
    from desktop import fixtures
    fixtures.serve(os.path.basename(__file__))
"""


def prepared_libsecret(work):
    """libsecret's sources, with the other start in the place of the mock services, which stay beside it."""
    source = next(work.glob("libsecret-*/meson.build")).parent
    kept = source / "libsecret/kept"
    if not kept.exists():
        kept.mkdir()
        for script in (source / "libsecret").glob("mock-service-*.py"):
            shutil.copy(script, kept)
            script.write_text(textwrap.dedent(START))
        (kept / "mock").symlink_to("../mock")
    return source


def one_test(words, env, patience=20):
    """Whether it passed, and what it said. What it started ends with it."""
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env, start_new_session=True)
    try:
        said = process.communicate(timeout=patience)[0].decode(errors="replace")
    except subprocess.TimeoutExpired as late:
        said = f"no answer in {patience} s: {(late.stdout or b'').decode(errors='replace')[-200:]}"
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    return process.wait() == 0, said


def libsecret(environment, work, expected, only=None):
    """Every test of libsecret that speaks to a service, each in a process of its own. `expected`: those that can't pass with a real service, with the reason."""
    prepared_libsecret(work)
    passed, failed, unexpected = [], {}, []
    with alone() as nobody:
        env = {**nobody.environment, "MALLOC_PERTURB_": "102", **started(environment)}
        for program in LIBSECRET:
            words = [str(work / "libsecret-build/libsecret" / program)]
            listed = subprocess.run([*words, "-l"], capture_output=True, env=env).stdout.decode().split()
            for test in listed:
                if only and only not in test:
                    continue
                good, said = one_test([*words, "-p", test, "--tap"], env)
                if good:
                    passed.append(test)
                else:
                    failed[test] = next((line for line in said.splitlines() if "ERROR" in line or "not ok" in line), said[-300:])
    for test, why in failed.items():
        reason = next((reason for pattern, reason in expected.items() if re.fullmatch(pattern, test)), None)
        print(f"        {test}: {reason or why}", flush=True)
        if not reason:
            unexpected.append(test)
    better = [test for test in passed if any(re.fullmatch(pattern, test) for pattern in expected)]
    figure("libsecret's tests", f"{len(passed)} of {len(passed) + len(failed)} passed")
    check("libsecret's own tests: none fails but those with a reason", not unexpected and passed, unexpected)
    check("libsecret's own tests: none of those with a reason passes", not better, better)
    return passed, failed
