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
    compiled.push({ rows: those, parts: await compile({ now: new Date(time), timeZone }) });
    if (breath.isDue) await breath.take();
  }
  return [...Map.groupBy(compiled, textOf).values()].map((those) => merged(those, column));
}

interface Clocked<Row> {
  rows: readonly Row[];
  parts: readonly Prisma.Sql[];
}

const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));

const textOf = ({ parts }: Clocked<unknown>): string => parts.map(({ text }) => text).join('\n');

function merged<Row>(those: readonly Clocked<Row>[], column: Prisma.Sql): ClockedRows<Row> {
  const clocks = new Map(those.map((each) => [each, [] as unknown[]]));
  const parts = those[0]?.parts ?? [];
  const compiled = parts.map(({ strings, values }, part) =>
    Prisma.sql(
      strings,
      ...values.map((value, index) => {
        const others = those.map((each) => each.parts[part]?.values[index]);
        if (others.every((other) => isSame(other, value))) return value;
        const place = clocks.get(those[0] as Clocked<Row>)?.length ?? 0;
        for (const [n, each] of those.entries()) clocks.get(each)?.push(others[n]);
        return Array.isArray(value)
          ? Prisma.sql`ARRAY(SELECT jsonb_array_elements_text(${column} -> ${place}::int))`
          : Prisma.sql`(${column} ->> ${place}::int)`;
      }),
    ),
  );
  return {
    rows: those.flatMap((each) => each.rows.map((row) => ({ row, clock: clocks.get(each) ?? [] }))),
    compiled,
  };
}
