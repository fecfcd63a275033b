import { MAIL_LANGUAGES } from '../../../base/lib/mail-languages.ts';
import { offsetsOf } from '../../../base/lib/time-zones.rules.ts';
import type { StoredValue } from '../contacts.rules.ts';
import { type DefinedType, definedTypes } from '../fields/definitions.rules.ts';
import { yesOrNo } from './yes-no.rules.ts';

/** What the cells of a column become (behaviour B4.5 "Import"). */

export const columnTypes = definedTypes;
export type ColumnType = DefinedType;

/** How numbers are written, by an example. */
export const numberFormats = ['1234.5', '1,234.5', '1.234,5', '1 234,5'] as const;
export type NumberFormat = (typeof numberFormats)[number];

/** `EXCEL`: days since 30 December 1899. */
export const dateFormats = [
  'ISO',
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'DD.MM.YYYY',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
  'DD-MM-YYYY',
  'D MMM YYYY',
  'UNIX',
  'UNIX_MS',
  'EXCEL',
] as const;
export type DateFormat = (typeof dateFormats)[number];
export type ColumnFormat = NumberFormat | DateFormat;

export const isNumberFormat = (format: string): format is NumberFormat =>
  (numberFormats as readonly string[]).includes(format);

export type CellValue = StoredValue;

export interface ColumnReading {
  type: ColumnType;
  /** null: the one of the type */
  format: ColumnFormat | null;
  /** between the items of a list */
  separator: string;
  /** the IANA zone of times without one */
  zone: string;
}

/** The format of a type, unless another one is chosen. */
export const formatOf = ({ type, format }: Pick<ColumnReading, 'type' | 'format'>): ColumnFormat | null => {
  if (type === 'NUMBER') return format ?? '1234.5';
  return type === 'DATE' || type === 'DATETIME' ? (format ?? 'ISO') : null;
};

/** Reads the cells of one column. @returns null for a cell that has no value of the type */
export function cellReader(reading: ColumnReading): (cell: string) => CellValue | null {
  const format = formatOf(reading);
  switch (reading.type) {
    case 'TEXT':
      return (cell) => cell;
    case 'NUMBER':
      return (cell) => numberIn(cell, format as NumberFormat);
    case 'BOOLEAN':
      return yesOrNo;
    case 'LIST':
      return (cell) => listIn(cell, reading.separator);
    case 'DATE':
    case 'DATETIME': {
      const clock = new Clock(reading.zone);
      const { type } = reading;
      return (cell) => dateIn(cell, format as DateFormat, type, clock);
    }
  }
}

/** Why a cell was not read, for the person who uploaded the file. */
export function unreadReason(reading: Pick<ColumnReading, 'type' | 'format'>): string {
  const format = formatOf(reading);
  switch (reading.type) {
    case 'TEXT':
      return 'is not text';
    case 'NUMBER':
      return `is not a number written as ${format}`;
    case 'BOOLEAN':
      return 'is neither yes nor no';
    case 'LIST':
      return `is not a list of at most ${mostItems} items of 1 to ${longestItem} characters`;
    case 'DATE':
      return `is not a date written as ${format}`;
    case 'DATETIME':
      return `is not a date and time written as ${format}`;
  }
}

/** Longer cells are neither numbers nor dates. */
const longestWord = 64;
/** With more digits a double no longer represents every number exactly. */
const mostDigits = 15;
const blank = '\\u0020\\u00a0\\u202f\\u2009';
const sign = '[-+\\u2212]';
const currency = '(?:\\p{Sc}|[A-Za-z]{3})';
const numberForm = new RegExp(
  `^(?<sign>${sign})?[${blank}]?(?<before>${currency})?[${blank}]?(?<inner>${sign})?(?<digits>\\d[\\d.,'\\u2019${blank}]*?)[${blank}]?(?<after>${currency})?$`,
  'u',
);

/** What may stand between groups of three digits, besides blanks and apostrophes. */
const groupMark: Record<NumberFormat, string> = {
  '1234.5': '',
  '1,234.5': ',',
  '1.234,5': '.',
  '1 234,5': '',
};

