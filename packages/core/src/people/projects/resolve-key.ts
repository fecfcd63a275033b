import {
  type Actor,
  AppError,
  type KeyType,
  keyTypeOf,
  type ProjectState,
  type Services,
  sha256,
  wrongKeyType,
} from '../../base/kernel/index.ts';
import { passGate, raiseRequests } from './gate.store.ts';

export interface ResolveKeyOptions {
  required: KeyType;
  /** looked up in the same statement, so that a repeat is refused before anything is parsed */
  idempotencyKey?: string | undefined;
  /** false for requests that the limit of B8.1 does not count (session-only endpoints, which end in 401) */
  countRequest: boolean;
}

/** A request window with the requests counted so far; `resetSeconds` are whole seconds to its end, at least 1. */
export interface Rate {
  limit: number;
  remaining: number;
  resetSeconds: number;
  exceeded: boolean;
}

export interface ResolvedKey {
  actor: Extract<Actor, { type: 'key' }>;
  project: ProjectState;
  /** null when the request was not counted */
  rate: Rate | null;
  /** whether a request has consumed the idempotency key */
  isKeyUsed: boolean;
}

/**
 * Finds the project of an API key, counts the request and looks the idempotency key up: one statement.
 *
 * @param key what follows the scheme in the `Authorization` header
 * @throws AppError INVALID_API_KEY for an unknown, malformed, rotated or expired key, or one of the wrong type; none of these count
 */
export async function resolveKey(
  services: Services,
  key: string,
  { required, idempotencyKey, countRequest }: ResolveKeyOptions,
): Promise<ResolvedKey> {
  const type = keyTypeOf(key);
  if (type === null) throw invalidKey();
  if (type !== required) throw wrongKeyType(required);
  const row = await passGate(services, {
    keyType: type,
    keyHash: sha256(key),
    countRequest,
    idempotencyKey,
    idempotencyHours: services.config.IDEMPOTENCY_TTL_HOURS,
  });
  if (!row) throw invalidKey();
  const { id, name, disabled, language, timeZone, tracking, definesFields, confirmsPublic, named } = row;
  return {
    actor: { type: 'key', key: type, projectId: id, ...(named && { named }) },
    project: {
      ...{ id, name, disabled, language, timeZone, tracking, definesFields },
      ...(confirmsPublic === true && { confirmsPublic }),
    },
    rate: row.count === null ? null : rateOf(services, row.count, row.resetSeconds ?? 1),
    isKeyUsed: row.isKeyUsed,
  };
}

/** Counts what a request holds beyond the one that `resolveKey` counted, such as the other fields of a GraphQL request. */
export async function countMoreRequests(
  services: Services,
  { projectId, key }: ResolvedKey['actor'],
  requests: number,
): Promise<Rate> {
  const { count, resetSeconds } = await raiseRequests(services.database, projectId, key, requests);
  return rateOf(services, count, resetSeconds);
}

/** Counts events of a live stream as requests. @returns how many of them the window has room for, and the seconds to its end */
export async function chargeEvents(
  services: Services,
  { projectId, key }: ResolvedKey['actor'],
  events: number,
): Promise<{ admitted: number; resetSeconds: number }> {
  const { count, resetSeconds } = await raiseRequests(services.database, projectId, key, events);
  const over = Math.max(0, count - services.config.RATE_LIMIT_PER_MINUTE);
  return { admitted: Math.max(0, events - over), resetSeconds: Math.max(1, resetSeconds) };
}

function rateOf({ config }: Services, count: number, resetSeconds: number): Rate {
  const limit = config.RATE_LIMIT_PER_MINUTE;
  return {
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, resetSeconds),
    exceeded: count > limit,
  };
}

const invalidKey = (): AppError =>
  new AppError('INVALID_API_KEY', 'The API key is invalid', {
    suggestion: 'Copy the current key from the dashboard. Rotated, deleted and expired keys do not work',
  });
