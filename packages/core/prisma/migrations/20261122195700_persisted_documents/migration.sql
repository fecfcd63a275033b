CREATE TABLE "PersistedDocument" (
    "projectId" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "PersistedDocument_pkey" PRIMARY KEY ("projectId","hash")
);

ALTER TABLE "PersistedDocument" ADD CONSTRAINT "PersistedDocument_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
