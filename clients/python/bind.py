#!/usr/bin/env python3
"""Binds a channel and prints each message of racd: a first client in another language. Python 3.9+, standard library only.

    clients/python/bind.py room/volume

docs/client.md leads from here to a whole client.
"""
import json
import socket
import struct
import sys

racd = socket.create_connection(("127.0.0.1", 7220))


def send(message):
    payload = json.dumps(message).encode()
    racd.sendall(struct.pack(">I", len(payload)) + payload)


def receive():
    (length,) = struct.unpack(">I", racd.recv(4, socket.MSG_WAITALL))
    return json.loads(racd.recv(length, socket.MSG_WAITALL))


send({"op": "hello", "version": 1})
send({"op": "bind", "id": 1, "channel": sys.argv[1]})
while True:
    message = receive()
    if message["op"] == "ping":
        send({"op": "pong"})
    print(message, flush=True)
