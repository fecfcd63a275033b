/** What the workflow does next. Dates travel as milliseconds. */
export type TickResult =
  | { kind: 'end' }
  /** until null: until a signal */
  | { kind: 'wait'; until: number | null }
  /** there is more to do at once */
  | { kind: 'again' }
  /** the next step calls a customer's host, which a tick that `calls` does */
  | { kind: 'call' };

/** What a transaction of a tick came to; `moved`: the tick goes on from the new position. */
export type StepsResult = TickResult | { kind: 'moved' };
