#!/usr/bin/env bash
set -euo pipefail

curl --fail-with-body -sS "$POSTRIDER_URL/events/track" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{"email": "'"$TO"'", "event": "signed up", "data": {"firstName": "Ann", "plan": "pro"}}'
