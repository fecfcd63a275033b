import { observeStatement } from '../kernel/metrics.ts';
import { statementNames } from './prepared.ts';

type Query = (this: unknown, ...call: unknown[]) => unknown;
type Callback = (...answer: unknown[]) => void;

/** A client's method `query` that measures the statements that `prepared` has named, from their call to their answer. */
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
    const result = query.apply(this, call) as Promise<unknown>;
    const observe = (): void => observeStatement(name, since);
    result.then(observe, observe);
    return result;
  };

function nameOf(statement: unknown): string | null {
  if (typeof statement !== 'object' || statement === null) return null;
  const { name } = statement as { name?: unknown };
  return typeof name === 'string' && statementNames.has(name) ? name : null;
}
