#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "to": "'"$TO"'",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Receipt for order 1001",
    "body": "<p>Thank you for your order.</p>",
    "tags": ["receipt"],
    "metadata": {"orderId": 1001}
  }'
echo

curl --fail-with-body -sS -G "$POSTRIDER_URL/emails" -H "Authorization: Bearer $POSTRIDER_API_KEY" \
  --data-urlencode "recipient=$TO" -d tag=receipt -d metadata=orderId:1001
