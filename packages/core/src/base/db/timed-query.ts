import { observeStatement } from '../kernel/metrics.ts';
import { isTracing, statementSpan } from '../kernel/traces.ts';
import { statementNames } from './prepared.ts';

type Query = (this: unknown, ...call: unknown[]) => unknown;
type Callback = (...answer: unknown[]) => void;

/**
 * A client's method `query` that measures the statements that `prepared` has named, from their call to their answer, and traces those that
 * do not come from a pool.
 */
export const timedQuery = (query: Query): Query =>
  function timed(...call) {
    const name = nameOf(call[0]);
    if (name === null) return query.apply(this, call);
    const since = performance.now();
    const last = call.at(-1);
    if (typeof last === 'function') {
      const answered: Callback = (...answer) => {
        observeStatement(name, since);
        (last as Callback)(...answer);
      };
      return query.apply(this, [...call.slice(0, -1), answered]);
    }
    const run = (): Promise<unknown> => query.apply(this, call) as Promise<unknown>;
    const result = isTracing() ? statementSpan(name, run) : run();
    const observe = (): void => observeStatement(name, since);
    result.then(observe, observe);
    return result;
  };

/**
 * The same of a pool, which may run a statement once another caller has given a connection back, and then knows only that one: the span
 * is that of the caller, and the wait for a connection is in it.
 */
export const tracedQuery = (query: Query): Query =>
  function traced(...call) {
    const name = nameOf(call[0]);
    if (name === null || !isTracing() || typeof call.at(-1) === 'function') return query.apply(this, call);
    return statementSpan(name, () => query.apply(this, call) as Promise<unknown>);
  };

function nameOf(statement: unknown): string | null {
  if (typeof statement !== 'object' || statement === null) return null;
  const { name } = statement as { name?: unknown };
  return typeof name === 'string' && statementNames.has(name) ? name : null;
}
