import type { Db, Prisma } from '../db/index.ts';
import type { Services } from '../kernel/services.ts';

interface FigureOptions {
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

/** How figures about one table are cached. */
export interface FigurePolicy {
  /** distinguishes the figures of this table, e.g. `contacts` */
  prefix: string;
  /** projects with more rows than this get cached figures */
  largeAbove: number;
  maxAgeSeconds: number;
  /** whether the project has more than `rows` rows; should stop counting there */
  hasMoreThan(db: Db, projectId: string, rows: number): Promise<boolean>;
}

type FigureReader = <Figure extends Prisma.InputJsonValue>(
  db: Db,
  projectId: string,
  key: string,
  compute: () => Promise<Figure>,
) => Promise<Figure>;

/**
 * Creates a reader of expensive figures about one table: exact in a small project, at most `maxAgeSeconds` old in a
 * large one. Whether a project is large is cached too, because the check reads `largeAbove` entries of an index.
 */
export function figuresOf({ prefix, largeAbove, maxAgeSeconds, hasMoreThan }: FigurePolicy): FigureReader {
  return async (db, projectId, key, compute) => {
    const largeKey = { projectId, key: `${prefix}.isLarge` };
    const known = await readFigure<boolean>(db, { ...largeKey, maxAgeSeconds });
    if (!known) {
      const computedAt = new Date();
      if (!(await hasMoreThan(db, projectId, largeAbove))) return compute();
      await writeFigure(db, largeKey, true, computedAt);
    }
    return cachedFigure(db, { projectId, key: `${prefix}.${key}`, maxAgeSeconds }, compute);
  };
}

/** The stored figure when it is recent enough; otherwise it is computed and stored for every process. */
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

/** Longer than any figure is used, in milliseconds. */
const keptMs = 86_400_000;

/**
 * Removes a batch of figures that are too old to be used: their keys contain what callers ask for, so they are never all asked for
 * again. @returns how many
 */
export function sweepFigures(
  { database: { prisma } }: Pick<Services, 'database'>,
  now: Date,
  limit: number,
): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM "CachedFigure" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "CachedFigure" WHERE "computedAt" < ${new Date(now.getTime() - keptMs)} LIMIT ${limit}::int))`;
}
