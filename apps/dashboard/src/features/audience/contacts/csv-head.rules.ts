import {
  type Column,
  type ColumnMapping,
  type CsvEncoding,
  CsvReader,
  type CsvRow,
  csvDialectOf,
  decodeCsv,
  type Header,
  importLimitBytes,
  likelyEncoding,
  NoCsv,
  RowReader,
  type RowReading,
  readHeader,
  TypeSurvey,
  targetOf,
  UndecodableText,
} from '@postrider/core/audience/contacts/contract';
import { nameLikeness } from '@postrider/core/base/lib/contract';
import { proposedReading, withReading } from './column-reading.rules.ts';
import { knownColumn } from './known-columns.rules.ts';
import { type Targets, targetName } from './targets.rules.ts';

const shownRows = 5;
/** Rows by which the readings of columns are proposed. */
const sampledRows = 200;

export interface CsvHead {
  /** The headers that have a name, each once. */
  headers: string[];
  /** The header as the file has it. */
  cells: string[];
  /** The first rows; in an encoding that was chosen, the first ones with other letters than those of ASCII. */
  rows: CsvRow[];
  /** More of the first rows, by which readings are proposed. */
  sample: CsvRow[];
  encoding: CsvEncoding;
}

export type HeadReading = { head: CsvHead } | { problem: string };

/**
 * The header and some rows of a CSV file, as the import reads them.
 *
 * @param bytes of the file, or as many as the import takes
 */
export function readHead(bytes: Uint8Array, encoding: CsvEncoding = 'auto'): HeadReading {
  const isWhole = bytes.length < importLimitBytes;
  try {
    const pieces = [...decodeCsv(bytes, encoding, isWhole)];
    const { skip, ...dialect } = csvDialectOf(pieces);
    const reader = new CsvReader(dialect);
    const all: CsvRow[] = [];
    for (const [index, piece] of pieces.entries())
      for (const row of reader.feed(index === 0 ? piece.slice(skip) : piece)) all.push(row);
    if (isWhole) all.push(...reader.end());
    const [header, ...others] = all;
    if (!header) return { problem: 'The file is empty.' };
    const telling = encoding === 'auto' ? others : others.filter(({ cells }) => cells.some(hasLetters));
    const names = header.cells.map((cell) => cell.trim());
    return {
      head: {
        headers: [...new Set(names.filter((name) => name !== ''))],
        cells: header.cells,
        rows: (telling.length > 0 ? telling : others).slice(0, shownRows),
        sample: others.slice(0, sampledRows),
        encoding,
      },
    };
  } catch (error) {
    if (error instanceof NoCsv)
      return { problem: 'The file cannot be read as CSV: too many quotes are missing.' };
    if (error instanceof UndecodableText) return { problem: 'The file is not text in this encoding.' };
    throw error;
  }
}

const hasLetters = (cell: string): boolean => /\P{ASCII}/u.test(cell);

/** The encoding that is proposed for a file; null where none has to be chosen. */
export const proposedEncoding = (bytes: Uint8Array): CsvEncoding | null => likelyEncoding(bytes);

/** Targets that a mapping has no word for: the import knows the column by its name. */
const unnamed = new Set(['unsubscribedBy', 'topicDefaults', 'consentBasis', 'consentedAt']);

/** The topics of a project as a header is read with them; their numbers are those of the server alone. */
const numbered = (topics: readonly string[]): ReadonlyMap<string, number> =>
  new Map(topics.map((key, index) => [key, index]));

/** What is known of a project when a file is read. */
export interface KnownNames {
  /** the fields of contacts: one that is written in another way than a header is probably meant by it */
  fields?: readonly string[];
  /** the keys of the topics that can be chosen */
  topics?: readonly string[];
}

/**
 * What each column becomes unless its user decides otherwise: as the import decides, with a field for the header, read as its cells suggest.
 * Columns that only the import knows are left out.
 */
export function defaultTargets(
  { headers, cells, sample }: Pick<CsvHead, 'headers' | 'cells' | 'sample'>,
  { fields = [], topics = [] }: KnownNames = {},
): Targets {
  const whole = readHeader(cells, { topics: numbered(topics) });
  const typed = whole.ok ? surveyed(whole.header, sample) : null;
  const meant = fieldsMeant(headers, fields);
  const named = new Set<string>();
  const proposed = Object.fromEntries(
    headers.flatMap((header): [string, Targets[string]][] => {
      const column = typed ? typed.columns[typed.names.indexOf(header)] : columnAlone(header);
      const own = column ? targetOf(column) : null;
      const target = own === null ? null : (meant.get(own) ?? own);
      if (target !== null && unnamed.has(target)) return [];
      if (column?.to !== 'field' || typed?.isOwnExport) {
        if (target !== null) named.add(target);
        return [[header, target]];
      }
      const index = cells.findIndex((name) => name.trim() === header);
      const values = sample.map((row) => row.cells[index] ?? '');
      return [[header, withReading(target, proposedReading(values))]];
    }),
  );
  if (typed?.isOwnExport) return proposed;
  for (const header of headers) {
    const index = cells.findIndex((name) => name.trim() === header);
    const target = knownColumn(
      header,
      sample.map((row) => row.cells[index] ?? ''),
    );
    if (target === null || named.has(target)) continue;
    named.add(target);
    proposed[header] = target;
  }
  return proposed;
}

/** The only field that is like a header and that no other header means, for each header that names no field itself. */
function fieldsMeant(headers: readonly string[], known: readonly string[]): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  for (const header of headers) {
    const likeness = nameLikeness(header);
    const [field, other] = known.filter((name) => nameLikeness(name) === likeness);
    const rivals = headers.filter((name) => nameLikeness(name) === likeness);
    if (field !== undefined && other === undefined && rivals.length === 1)
      meant.set(`data.${header}`, `data.${field}`);
  }
  return meant;
}

/** Without one column of addresses, the others are proposed as if there were one. */
function columnAlone(header: string): Column | null {
  const reading = readHeader(['email', header]);
  if (header.toLowerCase() === 'email') return { to: 'email' };
  return reading.ok ? (reading.header.columns[1] ?? null) : null;
}

function surveyed(header: Header, rows: readonly CsvRow[]): Header {
  const types = new TypeSurvey(header);
  for (const row of rows) types.add(row);
  return types.result();
}

/** Whether a column says who is subscribed. */
export const statesConsent = (targets: Targets): boolean =>
  Object.values(targets).some((target) => consentTargets.has(targetName(target) ?? ''));

const consentTargets = new Set(['subscribed', 'status', 'snoozedUntil', 'consent.unsubscribedAt']);

/** The contacts of the rows that are shown, as they would be stored, or what is wrong with the columns. */
export function preview(
  { cells, rows, sample }: Pick<CsvHead, 'cells' | 'rows' | 'sample'>,
  mapping: ColumnMapping,
  topics: readonly string[] = [],
): { rows: RowReading[] } | { problem: string } {
  const reading = readHeader(cells, { mapping, topics: numbered(topics) });
  if (!reading.ok) return { problem: reading.problem };
  const reader = new RowReader(surveyed(reading.header, sample), { byForm: 'nothing', zone: 'UTC' });
  return { rows: rows.map((row) => reader.read(row)) };
}

/** The first values of a column, for recognising it. */
export function samplesOf({ cells, rows }: Pick<CsvHead, 'cells' | 'rows'>, header: string): string {
  const index = cells.findIndex((name) => name.trim() === header);
  const values = rows.map((row) => row.cells[index] ?? '').filter((value) => value.trim() !== '');
  return [...new Set(values)].slice(0, 3).join(', ');
}
