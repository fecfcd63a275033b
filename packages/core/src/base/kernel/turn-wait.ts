import { Histogram, register } from 'prom-client';

const name = 'postrider_turn_wait_seconds';

/** How long work waited for its turn (behaviour B8.6), by what it is. One per process, like its registry. */
const turnWait = (register.getSingleMetric(name) ??
  new Histogram({
    name,
    help: 'Time for which work waited for the turn of its owner',
    labelNames: ['what'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60],
  })) as Histogram<'what'>;

export type TurnOf = 'thread' | 'group' | 'body' | 'job' | 'simulation';

/** @param since a time of the monotonic clock; for requests that are stored together, that of the first one to arrive */
export const observeTurn = (what: TurnOf, since: number): void =>
  turnWait.observe({ what }, (performance.now() - since) / 1_000);
