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
  estimate?: Estimate<Figure>,
) => Promise<Figure>;

/**
 * Estimates a figure of a large project within a fraction of the time that computing it takes.
 *
 * @param last the figure that was computed last, however old; null if there is none
 */
export type Estimate<Figure> = (last: Figure | null) => Promise<Figure>;

/**
 * Creates a reader of expensive figures about one table: exact in a small project, at most `maxAgeSeconds` old in a
 * large one. Whether a project is large is cached too, because the check reads `largeAbove` entries of an index.
 *
 * With an `estimate`, no request of a large project waits for a figure: without a recent one it is estimated, and computed in the
 * background (`computeWanted`), which can take a minute to begin.
 */
export function figuresOf({ prefix, largeAbove, maxAgeSeconds, hasMoreThan }: FigurePolicy): FigureReader {
  return async (db, projectId, key, compute, estimate) => {
    const largeKey = { projectId, key: `${prefix}.isLarge.${largeAbove}` };
    const known = await readFigure<boolean>(db, { ...largeKey, maxAgeSeconds });
    if (!known) {
      const computedAt = new Date();
      if (!(await hasMoreThan(db, projectId, largeAbove))) return compute();
      await writeFigure(db, largeKey, true, computedAt);
    }
    const figure = { projectId, key: `${prefix}.${key}`, maxAgeSeconds };
    return estimate ? estimatedFigure(db, figure, estimate) : cachedFigure(db, figure, compute);
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
  return known && known.computedAt.getTime() >= oldest ? (known.value as Figure | null) : null;
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

interface EstimatedFigureOptions extends FigureOptions {
  /** what computing the figure needs besides its key */
  input?: Prisma.InputJsonValue;
}

/**
 * The stored figure when it is recent enough; otherwise an estimate, and the figure is wanted.
 *
 * @param estimate null: there is nothing to estimate, and nothing is wanted
 */
export async function estimatedFigure<Figure extends Prisma.InputJsonValue, Estimated extends Figure | null>(
  db: Db,
  { projectId, key, maxAgeSeconds, input }: EstimatedFigureOptions,
  estimate: (last: Figure | null) => Promise<Estimated>,
): Promise<Figure | Estimated> {
  const known = await db.cachedFigure.findUnique({ where: { projectId_key: { projectId, key } } });
  const oldest = Date.now() - maxAgeSeconds * 1_000;
  const last = known?.value == null ? null : (known.value as Figure);
  if (known && last !== null && known.computedAt.getTime() >= oldest) return last;
  if (known?.estimate != null && known.estimatedAt && known.estimatedAt.getTime() >= oldest)
    return known.estimate as Figure;
  const now = new Date();
  const value = await estimate(last);
  if (value === null) return value;
  // Its place among those that are wanted is kept.
  const estimated = { estimate: value, estimatedAt: now, wantedAt: known?.wantedAt ?? now };
  await db.cachedFigure.upsert({
    where: { projectId_key: { projectId, key } },
    create: { projectId, key, computedAt: now, ...(input !== undefined && { input }), ...estimated },
    update: estimated,
  });
  return value;
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
      SELECT ctid FROM "CachedFigure" WHERE greatest("computedAt", "estimatedAt") < ${new Date(now.getTime() - keptMs)} LIMIT ${limit}::int))`;
}
