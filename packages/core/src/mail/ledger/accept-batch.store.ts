import type { ClientBase, Pool } from 'pg';
import { contactLock } from '../../audience/contacts/index.ts';
import {
  clientTransaction,
  databaseCode,
  databaseIsAway,
  inSavepoint,
  isConflict,
  plainDb,
  planByKeys,
  refusedWith,
  type SqlDb,
} from '../../base/db/index.ts';
import { beginKey, endKey, type KeyUse } from '../../base/idempotency/index.ts';
import { AppError } from '../../base/kernel/index.ts';
import { type AcceptedEmail, type AcceptRequest, acceptStatement } from './accept.store.ts';
import { type GroupStatement, storeTogether } from './accept-group.store.ts';
import { readVariables, type StoredVariables } from './accept-strict.store.ts';

/** One of the requests of a batch; none of them has a key of its own. */
export interface BatchItem {
  /** its place in the batch, whose other places were refused before */
  place: number;
  request: AcceptRequest;
  /** Looks at what fills in its emails. @throws AppError to refuse it */
  check?: ((variables: StoredVariables[]) => Promise<void>) | undefined;
}

/** `error`: a refusal (SQLSTATE PR001), an AppError, or a failure of its statement; then nothing of the item is stored. */
export type ItemOutcome = { accepted: AcceptedEmail[] } | { error: unknown };

export interface BatchStatement extends GroupStatement {
  projectId: string;
  /** of the whole batch */
  use: KeyUse | null;
  /** number of places */
  size: number;
  /** stores nothing when an item is refused */
  isAtomic: boolean;
  /** Whether other batches of the project have to wait: it conflicted with one before. */
  isExclusive: boolean;
}

/** Ends a transaction that is to store nothing. */
class Undone extends Error {
  readonly outcomes: ItemOutcome[];

  constructor(outcomes: ItemOutcome[]) {
    super('a batch stores nothing');
    this.outcomes = outcomes;
  }
}

/**
 * Stores the items of a batch in one transaction, in their order: an item that follows another for the same address sees its data. The key is used
 * up with them, unless all are refused.
 *
 * @returns the outcomes in the order of the items; with `isAtomic`, nothing is stored if one of all places was refused
 * @throws an error of SQLSTATE PR001 for a used key; a conflict with another transaction, after which the whole may be repeated
 */
