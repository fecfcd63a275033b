/**
 * - `lost`: an email that the server accepted by its row, and that never arrived
 * - `doubled`: an email that arrived more often than its row allows
 * - `stranded`: an email without a final state, or one that is still queued after its final state
 * - `counters`: a counter that differs from the rows, or counters that do not add up
 * - `events`: an event that is missing, or exists twice
 * - `other`: any other contradiction between a row and the messages
 */
export const faultKinds = ['lost', 'doubled', 'stranded', 'counters', 'events', 'other'] as const;

export type FaultKind = (typeof faultKinds)[number];

/** A contradiction between the ledger and the mail server, or within the ledger. */
export interface Fault {
  kind: FaultKind;
  /** one sentence that names the row */
  text: string;
}

export function countFaults(faults: readonly Fault[]): Record<FaultKind, number> {
  const count = (kind: FaultKind): number => faults.filter((fault) => fault.kind === kind).length;
  return {
    lost: count('lost'),
    doubled: count('doubled'),
    stranded: count('stranded'),
    counters: count('counters'),
    events: count('events'),
    other: count('other'),
  };
}