function numberIn(cell: string, format: NumberFormat): number | null {
  if (cell.length > longestWord) return null;
  const { sign: first, before, inner, digits = '', after } = numberForm.exec(cell.trim())?.groups ?? {};
  if (digits === '' || (first && inner) || (before && after)) return null;
  const decimal = format.endsWith(',5') ? ',' : '.';
  const at = digits.lastIndexOf(decimal);
  const [whole, fraction] = at === -1 ? [digits, '0'] : [digits.slice(0, at), digits.slice(at + 1)];
  const plain = withoutGroups(whole, groupMark[format]);
  if (plain === null || !/^\d+$/.test(fraction)) return null;
  const text = at === -1 ? plain : `${plain}.${fraction}`;
  if (text.replace('.', '').replace(/^0+/, '').length > mostDigits) return null;
  const value = Number(text);
  return (first ?? inner ?? '+') === '+' || value === 0 ? value : -value;
}

/** The digits of a whole number; null if what stands between them makes no groups of three. */
function withoutGroups(whole: string, mark: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const between = /\D/.exec(whole)?.[0] ?? '';
  if (between !== mark && !/[\u0020\u00a0\u202f\u2009'\u2019]/.test(between)) return null;
  const [head = '', ...groups] = whole.split(between);
  return /^\d{1,3}$/.test(head) && groups.every((group) => /^\d{3}$/.test(group))
    ? head + groups.join('')
    : null;
}

/** Clock time of a zone. */
class Clock {
  readonly #offset: (at: number) => number;

  constructor(zone: string) {
    this.#offset = zone === 'UTC' ? () => 0 : offsetsOf(zone);
  }

  /** The instant at which a clock shows this time, given as if in UTC; where it shows it twice, the first. */
  instant(local: number): number {
    const guess = local - this.#offset(local);
    return local - this.#offset(guess);
  }

  local(instant: number): number {
    return instant + this.#offset(instant);
  }
}

const numericForm: Partial<Record<DateFormat, RegExp>> = {
  ISO: /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/,
  'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
  'YYYY/MM/DD': /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})/,
  'DD.MM.YYYY': /^(?<day>\d{1,2})\.[ ]?(?<month>\d{1,2})\.[ ]?(?<year>\d{4})/,
  'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})/,
  'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})/,
  'DD-MM-YYYY': /^(?<day>\d{1,2})-(?<month>\d{1,2})-(?<year>\d{4})/,
};
const namedForm =
  /^(?<day>\d{1,2})\.?[ -](?:de )?(?<name>[^\s\d.-]{2,12}|\d{1,2}月)\.?[ -](?:de )?(?<year>\d{4})/u;
const timeForm =
  /^(?:T|,? +)(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<part>\d{1,9}))?)?(?: ?(?<half>[AaPp])\.?[Mm]\.?)? ?(?<zone>[Zz]|UTC|[+-]\d{2}:?\d{2})?$/;

const dayMs = 86_400_000;
const earliest = Date.parse('0001-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

function dateIn(cell: string, format: DateFormat, type: 'DATE' | 'DATETIME', clock: Clock): string | null {
  const text = cell.trim();
  if (text.length > longestWord) return null;
  if (format === 'UNIX' || format === 'UNIX_MS') {
    if (!/^-?\d{1,15}(\.\d{1,9})?$/.test(text)) return null;
    const instant = Math.round(Number(text) * (format === 'UNIX' ? 1_000 : 1));
    return asDate(type === 'DATE' ? clock.local(instant) : instant, type);
  }
  if (format === 'EXCEL') {
    if (!/^\d{1,7}(\.\d{1,15})?$/.test(text)) return null;
    // Fractions of a day are rounded in the file.
    const local = Date.UTC(1899, 11, 30) + Math.round(Number(text) * 86_400) * 1_000;
    return asDate(type === 'DATE' ? local : clock.instant(local), type);
  }
  const form = (numericForm[format] ?? namedForm).exec(text);
  if (!form?.groups) return null;
  const { year = '', month, day = '', name } = form.groups;
  const monthNumber = name === undefined ? Number(month) : monthNames().get(name.toLowerCase());
  if (monthNumber === undefined) return null;
  const midnight = dayAt(Number(year), monthNumber, Number(day));
  const time = timeOfDay(text.slice(form[0].length));
  if (midnight === null || time === null) return null;
  if (type === 'DATE') return asDate(midnight, type);
  const local = midnight + time.ms;
  return asDate(time.offset === null ? clock.instant(local) : local - time.offset, type);
}

function asDate(at: number, type: 'DATE' | 'DATETIME'): string | null {
  if (!(at >= earliest && at <= latest)) return null;
  const text = new Date(at).toISOString();
  return type === 'DATE' ? text.slice(0, 10) : text;
}

/** The beginning of a day as if in UTC; null for days that do not exist. */
function dayAt(year: number, month: number, day: number): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1;
  return exists ? date.getTime() : null;
}

