import { AppError, type Services } from '../../base/kernel/index.ts';
import { storageOfOwner } from './storage.store.ts';

/** The unit of the setting, and of the figures that people see. */
export const megabyte = 1_048_576;
/** The limit of all owners without a proven address together, where the installation does not set one. */
const unprovenMegabytes = 1_000;
/** How long a sum is used, in milliseconds. What this process stores meanwhile is added to it. */
const knownMs = 1_000;
const mostKnown = 10_000;

type StorageServices = Pick<Services, 'config' | 'database' | 'log' | 'owners'>;

interface Known {
  at: number;
  used: number;
}

/** The sums of owners, by their ids; those of all owners without a proven address are under ''. */
interface Sums {
  known: Map<string, Known>;
  /** those that are being read, for all who ask meanwhile */
  reading: Map<string, Promise<Known>>;
}

const sums = new WeakMap<Services['database'], Sums>();

export interface OwnerStorage {
  /** null: all owners without a proven address */
  ownerId: string | null;
  limitBytes: number | null;
}

/** Whose storage a project counts in, and the limit of it. */
export async function ownerStorageOf(services: StorageServices, projectId: string): Promise<OwnerStorage> {
  await services.owners.known(projectId);
  const { owner, isProven } = services.owners.turnOf(projectId);
  return scopeOf(services, owner, isProven);
}

function scopeOf({ config }: StorageServices, owner: string, isProven: boolean): OwnerStorage {
  const megabytes = config.MAX_STORAGE_MB_PER_OWNER ?? (isProven ? null : unprovenMegabytes);
  return { ownerId: isProven ? owner : null, limitBytes: megabytes === null ? null : megabytes * megabyte };
}

/**
 * Refuses to store more than the owner of a project may (behaviour B8.7). The sum is at most a second old, and may be exceeded by what is
 * being stored at the time.
 *
 * @param bytes what is about to be stored; 0 where it is shared with what is stored already
 * @throws AppError FORBIDDEN with `details.storage`
 */
export async function assertStorage(services: StorageServices, projectId: string, bytes = 0): Promise<void> {
  const { ownerId, limitBytes } = await ownerStorageOf(services, projectId);
  if (limitBytes === null) return;
  const sum = await knownSum(services, ownerId);
  if (sum.used + Math.max(1, bytes) > limitBytes)
    throw storageExceeded(sum.used, limitBytes, ownerId !== null);
  sum.used += bytes;
}

/** As `assertStorage`, for a change of what is stored already: one that takes no more room than before is never refused (behaviour B8.7). */
export async function assertGrowth(
  services: StorageServices,
  projectId: string,
  before: number,
  after: number,
): Promise<void> {
  if (after > before) await assertStorage(services, projectId, after - before);
}

/**
 * Whether the limit was reached when it was last looked at, for callers that must not wait for the database, as within a transaction: looks
 * again for the next call.
 */
export function wasStorageFull(services: StorageServices, projectId: string): boolean {
  isStorageFull(services, projectId).catch((error: unknown) =>
    services.log.debug({ err: error }, 'could not look at the storage of an owner; the next email does'),
  );
  const { owner, isProven } = services.owners.turnOf(projectId);
  const { ownerId, limitBytes } = scopeOf(services, owner, isProven);
  const sum = sums.get(services.database)?.known.get(ownerId ?? '');
  return limitBytes !== null && sum !== undefined && sum.used >= limitBytes;
}

/** Whether `assertStorage` would refuse. */
export async function isStorageFull(services: StorageServices, projectId: string): Promise<boolean> {
  const { ownerId, limitBytes } = await ownerStorageOf(services, projectId);
  return limitBytes !== null && (await knownSum(services, ownerId)).used >= limitBytes;
}

function sumsOf(database: Services['database']): Sums {
  const existing = sums.get(database);
  if (existing) return existing;
  const made: Sums = { known: new Map(), reading: new Map() };
  sums.set(database, made);
  return made;
}

async function knownSum({ database }: StorageServices, ownerId: string | null): Promise<Known> {
  const { known, reading } = sumsOf(database);
  const key = ownerId ?? '';
  const sum = known.get(key);
  if (sum && performance.now() - sum.at < knownMs) return sum;
  const read = async (): Promise<Known> => {
    const at = performance.now();
    const latest: Known = { at, used: await storageOfOwner(database, ownerId) };
    if (known.size > mostKnown) known.clear();
    known.set(key, latest);
    return latest;
  };
  const latest = reading.get(key) ?? read().finally(() => reading.delete(key));
  reading.set(key, latest);
  return latest;
}

const storageExceeded = (used: number, limit: number, isProven: boolean): AppError =>
  new AppError('FORBIDDEN', 'The storage limit of the owner of this project is reached', {
    details: { storage: { usedMb: Math.ceil(used / megabyte), limitMb: Math.floor(limit / megabyte) } },
    suggestion: `Delete images, templates or exports that are no longer needed${isProven ? '' : ', or confirm the address of the owner'}`,
  });

export const isStorageExceeded = (error: unknown): boolean =>
  error instanceof AppError && error.details !== undefined && 'storage' in error.details;
