/** The neglected rows of one kind, and how their workflows are signalled. */
export interface NeglectedKind<Row> {
  /** the next rows after this one, oldest first; null for the first */
  next(after: Row | null): Promise<Row[]>;
  signal(row: Row): Promise<unknown>;
  /** the number of concurrent signals; default 10 */
  lanes?: number;
}

/**
 * Signals the workflows of all rows of a kind, page by page, until none is left or the time is over: the next run begins with the
 * oldest again.
 *
 * @param endsAt by `performance.now()`
 * @returns how many were signalled
 */
export async function repeatSignals<Row>(
  { next, signal, lanes = 10 }: NeglectedKind<Row>,
  endsAt: number,
): Promise<number> {
  let count = 0;
  for (let after: Row | null = null; ; ) {
    const page: Row[] = await next(after);
    const open = page.values();
    const lane = async (): Promise<void> => {
      for (const row of open) {
        if (performance.now() > endsAt) return;
        await signal(row);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: Math.min(lanes, page.length) }, lane));
    const last = page.at(-1);
    if (last === undefined || performance.now() > endsAt) return count;
    after = last;
  }
}

/** A kind whose rows are all found at once. */
export const allAtOnce = <Row>(
  find: () => Promise<Row[]>,
  signal: (row: Row) => Promise<unknown>,
): NeglectedKind<Row> => ({
  next: async (after) => (after === null ? find() : []),
  signal,
});
