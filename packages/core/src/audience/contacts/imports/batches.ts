import { Breath } from '../../../base/lib/index.ts';
import { type ColumnResult, shownExamples } from '../jobs/jobs.rules.ts';
import { type Consent, leaving, together } from './consent.rules.ts';
import { type ImportKind, storable, targetOf } from './header.rules.ts';
import type { ImportedContact } from './import.store.ts';
import { type MergedRows, mergeRow, noRows } from './merge-rows.ts';
import type { CsvFile } from './read-csv.ts';
import { importedWithout, type RowReading, type SuppressionEntry, type UnreadCell } from './rows.rules.ts';
import type { Surveyed } from './survey.ts';

export const batchRows = 5_000;
/** The batch before is stored by several statements meanwhile, and each of them waits for the event loop once. */
const betweenStatementsMs = 2;
export const tooLarge = 'The data of a contact can have at most 64 KiB of JSON';
export const idTaken = 'externalId: another contact has it';

export interface NumberedRow {
  row: number;
  cells: string[];
}

export interface RowNote {
  row: number;
  email: string;
  error: string;
}

/** What the rows of one address say together. */
export interface BatchContact extends ImportedContact, SuppressionEntry {
  rows: number[];
}

/** Consecutive rows of a file, parsed and ready to be stored. */
export interface Batch {
  rows: readonly NumberedRow[];
  contacts: BatchContact[];
  errors: RowNote[];
  /** rows that are imported without some of their cells */
  partial: RowNote[];
  columns: ColumnResult[];
}

/** @param skip rows after the header that have already been stored */
export async function* batchesOf(
  file: CsvFile,
  surveyed: Surveyed,
  kind: ImportKind,
  skip: number,
): AsyncGenerator<Batch> {
  const seen = new Set<string>();
  let row = -1;
  let rows = new RowsOfBatch(surveyed, kind, seen);
  const breath = new Breath(betweenStatementsMs);
  for await (const csvRows of file.rows(breath)) {
    for (const csvRow of csvRows) {
      if (breath.isDue) await breath.take();
      row += 1;
      if (row === 0) continue;
      const reading = surveyed.reader.read(csvRow);
      if (row <= skip) {
        if (reading.ok) seen.add(reading.email);
        continue;
      }
      rows.add({ row, cells: csvRow.cells }, reading);
      if (rows.count < batchRows) continue;
      yield await rows.batch(breath);
      rows = new RowsOfBatch(surveyed, kind, seen);
    }
  }
  if (rows.count > 0) yield await rows.batch(breath);
}

interface Wanted {
  externalId: string | null;
  merged: MergedRows;
  consent: Consent;
  entry: SuppressionEntry;
}

/** Rows of one address become one contact; the last row with a value wins. */
class RowsOfBatch {
  readonly #surveyed: Surveyed;
  readonly #kind: ImportKind;
  /** addresses of earlier batches */
  readonly #seen: Set<string>;
  readonly #rows: NumberedRow[] = [];
  readonly #errors: RowNote[] = [];
  readonly #partial: RowNote[] = [];
  readonly #wanted = new Map<string, Wanted>();
  readonly #read: number[];
  readonly #yes: number[];
  readonly #no: number[];
  readonly #unread: { row: number; cell: UnreadCell }[][];

  constructor(surveyed: Surveyed, kind: ImportKind, seen: Set<string>) {
    this.#surveyed = surveyed;
    this.#kind = kind;
    this.#seen = seen;
    const { length } = surveyed.header.names;
    this.#read = Array<number>(length).fill(0);
    this.#yes = Array<number>(length).fill(0);
    this.#no = Array<number>(length).fill(0);
    this.#unread = Array.from({ length }, () => []);
  }

  get count(): number {
    return this.#rows.length;
  }

  add(numbered: NumberedRow, reading: RowReading): void {
    this.#rows.push(numbered);
    const { row } = numbered;
    for (const cell of reading.unread) this.#unread[cell.index]?.push({ row, cell });
    if (!reading.ok) {
      this.#errors.push({ row, email: reading.email, error: reading.error });
      return;
    }
    const { email, externalId, data, consent, reason, createdAt, expiresAt, read, yes, no, unread } = reading;
    count(this.#read, read);
    count(this.#yes, yes);
    count(this.#no, no);
    const before = this.#wanted.get(email);
    const wanted = before ?? {
      externalId: null,
      merged: noRows(),
      consent,
      entry: { reason, createdAt, expiresAt },
    };
    this.#wanted.set(email, wanted);
    if (!mergeRow(wanted.merged, row, data)) {
      this.#errors.push({ row, email, error: tooLarge });
      return;
    }
    wanted.externalId = externalId ?? wanted.externalId;
    if (unread.length > 0)
      this.#partial.push({ row, email, error: importedWithout(this.#surveyed.header, unread) });
    if (before) wanted.consent = together(before.consent, consent);
  }

  async batch(breath: Breath): Promise<Batch> {
    const contacts: BatchContact[] = [];
    for (const [email, { externalId, merged, consent, entry }] of this.#wanted) {
      if (breath.isDue) await breath.take();
      // None of its rows is taken.
      if (merged.rows.length === 0) continue;
      const leaves = this.#kind === 'contacts' && this.#surveyed.leaving.has(email);
      const data = Object.fromEntries(merged.values);
      const isFirst = !this.#seen.has(email);
      const all = leaves ? leaving(consent) : consent;
      contacts.push({ email, externalId, data, ...all, isFirst, rows: merged.rows, ...entry });
    }
    for (const { email } of contacts) this.#seen.add(email);
    return {
      rows: this.#rows,
      contacts,
      errors: this.#errors,
      partial: this.#partial,
      columns: this.#columns(),
    };
  }

  #columns(): ColumnResult[] {
    return emptyColumns(this.#surveyed).map(({ index, ...column }) => {
      const unread = this.#unread[index] ?? [];
      const examples = unread.slice(0, shownExamples).map(({ row, cell: { value } }) => ({ row, value }));
      const says = column.yes !== null && { yes: this.#yes[index] ?? 0, no: this.#no[index] ?? 0 };
      return { ...column, ...says, read: this.#read[index] ?? 0, unread: unread.length, examples };
    });
  }
}

function count(figures: number[], positions: readonly number[]): void {
  for (const index of positions) figures[index] = (figures[index] ?? 0) + 1;
}

/** The columns of a file before its first row, with their positions. */
export function emptyColumns({ header }: Pick<Surveyed, 'header'>): (ColumnResult & { index: number })[] {
  return header.columns.flatMap((column, index) => {
    if (!column) return [];
    const name = header.names[index] ?? '';
    const field = column.to === 'field' ? column : null;
    const says = column.to === 'subscribed' || column.to === 'status' || column.to === 'topic' ? 0 : null;
    return [
      {
        index,
        header: storable(name),
        to: storable(targetOf(column)),
        type: field?.type ?? null,
        format: 'format' in column ? column.format : null,
        read: 0,
        unread: 0,
        yes: says,
        no: says,
        examples: [],
      },
    ];
  });
}
