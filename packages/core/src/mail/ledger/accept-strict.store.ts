import type { Pool } from 'pg';
import { plainTransaction, type SqlDb } from '../../base/db/index.ts';
import { type AcceptedEmail, type AcceptRequest, acceptStatement } from './accept.store.ts';
import type { AppliedCaps } from './caps.ts';

/** What an email is filled in with. */
export interface StoredVariables {
  id: string;
  contactId: string;
  address: string;
  subscribed: boolean;
  /** JSON */
  vars: string;
}

/** Ends a transaction whose emails were not rendered with these values. */
class NotRendered extends Error {
  readonly variables: StoredVariables[];

  constructor(variables: StoredVariables[]) {
    super('the emails have other values than those that were rendered');
    this.variables = variables;
  }
}

const keyOf = ({ id, address, subscribed, vars }: StoredVariables): string =>
  JSON.stringify([id, address, subscribed, vars]);

/** What the emails of a request that this transaction has stored are filled in with. */
export const readVariables = (
  db: Pick<SqlDb, '$queryRaw'>,
  { recipients, content }: AcceptRequest,
): Promise<StoredVariables[]> => db.$queryRaw`
  SELECT "id"::text, "contactId"::text, "to" AS "address", coalesce("acceptedSubscribed", false) AS "subscribed", "vars"::text
  FROM "Email" WHERE "id" = ANY(${recipients.map(({ emailId }) => emailId)}::uuid[]) AND "projectId" = ${content.projectId}::uuid
    -- A shared message is filled in once, with the values that its first email has.
    AND "vars" IS NOT NULL ORDER BY "id"`;

/**
 * Stores a send if its emails have the values that were rendered, as `acceptSend` does.
 *
 * @param rendered null before the first rendering: then nothing is stored
 * @returns the emails, or the values to render first
 */
export async function acceptIfRendered(
  pool: Pool,
  request: AcceptRequest,
  given: { caps: AppliedCaps; takesLocal: boolean; rendered: readonly StoredVariables[] | null },
): Promise<{ accepted: AcceptedEmail[] } | { variables: StoredVariables[] }> {
  const { caps, takesLocal, rendered } = given;
  const { text, values = [] } = acceptStatement(request, caps, takesLocal);
  try {
    const accepted = await plainTransaction(pool, async (db) => {
      const rows = await db.$queryRawUnsafe<AcceptedEmail[]>(text, ...values);
      const variables = await readVariables(db, request);
      if (rendered?.map(keyOf).join() !== variables.map(keyOf).join()) throw new NotRendered(variables);
      return rows;
    });
    return { accepted };
  } catch (error) {
    if (error instanceof NotRendered) return { variables: error.variables };
    throw error;
  }
}
