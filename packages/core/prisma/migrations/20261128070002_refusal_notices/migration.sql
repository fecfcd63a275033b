-- When owners and admins of a project were told last that its email is refused, by the class of the refusals.
ALTER TABLE "Project" ADD COLUMN "refusalMailAt" JSONB;
