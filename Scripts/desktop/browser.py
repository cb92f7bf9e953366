# SPDX-License-Identifier: Apache-2.0
"""Chromium, headless: a cookie that it seals under a key of the provider is read again after both were started anew."""
import http.server, pathlib, sqlite3, subprocess, threading

from . import stage
from .stage import check, scene

COOKIE = "token=cookie-secret-42"


class Site(http.server.BaseHTTPRequestHandler):
    seen = []

    def log_message(self, *words):
        pass

    def do_GET(self):
        if self.path != "/favicon.ico":
            Site.seen.append(self.headers.get("Cookie"))
        self.send_response(200)
        if self.path == "/set":
            self.send_header("Set-Cookie", f"{COOKIE}; Max-Age=86400; Path=/")
        self.end_headers()
        self.wfile.write(b"<p>seen</p>")


def chromium(make):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with scene(make) as provider:
        profile = provider.folder / "profile"

        def visit(page):
            """What the page was sent as a cookie."""
            Site.seen.clear()
            words = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--virtual-time-budget=1000", "--dump-dom"]
            done = subprocess.run(
                ["chromium", *words, "--password-store=gnome-libsecret", f"--user-data-dir={profile}", f"http://127.0.0.1:{server.server_port}{page}"],
                env=provider.environment, capture_output=True, timeout=90, start_new_session=True)
            check(f"chromium shows {page}", b"<p>seen</p>" in done.stdout, done.stderr[-1500:])
            return Site.seen[0] if Site.seen else "nothing asked"

        def labels():
            client = provider.bus.connect()
            unlocked, locked = client.search({"application": "chromium"})
            found = [client.get(path, stage.ITEM, "Label") for path in unlocked + locked]
            client.close()
            return found

        check("chromium's first visit has no cookie", visit("/set") is None)
        check("chromium keeps its key with the provider", labels() == ["Chromium Safe Storage"], labels())
        rows = [row for file in pathlib.Path(profile).rglob("Cookies") for row in sqlite3.connect(file).execute("select value, substr(encrypted_value, 1, 3) from cookies")]
        check("chromium's cookie is sealed under that key (v11), not under a constant one", rows == [("", b"v11")], rows)
        check("chromium, started again, reads the cookie", visit("/get") == COOKIE, Site.seen)
        provider.stop()
        check("the provider starts again", provider.start() is not None, provider.said())
        check("chromium reads it with a provider that was started again", visit("/get") == COOKIE, Site.seen)
        if provider.passcode_file or provider.name == "gnome-keyring":
            provider.lock()
            check("chromium, locked: no cookie", visit("/get") is None, Site.seen)
            provider.unlock()
            check("chromium made no second key while it was locked", labels() == ["Chromium Safe Storage"], labels())
            # What it could not read it has thrown away, with any provider. Its key is the same one.
            visit("/set")
            check("chromium, unlocked, keeps a cookie under the same key again", visit("/get") == COOKIE, Site.seen)
    server.shutdown()
