import { type Database, GroupCommit } from '../../base/db/index.ts';
import { keyLocks } from '../../base/idempotency/index.ts';
import { type Owners, type Services, tooManyWaiting } from '../../base/kernel/index.ts';
import { contactLock } from '../contacts/index.ts';
import { storeTracked, type TrackedEvent, type TrackRequest } from './events.store.ts';
import { trackTogether } from './track-group.store.ts';

const megabyte = 1_048_576;
/** Estimated bytes of an event besides its data. */
const eventBytes = 500;

const groups = new WeakMap<Database, GroupCommit<TrackRequest, TrackedEvent>>();

/** Stores a tracked event, together with those that arrive at the same time. @throws an error of SQLSTATE PR001 that names the violated rule */
export function acceptEvent(
  { database, config, owners }: Services,
  request: TrackRequest,
): Promise<TrackedEvent> {
  const group = groups.get(database) ?? groupOf(database, owners, config.IDEMPOTENCY_TTL_HOURS);
  groups.set(database, group);
  return group.add(request);
}

const groupOf = (
  database: Database,
  owners: Owners,
  ttlHours: number,
): GroupCommit<TrackRequest, TrackedEvent> =>
  new GroupCommit({
    name: 'events',
    owners,
    perOwner: { count: 2_000, weight: 64 * megabyte },
    total: { count: 10_000, weight: 256 * megabyte },
    group: { count: 250, weight: megabyte },
    placeOf({ projectId, change, data, idempotency }) {
      const lock = contactLock(projectId, change);
      const bytes = (lock.value?.length ?? 0) + (data === null ? 0 : JSON.stringify(data).length);
      return {
        owner: projectId,
        weight: eventBytes + bytes,
        locks: [lock, ...keyLocks(projectId, idempotency)],
      };
    },
    together: (requests) => trackTogether(database.grouped, requests, ttlHours),
    alone: (request) => storeTracked(database.durable, request),
    overloaded: tooManyWaiting,
  });
