import type { Pool } from 'pg';
import { constant, type Db, Prisma, prepared } from '../../base/db/index.ts';
import type { Keyset } from '../../base/kernel/index.ts';
import { mostNotes, type noteAddresses } from './domain-notes.schema.ts';

export interface NewNote {
  /** null for the operator of the installation */
  domainId: string | null;
  to: (typeof noteAddresses)[number];
  from: string | null;
  subject: string | null;
  text: string;
  fingerprint: string;
}

export type NoteRow = Prisma.DomainNoteGetPayload<object>;

/** Keeps a note, once, and the newest of its domain. */
export async function storeNote(pool: Pool, note: NewNote): Promise<void> {
  await pool.query(insertNote(note));
}

const insertNote = prepared<NewNote>(
  'insert-domain-note',
  ({ domainId, to, from, subject, text, fingerprint }) => Prisma.sql`
WITH "new" AS (
  INSERT INTO "DomainNote" ("id", "domainId", "to", "from", "subject", "text", "fingerprint")
  SELECT uuid7(), ${domainId}::uuid, ${to}::text::"DomainNoteTo", ${from}::text, ${subject}::text, ${text}::text, ${fingerprint}::text
  WHERE NOT EXISTS (SELECT FROM "DomainNote" n WHERE n."domainId" IS NOT DISTINCT FROM ${domainId}::uuid AND n."fingerprint" = ${fingerprint}::text)
    AND (${domainId}::uuid IS NULL OR EXISTS (SELECT FROM "Domain" d WHERE d."id" = ${domainId}::uuid))
  RETURNING "id"
)
DELETE FROM "DomainNote" WHERE EXISTS (SELECT FROM "new") AND "id" = ANY (ARRAY(
  SELECT n."id" FROM "DomainNote" n WHERE n."domainId" IS NOT DISTINCT FROM ${domainId}::uuid
  ORDER BY n."at" DESC, n."id" DESC OFFSET ${constant(mostNotes - 1)}))`,
);

/** The domains of this name, one for each project that has it, whose MX record was found. @param mxKey of that record */
export async function findReceivingDomains(pool: Pool, domain: string, mxKey: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(receivingDomains({ domain, mxKey }));
  return rows.map(({ id }) => id);
}

const receivingDomains = prepared<{ domain: string; mxKey: string }>(
  'receiving-domains',
  ({ domain, mxKey }) => Prisma.sql`
    SELECT d."id" FROM "Domain" d JOIN "Project" p ON p."id" = d."projectId"
    WHERE d."domain" = ${domain} AND (d."recordsFound" ->> ${mxKey}::text)::boolean AND p."deletedAt" IS NULL`,
);

/** One keyset page of the notes of a domain, or of the installation, newest first. */
export const findNotes = (
  db: Db,
  domainId: string | null,
  after: Keyset | null,
  limit: number,
): Promise<NoteRow[]> =>
  db.$queryRaw<NoteRow[]>(Prisma.sql`
SELECT * FROM "DomainNote" WHERE "domainId" IS NOT DISTINCT FROM ${domainId}::uuid
  ${after ? Prisma.sql`AND ("at", "id") < (${new Date(after.value)}, ${after.id}::uuid)` : Prisma.empty}
ORDER BY "at" DESC, "id" DESC LIMIT ${limit}`);

export const countNotes = (db: Db, domainId: string): Promise<number> =>
  db.domainNote.count({ where: { domainId } });

/** Removes a batch of notes from before a time. @returns how many */
export const removeNotes = (db: Db, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM "DomainNote" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "DomainNote" WHERE "at" < ${before} ORDER BY "at" LIMIT ${limit}::int))`;
