#!/usr/bin/env bash
set -euo pipefail

external_id="user-$TO" # the id of this person in your own database
path="contacts/ext:${external_id//@/%40}"

curl --fail-with-body -sS "$POSTRIDER_URL/contacts" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{"email": "'"$TO"'", "externalId": "'"$external_id"'", "data": {"plan": "free"}}'
echo

curl --fail-with-body -sS -X PATCH "$POSTRIDER_URL/$path" \
  -H "Authorization: Bearer $POSTRIDER_API_KEY" -H "Content-Type: application/json" \
  -d '{"data": {"plan": "pro"}}'
echo

curl --fail-with-body -sS "$POSTRIDER_URL/$path" -H "Authorization: Bearer $POSTRIDER_API_KEY"
