-- One key for the events of a contact: with the project before it, the planner took a new project for an empty one, and read the events
-- of a name, or of a time, instead of those of the contact.
CREATE INDEX "Event_contactId_name_createdAt_idx" ON "Event"("contactId", "name", "createdAt");

DROP INDEX "Event_projectId_contactId_name_createdAt_idx";
