import type { KeyedSums, Sums } from './figures.store.ts';

const outcomes = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed'] as const;

/**
 * The emails of a campaign by their providers, each with no more of an outcome than it was sent or refused. What happens to an email once its address
 * is erased is entered without its provider, and what one had can be taken back from another: such counts move to the providers that have room
 * for them, most emails first, so that the sums stay those of the campaign.
 */
export function placedCounts(rows: readonly KeyedSums[]): KeyedSums[] {
  const placed = rows
    .map((row) => ({ ...row }))
    .toSorted((a, b) => b.sent - a.sent || (a.key < b.key ? -1 : 1));
  for (const base of ['sent', 'refused'] as const) place(placed, base, () => Number.POSITIVE_INFINITY);
  for (const outcome of outcomes) place(placed, outcome, ({ sent, refused }) => sent + refused);
  return placed;
}

function place(rows: KeyedSums[], column: keyof Sums, mostOf: (row: KeyedSums) => number): void {
  let excess = 0;
  for (const row of rows) {
    const kept = Math.max(0, Math.min(row[column], mostOf(row)));
    excess += row[column] - kept;
    row[column] = kept;
  }
  for (const row of rows) {
    if (excess === 0) return;
    const moved = Math.max(-row[column], Math.min(excess, mostOf(row) - row[column]));
    row[column] += moved;
    excess -= moved;
  }
}
