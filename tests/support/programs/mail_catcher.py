#!/usr/bin/python3
"""A mail server that keeps what it gets: a folder of messages, for tests and walkthroughs.

Each message becomes <n>.eml (the bytes as they came, dots undoubled) and <n>.json (sender,
recipients, who logged in, whether TLS was on). One line {"port":N} is printed when it listens on
127.0.0.1; SIGTERM or SIGINT ends it. With --user it takes mail only after a login, and a login only
under TLS.
"""
import argparse
import asyncio
import json
import logging
import os
import signal
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Keeper:
    def __init__(self, folder, refused):
        self.folder = folder
        self.refused = refused
        self.count = 0

    async def handle_RCPT(self, server, session, envelope, address, rcpt_options):
        if address == self.refused:
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Ok"

    async def handle_DATA(self, server, session, envelope):
        self.count += 1
        name = os.path.join(self.folder, f"{self.count:04d}")
        facts = {
            "from": envelope.mail_from,
            "recipients": envelope.rcpt_tos,
            "login": getattr(session, "auth_data", None) or None,
            "tls": session.ssl is not None,
            "helo": session.host_name,
        }
        with open(name + ".eml.part", "wb") as out:
            out.write(envelope.original_content or envelope.content)
        with open(name + ".json.part", "w", encoding="utf-8") as out:
            json.dump(facts, out)
            out.write("\n")
        os.rename(name + ".json.part", name + ".json")
        os.rename(name + ".eml.part", name + ".eml")
        return f"250 2.0.0 kept as {self.count:04d}"


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dir", required=True, help="folder for the messages, made when missing")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one (default)")
    parser.add_argument("--user", help="login name that is asked for")
    parser.add_argument("--password", help="its password")
    parser.add_argument("--refuse", help="a recipient that is not taken")
    parser.add_argument("--certificate", help="PEM file; offers STARTTLS")
    parser.add_argument("--key", help="PEM file of its key")
    given = parser.parse_args()
    if (given.user is None) != (given.password is None):
        parser.error("--user and --password go together")
    if (given.certificate is None) != (given.key is None):
        parser.error("--certificate and --key go together")
    if given.user is not None and given.certificate is None:
        parser.error("a login needs --certificate and --key")
    return given


async def serve(given):
    os.makedirs(given.dir, exist_ok=True)
    options = {"hostname": "localhost"}
    if given.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(given.certificate, given.key)
        options["tls_context"] = context
        options["require_starttls"] = True
    if given.user is not None:

        def authenticate(server, session, envelope, mechanism, data):
            known = (
                isinstance(data, LoginPassword)
                and data.login == given.user.encode()
                and data.password == given.password.encode()
            )
            return AuthResult(success=known, handled=False, auth_data=given.user)

        options["authenticator"] = authenticate
        options["auth_required"] = True
    logging.getLogger("mail.log").setLevel(logging.ERROR)
    loop = asyncio.get_running_loop()
    keeper = Keeper(given.dir, given.refuse)
    server = await loop.create_server(
        lambda: SMTP(keeper, loop=loop, **options), "127.0.0.1", given.port
    )
    print(json.dumps({"port": server.sockets[0].getsockname()[1]}, separators=(",", ":")), flush=True)
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await ended.wait()
    server.close()


if __name__ == "__main__":
    try:
        asyncio.run(serve(parse()))
    except OSError as failed:
        sys.exit(f"mail_catcher: {failed}")
