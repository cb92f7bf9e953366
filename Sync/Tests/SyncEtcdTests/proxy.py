#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# proxy.py TARGET-PORT MODE [FILE]: stands between a home and etcd. Prints its port, and ends with the process that started it.
#
#   record: writes both directions to FILE      cut: a watch is cut off in the midst of its first line      hang: a watch is never answered

import os
import socket
import sys
import threading
import time

target, mode = int(sys.argv[1]), sys.argv[2]
record = open(sys.argv[3], "ab", buffering=0) if mode == "record" else None
parent = os.getppid()


def pump(source, sink, state, is_answer):
    try:
        while data := source.recv(65536):
            if record:
                record.write(data)
            if not is_answer and b"/v3/watch" in data:
                state["watch"] = True
                if mode == "hang":
                    continue
            if is_answer and state.get("watch") and mode == "cut":
                sink.sendall(data[:-5])
                break
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def until_the_test_ends():
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


threading.Thread(target=until_the_test_ends, daemon=True).start()
server = socket.create_server(("127.0.0.1", 0))
os.write(1, f"{server.getsockname()[1]}\n".encode())
while True:
    client, _ = server.accept()
    etcd = socket.create_connection(("127.0.0.1", target))
    state = {}
    threading.Thread(target=pump, args=(client, etcd, state, False), daemon=True).start()
    threading.Thread(target=pump, args=(etcd, client, state, True), daemon=True).start()
