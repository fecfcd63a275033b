import type { Db, Prisma } from '../db/index.ts';

export interface FigureOptions {
  projectId: string;
  key: string;
  maxAgeSeconds: number;
}

/** Totals up to here are counted each time; greater ones may be a minute old. */
const exactUpTo = 100_000;
const totalAgeSeconds = 60;

/** A total that is exact, or greater than 100,000 and at most a minute old. */
export async function cachedTotal(
  db: Db,
  { projectId, key }: Omit<FigureOptions, 'maxAgeSeconds'>,
  count: () => Promise<number>,
): Promise<number> {
  const known = await readFigure<number>(db, { projectId, key, maxAgeSeconds: totalAgeSeconds });
  if (known !== null) return known;
  const computedAt = new Date();
  const total = await count();
  if (total > exactUpTo) await writeFigure(db, { projectId, key }, total, computedAt);
  return total;
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
  const known = await readFigure<Figure>(db, { projectId, key, maxAgeSeconds });
  if (known !== null) return known;
  const computedAt = new Date();
  const value = await compute();
  await writeFigure(db, { projectId, key }, value, computedAt);
  return value;
}

async function readFigure<Figure extends Prisma.InputJsonValue>(
  db: Db,
  { projectId, key, maxAgeSeconds }: FigureOptions,
): Promise<Figure | null> {
  const known = await db.cachedFigure.findUnique({ where: { projectId_key: { projectId, key } } });
  const oldest = Date.now() - maxAgeSeconds * 1_000;
  return known && known.computedAt.getTime() >= oldest ? (known.value as Figure) : null;
}

async function writeFigure(
  db: Db,
  { projectId, key }: Omit<FigureOptions, 'maxAgeSeconds'>,
  value: Prisma.InputJsonValue,
  computedAt: Date,
): Promise<void> {
  await db.cachedFigure.upsert({
    where: { projectId_key: { projectId, key } },
    create: { projectId, key, value, computedAt },
    update: { value, computedAt },
  });
}
