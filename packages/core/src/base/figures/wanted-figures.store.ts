import { type Db, Prisma } from '../db/index.ts';
import type { Services } from '../kernel/services.ts';

/** Figures of one kind that are computed in the background. */
export interface WantedFigures {
  /** what their keys begin with, before a dot */
  prefix: string;
  /** the longest that a statement may take, in milliseconds; by default ten minutes */
  longestMs?: number;
  /**
   * @param db a transaction
   * @param key without the prefix
   * @param input what the request for this figure stored
   */
  compute(db: Db, projectId: string, key: string, input: Prisma.JsonValue): Promise<Prisma.InputJsonValue>;
}

interface Wanted {
  key: string;
  input: Prisma.JsonValue;
}

const longestMs = 600_000;

/** The projects with figures that are to be computed, the first wanted one first. */
export async function projectsWithWanted({
  database: { prisma },
}: Pick<Services, 'database'>): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ projectId: string }[]>`
    SELECT "projectId" FROM "CachedFigure" WHERE "wantedAt" IS NOT NULL GROUP BY "projectId" ORDER BY min("wantedAt")`;
  return rows.map(({ projectId }) => projectId);
}

/**
 * Computes the figures of a project that were estimated, one after another. The last wanted one comes first: while a user edits a filter,
 * the earlier ones are no longer looked at. One that fails is wanted again by the next request for it.
 *
 * @returns how many
 */
export async function computeWanted(
  { database: { prisma } }: Pick<Services, 'database'>,
  projectId: string,
  kinds: readonly WantedFigures[],
): Promise<number> {
  for (let computed = 0; ; computed += 1) {
    const [wanted] = await prisma.$queryRaw<Wanted[]>`
      SELECT "key", "input" FROM "CachedFigure" WHERE "projectId" = ${projectId}::uuid AND "wantedAt" IS NOT NULL
      ORDER BY "wantedAt" DESC, "key" LIMIT 1`;
    if (!wanted) return computed;
    const { key, input } = wanted;
    const where = { projectId, key };
    const kind = kinds.find(({ prefix }) => key.startsWith(`${prefix}.`));
    if (!kind) throw new Error(`No figures are computed for the key ${key}`);
    const timeout = kind.longestMs ?? longestMs;
    try {
      const value = await prisma.$transaction(
        async (db) => {
          await db.$executeRaw`SELECT set_config('statement_timeout', ${String(timeout)}, true)`;
          // A process that was presumed dead may still be computing this figure.
          await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`figures/${projectId}`}, 0))`;
          return kind.compute(db, projectId, key.slice(kind.prefix.length + 1), input);
        },
        { timeout: 3 * timeout },
      );
      // Not written if it was discarded meanwhile: it may be wrong by now. Its age counts from here, because a figure that takes longer than
      // it may be old would otherwise be wanted again at once, and without end.
      await prisma.cachedFigure.updateMany({
        where,
        data: { value, computedAt: new Date(), estimate: Prisma.DbNull, estimatedAt: null, wantedAt: null },
      });
    } catch (error) {
      await prisma.cachedFigure.updateMany({ where, data: { wantedAt: null } });
      throw error;
    }
  }
}
