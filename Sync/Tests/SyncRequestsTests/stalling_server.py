#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# stalling_server.py STALL: a server of HTTP on loopback that stops in the middle of each answer. Prints its port, and ends with the process that started it.
#
#   connection: nothing is answered     head: a part of the head     body: the head, and a part of the body     trickle: the body, a byte each 50 ms
#   chunk: a body in chunks without its last one

import os
import socket
import sys
import threading
import time

stall = sys.argv[1]
parent = os.getppid()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def until_the_test_ends():
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)


def answer(client):
    try:
        client.recv(65536)
        if stall == "head":
            client.sendall(HEAD[:30])
        elif stall == "body":
            client.sendall(HEAD + b"Content-Length: 100000\r\n\r\n" + b"{" * 1000)
        elif stall == "chunk":
            client.sendall(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
        elif stall == "trickle":
            client.sendall(HEAD + b"Content-Length: 1000000\r\n\r\n")
            while True:
                client.sendall(b"{")
                time.sleep(0.05)
        time.sleep(3600)
    except OSError:
        pass


threading.Thread(target=until_the_test_ends, daemon=True).start()
server = socket.create_server(("127.0.0.1", 0))
os.write(1, f"{server.getsockname()[1]}\n".encode())
while True:
    client, _ = server.accept()
    threading.Thread(target=answer, args=(client,), daemon=True).start()
