#!/usr/bin/env bash
set -euo pipefail

cursor=
while :; do
  page=$(curl --fail-with-body -sS -G "$POSTRIDER_URL/contacts" -H "Authorization: Bearer $POSTRIDER_API_KEY" \
    -d subscribed=false -d limit=100 ${cursor:+--data-urlencode "cursor=$cursor"})
  echo "$page" | grep -oE '"email":"[^"]+"' | cut -d '"' -f 4
  cursor=$(echo "$page" | sed -nE 's/.*"cursor":"([^"]+)".*/\1/p')
  [ -n "$cursor" ] || break
done
