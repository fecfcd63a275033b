-- Letters to the postmaster, abuse and feedback addresses of a domain, or of the installation.
CREATE TYPE "DomainNoteTo" AS ENUM ('postmaster', 'abuse', 'fbl');
CREATE TABLE "DomainNote" (
    "id" UUID NOT NULL,
    "domainId" UUID,
    "to" "DomainNoteTo" NOT NULL,
    "from" TEXT,
    "subject" TEXT,
    "text" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "DomainNote_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "DomainNote_domainId_at_idx" ON "DomainNote"("domainId", "at" DESC);
CREATE INDEX "DomainNote_at_idx" ON "DomainNote"("at");
ALTER TABLE "DomainNote" ADD CONSTRAINT "DomainNote_domainId_fkey" FOREIGN KEY ("domainId") REFERENCES "Domain"("id") ON DELETE CASCADE ON UPDATE CASCADE;
