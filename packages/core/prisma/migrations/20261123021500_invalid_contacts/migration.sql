-- Addresses that no email can be sent to, which an audience counts: the condition is that of `isInvalid` (sending/ledger/audience.store.ts).
CREATE INDEX "Contact_invalid" ON "Contact" ("projectId") WHERE "email" NOT LIKE '%_@_%._%' OR "email" LIKE '%@%@%'
  OR "email" <> translate("email", E' \t\n\r\f\v', '');
