import { databaseCode } from '../kernel/index.ts';

const attempts = 3;
/** deadlock_detected, serialization_failure */
const transient = new Set(['40P01', '40001']);

/** Runs a statement again that lost against another one; it stored nothing. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts || !transient.has(databaseCode(error) ?? '')) throw error;
    }
  }
}
