#!/usr/bin/python3
"""Runs a mail server of the system privately, for tests: its configuration, queue and mail in a
folder of its own, on a free port of 127.0.0.1, ended with this program.

    real_mail_server.py postfix|exim --certificate PEM --key PEM --user NAME --password TEXT

It takes mail after a login under STARTTLS, refuses the recipient refused@example.net, and delivers
one file per recipient. One line {"port":N,"mail":FOLDER} is printed when it listens; SIGTERM ends
it. {"missing":WHAT} and exit 3: the server's program is not on this machine. Needs root, as the
servers do. Postfix checks its logins with dovecot. Debian's exim excludes its postfix, so an
unpacked one serves as well, in ~/.cache/approval-test-servers/exim.
"""
import argparse
import glob
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

REFUSED = "refused@example.net"
DOMAINS = "example.net, xn--exmple-cua.example"
LIMIT = 60_000_000


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    os.chmod(path, mode)
    return path


def give(path, user):
    os.makedirs(path, exist_ok=True)
    entry = pwd.getpwnam(user)
    os.chown(path, entry.pw_uid, entry.pw_gid)


def missing(what):
    print(json.dumps({"missing": what}), flush=True)
    sys.exit(3)


class Server:
    """Programs that run for one test, and the folder they live in."""

    def __init__(self, given):
        self.given = given
        self.folder = tempfile.mkdtemp(prefix="mail-server-")
        os.chmod(self.folder, 0o755)
        self.port = free_port()
        self.running = []
        self.ending = []  # commands that end what a started program left behind

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def start(self, argv, **options):
        log = open(self.path("programs.log"), "ab")
        self.running.append(
            subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **options)
        )

    def wait_for(self, ready, what):
        end = time.monotonic() + 30
        while not ready():
            if time.monotonic() > end or any(p.poll() is not None for p in self.running):
                sys.stderr.write(self.logs())
                raise RuntimeError(what + " did not start")
            time.sleep(0.05)

    def greets(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as link:
                return link.recv(3) == b"220"
        except OSError:
            return False

    def logs(self):
        text = ""
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if name.endswith("log"):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as log:
                        text += "== " + name + "\n" + log.read()[-4000:]
        return text

    def stop(self):
        for argv in self.ending:
            subprocess.run(
                argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False, timeout=20,
            )
        for program in reversed(self.running):
            program.terminate()
        for program in reversed(self.running):
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def dovecot(server, socket_path):
    given = server.given
    users = server.path("users")
    write(users, f"{given.user}:{{PLAIN}}{given.password}\n")
    config = write(
        server.path("dovecot.conf"),
        f"""
base_dir = {server.path("dovecot-run")}
state_dir = {server.path("dovecot-run")}
log_path = {server.path("dovecot.log")}
protocols =
ssl = no
disable_plaintext_auth = no
auth_mechanisms = plain login
passdb {{
  driver = passwd-file
  args = {users}
}}
userdb {{
  driver = static
  args = uid=65534 gid=65534 home=/nonexistent
}}
service auth {{
  unix_listener {socket_path} {{
    mode = 0666
  }}
}}
""",
    )
    server.start(["/usr/sbin/dovecot", "-F", "-c", config])


def postfix(server):
    for program in ("/usr/sbin/postfix", "/usr/sbin/dovecot"):
        if not os.path.exists(program):
            missing(program)
    given = server.given
    config, queue, data = server.path("config"), server.path("queue"), server.path("data")
    os.makedirs(config)
    os.makedirs(queue)
    give(os.path.join(queue, "private"), "postfix")
    give(data, "postfix")
    give(server.path("mail"), "nobody")
    write(
        os.path.join(config, "main.cf"),
        f"""
compatibility_level = 3.6
queue_directory = {queue}
data_directory = {data}
maillog_file = {server.path("postfix.log")}
maillog_file_prefixes = {server.folder}
myhostname = mail.example.net
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
virtual_mailbox_domains = {DOMAINS}
virtual_mailbox_base = {server.path("mail")}
virtual_mailbox_maps = static:all/
virtual_uid_maps = static:{pwd.getpwnam("nobody").pw_uid}
virtual_gid_maps = static:{pwd.getpwnam("nobody").pw_gid}
virtual_alias_maps =
alias_maps =
message_size_limit = {LIMIT}
virtual_mailbox_limit = 0
smtpd_tls_security_level = may
smtpd_tls_cert_file = {given.certificate}
smtpd_tls_key_file = {given.key}
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_helo_required = yes
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access
  inline:{{ {{ {REFUSED} = 550 5.1.1 no such user }} }}, permit
smtpd_forbid_bare_newline = yes
""",
    )
    services = [f"127.0.0.1:{server.port} inet n - n - - smtpd"]
    for name, private, wakeup, limit, program in (
        ("cleanup", "n", "-", "0", "cleanup"),
        ("qmgr", "n", "300", "1", "qmgr"),
        ("pickup", "n", "60", "1", "pickup"),
        ("tlsmgr", "-", "1000?", "1", "tlsmgr"),
        ("rewrite", "-", "-", "-", "trivial-rewrite"),
        ("bounce", "-", "-", "0", "bounce"),
        ("defer", "-", "-", "0", "bounce"),
        ("trace", "-", "-", "0", "bounce"),
        ("verify", "-", "-", "1", "verify"),
        ("flush", "n", "1000?", "0", "flush"),
        ("proxymap", "-", "-", "-", "proxymap"),
        ("showq", "n", "-", "-", "showq"),
        ("error", "-", "-", "-", "error"),
        ("retry", "-", "-", "-", "error"),
        ("anvil", "-", "-", "1", "anvil"),
    ):
        services.append(f"{name} unix {private} - n {wakeup} {limit} {program}")
    services.append("virtual unix - n n - - virtual")
    services.append("postlog unix-dgram n - n - 1 postlogd")
    write(os.path.join(config, "master.cf"), "\n".join(services) + "\n")
    dovecot(server, os.path.join(queue, "private", "auth"))
    server.wait_for(lambda: os.path.exists(os.path.join(queue, "private", "auth")), "dovecot")
    server.ending.append(["/usr/sbin/postfix", "-c", config, "stop"])
    server.start(["/usr/sbin/postfix", "-c", config, "start-fg"])
    server.wait_for(server.greets, "postfix")
    return server.path("mail", "all", "new")


def exim(server):
    unpacked = os.path.expanduser("~/.cache/approval-test-servers/exim")
    program = "/usr/sbin/exim4"
    if not os.path.exists(program):
        program = unpacked + program
    if not os.path.exists(program):
        missing(program)
    # It starts itself again without rights, from where everybody may.
    program = shutil.copy(program, server.path("exim4"))
    given = server.given
    environment = dict(os.environ)
    try:
        pwd.getpwnam("Debian-exim")
    except KeyError:
        # The program asks for its user by name; the name is lent to it alone.
        names = glob.glob("/usr/lib/*/libnss_wrapper.so")
        if not names:
            missing("libnss_wrapper.so")
        line = "Debian-exim:x:65534:65534::/nonexistent:/usr/sbin/nologin\n"
        with open("/etc/passwd", encoding="utf-8") as users:
            passwd = write(server.path("passwd"), users.read() + line)
        with open("/etc/group", encoding="utf-8") as groups:
            group = write(server.path("group"), groups.read() + "Debian-exim:x:65534:\n")
        environment.update(
            LD_PRELOAD=names[0], NSS_WRAPPER_PASSWD=passwd, NSS_WRAPPER_GROUP=group
        )
    for name in ("spool", "log", "mail"):
        give(server.path(name), "nobody")
    # The key is read after rights were given up.
    certificate = server.path("certificate.pem")
    with open(given.certificate, encoding="utf-8") as one, open(given.key, encoding="utf-8") as two:
        write(certificate, one.read() + two.read())
    config = write(
        server.path("exim.conf"),
        f"""
exim_path = {program}
exim_user = nobody
exim_group = nogroup
deliver_drop_privilege = true
spool_directory = {server.path("spool")}
log_file_path = {server.path("log")}/%slog
pid_file_path = {server.path("exim.pid")}
primary_hostname = mail.example.net
domainlist local_domains = {DOMAINS.replace(", ", " : ")}
keep_environment = LD_PRELOAD : NSS_WRAPPER_PASSWD : NSS_WRAPPER_GROUP
message_size_limit = {LIMIT}
host_lookup =
rfc1413_hosts =
tls_advertise_hosts = *
tls_certificate = {certificate}
auth_advertise_hosts = ${{if eq {{$tls_in_cipher}}{{}}{{}}{{*}}}}
acl_smtp_rcpt = rcpt
begin acl
rcpt:
  deny !authenticated = *
  deny message = no such user
       recipients = {REFUSED}
  accept
begin routers
all:
  driver = accept
  transport = folder
begin transports
folder:
  driver = appendfile
  directory = {server.path("mail")}/all
  maildir_format
  create_directory
  envelope_to_add
  user = nobody
  group = nogroup
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = ${{if and{{{{eq{{$auth2}}{{{given.user}}}}}{{eq{{$auth3}}{{{given.password}}}}}}}}}
  server_set_id = $auth2
""",
    )
    server.start(
        [program, "-C", config, "-bdf", "-oX", f"127.0.0.1.{server.port}"], env=environment
    )
    server.wait_for(server.greets, "exim")
    return server.path("mail", "all", "new")


def started(given):
    # Somebody else may take the port before the server does: another one then.
    for attempt in range(3):
        server = Server(given)
        try:
            return server, {"postfix": postfix, "exim": exim}[given.kind](server)
        except RuntimeError:
            server.stop()
            if attempt == 2:
                raise
        except BaseException:
            server.stop()
            raise


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=("postfix", "exim"))
    for name in ("certificate", "key", "user", "password"):
        parser.add_argument("--" + name, required=True)
    given = parser.parse_args()
    if os.geteuid() != 0:
        missing("root")
    ended = []
    parent = os.getppid()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.append(True))
    server, mail = started(given)
    try:
        print(json.dumps({"port": server.port, "mail": mail}, separators=(",", ":")), flush=True)
        # A test that was killed takes its servers along.
        while not ended and os.getppid() == parent:
            time.sleep(0.1)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
