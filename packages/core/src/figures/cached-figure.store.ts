import { type Db, Prisma } from '../db/index.ts';
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
 * @param last the figure as computed last, however old; null if there is none
 */
export type Estimate<Figure> = (last: Figure | null) => Promise<Figure>;

/**
 * Creates a reader of expensive figures about one table: exact in a small project, at most `maxAgeSeconds` old in a
 * large one. Whether a project is large is cached too, because the check reads `largeAbove` entries of an index.
 *
 * With an `estimate`, no request of a large project waits for a figure: without a recent one it is estimated, and computed in the
 * background (`computeWanted`), which takes up to a minute.
 */
export function figuresOf({ prefix, largeAbove, maxAgeSeconds, hasMoreThan }: FigurePolicy): FigureReader {
  return async (db, projectId, key, compute, estimate) => {
    const largeKey = { projectId, key: `${prefix}.isLarge` };
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

/** The stored figure when it is recent enough; otherwise an estimate, and the figure is wanted. */
async function estimatedFigure<Figure extends Prisma.InputJsonValue>(
  db: Db,
  { projectId, key, maxAgeSeconds }: FigureOptions,
  estimate: Estimate<Figure>,
): Promise<Figure> {
  const known = await db.cachedFigure.findUnique({ where: { projectId_key: { projectId, key } } });
  const oldest = Date.now() - maxAgeSeconds * 1_000;
  const last = known?.value == null ? null : (known.value as Figure);
  if (known && last !== null && known.computedAt.getTime() >= oldest) return last;
  if (known?.estimate != null && known.estimatedAt && known.estimatedAt.getTime() >= oldest)
    return known.estimate as Figure;
  const now = new Date();
  const value = await estimate(last);
  const estimated = { estimate: value, estimatedAt: now, wantedAt: now };
  await db.cachedFigure.upsert({
    where: { projectId_key: { projectId, key } },
    create: { projectId, key, computedAt: now, ...estimated },
    update: estimated,
  });
  return value;
}

/** Figures about one table that are computed in the background. */
export interface WantedFigures {
  /** that of their policy */
  prefix: string;
  /** @param key as their reader was given it */
  compute(db: Db, projectId: string, key: string): Promise<Prisma.InputJsonValue>;
}

interface Wanted {
  projectId: string;
  key: string;
}

/** The longest that computing a figure may take, in milliseconds. */
const longestMs = 600_000;

/**
 * Computes the figures that were estimated, the first wanted one first. One that fails is wanted again by the next request for it.
 *
 * @returns how many
 */
export async function computeWanted(
  { database: { prisma } }: Pick<Services, 'database'>,
  kinds: readonly WantedFigures[],
): Promise<number> {
  for (let computed = 0; ; computed += 1) {
    const [wanted] = await prisma.$queryRaw<Wanted[]>`
      UPDATE "CachedFigure" SET "wantedAt" = NULL, "estimatedAt" = now() WHERE ("projectId", "key") = (
        SELECT "projectId", "key" FROM "CachedFigure" WHERE "wantedAt" IS NOT NULL ORDER BY "wantedAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING "projectId", "key"`;
    if (!wanted) return computed;
    const { projectId, key } = wanted;
    const kind = kinds.find(({ prefix }) => key.startsWith(`${prefix}.`));
    if (!kind) throw new Error(`No figures are computed for the key ${key}`);
    const computedAt = new Date();
    const value = await prisma.$transaction(
      async (db) => {
        await db.$executeRaw`SELECT set_config('statement_timeout', ${String(longestMs)}, true)`;
        return kind.compute(db, projectId, key.slice(kind.prefix.length + 1));
      },
      { timeout: longestMs },
    );
    // Not written if it was discarded meanwhile: it may be wrong by now.
    await prisma.cachedFigure.updateMany({
      where: { projectId, key },
      data: { value, computedAt, estimate: Prisma.DbNull, estimatedAt: null },
    });
  }
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
