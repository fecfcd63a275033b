import type { Pool } from 'pg';

/** The address that asks for confirmations. */
export const confirmFrom = (db: Pool, projectId: string, from: string): Promise<unknown> =>
  db.query(`UPDATE "Project" SET "consent" = $2 WHERE "id" = $1`, [
    projectId,
    JSON.stringify({ confirmation: { from, fromName: null, replyTo: null, templateId: null } }),
  ]);

/** A topic besides `general`, with the number 2. */
export const insertTopic = (db: Pool, projectId: string, key: string): Promise<unknown> =>
  db.query(
    `INSERT INTO "Topic" ("id", "projectId", "number", "key", "name", "default", "position", "updatedAt")
     VALUES (uuid7(), $1, 2, $2, jsonb_build_object('en', $2::text), 'OUT', 1, now())`,
    [projectId, key],
  );

/** An act with an effect, of those that begin or end a subscription. */
export interface Turn {
  contactId: string;
  action: string;
  source: string;
  optOutBy: string | null;
}

/** In the order of effect, contact by contact. */
export async function turnsOf(db: Pool, projectId: string): Promise<Turn[]> {
  const { rows } = await db.query<Turn>(
    `SELECT "contactId", "action", "source", "optOutBy" FROM "ConsentAct"
     WHERE "projectId" = $1 AND "effect" = 'changed' AND "action" IN ('subscribe', 'unsubscribe', 'snooze', 'resume', 'confirm')
     ORDER BY "contactId", "seq"`,
    [projectId],
  );
  return rows;
}

/** How many acts of recipients each contact has, by where they were done. */
export async function actsOfRecipients(db: Pool, projectId: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ contactId: string; count: number }>(
    `SELECT "contactId", count(*)::int AS count FROM "ConsentAct"
     WHERE "projectId" = $1 AND "source" IN ('page', 'one_click') AND "action" <> 'confirm' GROUP BY 1`,
    [projectId],
  );
  return new Map(rows.map(({ contactId, count }) => [contactId, count]));
}

/** What confirming a request has done; all of it, or nothing. */
export interface Confirmed {
  id: string;
  status: string;
  subscribed: boolean;
  acts: number;
  events: number;
}

export async function confirmedRequests(db: Pool, ids: readonly string[]): Promise<Confirmed[]> {
  const { rows } = await db.query<Confirmed>(
    `SELECT r."id", r."status", c."subscribed",
       (SELECT count(*)::int FROM "ConsentAct" a WHERE a."contactId" = c."id" AND a."action" = 'confirm' AND a."effect" = 'changed') AS "acts",
       (SELECT count(*)::int FROM "Event" e WHERE e."contactId" = c."id" AND e."name" = 'contact.subscription.confirmed') AS "events"
     FROM "SubscriptionRequest" r JOIN "Contact" c ON c."id" = r."contactId" WHERE r."id" = ANY($1::uuid[])`,
    [ids],
  );
  return rows;
}

/** Statements that the database has to refuse, each with the reason why. */
const forbidden = {
  'changes an act': `UPDATE "ConsentAct" SET "at" = "at" - interval '1 day' WHERE "projectId" = $1`,
  'removes an act': `DELETE FROM "ConsentAct" WHERE "projectId" = $1`,
  'changes a subscription without an act': `UPDATE "Contact" SET "subscribed" = NOT "subscribed" WHERE "projectId" = $1`,
};

/** @returns those that the database took all the same */
export async function takenStatements(db: Pool, projectId: string): Promise<string[]> {
  const taken: string[] = [];
  for (const [name, statement] of Object.entries(forbidden)) {
    const isTaken = await db.query(statement, [projectId]).then(
      () => true,
      () => false,
    );
    if (isTaken) taken.push(name);
  }
  return taken;
}