export async function acceptBatch(
  pool: Pool,
  items: readonly BatchItem[],
  statement: BatchStatement,
): Promise<ItemOutcome[]> {
  const { projectId, use, size, isAtomic, isExclusive } = statement;
  try {
    return await clientTransaction(pool, async (client) => {
      const db = plainDb(client);
      await planByKeys(db);
      if (isExclusive)
        await db.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${projectId}, 2))::text`;
      if (use && !(await beginKey(db, projectId, use))) throw refusedWith('idempotency');
      const outcomes = await storeItems(client, items, statement);
      const accepted = outcomes.filter((outcome) => 'accepted' in outcome).length;
      if (accepted === 0 || (isAtomic && accepted < size)) throw new Undone(outcomes);
      if (use) await endKey(db, projectId, use.key, madeBy(items, outcomes, size));
      return outcomes;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcomes;
    throw error;
  }
}

/** The ids of the emails in the order of the places, and how many each place has. */
function madeBy(items: readonly BatchItem[], outcomes: readonly ItemOutcome[], size: number) {
  const sizes: number[] = Array(size).fill(0);
  const emailIds = items.flatMap(({ place, request }, n) => {
    if (!('accepted' in (outcomes[n] ?? {}))) return [];
    sizes[place] = request.recipients.length;
    return request.recipients.map(({ emailId }) => emailId);
  });
  return { emailIds, sizes };
}

async function storeItems(
  client: ClientBase,
  items: readonly BatchItem[],
  statement: BatchStatement,
): Promise<ItemOutcome[]> {
  const db = plainDb(client);
  const outcomes: ItemOutcome[] = [];
  for (const part of partsOf(items)) {
    outcomes.push(
      ...(part.length > 1 || isPlain(part[0])
        ? await storePart(client, db, part, statement)
        : await storeEach(db, part, statement)),
    );
  }
  return outcomes;
}

/** Items of one statement, and about how many bytes of them. */
const most = { items: 250, bytes: 1_048_576, recipients: 50 } as const;

const isPlain = (item: BatchItem | undefined): boolean =>
  item !== undefined &&
  item.check === undefined &&
  !item.request.isShared &&
  item.request.blobs.length === 0 &&
  item.request.recipients.length <= most.recipients;

const bytesOf = ({ request: { content, recipients, changes } }: BatchItem): number =>
  content.body.length +
  (content.text?.length ?? 0) +
  recipients.length * 300 +
  JSON.stringify(changes).length;

/** Neighbours that one statement can store: no contact is changed differently by two of them. */
function partsOf(items: readonly BatchItem[]): BatchItem[][] {
  const parts: BatchItem[][] = [];
  let locks = new Map<string, string | null>();
  let bytes = 0;
  let isOpen = false;
  for (const item of items) {
    const own = item.request.changes.map((change) => contactLock(item.request.content.projectId, change));
    const size = bytesOf(item);
    const part = parts.at(-1);
    const fits =
      isOpen &&
      isPlain(item) &&
      part !== undefined &&
      part.length < most.items &&
      bytes + size <= most.bytes &&
      own.every(({ name, value }) => !locks.has(name) || locks.get(name) === value);
    if (fits) part.push(item);
    else {
      parts.push([item]);
      locks = new Map();
      bytes = 0;
    }
    isOpen = isPlain(item);
    bytes += size;
    for (const { name, value } of own) locks.set(name, value);
  }
  return parts;
}

async function storePart(
  client: ClientBase,
  db: SqlDb,
  part: readonly BatchItem[],
  statement: BatchStatement,
): Promise<ItemOutcome[]> {
  const requests = part.map(({ request }) => request);
  const together = await inSavepoint(db, () => storeTogether(client, requests, statement)).catch(
    (error: unknown) => {
      if (!isOfItem(error)) throw error;
      return null;
    },
  );
  // Of one item, or a contact was created by another transaction in the meantime.
  if (!together) return storeEach(db, part, statement);
  const outcomes: ItemOutcome[] = [];
  for (const [n, item] of part.entries()) {
    const outcome = together[n];
    if (outcome !== undefined && outcome !== 'alone' && 'error' in outcome) outcomes.push(outcome);
    else if (outcome !== undefined && outcome !== 'alone' && outcome.answer !== 'content')
      outcomes.push({ accepted: outcome.answer });
    // Its contact is held by another transaction, or its content has gone.
    else outcomes.push(...(await storeEach(db, [item], statement)));
  }
  return outcomes;
}

/** Each in a statement of its own, which waits for contacts. */
async function storeEach(
  db: SqlDb,
  items: readonly BatchItem[],
  { caps, takesLocal }: BatchStatement,
): Promise<ItemOutcome[]> {
  const outcomes: ItemOutcome[] = [];
  for (const { request, check } of items) {
    const { text, values = [] } = acceptStatement(request, caps, takesLocal);
    outcomes.push(
      await inSavepoint(db, async (): Promise<ItemOutcome> => {
        const accepted = await db.$queryRawUnsafe<AcceptedEmail[]>(text, ...values);
        if (check) await check(await readVariables(db, request));
        return { accepted };
      }).catch((error: unknown) => {
        if (error instanceof AppError || isOfItem(error)) return { error };
        throw error;
      }),
    );
  }
  return outcomes;
}

/** Whether the server refused a statement itself, for another reason than a conflict, after which the whole is repeated. */
const isOfItem = (error: unknown): boolean =>
  /^[0-9A-Z]{5}$/.test(databaseCode(error) ?? '') && !isConflict(error) && !databaseIsAway(error);
