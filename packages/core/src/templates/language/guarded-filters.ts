import type { FilterImplOptions, Operators } from 'liquidjs';
import { type Context, defaultOperators, filters as standardFilters } from 'liquidjs';
import { type RenderBudget, UNITS_PER_ITEM } from './limits.ts';
import { asRenderContext } from './render-context.ts';
import { formatRaw } from './values.ts';

/** Maximum product of haystack and needle length of one search; more could take seconds in the worst case. */
const MAX_SEARCH_WORK = 100_000_000;
/** Longest date format: each `%c` formats by locale, which is slow. */
const MAX_DATE_FORMAT = 200;
/** Filters that take constant time regardless of input size. */
const CHEAP_FILTERS = new Set(['size', 'first', 'last', 'default', 'raw']);
/** Filters that run code for every item. */
const PER_ITEM_FILTERS =
  /^(sort|sort_natural|sample|map|sum|uniq|where|reject|group_by|has|find|find_index)(_exp)?$/;
const UNITS_PER_VISITED_ITEM = 64;
/** Filters that search their input for their first argument. */
const SEARCH_FILTERS = new Set([
  'split',
  'remove',
  'remove_first',
  'remove_last',
  'replace',
  'replace_first',
  'replace_last',
]);
/** The argument of a filter that is evaluated as an expression. */
function codeArgument(name: string): number {
  if (name.endsWith('_exp')) return 1;
  return /^(where|reject|group_by|has|find|find_index)$/.test(name) ? 0 : -1;
}

function refuseHeavyCall(name: string, value: unknown, args: readonly unknown[], budget: RenderBudget): void {
  budget.checkTime();
  budget.useValue(value);
  for (const arg of args) budget.useValue(arg);
  if (Array.isArray(value) && PER_ITEM_FILTERS.test(name)) {
    budget.useMemory(value.length * UNITS_PER_VISITED_ITEM);
  }
  if (SEARCH_FILTERS.has(name)) checkSearch(value, args[0]);
  const format = args[0];
  if (name === 'date' && typeof format === 'string' && format.length > MAX_DATE_FORMAT) {
    throw new RangeError('date format too long');
  }
  const code = args[codeArgument(name)];
  if (typeof code === 'string' && code.includes('..')) throw new RangeError(`no ranges within ${name}`);
}

function checkSearch(haystack: unknown, needle: unknown): void {
  if (formatRaw(haystack).length * formatRaw(needle).length > MAX_SEARCH_WORK) {
    throw new RangeError('too much text to search');
  }
}

/** liquidjs's own limit undercounts nested objects, so it does not stop one that filters have nested into itself many times. */
function json(this: { context: Context }, value: unknown, space?: number): unknown {
  const { budget } = asRenderContext(this.context);
  const visit = (_key: string, inner: unknown): unknown => {
    budget.countRead();
    budget.useMemory(typeof inner === 'string' ? inner.length + UNITS_PER_ITEM : UNITS_PER_ITEM);
    return inner;
  };
  return JSON.stringify(value, visit, space);
}

function guardFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (CHEAP_FILTERS.has(name)) return filter;
  const handler = typeof filter === 'function' ? filter : filter.handler;
  const guarded = function* (
    this: ThisParameterType<typeof handler>,
    value: unknown,
    ...args: unknown[]
  ): Generator<unknown, unknown, unknown> {
    const { budget } = asRenderContext(this.context);
    refuseHeavyCall(name, value, args, budget);
    const result = yield handler.call(this, value, ...args);
    budget.useValue(result);
    return result;
  };
  return guarded;
}

/** liquidjs's operators, with a bound on the cost of `contains`. */
export const operators: Operators = {
  ...defaultOperators,
  contains: function* (left: unknown, right: unknown, ctx: Context) {
    if (typeof left === 'string') checkSearch(left, right);
    return yield (defaultOperators.contains as (l: unknown, r: unknown, c: Context) => unknown)(
      left,
      right,
      ctx,
    );
  },
};

/** liquidjs's filters, each charged for its input and output before the result is passed on. */
export function guardedFilters(): [name: string, filter: FilterImplOptions][] {
  const guarded = Object.entries(standardFilters).map(([name, filter]): [string, FilterImplOptions] => [
    name,
    guardFilter(name, filter as FilterImplOptions),
  ]);
  return [
    ...guarded,
    ...['json', 'jsonify', 'inspect'].map((name): [string, FilterImplOptions] => [name, json]),
  ];
}
