import { Prisma, type SqlDb } from '../../base/db/index.ts';
import type { Secrets } from '../../base/kernel/index.ts';
import type { Consented, Saying, Statement } from './statements.rules.ts';

/** `apply_consents` as an expression of `FROM`, for statements that do more. @param said JSON of an array of `Statement` */
export const appliedConsents = (project: Prisma.Sql, common: Prisma.Sql, said: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`apply_consents(${project}, ${common}, ${said})`;

/**
 * Writes what is said about contacts, and that it was said, in one statement: the only way in which the subscription and the choices of a contact
 * change, but for the creation of one (behaviour B12.4). Contacts are locked in email order, and waited for; unknown ones are not in the result. It
 * stores the events, and removes opt-outs on record of who is subscribed.
 *
 * @param statements each about another contact
 */
export async function writeConsents(
  db: SqlDb,
  projectId: string,
  common: Saying,
  statements: readonly Statement[],
): Promise<Consented[]> {
  if (statements.length === 0) return [];
  return db.$queryRaw<Consented[]>`
    SELECT * FROM ${appliedConsents(
      Prisma.sql`${projectId}::uuid`,
      Prisma.sql`${JSON.stringify(common)}::jsonb`,
      Prisma.sql`${JSON.stringify(statements)}::jsonb`,
    )}`;
}

/** The same for one contact. @returns null when there is none */
export async function writeConsent(
  db: SqlDb,
  projectId: string,
  common: Saying,
  statement: Statement,
): Promise<Consented | null> {
  const [result] = await writeConsents(db, projectId, common, [statement]);
  return result ?? null;
}

/** The hash of an address as statements take it. */
export const hashedAddress = (
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  address: string,
): string => secrets.addressHash(projectId, address).toString('hex');

/**
 * Records that a contact got another address, or became one with others, with the state that it has now: what the acts of both said before it does
 * not count any more. The contact is locked.
 */
export const recordMove = (
  db: SqlDb,
  projectId: string,
  contactId: string,
  { by: _, reason: _reason, always: _always, ...said }: Saying,
): Promise<unknown> => db.$executeRaw`
  WITH "moved" AS (
    UPDATE "Contact" SET "consentSeq" = nextval('"ConsentSeq"') WHERE "projectId" = ${projectId}::uuid AND "id" = ${contactId}::uuid RETURNING *
  )
  INSERT INTO "ConsentAct" ("seq", "projectId", "contactId", "action", "effect", "source", "actor", "actorId", "keyName", "before")
  SELECT m."consentSeq", m."projectId", m."id", 'move', 'changed', s."source", s."actor", s."actorId", s."keyName",
    jsonb_build_object('subscribed', m."subscribed", 'snoozedUntil', m."snoozedUntil", 'pendingUntil', m."pendingUntil", 'topicsOn', m."topicsOn",
      'topicsOff', m."topicsOff", 'topicDefaults', m."topicDefaults", 'stated', m."stated",
      'optOutBy', opt_out_by(m."subscribed", m."snoozedUntil", m."stated", m."optOutBy", m."subscriptionChangedAt", m."optedOutAt"),
      'consentBasis', basis_of(m."subscribed", m."snoozedUntil", m."consentBasis"), 'consentedAt', m."consentedAt")
  FROM "moved" m CROSS JOIN jsonb_to_record(${JSON.stringify(said)}::jsonb) AS s("source" "ConsentSource", "actor" "ConsentActor", "actorId" uuid, "keyName" text)`;
