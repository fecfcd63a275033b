import type { Database, SqlDb } from '../../../base/db/index.ts';
import { type Context, type FieldError, invalid, projectOf } from '../../../base/kernel/index.ts';
import type { SplitData, StoredValue } from '../contacts.rules.ts';
import { type Definitions, noDefinitions, type SettledData, settleData } from './definitions.rules.ts';
import { readDefinitions } from './definitions.store.ts';
import { type ListChange, maxItems } from './lists.rules.ts';

/** A process uses definitions for this long, in milliseconds; conversions begin when all processes know a new one. */
const keptMs = 2_000;
/** Projects with definitions that a process remembers. */
const mostKept = 10_000;

interface Kept {
  readAt: number;
  definitions: Promise<Definitions>;
}

const keptBy = new WeakMap<Database, Map<string, Kept>>();

/** The definitions of a project, as of at most two seconds ago. */
function definitionsOfProject(database: Database, projectId: string): Promise<Definitions> {
  const kept = keptBy.get(database) ?? new Map<string, Kept>();
  keptBy.set(database, kept);
  const now = performance.now();
  const known = kept.get(projectId);
  if (known && now - known.readAt < keptMs) return known.definitions;
  const definitions = presentDefinitions(database.prisma, projectId);
  kept.delete(projectId);
  kept.set(projectId, { readAt: now, definitions });
  // A failure is told to who waits for it, and the next request asks again.
  definitions.catch(() => kept.delete(projectId));
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return definitions;
}

/** The present definitions of a project, within a transaction: it must not wait for another connection. */
export async function presentDefinitions(db: SqlDb, projectId: string): Promise<Definitions> {
  const rows = await readDefinitions(db, projectId);
  return rows.length === 0 ? noDefinitions : new Map(rows.map(({ key, type }) => [key, type]));
}

/** The definitions of the caller's project, whose row says whether there are any. */
export const definitionsOf = async (ctx: Context): Promise<Definitions> => {
  const { id, definesFields } = projectOf(ctx);
  if (!definesFields) return noDefinitions;
  const { database } = ctx.services;
  return ctx.db === database.prisma ? definitionsOfProject(database, id) : presentDefinitions(ctx.db, id);
};

/**
 * A request's data under the definitions of its project.
 *
 * @param mode as of `settleData`
 * @throws AppError VALIDATION_ERROR at `data.<key>` for what cannot be stored
 */
export async function settledData(
  ctx: Context,
  data: SplitData,
  mode: 'strict' | 'lenient',
): Promise<SettledData> {
  const settled = settleData(data, await definitionsOf(ctx), projectOf(ctx).timeZone, mode);
  if (settled.issues.length === 0) return settled;
  throw invalid(
    settled.issues.map(({ path, code, message, input }) => ({
      field: ['data', ...path].join('.'),
      code,
      message,
      received: input,
    })),
  );
}

/** @throws AppError VALIDATION_ERROR when a list was full before all items were added */
export function assertListsFit(data: Record<string, StoredValue>, lists: Record<string, ListChange>): void {
  const errors = Object.entries(lists).flatMap(([key, { add }]): FieldError[] => {
    const stored = data[key];
    return Array.isArray(stored) && add.every((item) => stored.includes(item))
      ? []
      : [{ field: `data.${key}`, code: 'too_big', message: `A list has at most ${maxItems} items` }];
  });
  if (errors.length > 0) throw invalid(errors);
}
