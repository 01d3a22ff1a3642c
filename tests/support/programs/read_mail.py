#!/usr/bin/python3
"""Prints, per file, one JSON line of what Python's email package understands of a message."""
import email
import email.policy
import email.utils
import hashlib
import json
import sys
from email.header import decode_header, make_header


def people(raw, header):
    # By the older interface: the newer one puts a blank between two encoded words of a name.
    found = email.utils.getaddresses(raw.get_all(header, []))
    return [[str(make_header(decode_header(name))), address] for name, address in found]


def parts(message):
    found = []
    for part in message.walk():
        if part.is_multipart():
            continue
        content = part.get_payload(decode=True)
        one = {"type": part.get_content_type(), "name": part.get_filename() or ""}
        if part.get_content_disposition() == "attachment":
            one["size"] = len(content)
            one["sha256"] = hashlib.sha256(content).hexdigest()
        else:
            one["text"] = content.decode(part.get_content_charset()).replace("\r\n", "\n")
        found.append(one)
    return found


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        content = file.read()
    raw = email.message_from_bytes(content)
    message = email.message_from_bytes(content, policy=email.policy.default)
    print(
        json.dumps(
            {
                "from": people(raw, "from"),
                "reply_to": people(raw, "reply-to"),
                "to": people(raw, "to"),
                "cc": people(raw, "cc"),
                "bcc": people(raw, "bcc"),
                "subject": str(message["subject"]),
                "message_id": str(message["message-id"]).strip(),
                "in_reply_to": str(message["in-reply-to"] or "").strip(),
                "references": str(message["references"] or "").split(),
                "structure": message.get_content_type(),
                "parts": parts(message),
                "defects": [str(d) for p in message.walk() for d in p.defects],
            }
        )
    )
