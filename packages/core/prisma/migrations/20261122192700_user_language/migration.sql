-- The language of emails from the platform to a user.
CREATE TYPE "MailLanguage" AS ENUM ('en', 'nl', 'fr', 'de', 'es', 'it', 'pt', 'pl', 'hi', 'ja', 'zh');
ALTER TABLE "User" ADD COLUMN "language" "MailLanguage" NOT NULL DEFAULT 'en';
