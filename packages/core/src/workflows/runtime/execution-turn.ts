/** What the workflow does next. Dates travel as milliseconds. */
export type ExecutionTurn =
  | { kind: 'end' }
  /** until null: until a signal */
  | { kind: 'wait'; until: number | null }
  /** there is more to do at once */
  | { kind: 'again' }
  /** next comes a request to a host of the customer's, which is for a turn that `calls` */
  | { kind: 'call' };

/** The same within a turn, or `moved`: it goes on from where the execution stands now. */
export type Taken = ExecutionTurn | { kind: 'moved' };
