#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{
    "to": {"email": "'"$TO"'", "name": "Ann"},
    "template": "receipt",
    "strictVariables": true,
    "data": {
      "order": {"value": "1001", "persistent": false},
      "total": {"value": "12.00 EUR", "persistent": false}
    }
  }'
