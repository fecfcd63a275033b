#!/usr/bin/env bash
set -euo pipefail

# For a file on the disk: base64 < orders.csv | tr -d '\n'
content=$(printf 'order,total\n1001,12.00\n' | base64 | tr -d '\n')

curl --fail-with-body -sS "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "to": "'"$TO"'",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Your orders of this month",
    "body": "<p>The list is attached.</p>",
    "attachments": [{"filename": "orders.csv", "content": "'"$content"'"}]
  }'
