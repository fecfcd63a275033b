import { readAddressCell } from '../../../base/kernel/schemas.ts';
import { unguarded } from '../../../base/lib/csv.rules.ts';
import type { CsvProblem, CsvRow } from '../../../base/lib/csv-reader.rules.ts';
import { externalIdProblem, type Primitive, splitContactData } from '../contacts.rules.ts';
import { convertTo } from '../fields/definitions.rules.ts';
import { type CellValue, type ColumnType, cellReader, unreadReason } from './cell-values.rules.ts';
import {
  type Consent,
  type ConsentColumn,
  consentOf,
  isConsentColumn,
  isStating,
  meaningOf,
  plainly,
  type ReadTime,
  statusIn,
} from './consent.rules.ts';
import { type FieldColumn, type Header, storable, type TimeColumn, targetOf } from './header.rules.ts';
import { yesOrNo } from './yes-no.rules.ts';

/** How the rows of a file become contacts (behaviour B4.5 "Import"). */

const suppressionReasons = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** An entry of the suppression list. */
export interface SuppressionEntry {
  reason: SuppressionReason;
  createdAt: Date | null;
  /** null: it lasts until somebody removes it */
  expiresAt: Date | null;
}

export interface UnreadCell {
  /** position of the column */
  index: number;
  value: string;
  reason: string;
}

export type RowReading =
  | ({
      ok: true;
      email: string;
      /** null: the row says nothing about it */
      externalId: string | null;
      data: Record<string, CellValue>;
      consent: Consent;
      /** positions of the cells that were read, and of those among them that say yes or no to the subscription */
      read: number[];
      yes: number[];
      no: number[];
      unread: UnreadCell[];
    } & SuppressionEntry)
  | { ok: false; email: string; error: string; unread: UnreadCell[] };

/** A number that is written as it is printed; then nothing is lost by storing the number. */
export function numberIn(text: string): number | null {
  // No number is printed longer.
  if (text.length > 32) return null;
  const first = text.charCodeAt(0);
  // A digit, or a minus sign before one.
  if (!(first >= 0x30 && first <= 0x39) && first !== 0x2d) return null;
  const value = Number(text);
  return Number.isFinite(value) && String(value) === text ? value : null;
}

const booleanIn = (text: string): boolean | null => {
  const word = text.length <= 5 ? text.toLowerCase() : '';
  return word === 'true' ? true : word === 'false' ? false : null;
};

/** The value of a cell of an export that was not in quotes. */
export const exactValue = (text: string): Primitive =>
  text === 'true' ? true : text === 'false' ? false : (numberIn(text) ?? text);

interface Seen {
  filled: number;
  quoted: number;
  isBoolean: boolean;
  isNumber: boolean;
}

/** Finds the types of the columns without one, by all cells of a file: a column never has two types. */
export class TypeSurvey {
  readonly #header: Header;
  readonly #open: { index: number; seen: Seen }[];
  #isStatus: boolean;

