#!/usr/bin/env python3
"""An adapter as a program: appends an approved line to a notebook file, signed with a key.

Reads one JSON object on standard input, answers one on standard output and ends with status 0.
docs/adapters.md says what the members mean. Install it with the manifest beside it.
"""
import datetime
import hashlib
import hmac
import json
import os
import sys

CLASS = "notebook.line.append"


class Refused(Exception):
    """Nothing happened, and this is why."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def line_of(request):
    payload = request["payload"]
    if not isinstance(payload, dict) or set(payload) != {"line"}:
        raise Refused("notebook-payload-invalid", 'the payload is {"line": "<text>"}')
    line = payload["line"]
    if not isinstance(line, str) or not line.strip() or any(ord(c) < 32 for c in line):
        raise Refused("notebook-payload-invalid", "the line must be one line of text")
    return line


def file_of(request):
    path = request["credentials"].get("notebook.file", "")
    if not os.path.isabs(path) or not os.path.isdir(os.path.dirname(path)):
        raise Refused("notebook-config-invalid", "notebook.file must be a path in a folder that exists")
    return path


def precheck(request):
    line_of(request)
    file_of(request)
    return {}


def preview(request):
    line = line_of(request)
    return {"line": line, "bytes": len(line.encode())}


def act(request):
    line, path = line_of(request), file_of(request)
    key = request["credentials"]["notebook.key"].encode()
    # The same for every attempt at this action, so that a reader can tell a repetition.
    reference = hashlib.sha256((request["action_key"] + request["payload_hash"]).encode()).hexdigest()[:16]
    signature = hmac.new(key, line.encode(), hashlib.sha256).hexdigest()[:16]
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    entry = "\t".join([now, reference, signature, line]) + "\n"
    notebook = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(notebook, entry.encode())
    os.fsync(notebook)
    os.close(notebook)
    return {"reference": reference, "signature": signature}


def probe(request):
    path = file_of(request)
    if not os.access(os.path.dirname(path), os.W_OK):
        raise Refused("notebook-config-invalid", "the folder of notebook.file cannot be written")
    return {"summary": "the notebook can be written; nothing was", "warnings": []}


def observe(request):
    path, window, effects = file_of(request), request["window"], []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as notebook:
            for entry in notebook:
                at, reference, _, line = entry.rstrip("\n").split("\t", 3)
                if window["from"][:19] <= at[:19] <= window["until"][:19]:
                    effects.append({"id": reference, "class": CLASS, "at": at,
                                    "detail": "a line of %d characters" % len(line)})
    return {"effects": effects}


STEPS = {"precheck": precheck, "preview": preview, "act": act, "probe": probe, "observe": observe}


def main():
    request = json.load(sys.stdin)
    try:
        if request["contract"] != "approval/adapter/1" or request["step"] not in STEPS:
            raise Refused("unsupported", "this program does not know the step")
        detail = STEPS[request["step"]](request)
        answer = {"ok": True, "detail": detail}
        if "reference" in detail:
            answer["provider_ref"] = detail["reference"]
    except Refused as refused:
        answer = {"ok": False, "code": refused.code, "message": str(refused)}
    json.dump(answer, sys.stdout)


main()
