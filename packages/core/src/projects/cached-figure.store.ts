import type { Db, Prisma } from '../db/index.ts';

export interface FigureOptions {
  projectId: string;
  key: string;
  maxAgeSeconds: number;
}

/**
 * A dear figure that may be some minutes old: the stored one when it is young enough, otherwise counted anew and stored for
 * every process. Ask for it only where the rules allow age; small projects are counted each time.
 */
export async function cachedFigure<Figure extends Prisma.InputJsonValue>(
  db: Db,
  { projectId, key, maxAgeSeconds }: FigureOptions,
  compute: () => Promise<Figure>,
): Promise<Figure> {
  const known = await db.cachedFigure.findUnique({ where: { projectId_key: { projectId, key } } });
  const oldest = Date.now() - maxAgeSeconds * 1_000;
  if (known && known.computedAt.getTime() >= oldest) return known.value as Figure;
  const computedAt = new Date();
  const value = await compute();
  await db.cachedFigure.upsert({
    where: { projectId_key: { projectId, key } },
    create: { projectId, key, value, computedAt },
    update: { value, computedAt },
  });
  return value;
}
