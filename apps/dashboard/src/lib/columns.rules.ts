import type { Option } from '../ui/select.tsx';

/** The columns of a list that may be shown or hidden. */
export interface ColumnOption extends Option {
  /** Whether it is shown before anything is chosen. */
  isDefault: boolean;
}

/** The ids of columns as a parameter of the address: `Status,data.plan`. Empty for the default choice, `-` for none of them. */
export function columnsParam(options: readonly ColumnOption[], shown: ReadonlySet<string>): string {
  const isDefault = options.every((option) => shown.has(option.value) === option.isDefault);
  if (isDefault) return '';
  return [...shown].map(encodeURIComponent).join(',') || '-';
}

/** The ids of the columns to show. An id that is no longer among the options is kept: its data may come back. */
export function shownColumns(options: readonly ColumnOption[], param: string): Set<string> {
  if (param === '') return new Set(options.filter(({ isDefault }) => isDefault).map(({ value }) => value));
  if (param === '-') return new Set();
  return new Set(param.split(',').map(decoded));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The address was edited by hand.
    return text;
  }
}
