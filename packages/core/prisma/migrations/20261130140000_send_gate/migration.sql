-- Which findings of the checks before sending refuse a send. A constant default, so no row is rewritten.
CREATE TYPE "SendGate" AS ENUM ('ADVISORY', 'STRICT');
ALTER TABLE "Project" ADD COLUMN "sendGate" "SendGate" NOT NULL DEFAULT 'ADVISORY';
