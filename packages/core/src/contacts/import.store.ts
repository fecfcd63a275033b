import { type Db, Prisma } from '../db/index.ts';
import { newId, type Secrets } from '../kernel/index.ts';
import { dataLimitBytes, type Primitive } from './contacts.rules.ts';

/** What an import wants of one address. */
export interface ImportedContact {
  email: string;
  data: Record<string, Primitive>;
}

export interface Imported {
  /** how many of the addresses had no contact before */
  created: number;
  /** addresses whose contact would hold more data than one may */
  tooLarge: string[];
}

/**
 * Creates or updates many contacts in one statement, each address once in `contacts`: data is merged key by key, an existing contact
 * keeps its subscription, a new one gets `subscribed` unless its address left with an opt-out. Contacts are locked in email order; one with
 * nothing to change is not written.
 *
 * What is there is looked up address by address: as a join, or with a plan from when the table was small, the planner reads every contact
 * of the project for each batch.
 */
export async function importContacts(
  db: Db,
  secrets: Pick<Secrets, 'addressHash'>,
  projectId: string,
  contacts: readonly ImportedContact[],
  subscribed: boolean,
): Promise<Imported> {
  const hashOf = (email: string): string =>
    subscribed ? secrets.addressHash(projectId, email).toString('hex') : '';
  await db.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`;
  const [row] = await db.$queryRaw<Imported[]>(Prisma.sql`
    WITH "input" AS MATERIALIZED (
      SELECT u.id, u.email, u.patch::jsonb AS patch, decode(u.hash, 'hex') AS hash
      FROM unnest(
        ${contacts.map(() => newId())}::uuid[], ${contacts.map(({ email }) => email)}::text[],
        ${contacts.map(({ data }) => JSON.stringify(data))}::text[], ${contacts.map(({ email }) => hashOf(email))}::text[]
      ) AS u(id, email, patch, hash)
    ), "same" AS MATERIALIZED (
      SELECT i.email FROM "input" i
      WHERE (SELECT c."data" || i.patch = c."data" FROM "Contact" c WHERE c."projectId" = ${projectId}::uuid AND c."email" = i.email)
    ), "written" AS (
      INSERT INTO "Contact" AS c ("id", "projectId", "email", "subscribed", "data")
      SELECT i.id, ${projectId}::uuid, i.email,
        ${subscribed}::boolean AND NOT EXISTS (
          SELECT FROM "OptOut" o WHERE o."projectId" = ${projectId}::uuid AND o."addressHash" = i.hash),
        i.patch
      FROM "input" i WHERE NOT EXISTS (SELECT FROM "same" s WHERE s.email = i.email)
      ORDER BY i.email
      ON CONFLICT ("projectId", "email") DO UPDATE SET "data" = c."data" || EXCLUDED."data", "updatedAt" = now()
      WHERE octet_length((c."data" || EXCLUDED."data")::text)
        - 2 * (SELECT count(*) FROM jsonb_object_keys(c."data" || EXCLUDED."data")) + 1 <= ${dataLimitBytes}::int
      RETURNING c."id", c."email"
    )
    SELECT
      count(*) FILTER (WHERE w."id" = i.id)::int AS "created",
      coalesce(array_agg(i.email) FILTER (WHERE w."id" IS NULL AND s.email IS NULL), '{}') AS "tooLarge"
    FROM "input" i LEFT JOIN "written" w ON w."email" = i.email LEFT JOIN "same" s ON s.email = i.email`);
  return row ?? { created: 0, tooLarge: [] };
}
