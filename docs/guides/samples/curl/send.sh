#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "to": "'"$TO"'",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your order is on its way",
    "body": "<p>Hello Ann, order 1001 left our warehouse today.</p>"
  }'