/** What follows a date, in milliseconds since midnight; `offset` from UTC, null without one. */
function timeOfDay(text: string): { ms: number; offset: number | null } | null {
  if (text === '') return { ms: 0, offset: null };
  const groups = timeForm.exec(text)?.groups;
  if (!groups) return null;
  const { minute = '', second = '0', part = '0', half, zone } = groups;
  let hour = Number(groups['hour']);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const ms =
    hour * 3_600_000 +
    Number(minute) * 60_000 +
    Number(second) * 1_000 +
    Math.floor(Number(`0.${part}`) * 1_000);
  if (zone === undefined) return { ms, offset: null };
  const [, mark, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return offset >= dayMs ? null : { ms, offset: mark === '-' ? -offset : offset };
}

let names: ReadonlyMap<string, number> | undefined;

/** The months by their names, long and short, in the languages of the product; without those that are two months in two languages. */
function monthNames(): ReadonlyMap<string, number> {
  if (names) return names;
  const found = new Map<string, Set<number>>();
  for (const language of MAIL_LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      for (const alone of [true, false]) {
        const format = new Intl.DateTimeFormat(language, {
          month: style,
          timeZone: 'UTC',
          ...(alone ? {} : { day: 'numeric' }),
        });
        for (let month = 1; month <= 12; month += 1) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 15));
          const name = parts.find((each) => each.type === 'month')?.value ?? '';
          const key = name.toLowerCase().replace(/\.$/, '');
          if (!/^\d*$/.test(key)) found.set(key, (found.get(key) ?? new Set()).add(month));
        }
      }
    }
  }
  found.set('sept', new Set([9]));
  names = new Map(
    [...found].flatMap(([name, [month, ...others]]) => (month && others.length === 0 ? [[name, month]] : [])),
  );
  return names;
}

const mostItems = 100;
const longestItem = 100;

/** The items of a list, each once; one in quotes may have the separator in it, and quotes that are doubled. */
function listIn(cell: string, separator: string): string[] | null {
  const items = new Set<string>();
  for (let at = 0; at <= cell.length; ) {
    const { item, next } = itemAt(cell, at, separator);
    if (item !== '') items.add(item);
    if (item.length > longestItem || items.size > mostItems) return null;
    at = next;
  }
  return items.size === 0 ? null : [...items];
}

function itemAt(cell: string, from: number, separator: string): { item: string; next: number } {
  let at = from;
  while (cell[at] === ' ') at += 1;
  if (cell[at] === '"') {
    for (let quote = cell.indexOf('"', at + 1); quote !== -1; quote = cell.indexOf('"', quote + 2)) {
      if (cell[quote + 1] === '"') continue;
      let end = quote + 1;
      while (cell[end] === ' ') end += 1;
      if (end < cell.length && !cell.startsWith(separator, end)) break;
      return {
        item: cell
          .slice(at + 1, quote)
          .replaceAll('""', '"')
          .trim(),
        next: end + separator.length,
      };
    }
  }
  const end = cell.indexOf(separator, at);
  const stop = end === -1 ? cell.length : end;
  return { item: cell.slice(at, stop).trim(), next: stop + separator.length };
}
