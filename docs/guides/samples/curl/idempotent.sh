#!/usr/bin/env bash
set -euo pipefail

send_once() {
  curl -sS "$POSTRIDER_URL/v1/send" \
    -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
    -H "Idempotency-Key: welcome/$TO" \
    -d '{
      "to": "'"$TO"'",
      "from": "Demo <hello@mail.demo.example>",
      "subject": "Welcome",
      "body": "<p>Good to have you here.</p>"
    }'
  echo
}

send_once
# Answers 409 IDEMPOTENCY_KEY_REUSED with the same email in details.emails: nothing is sent.
send_once
