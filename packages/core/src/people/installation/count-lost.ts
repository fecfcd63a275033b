import type { Database } from '../../base/db/index.ts';
import { type CipherColumn, cipherColumns } from '../../base/kernel/index.ts';
import { countCiphers, countOptOuts } from './ciphers.store.ts';

/** What is of no use without secrets that are gone. */
export interface LostSecrets {
  /** what ciphertexts begin with that they made */
  ids: readonly string[];
  /** whether the oldest is gone, by which opt-outs of deleted contacts are found */
  isOldestLost: boolean;
}

/** Counts what nobody can decrypt or find any more, by the column of the ciphertexts, and `OptOut`. */
export async function countLost(
  database: Database,
  { ids, isOldestLost }: LostSecrets,
): Promise<Partial<Record<CipherColumn | 'OptOut', number>>> {
  const lost: Partial<Record<CipherColumn | 'OptOut', number>> = {};
  for (const column of cipherColumns)
    for (const { id, ciphers } of await countCiphers(database, column))
      if (ids.includes(id)) lost[column] = (lost[column] ?? 0) + ciphers;
  const optOuts = isOldestLost ? await countOptOuts(database) : 0;
  return optOuts > 0 ? { ...lost, OptOut: optOuts } : lost;
}
