import { type FieldWarning, recallFormerSpellings } from '../../audience/contacts/index.ts';
import { type Database, GroupCommit, type Place, refusalOf } from '../../base/db/index.ts';
import { idempotencyKeyReused, type KeyUse, keyLocks } from '../../base/idempotency/index.ts';
import { AppError, type Context, type Services, tooManyWaiting } from '../../base/kernel/index.ts';
import {
  type AcceptedEmail,
  type AcceptRequest,
  acceptBatch,
  type BatchItem,
  type ItemOutcome,
} from '../ledger/index.ts';
import { capsOf } from '../ramp/ramp.rules.ts';
import { errorOf } from './accept-request.ts';
import { isKnownContent, rememberContents } from './accept-send.ts';
import { assertNoGaps } from './accept-strictly.ts';

/** An item that may be stored. */
export interface Judged {
  request: AcceptRequest;
  warnings: FieldWarning[];
  /** whether every variable must have a value */
  isStrict: boolean;
}

export type Stored = Judged & { stored: AcceptedEmail[] };

interface Waiting {
  services: Services;
  projectId: string;
  items: BatchItem[];
  /** number of all items, refused ones included */
  size: number;
  isAtomic: boolean;
  use: KeyUse | null;
  attempts: number;
}

const megabyte = 1_048_576;
/** Estimated bytes of an email besides its content. */
const emailBytes = 600;

const queues = new WeakMap<Database, GroupCommit<Waiting, ItemOutcome[]>>();

/** Batches take turns like sends that are too large for a group. */
function queueOf({ database, owners }: Services): GroupCommit<Waiting, ItemOutcome[]> {
  const existing = queues.get(database);
  if (existing) return existing;
  const queue = new GroupCommit<Waiting, ItemOutcome[]>({
    name: 'batch',
    owners,
    perOwner: { count: 200, weight: 64 * megabyte },
    total: { count: 1_000, weight: 256 * megabyte },
    group: { count: 1, weight: megabyte },
    isLarge: () => true,
    placeOf,
    together: () => Promise.reject(new Error('a batch is stored by itself')),
    alone: store,
    overloaded: tooManyWaiting,
  });
  queues.set(database, queue);
  return queue;
}

const placeOf = ({ projectId, items, use }: Waiting): Place => ({
  owner: projectId,
  weight: items.reduce(
    (sum, { request: { content, blobs, recipients } }) =>
      sum +
      content.body.length +
      (content.text?.length ?? 0) +
      recipients.length * emailBytes +
      blobs.reduce((bytes, blob) => bytes + blob.bytes.length, 0),
    0,
  ),
  locks: keyLocks(projectId, use),
});

function store(waiting: Waiting): Promise<ItemOutcome[]> {
  const { services, projectId, items, size, isAtomic, use } = waiting;
  const { config, database } = services;
  waiting.attempts += 1;
  return acceptBatch(database.durable, items, {
    projectId,
    use,
    size,
    isAtomic,
    // Two batches that met once would meet again.
    isExclusive: waiting.attempts > 1,
    isStored: ({ identity }) => isKnownContent(services, identity.id),
    ttlHours: config.IDEMPOTENCY_TTL_HOURS,
    caps: capsOf(config),
    takesLocal: config.mailboxUrl !== null,
  });
}

/**
 * Stores the items of a batch that were not refused before, each for itself or all of them.
 *
 * @returns what became of each item; with `isAtomic`, nothing is stored if one was refused
 * @throws AppError IDEMPOTENCY_KEY_REUSED
 */
export async function storeBatch(
  ctx: Context,
  projectId: string,
  judged: readonly (Judged | AppError)[],
  { isAtomic, use }: { isAtomic: boolean; use: KeyUse | null },
): Promise<(Stored | AppError)[]> {
  const { services } = ctx;
  const open = [...judged.entries()].flatMap(([place, item]) =>
    item instanceof AppError ? [] : [{ place, item }],
  );
  if (open.length === 0) return judged.flatMap((item) => (item instanceof AppError ? [item] : []));
  const addresses = open.flatMap(({ item }) => item.request.recipients.map(({ address }) => address));
  await recallFormerSpellings(ctx.db, services.secrets, projectId, addresses);
  const items = open.map(
    ({ place, item: { request, isStrict } }): BatchItem => ({
      place,
      request,
      check: isStrict ? (variables) => assertNoGaps(services, request, variables) : undefined,
    }),
  );
  const waiting: Waiting = { services, projectId, items, size: judged.length, isAtomic, use, attempts: 0 };
  const outcomes = await queueOf(services)
    .add(waiting)
    .catch(async (error: unknown) => {
      throw refusalOf(error)?.rule === 'idempotency'
        ? await idempotencyKeyReused(ctx, projectId, use?.key ?? '')
        : error;
    });
  const results: (Stored | AppError)[] = judged.map((item) => (item instanceof AppError ? item : unstored));
  for (const [n, { place, item }] of open.entries()) {
    const outcome = outcomes[n];
    if (!outcome) throw new Error('an item of a batch has no outcome');
    results[place] =
      'accepted' in outcome
        ? { ...item, stored: outcome.accepted }
        : await refusedItem(ctx, item.request, outcome.error);
  }
  const isStored = !(isAtomic && results.some((result) => result instanceof AppError));
  if (isStored)
    rememberContents(
      services,
      results.flatMap((result) => (result instanceof AppError ? [] : [result.request.identity.id])),
    );
  return results;
}

const unstored = new AppError('INTERNAL_SERVER_ERROR', 'An unexpected error occurred');

async function refusedItem(ctx: Context, request: AcceptRequest, error: unknown): Promise<AppError> {
  if (error instanceof AppError) return error;
  const refusal = refusalOf(error);
  if (refusal) return errorOf(ctx, request, refusal);
  ctx.services.log.error(
    { err: error, projectId: request.content.projectId },
    'an item of a batch was not stored',
  );
  return unstored;
}
