import {
  type ColumnFormat,
  type ColumnType,
  cellReader,
  type DateFormat,
  dateFormats,
  numberFormats,
  type TypedTarget,
} from '@postrider/core/audience/contacts/contract';
import { type Targets, targetName } from './targets.rules.ts';

/** How the cells of a column are read, as one value of a select: `auto`, `TEXT`, `DATE DD/MM/YYYY`. */

export const automatic = 'auto';

const dateLabels: Partial<Record<DateFormat, string>> = {
  ISO: '2026-11-28',
  UNIX: 'seconds since 1970',
  UNIX_MS: 'milliseconds since 1970',
  EXCEL: 'Excel number',
};

export const readings: readonly { value: string; label: string }[] = [
  { value: automatic, label: 'As it is written' },
  { value: 'TEXT', label: 'Text' },
  ...numberFormats.map((format) => ({ value: `NUMBER ${format}`, label: `Number ${format}` })),
  { value: 'BOOLEAN', label: 'Yes or no' },
  ...dateFormats.map((format) => ({
    value: `DATE ${format}`,
    label: `Date ${dateLabels[format] ?? format}`,
  })),
  ...dateFormats.map((format) => ({
    value: `DATETIME ${format}`,
    label: `Date and time ${dateLabels[format] ?? format}`,
  })),
];

export function readingOf(target: Targets[string] | undefined): string {
  if (typeof target !== 'object' || !target?.type) return automatic;
  return target.format ? `${target.type} ${target.format}` : target.type;
}

/** The same target, read in another way. */
export function withReading(
  target: Targets[string] | undefined,
  reading: string,
): string | TypedTarget | null {
  const to = targetName(target);
  if (to === null || reading === automatic) return to;
  const at = reading.indexOf(' ');
  const type = (at === -1 ? reading : reading.slice(0, at)) as ColumnType;
  return at === -1 ? { to, type } : { to, type, format: reading.slice(at + 1) as ColumnFormat };
}

/** Formats that are proposed: a number or day in them would otherwise be text. */
const proposed: readonly (readonly [ColumnType, ColumnFormat])[] = [
  ['NUMBER', '1,234.5'],
  ['NUMBER', '1.234,5'],
  ['NUMBER', '1 234,5'],
  ...(['DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD-MM-YYYY', 'YYYY/MM/DD', 'D MMM YYYY'] as const).map(
    (format) => ['DATE', format] as const,
  ),
];

/** The one way in which all of these cells can be read that are no plain text; `auto` where there is none or several. */
export function proposedReading(cells: readonly string[]): string {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length === 0 || filled.every(isPlain)) return automatic;
  const values = new Map<string, string>();
  for (const [type, format] of proposed) {
    const read = cellReader({ type, format, separator: ',', zone: 'UTC' });
    const results = filled.map((cell) => read(cell));
    // Two formats that read the same are no question.
    if (results.every((value) => value !== null)) {
      const key = JSON.stringify(results);
      if (!values.has(key))
        values.set(key, `${filled.some(hasTime) && type === 'DATE' ? 'DATETIME' : type} ${format}`);
    }
  }
  const [only, ...others] = values.values();
  return only !== undefined && others.length === 0 ? only : automatic;
}

const hasTime = (cell: string): boolean => /\d:\d\d/.test(cell);

/** What is stored as a number already, or would be if it were meant as one. */
const isPlain = (cell: string): boolean => /^-?\d+(\.\d+)?$/.test(cell);
