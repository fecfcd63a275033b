-- Which versions can use the database. Written by what applies migrations.
ALTER TABLE "Installation" ADD COLUMN "schema" TEXT;
ALTER TABLE "Installation" ADD COLUMN "minVersion" TEXT;
ALTER TABLE "Installation" ADD COLUMN "version" TEXT;
