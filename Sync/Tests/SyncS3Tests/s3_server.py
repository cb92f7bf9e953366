#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# moto's S3 in one process without threads, so that a condition and the write that it allows are one step; it verifies signatures. Prints the port and the
# credentials of a user who may use the bucket "homes", and ends with the process that started it.
#
#   careless: ignores If-None-Match      flaky: of six creations, one is answered 409 and not done, one is done and answered 500

import json
import os
import random
import sys
import threading
import time

from urllib.parse import parse_qsl, quote

from botocore.auth import S3SigV4Auth
from moto import settings
from moto.iam.models import iam_backends
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import make_server

ACCOUNT = "123456789012"
# moto hands the query to botocore as werkzeug decoded it; the rule that it breaks is that names and values are encoded again.


def canonical_query_string(self, request):
    pairs = parse_qsl(request.url.partition("?")[2], keep_blank_values=True)
    encoded = sorted((quote(name, safe="-_.~"), quote(value, safe="-_.~")) for name, value in pairs)
    return "&".join(f"{name}={value}" for name, value in encoded)


S3SigV4Auth.canonical_query_string = canonical_query_string
iam = iam_backends[ACCOUNT]["aws"]
iam.create_user("us-east-1", "home")
everything = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.put_user_policy("home", "homes", json.dumps(everything))
key = iam.create_access_key("home")
s3_backends[ACCOUNT]["aws"].create_bucket("homes", "us-east-1")
mode = sys.argv[1] if len(sys.argv) > 1 else ""
if mode != "careless":
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
os.environ["MOTO_PORT"] = "0"
honest = DomainDispatcherApplication(create_backend_app)
parent = os.getppid()
dice = random.Random(1)


def application(environ, start_response):
    if mode == "careless":
        environ.pop("HTTP_IF_NONE_MATCH", None)
    if mode == "flaky" and "HTTP_IF_NONE_MATCH" in environ:
        roll = dice.randrange(6)
        if roll == 0:
            environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"] or 0))
            start_response("409 Conflict", [("Content-Length", "0")])
            return [b""]
        if roll == 1:
            list(honest(environ, lambda *_: lambda _: None))
            start_response("500 Internal Server Error", [("Content-Length", "0")])
            return [b""]
    return honest(environ, start_response)


server = make_server(os.environ.get("HOST", "127.0.0.1"), 0, application, threaded=False)
os.write(1, f"{server.server_port} {key.access_key_id} {key.secret_access_key}\n".encode())


def until_the_test_ends():
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


threading.Thread(target=until_the_test_ends, daemon=True).start()
server.serve_forever()
