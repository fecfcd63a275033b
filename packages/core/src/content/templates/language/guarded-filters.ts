import type { Context, FilterImplOptions } from 'liquidjs';
import { filters as standardFilters } from 'liquidjs';
import { bareDayOf } from '../../../base/lib/dates.rules.ts';
import { htmlFilters } from './html-filters.ts';
import { UNITS_PER_ITEM } from './limits.ts';
import { asRenderContext } from './render-context.ts';
import { withoutMark } from './values.ts';

/** liquidjs's own limit undercounts nested objects, so it does not stop one that filters have nested into itself many times. */
function json(this: { context: Context }, value: unknown, space?: number): unknown {
  const { budget } = asRenderContext(this.context);
  const visit = (_key: string, inner: unknown): unknown => {
    budget.useMemory(typeof inner === 'string' ? inner.length + UNITS_PER_ITEM : UNITS_PER_ITEM);
    return inner;
  };
  return JSON.stringify(withoutMark(value), visit, withoutMark(space) as number);
}

/** An argument, or a named one as a pair, without marks. */
const withoutMarks = (argument: unknown): unknown =>
  Array.isArray(argument) ? argument.map(withoutMark) : withoutMark(argument);

/** A day without a time is that day in every zone: midnight in UTC is the day before west of Greenwich. */
const dateFilter: FilterImplOptions = function (value: unknown, format: unknown, zone: unknown) {
  const handler = standardFilters.date as (...args: unknown[]) => unknown;
  return handler.call(this, value, format, bareDayOf(value) === null ? zone : undefined);
};

function guardFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  const html = htmlFilters.get(name);
  const guarded = function* (
    this: ThisParameterType<typeof handler>,
    value: unknown,
    ...args: unknown[]
  ): Generator<unknown, unknown, unknown> {
    const ctx = asRenderContext(this.context);
    const result = html
      ? html.call(this, value, ...args)
      : yield handler.call(this, withoutMark(value), ...args.map(withoutMarks));
    ctx.budget.useValue(withoutMark(result));
    return result;
  };
  return typeof filter === 'function' ? guarded : { ...filter, handler: guarded };
}

/** The groups have the values of an expression as their keys, which are compared as texts. */
function withoutMaking(filter: FilterImplOptions): FilterImplOptions {
  const handler = typeof filter === 'function' ? filter : filter.handler;
  return function* (this: ThisParameterType<typeof handler>, value: unknown, ...args: unknown[]) {
    const ctx = asRenderContext(this.context);
    const before = ctx.marksHtml;
    ctx.marksHtml = false;
    try {
      return (yield handler.call(this, value, ...args)) as unknown;
    } finally {
      ctx.marksHtml = before;
    }
  };
}

/** liquidjs's filters, each charged for its result before it is passed on. */
export function guardedFilters(): [name: string, filter: FilterImplOptions][] {
  const guarded = Object.entries(standardFilters).map(([name, filter]): [string, FilterImplOptions] => [
    name,
    guardFilter(name, filter as FilterImplOptions),
  ]);
  return [
    ...guarded,
    [
      'group_by_exp',
      withoutMaking(guardFilter('group_by_exp', standardFilters.group_by_exp as FilterImplOptions)),
    ],
    ['date', guardFilter('date', dateFilter)],
    ...['json', 'jsonify', 'inspect'].map((name): [string, FilterImplOptions] => [name, json]),
  ];
}
