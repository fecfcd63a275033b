import {
  type Actor,
  assertPermission,
  type Permission,
  type Services,
  type StreamRight,
  sha256,
} from '@postrider/core/base/kernel';
import { RecentMap } from '@postrider/core/base/lib';
import { chargeEvents, resolveKey } from '@postrider/core/people/projects';
import { resolveSession } from '@postrider/core/people/users';
import { bearerOf } from './bearer.ts';
import { requireMembership, sessionEnded, userActor } from './session.ts';

/** The streams of one credential share a look-up for this long, in milliseconds, because each event asks. */
const sharedMs = 5_000;
/** More than a process has streams. */
const mostKept = 1_000;

type KeyActor = Extract<Actor, { type: 'key' }>;

/** The right of a stream that was opened with a secret key: what the gate asks of each request, and its events count as requests. */
export function rightOfKey(
  services: Services,
  authorization: string,
  actor: KeyActor,
  permission: Permission,
): StreamRight {
  const key = bearerOf(authorization);
  const find = async () =>
    (await resolveKey(services, key, { required: 'secret', countRequest: false })).actor;
  return {
    renew: async () => assertPermission(await shared(services, `key ${key}`, find), permission),
    charge: (events) => chargeEvents(services, actor, events),
  };
}

interface SessionStream {
  /** of the session */
  token: string;
  projectId: string;
  permission: Permission;
}

/** The right of a stream that was opened with a session. It does not extend the session: a page can be open with nobody using it. */
export function rightOfSession(
  services: Services,
  { token, projectId, permission }: SessionStream,
): StreamRight {
  const find = async (): Promise<Actor> => {
    const session = await resolveSession(services, token, { extend: false });
    if (!session) throw sessionEnded();
    const { role } = await requireMembership(services, session.userId, projectId);
    return { ...userActor(services, session), projectId, role };
  };
  return {
    renew: async () =>
      assertPermission(await shared(services, `session ${token} ${projectId}`, find), permission),
    charge: async (events) => ({ admitted: events, resetSeconds: 0 }),
  };
}

interface Found {
  at: number;
  actor: Promise<Actor>;
}

const known = new WeakMap<Services['database'], RecentMap<string, Found>>();

/** One look-up for all who ask within `sharedMs`. One that failed is not kept. */
function shared({ database }: Services, credential: string, find: () => Promise<Actor>): Promise<Actor> {
  const kept = known.get(database) ?? new RecentMap<string, Found>(mostKept);
  known.set(database, kept);
  // Keyed by hash, so that no credential stays in memory for longer than its streams.
  const name = sha256(credential).toString('hex');
  const found = kept.get(name);
  if (found && performance.now() - found.at < sharedMs) return found.actor;
  const asked: Found = { at: performance.now(), actor: find() };
  kept.set(name, asked);
  asked.actor.catch(() => {
    asked.at = Number.NEGATIVE_INFINITY;
  });
  return asked.actor;
}
