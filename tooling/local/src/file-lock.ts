import { DatabaseSync } from 'node:sqlite';

/**
 * SQLite's lock on a file, which the operating system releases when the process ends in any way: there are no stale locks, and
 * exactly one of several that wait gets it.
 */
export function tryLock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    held.add(database);
    return database;
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** To be called before the lock is closed. @returns whether it was held */
export const giveUp = (lock: DatabaseSync): boolean => held.delete(lock);

/** Referenced here, since garbage collection of the object would release its lock. */
const held = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;
