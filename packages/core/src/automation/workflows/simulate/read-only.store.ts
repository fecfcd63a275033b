import { inSavepoint, plainTransaction, type SqlDb, wasCanceled } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';

const settings = {
  transaction_isolation: 'repeatable read',
  transaction_read_only: 'on',
  jit: 'off',
} as const;

/** The longest statement, as of a set. */
const statementMs = 10_000;

/** The time of a simulation is up. */
export class Late extends Error {
  constructor(cause?: unknown) {
    super('the time of a simulation is up', { cause });
    this.name = 'Late';
  }
}

/**
 * Runs `work` with a database that it can only read, and that stays as it was at the beginning. Statements run one after another, each in a savepoint:
 * one that fails does not end the others. None runs for longer than one of a set may, nor after the deadline.
 *
 * @param deadline by `performance.now()`
 * @throws Late from a statement after the deadline
 */
export const readingOnly = <T>(
  { database }: Pick<Services, 'database'>,
  deadline: number,
  work: (db: SqlDb) => Promise<T>,
): Promise<T> =>
  plainTransaction(database.durable, (db) => work(oneByOne(db, deadline)), {
    ...settings,
    statement_timeout: `${statementMs}ms`,
  });

function oneByOne(db: SqlDb, deadline: number): SqlDb {
  let last: Promise<unknown> = Promise.resolve();
  const bounded = async <T>(statement: () => Promise<T>): Promise<T> => {
    const left = Math.floor(deadline - performance.now());
    if (left <= 0) throw new Late();
    try {
      return await inSavepoint(db, async () => {
        if (left < statementMs)
          await db.$queryRaw`SELECT set_config('statement_timeout', ${String(left)}, true)`;
        return statement();
      });
    } catch (error) {
      throw wasCanceled(error) && performance.now() >= deadline ? new Late(error) : error;
    }
  };
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => bounded(statement));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    $queryRaw: <T>(...given: Parameters<SqlDb['$queryRaw']>) => inTurn(() => db.$queryRaw<T>(...given)),
    $executeRaw: (...given) => inTurn(() => db.$executeRaw(...given)),
    $queryRawUnsafe: <T>(...given: Parameters<SqlDb['$queryRawUnsafe']>) =>
      inTurn(() => db.$queryRawUnsafe<T>(...given)),
  };
}
