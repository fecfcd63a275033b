import type { FilterFact } from '../../../audience/segments/filters.rules.ts';
import { type Link, link } from './check.rules.ts';

/** More filters are not shown one by one. */
const mostShown = 40;

export const firstMismatch = (filters: readonly FilterFact[]): FilterFact | null =>
  filters.find(({ matches }) => !matches) ?? null;

const shown = (value: unknown): string =>
  value === null || value === undefined ? 'nothing' : JSON.stringify(value);

/** `data.plan equals "pro", and the contact has "free"` */
export const inWords = ({ field, operator, value, unit, actual }: FilterFact): string =>
  `${field} ${operator}${value === undefined ? '' : ` ${shown(value)}`}${unit === undefined ? '' : ` ${unit}`}, and the contact has ${shown(actual)}`;

/** Filters that do not match, and then others, up to a number. */
export function linksOfFilters(filters: readonly FilterFact[]): Link[] {
  const mismatches = filters.filter(({ matches }) => !matches);
  const others = filters.filter(({ matches }) => matches);
  const kept = new Set([...mismatches, ...others].slice(0, mostShown));
  return filters
    .filter((filter) => kept.has(filter))
    .map((filter) =>
      link('filter', filter.matches ? 'passed' : 'stopped', inWords(filter), { facts: { ...filter } }),
    );
}
