#!/usr/bin/env bash
set -euo pipefail

address=${TO//@/%40}
for path in "contacts/$address" "events/contact/$address?limit=500" "emails?recipient=$address&limit=100"; do
  curl --fail-with-body -sS "$POSTRIDER_URL/$path" -H "Authorization: Bearer $POSTRIDER_API_KEY"
  echo
done

curl --fail-with-body -sS -X DELETE "$POSTRIDER_URL/contacts/$address" -H "Authorization: Bearer $POSTRIDER_API_KEY"
echo erased
