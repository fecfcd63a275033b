import { contactLock } from '../../audience/contacts/index.ts';
import { type Database, GroupCommit, type Place } from '../../base/db/index.ts';
import { keyLocks } from '../../base/idempotency/index.ts';
import { type Services, tooManyWaiting } from '../../base/kernel/index.ts';
import { RecentMap } from '../../base/lib/index.ts';
import { type AcceptedEmail, type AcceptRequest, acceptSend, acceptTogether } from '../ledger/index.ts';
import { capsOf } from '../ramp/ramp.rules.ts';

const megabyte = 1_048_576;
/** Requests with more recipients, with attachments, or of a shared message are stored in a statement of their own. */
const mostRecipients = 50;
/** Contents that this process has stored and whose text it need not send again; it knows the 5,000 used last, or more. */
const mostKnown = 10_000;

interface Acceptance {
  group: GroupCommit<AcceptRequest, AcceptedEmail[] | 'content'>;
  /** ids of stored contents */
  known: RecentMap<string, true>;
}

const acceptances = new WeakMap<Database, Acceptance>();

/** Stores a send, together with those that arrive at the same time. @throws an error of SQLSTATE PR001 that names the violated rule */
export async function storeSend(services: Services, request: AcceptRequest): Promise<AcceptedEmail[]> {
  const { group, known } = acceptanceOf(services);
  for (;;) {
    const stored = await group.add(request);
    if (stored !== 'content') {
      known.set(request.identity.id, true);
      return stored;
    }
    // Retention or the deletion of its project has removed it.
    known.delete(request.identity.id);
  }
}

/** Whether this process has stored the content before: it has passed all checks that depend on the content alone. */
export const isKnownContent = (services: Services, id: string): boolean =>
  acceptanceOf(services).known.has(id);

/** To be told of contents that were stored elsewhere than by `storeSend`. */
export function rememberContents(services: Services, ids: Iterable<string>): void {
  const { known } = acceptanceOf(services);
  for (const id of ids) known.set(id, true);
}

function acceptanceOf({ database, config, owners }: Services): Acceptance {
  const existing = acceptances.get(database);
  if (existing) return existing;
  const known = new RecentMap<string, true>(mostKnown);
  const caps = capsOf(config);
  const takesLocal = config.mailboxUrl !== null;
  const acceptance: Acceptance = {
    known,
    group: new GroupCommit({
      name: 'send',
      owners,
      perOwner: { count: 2_000, weight: 64 * megabyte },
      total: { count: 10_000, weight: 256 * megabyte },
      group: { count: 250, weight: megabyte },
      isLarge: ({ recipients, blobs, isShared }) =>
        recipients.length > mostRecipients || blobs.length > 0 || isShared === true,
      placeOf,
      together: (requests) =>
        acceptTogether(database.grouped, requests, {
          isStored: ({ identity }) => known.has(identity.id),
          ttlHours: config.IDEMPOTENCY_TTL_HOURS,
          caps,
          takesLocal,
        }),
      alone: (request) => acceptSend(database.durable, request, caps, takesLocal),
      overloaded: tooManyWaiting,
    }),
  };
  acceptances.set(database, acceptance);
  return acceptance;
}

/** Estimated bytes of a recipient besides the data of the request. */
const recipientBytes = 300;

function placeOf({ content, changes, recipients, blobs, idempotency }: AcceptRequest): Place {
  const locks = changes.map((change) => contactLock(content.projectId, change));
  const data = locks.reduce((bytes, { value }) => bytes + (value?.length ?? 0), 0);
  return {
    owner: content.projectId,
    weight:
      content.body.length +
      (content.text?.length ?? 0) +
      data +
      recipients.length * recipientBytes +
      blobs.reduce((bytes, blob) => bytes + blob.bytes.length, 0),
    locks: [...locks, ...keyLocks(content.projectId, idempotency)],
  };
}
