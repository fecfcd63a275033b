/** The next action of the Temporal workflow. Dates are milliseconds. */
export type TickResult =
  | { kind: 'end' }
  /** until null: until a signal */
  | { kind: 'wait'; until: number | null }
  /** more can be done immediately */
  | { kind: 'again' }
  /** the next step calls a customer's host, which a tick that `calls` does */
  | { kind: 'call' };

/** The result of one transaction of a tick; `moved`: the tick continues from the new position. */
export type StepsResult = TickResult | { kind: 'moved' };
