import type { z } from 'zod';
import type { Db } from '../../base/db/index.ts';
import { presentAuthors } from '../../people/audit/index.ts';
import type { ErasureRow } from './erasures.store.ts';
import type { erasure } from './privacy.schema.ts';

export async function presentErasures(
  db: Db,
  rows: readonly ErasureRow[],
): Promise<z.input<typeof erasure>[]> {
  const actors = await presentAuthors(db, rows);
  return rows.map(({ id, status, addressHash, reason, requestedAt, completedAt, ...row }, index) => {
    const actor = actors[index];
    if (!actor) throw new Error('an author was not presented');
    const { removed, kept, remaining } = row;
    return {
      ...{ id, status, actor, reason, requestedAt, completedAt, removed, kept, remaining },
      addressHash: Buffer.from(addressHash).toString('hex'),
    };
  });
}

export async function presentErasure(db: Db, row: ErasureRow): Promise<z.input<typeof erasure>> {
  const [presented] = await presentErasures(db, [row]);
  if (!presented) throw new Error('an erasure was not presented');
  return presented;
}
