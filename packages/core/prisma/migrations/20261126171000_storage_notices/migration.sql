CREATE TABLE "StorageNotice" (
  "userId" UUID NOT NULL,
  "level" SMALLINT NOT NULL,
  CONSTRAINT "StorageNotice_pkey" PRIMARY KEY ("userId")
);
ALTER TABLE "StorageNotice" ADD CONSTRAINT "StorageNotice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
