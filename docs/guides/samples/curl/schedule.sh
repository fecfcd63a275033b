#!/usr/bin/env bash
set -euo pipefail

in_hours() { echo $((($(date +%s) + $1 * 3600) * 1000)); } # epoch milliseconds

reply=$(curl --fail-with-body -sS "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "to": "'"$TO"'",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your appointment is tomorrow",
    "body": "<p>See you at 10:00.</p>",
    "scheduledAt": '"$(in_hours 1)"'
  }')
id=$(echo "$reply" | grep -oE '"email":"[0-9a-f-]{36}"' | cut -d '"' -f 4)

curl --fail-with-body -sS -X PATCH "$POSTRIDER_URL/emails/$id" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{"scheduledAt": '"$(in_hours 2)"'}'

curl --fail-with-body -sS -X POST "$POSTRIDER_URL/emails/$id/cancel" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY"
