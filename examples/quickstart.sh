#!/usr/bin/env bash
# The main job in one command: builds approval, makes a throwaway project with a vault and a local
# mail server, asks for a mail to be sent, and waits for you to approve it in the browser.
#
#   examples/quickstart.sh           prints a login link; you approve
#   examples/quickstart.sh --auto    approves by itself over HTTP, as the page's form does
#
# APPROVAL_BIN names a folder with built programs; then nothing is installed or built.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
auto=""
case "${1:-}" in
  "") ;;
  --auto) auto=yes ;;
  *) echo "usage: $0 [--auto]" >&2; exit 2 ;;
esac

say() { printf '\n== %s\n' "$1"; }

if [ -z "${APPROVAL_BIN:-}" ]; then
  say "Installing what is missing and building (a few minutes the first time)"
  "$here/tools/install_packages.sh" walkthrough
  (cd "$here" && cmake --preset release -DAPPROVAL_TESTS=OFF -DAPPROVAL_WERROR=OFF >/dev/null &&
    cmake --build --preset release -j "$(nproc)" >/dev/null)
  APPROVAL_BIN="$here/build/release/bin"
fi
export PATH="$APPROVAL_BIN:$PATH"
approval --version

project=$(mktemp -d)
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$project"
}
trap finish EXIT
cd "$project"

say "A mail server of our own, with STARTTLS and a login"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
  -addext "subjectAltName=DNS:localhost" -keyout server.key -out server.pem 2>/dev/null
mkfifo ready
/usr/bin/python3 "$here/tests/support/programs/mail_catcher.py" --dir mail --user robot \
  --password "a long password" --certificate server.pem --key server.key >ready &
started+=($!)
read -r line <ready
mail_port=$(printf '%s' "$line" | tr -dc '0-9')
echo "listening on port $mail_port"

say "A person prepares the project: policy, attestation, vault"
export APPROVAL_HUMAN=human:you
export APPROVAL_VAULT_PASSPHRASE="throwaway passphrase"
export SSL_CERT_FILE="$project/server.pem"
approval init
approval policy attest
printf 'localhost' | approval vault set smtp.host
printf '%s' "$mail_port" | approval vault set smtp.port
printf 'starttls' | approval vault set smtp.security
printf 'robot' | approval vault set smtp.user
printf 'a long password' | approval vault set smtp.password

say "An agent writes a mail, declares it, and asks"
cat >message.json <<'JSON'
{
  "from": "you@example.org",
  "to": ["agency@example.org"],
  "cc": ["partner@example.org"],
  "subject": "Deposit refund",
  "body": "Dear agency,\n\nthe deposit refund is now 21 days late. Please send it this week.\n\nKind regards\n"
}
JSON
hash=$(approval payload hash message.json)
cat >chase-deposit.md <<TASK
---
id: task-1
approval:
  origin: { app: quickstart, created_by: "agent:robot" }
  state: proposed
  actions:
    - class: communicate.email.external
      idempotency_key: "task-1:chaser"
      summary: Chase the outstanding deposit
      reversible: false
      payload_hash: "$hash"
---

Chase the deposit.
TASK
approval register chase-deposit.md --as agent:robot
approval request task-1 --action task-1:chaser --payload message.json --as agent:robot

say "The gateway puts it in front of you"
approval up --port 0 --no-telegram --json >up.log 2>up.err &
started+=($!)
for _ in $(seq 100); do
  grep -q '"login"' up.log 2>/dev/null && break
  sleep 0.1
done
link=$(sed -nE 's/.*"login":"([^"]+)".*/\1/p' up.log)
[ -n "$link" ] || { cat up.log up.err; echo "the gateway did not start" >&2; exit 1; }
echo "open this link (it works once, for ten minutes):"
echo "  $link"

if [ -n "$auto" ]; then
  say "Approving over HTTP, as the page's own form does"
  base=${link%%/login*}
  curl -fsS -c cookies -o /dev/null "$link"
  ref=$(curl -fsS -b cookies "$base/" | grep -oE '/r/[0-9a-f]{16}' | head -n 1)
  curl -fsS -b cookies "$base$ref" >page.html
  field() { grep -oE "name=\"$1\" value=\"[^\"]*\"" page.html | head -n 1 | sed -E 's/.*value="([^"]*)"/\1/'; }
  curl -fsS -b cookies -o /dev/null -H "Origin: $base" \
    --data-urlencode "ref=$(field ref)" \
    --data-urlencode "request_hash=$(field request_hash)" \
    --data-urlencode "display_hash=$(field display_hash)" \
    --data-urlencode "token=$(field token)" \
    --data-urlencode "note=looks right" \
    --data "decision=grant" "$base/decide"
fi

say "The agent waits, then sends exactly what was approved"
approval wait task-1 --timeout 10m >/dev/null
approval adapter email task-1:chaser --payload message.json --as agent:robot

say "What the mail server received"
cat mail/*.eml

say "A second try is refused: the grant is spent"
if approval adapter email task-1:chaser --payload message.json --as agent:robot; then
  echo "a grant was spent twice" >&2
  exit 1
fi

say "The whole story, proved"
approval log tail
approval log verify
