-- Sign-in by GitHub, Google and a provider of OpenID Connect.
ALTER TYPE "UserType" ADD VALUE 'OIDC';
CREATE TABLE "Identity" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "Identity_pkey" PRIMARY KEY ("issuer", "subject")
);
CREATE INDEX "Identity_userId_idx" ON "Identity"("userId");
ALTER TABLE "Identity" ADD CONSTRAINT "Identity_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