  constructor(header: Header) {
    this.#header = header;
    this.#isStatus = header.maybeStatus !== -1;
    this.#open = header.columns.flatMap((column, index) =>
      (column?.to === 'field' && column.type === null && !header.isOwnExport) || index === header.maybeStatus
        ? [{ index, seen: { filled: 0, quoted: 0, isBoolean: true, isNumber: true } }]
        : [],
    );
  }

  add({ cells, quoted, problem, count, isCut }: CsvRow): void {
    if (problem !== null || isCut || (count > this.#header.names.length && hasSurplus(cells, this.#header)))
      return;
    for (const { index, seen } of this.#open) {
      const isMaybeStatus = index === this.#header.maybeStatus && this.#isStatus;
      // Nothing can change any more that it is text.
      if (!seen.isBoolean && !seen.isNumber && !isMaybeStatus) continue;
      const raw = cells[index];
      if (raw === undefined || raw.trim() === '') continue;
      const cell = unguarded(raw);
      if (isMaybeStatus) this.#isStatus = statusIn(cell) !== null;
      seen.filled += 1;
      if (quoted[index]) seen.quoted += 1;
      if (seen.isBoolean) seen.isBoolean = booleanIn(cell) !== null;
      if (seen.isNumber) seen.isNumber = numberIn(cell) !== null;
    }
  }

  /** The header with a type for each column, except in an export, whose cells have their own. */
  result(): Header {
    const types = new Map(this.#open.map(({ index, seen }) => [index, typeIn(seen)]));
    const columns = this.#header.columns.map((column, index) => {
      if (index === this.#header.maybeStatus && !this.#isStatus) return asField('status', types.get(index));
      if (column?.to !== 'field' || !types.has(index)) return column;
      return { ...column, type: types.get(index) ?? null };
    });
    return { ...this.#header, columns, maybeStatus: -1 };
  }
}

const asField = (key: string, type: ColumnType = 'TEXT'): FieldColumn => ({
  to: 'field',
  key,
  problem: null,
  type,
  format: null,
  separator: ',',
  defined: null,
});

function typeIn({ filled, quoted, isBoolean, isNumber }: Seen): ColumnType {
  if (filled === 0) return 'TEXT';
  if (isBoolean) return 'BOOLEAN';
  return isNumber && (quoted === 0 || quoted === filled) ? 'NUMBER' : 'TEXT';
}

const hasSurplus = (cells: readonly string[], { names }: Header): boolean => {
  for (let at = names.length; at < cells.length; at += 1) if (cells[at]?.trim() !== '') return true;
  return false;
};

/** Why a row could not be read. */
export const problemTexts: Record<CsvProblem, string> = {
  quote: 'A quote is not closed or stands in the wrong place',
  open: 'A quote is not closed or stands in the wrong place: the cell has more than 64 KiB',
  length: 'A cell has more than 64 KiB',
};

const addressProblems = {
  missing: 'Email is missing',
  several: 'Contains more than one address',
  malformed: 'Invalid email address',
};

const plainSuppression: SuppressionEntry = { reason: 'MANUAL', createdAt: null, expiresAt: null };
/** Never changed. */
const none: number[] = [];

interface Plan {
  index: number;
  column: FieldColumn;
  read: (cell: string, isQuoted: boolean) => CellValue | null;
  reason: string;
}

/** Reads the rows of a file whose columns have their types. */
export class RowReader {
  readonly #header: Header;
  readonly #fields: Plan[];
  readonly #externalId: number;
  readonly #consent: { index: number; column: ConsentColumn }[];
  readonly #statesConsent: boolean;
  readonly #reason: number;
  readonly #createdAt: number;
  readonly #expiresAt: number;
  readonly #byForm: Consent;
  readonly #timeOf: ReadTime;

  /**
   * @param byForm what the request says about all rows; it counts for none where a column states it
   * @param zone the IANA zone of dates without one
   */
  constructor(header: Header, { byForm, zone }: { byForm: Consent['said']; zone: string }) {
    this.#header = header;
    this.#fields = header.columns.flatMap((column, index) =>
      column?.to === 'field' ? [planOf(column, index, header.isOwnExport, zone)] : [],
    );
    this.#externalId = header.columns.findIndex((column) => column?.to === 'externalId');
    this.#consent = header.columns.flatMap((column, index) =>
      column && isConsentColumn(column) ? [{ index, column }] : [],
    );
    this.#statesConsent = this.#consent.some(({ column }) => isStating(column));
    this.#reason = header.columns.findIndex((column) => column?.to === 'reason');
    this.#createdAt = header.columns.findIndex((column) => column?.to === 'createdAt');
    this.#expiresAt = header.columns.findIndex((column) => column?.to === 'expiresAt');
    this.#byForm = plainly(this.#statesConsent ? 'nothing' : byForm);
    this.#timeOf = timeReader(zone);
  }

  /** Whether columns say who is subscribed. */
  get statesConsent(): boolean {
    return this.#statesConsent;
  }

  /** Reads a row; a problem is described for the person who uploaded the file. */
  read({ cells, quoted, count, isCut, problem }: CsvRow): RowReading {
    const { names, email: emailAt } = this.#header;
    const raw = unguarded((cells[emailAt] ?? '').trim());
    const unread: UnreadCell[] = [];
    const refuse = (error: string): RowReading => ({ ok: false, email: storable(raw.trim()), error, unread });
    if (problem !== null) return refuse(problemTexts[problem]);
    if (count > names.length && (isCut || hasSurplus(cells, this.#header)))
      return refuse(
        `${count.toLocaleString('en')} cells, but the header has ${names.length.toLocaleString('en')}`,
      );
    if (cells.some((cell) => cell.includes('\0'))) return refuse('Contains the character U+0000');
    const address = readAddressCell(raw);
    if (typeof address === 'string') return refuse(addressProblems[address]);
    const { email } = address;

    const given: [string, CellValue][] = [];
    const read: number[] = [emailAt];
    for (const { index, column, read: readCell, reason } of this.#fields) {
      const cell = cells[index];
      if (cell === undefined) continue;
      const isQuoted = quoted[index] === true;
      // Blanks are a text only where an export has written them.
      if (cell === '' || (cell.trim() === '' && !(isQuoted && this.#header.isOwnExport))) continue;
      if (column.problem !== null) return refuse(column.problem);
      const value = readCell(unguarded(cell), isQuoted);
      if (value === null) unread.push({ index, value: storable(cell), reason });
      else {
        given.push([column.key, value]);
        read.push(index);
      }
    }
    const externalId = unguarded(cells[this.#externalId] ?? '').trim();
    if (externalId !== '') {
      const problem = externalIdProblem(externalId);
      if (problem) return refuse(`externalId: ${problem.message}`);
      read.push(this.#externalId);
    }
    const [yes, no]: [number[], number[]] = this.#consent.length > 0 ? [[], []] : [none, none];
    const consent = this.#consentIn(cells, { read, yes, no });
    if ('unread' in consent) {
      unread.push(consent.unread);
      const { index, value, reason } = consent.unread;
      return refuse(`${targetName(this.#header, index)}: "${value}" ${reason}`);
    }
    const suppression = this.#suppressionIn(cells, read);
    if (typeof suppression === 'string') return refuse(suppression);
    const lists = given.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
    const plain = lists.length === 0 ? given : given.filter(([, value]) => !Array.isArray(value));
    const { set, issues } = splitContactData(Object.fromEntries(plain), 'stored-only');
    const [issue] = issues;
    if (issue) return refuse([...issue.path.slice(0, 1).map(storable), issue.message].join(': '));
    const data = lists.length === 0 ? set : Object.fromEntries([...Object.entries(set), ...lists]);
    return {
      ok: true,
      email,
      externalId: externalId || null,
      data,
      consent,
      ...suppression,
      read,
      yes,
      no,
      unread,
    };
  }

  #consentIn(
    cells: readonly string[],
    { read, yes, no }: { read: number[]; yes: number[]; no: number[] },
  ): Consent | { unread: UnreadCell } {
    if (this.#consent.length === 0) return this.#byForm;
    const filled = this.#consent.flatMap(({ index, column }) => {
      const cell = unguarded(cells[index] ?? '');
      return cell.trim() === '' ? [] : [{ index, column, cell }];
    });
    if (filled.length === 0) return this.#byForm;
    const consent = consentOf(filled, this.#byForm.said, this.#timeOf);
    if ('unread' in consent) {
      const { index = 0, cell = '' } = filled[consent.unread] ?? {};
      return { unread: { index, value: storable(cell), reason: consent.reason } };
    }
    for (const { index, column, cell } of filled) {
      read.push(index);
      const meaning = answerIn(column, cell);
      if (meaning === 'yes') yes.push(index);
      if (meaning === 'no') no.push(index);
    }
    return consent;
  }

  #suppressionIn(cells: readonly string[], read: number[]): SuppressionEntry | string {
    if (this.#reason === -1 && this.#createdAt === -1 && this.#expiresAt === -1) return plainSuppression;
    const word = unguarded(cells[this.#reason] ?? '').trim();
    const reason = suppressionReasons.find((each) => each === (word === '' ? 'MANUAL' : word.toUpperCase()));
    if (!reason) return `reason: "${storable(word)}" is none of ${suppressionReasons.join(', ')}`;
    if (word !== '') read.push(this.#reason);
    const created = this.#timeIn(cells, this.#createdAt, read);
    if (created.at === null && created.text !== '')
      return `createdAt: "${storable(created.text)}" is not a date`;
    if (created.at !== null && created.at.getTime() > Date.now())
      return `createdAt: "${storable(created.text)}" is in the future`;
    const end = this.#timeIn(cells, this.#expiresAt, read);
    if (end.at === null && end.text !== '') return `expiresAt: "${storable(end.text)}" is not a date`;
    return { reason, createdAt: created.at, expiresAt: end.at };
  }

  #timeIn(cells: readonly string[], index: number, read: number[]): { text: string; at: Date | null } {
    const text = (cells[index] ?? '').trim();
    const at = text === '' ? null : this.#timeOf(plainTime, text);
    if (at !== null) read.push(index);
    return { text, at };
  }
}

const plainTime: TimeColumn = { to: 'consent.at', format: 'ISO' };

/** Each format has one reader, which is made when a column needs it. */
function timeReader(zone: string): ReadTime {
  const readers = new Map<string, (cell: string) => CellValue | null>();
  return ({ format }, cell) => {
    const reader = readers.get(format) ?? cellReader({ type: 'DATETIME', format, separator: ',', zone });
    readers.set(format, reader);
    const text = reader(cell);
    return typeof text === 'string' ? new Date(text) : null;
  };
}

/** Whether a cell says yes or no, of columns whose answers are counted. */
function answerIn(column: ConsentColumn, cell: string): 'yes' | 'no' | 'nothing' | null {
  if (column.to === 'subscribed' || column.to === 'status') return meaningOf(column.to, cell);
  if (column.to !== 'topic') return null;
  return yesOrNo(cell) === true ? 'yes' : 'no';
}

const targetName = ({ columns }: Header, index: number): string => {
  const column = columns[index];
  return column ? targetOf(column) : '';
};

/** A value that was read as another type than that of its field is converted, as in any other request. */
function planOf(column: FieldColumn, index: number, isOwnExport: boolean, zone: string): Plan {
  const plan = readingPlanOf(column, index, isOwnExport, zone);
  const { type, defined } = column;
  if (defined === null || defined === type) return plan;
  return {
    ...plan,
    read: (cell, isQuoted) => {
      const value = plan.read(cell, isQuoted);
      return value === null ? null : (convertTo(defined, value, zone) ?? null);
    },
    reason: plan.reason || unreadReason({ type: defined, format: null }),
  };
}

function readingPlanOf(column: FieldColumn, index: number, isOwnExport: boolean, zone: string): Plan {
  const { type, format, separator } = column;
  if (type === null)
    return {
      index,
      column,
      read: isOwnExport ? (cell, isQuoted) => (isQuoted ? cell : exactValue(cell)) : (cell) => cell,
      reason: '',
    };
  // Numbers that were found by their form are written as they are printed.
  if (type === 'NUMBER' && format === null) return { index, column, read: numberIn, reason: '' };
  // A list of an export has its items as the export wrote them.
  const reading = { type, format, separator: isOwnExport && type === 'LIST' ? ';' : separator, zone };
  return { index, column, read: cellReader(reading), reason: unreadReason(reading) };
}

/** What a row without some of its cells was imported as. */
export const importedWithout = (header: Header, unread: readonly UnreadCell[]): string =>
  `Imported without ${unread
    .map(({ index, value, reason }) => `${storable(header.names[index] ?? '')}: "${value}" ${reason}`)
    .join('; ')}`;
