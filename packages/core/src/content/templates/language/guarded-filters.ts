import type { Context, FilterImplOptions } from 'liquidjs';
import { filters as standardFilters } from 'liquidjs';
import { UNITS_PER_ITEM } from './limits.ts';
import { asRenderContext } from './render-context.ts';

/** liquidjs's own limit undercounts nested objects, so it does not stop one that filters have nested into itself many times. */
function json(this: { context: Context }, value: unknown, space?: number): unknown {
  const { budget } = asRenderContext(this.context);
  const visit = (_key: string, inner: unknown): unknown => {
    budget.useMemory(typeof inner === 'string' ? inner.length + UNITS_PER_ITEM : UNITS_PER_ITEM);
    return inner;
  };
  return JSON.stringify(value, visit, space);
}

function guardFilter(filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  const guarded = function* (
    this: ThisParameterType<typeof handler>,
    value: unknown,
    ...args: unknown[]
  ): Generator<unknown, unknown, unknown> {
    const result = yield handler.call(this, value, ...args);
    asRenderContext(this.context).budget.useValue(result);
    return result;
  };
  return typeof filter === 'function' ? guarded : { ...filter, handler: guarded };
}

/** liquidjs's filters, each charged for its result before it is passed on. */
export function guardedFilters(): [name: string, filter: FilterImplOptions][] {
  const guarded = Object.entries(standardFilters).map(([name, filter]): [string, FilterImplOptions] => [
    name,
    guardFilter(filter as FilterImplOptions),
  ]);
  return [
    ...guarded,
    ...['json', 'jsonify', 'inspect'].map((name): [string, FilterImplOptions] => [name, json]),
  ];
}
