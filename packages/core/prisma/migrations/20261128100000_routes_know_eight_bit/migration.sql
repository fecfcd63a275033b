-- Whether the mail server of a route takes 8-bit messages, as it said last.
ALTER TABLE "Route" ADD COLUMN "eightBit" BOOLEAN;
