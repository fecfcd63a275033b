import { Prisma } from '../../base/db/index.ts';
import { Breath, type ValueClock } from '../../base/lib/index.ts';

/** Rows of a statement whose conditions have one text, and what of it their clocks decide. */
export interface ClockedRows<Row> {
  rows: { row: Row; clock: unknown[] }[];
  /** as `compile` gave it; what is not the same for all clocks is read from the column */
  compiled: Prisma.Sql[];
}

/** Tells whether somebody asks it for the time. */
class WatchedClock implements ValueClock {
  readonly timeZone: string;
  readonly #now: Date;
  isRead = false;

  constructor({ now, timeZone }: ValueClock) {
    this.#now = now;
    this.timeZone = timeZone;
  }

  get now(): Date {
    this.isRead = true;
    return this.#now;
  }
}

/**
 * Conditions for rows that each have a clock of their own, as those of a simulation have. What a rule on time compares with is computed from the
 * clock (`base/lib/values.rules.ts`), so that statements for two clocks differ by their parameters: these become a list of each row, in
 * `column`. Conditions that ask for no time are compiled once. Texts differ only at the ends of calendars; then there are several parts.
 *
 * @param column a jsonb expression, in which a row has its `clock`
 */
export async function compileForClocks<Row extends object>(
  rows: readonly Row[],
  nowOf: (row: Row) => Date,
  { timeZone, column }: { timeZone: string; column: Prisma.Sql },
  compile: (clock: ValueClock) => Promise<readonly Prisma.Sql[]> | readonly Prisma.Sql[],
): Promise<ClockedRows<Row>[]> {
  const [first] = rows;
  if (!first) return [];
  const watched = new WatchedClock({ now: nowOf(first), timeZone });
  const one = await compile(watched);
  const byTime = Map.groupBy(rows, (row) => nowOf(row).getTime());
  if (!watched.isRead || byTime.size === 1)
    return [{ rows: rows.map((row) => ({ row, clock: [] })), compiled: [...one] }];
  const breath = new Breath();
  const compiled: Clocked<Row>[] = [];
  for (const [time, those] of byTime) {
    const parts = await compile({ now: new Date(time), timeZone });
    compiled.push({ rows: those, parts, text: parts.map(({ text }) => text).join('\n') });
    if (breath.isDue) await breath.take();
  }
  const merged: ClockedRows<Row>[] = [];
  for (const those of Map.groupBy(compiled, ({ text }) => text).values())
    merged.push(await merge(those, column, breath));
  return merged;
}

interface Clocked<Row> {
  rows: readonly Row[];
  parts: readonly Prisma.Sql[];
  text: string;
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

async function merge<Row>(
  those: readonly Clocked<Row>[],
  column: Prisma.Sql,
  breath: Breath,
): Promise<ClockedRows<Row>> {
  const clocks: unknown[][] = those.map(() => []);
  let columns = 0;
  const compiled: Prisma.Sql[] = [];
  for (const [part, { strings, values }] of (those[0]?.parts ?? []).entries()) {
    const merged = values.map((value, index) => {
      const others = those.map((each) => each.parts[part]?.values[index]);
      if (others.every((other) => isSame(other, value))) return value;
      for (const [n, clock] of clocks.entries()) clock.push(others[n]);
      const place = columns;
      columns += 1;
      return Array.isArray(value)
        ? Prisma.sql`ARRAY(SELECT jsonb_array_elements_text(${column} -> ${place}::int))`
        : Prisma.sql`(${column} ->> ${place}::int)`;
    });
    compiled.push(Prisma.sql(strings, ...merged));
    if (breath.isDue) await breath.take();
  }
  return {
    rows: those.flatMap((each, n) => each.rows.map((row) => ({ row, clock: clocks[n] ?? [] }))),
    compiled,
  };
}
