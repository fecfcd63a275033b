#!/usr/bin/env bash
set -euo pipefail

receipt='
  "name": "Receipt",
  "type": "TRANSACTIONAL",
  "from": "Demo <hello@mail.demo.example>",
  "subject": "Receipt for order {{order}}",
  "body": "<p>Hello {{name ?? there}},</p><p>You paid {{total}} for order {{order}}.</p>"'

status=$(curl -sS -o /dev/null -w '%{http_code}' -X PATCH "$POSTRIDER_URL/templates/receipt" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" -d "{$receipt}")

if [ "$status" = 404 ]; then
  curl --fail-with-body -sS "$POSTRIDER_URL/templates" \
    -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
    -d "{\"alias\": \"receipt\", $receipt}"
  echo; echo created
elif [ "$status" = 200 ]; then
  echo updated
else
  exit 1
fi
