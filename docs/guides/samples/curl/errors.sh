#!/usr/bin/env bash
set -euo pipefail

# --retry repeats 408, 429 and 5xx, and waits as long as Retry-After says; the key makes that safe.
curl -sS --retry 4 --retry-connrefused --max-time 120 "$POSTRIDER_URL/v1/send" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$RANDOM" \
  -d '{
    "to": "nobody",
    "from": "Demo <hello@mail.demo.example>",
    "subject": "Hello",
    "body": "<p>Hello</p>"
  }'
