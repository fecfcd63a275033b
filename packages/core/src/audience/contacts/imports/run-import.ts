import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import {
  addErrors,
  type ImportOptions,
  type ImportProgress,
  progressOf,
  rowsDone,
} from '../jobs/jobs.rules.ts';
import {
  completeJob,
  failJob,
  findOpenJob,
  type JobRow,
  lockOpenJob,
  readImportFile,
  saveProgress,
} from '../jobs/jobs.store.ts';
import { type Columns, columnsOf, readRow } from './csv.rules.ts';
import { readCsv, UnreadableCsv } from './csv.ts';
import { failedRowsOf } from './failed-rows.rules.ts';
import { insertFailedRows } from './failed-rows.store.ts';
import { type ImportedContact, importContacts } from './import.store.ts';
import type { ColumnMapping } from './mapping.rules.ts';
import { type MergedRows, mergeRow, noRows } from './merge-rows.ts';

const batchRows = 5_000;
/** More columns than any table of contacts has. The file of failed rows repeats them for each row. */
const mostColumns = 1_000;
const tooLarge = 'The data of a contact can have at most 64 KiB of JSON';

interface NumberedRow {
  row: number;
  cells: string[];
}

/**
 * Locks a static segment in the transaction of a batch, before its contacts are written.
 *
 * @returns what adds the contacts of these addresses; null if there is no such segment any more
 */
export type OpenSegment = (
  db: Db,
  projectId: string,
  segmentId: string,
) => Promise<((emails: readonly string[]) => Promise<void>) | null>;

/**
 * Imports the rows of a file, continuing from the progress stored in the job's row. Each batch and its progress are
 * one transaction, so an interrupted import neither loses nor repeats a row. A file that cannot be parsed fails the
 * job and imports nothing.
 *
 * @param onBatch called after every batch
 * @param openSegment adds the imported contacts to the segment of the job
 */
export async function runImport(
  services: Services,
  jobId: string,
  onBatch: () => void = () => undefined,
  openSegment: OpenSegment = () => Promise.resolve(null),
): Promise<void> {
  const { prisma } = services.database;
  const job = await findOpenJob(prisma, jobId);
  if (job?.kind !== 'import') return;
  try {
    const file = await readImportFile(services.database, jobId);
    if (!file) throw new UnreadableCsv('The file is no longer stored');
    const { header, columns, totalRows } = await survey(file, optionsOf(job).mapping);
    onBatch();
    const start = (job.result as ImportProgress | null) ?? nothingYet(totalRows);
    await importRows(
      { services, job, openSegment, header },
      batchesOf(file, columns, rowsDone(start)),
      start,
      onBatch,
    );
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    await failJob(prisma, jobId, error.message);
  }
}

const nothingYet = (totalRows: number): ImportProgress => ({
  totalRows,
  successCount: 0,
  createdCount: 0,
  updatedCount: 0,
  failureCount: 0,
  errors: [],
});

/** Parses the whole file once before anything is stored. @throws UnreadableCsv */
async function survey(
  file: Buffer,
  mapping: ColumnMapping | undefined,
): Promise<{ header: string[]; columns: Columns; totalRows: number }> {
  let header: string[] = [];
  let columns: Columns | null | undefined;
  let totalRows = 0;
  for await (const cells of readCsv(file)) {
    if (columns) totalRows += 1;
    else {
      header = cells;
      columns = readHeader(cells, mapping);
    }
    if (columns === null) throw new UnreadableCsv('The header has no column "email"');
  }
  if (!columns) throw new UnreadableCsv('The file is empty');
  return { header, columns, totalRows };
}

/** @throws UnreadableCsv for a mapping of a column that the file does not have, and for too many columns */
function readHeader(cells: readonly string[], mapping: ColumnMapping | undefined): Columns | null {
  if (cells.length > mostColumns)
    throw new UnreadableCsv(`The header has more than ${mostColumns.toLocaleString('en')} columns`);
  const names = new Set(cells.map((cell) => cell.trim()));
  const absent = Object.keys(mapping ?? {}).find((name) => !names.has(name));
  if (absent !== undefined)
    throw new UnreadableCsv(`The header has no column "${absent.slice(0, 254)}", which the mapping names`);
  return columnsOf(cells, mapping);
}

const optionsOf = ({ input }: JobRow): Partial<ImportOptions> => ('subscribed' in input ? input : {});

/** Consecutive rows of a file, parsed and ready to be stored. */
interface Batch {
  rows: readonly NumberedRow[];
  contacts: (ImportedContact & { rows: number[] })[];
  errors: ImportProgress['errors'];
}

interface Run {
  services: Services;
  job: JobRow;
  openSegment: OpenSegment;
  /** the first row of the file */
  header: readonly string[];
}

/** Parses the next batch while the database stores the current one. */
async function importRows(
  run: Run,
  batches: AsyncIterable<Batch>,
  start: ImportProgress,
  onBatch: () => void,
): Promise<void> {
  let storing: Promise<ImportProgress | null> = Promise.resolve(start);
  try {
    for await (const batch of batches) {
      const before = await storing;
      if (before === null) return;
      storing = storeBatch(run, before, batch).finally(onBatch);
      // Awaited below; this avoids an unhandled rejection until then.
      storing.catch(() => undefined);
    }
  } finally {
    await storing;
  }
  const end = await storing;
  if (end) await completeJob(run.services.database.prisma, run.job.id, end);
}

/** @param skip rows after the header that have already been stored */
async function* batchesOf(file: Buffer, columns: Columns, skip: number): AsyncGenerator<Batch> {
  let row = -1;
  let rows = new RowsOfBatch(columns);
  for await (const cells of readCsv(file)) {
    row += 1;
    if (row === 0 || row <= skip) continue;
    rows.add({ row, cells });
    if (rows.count < batchRows) continue;
    yield rows.batch();
    rows = new RowsOfBatch(columns);
  }
  if (rows.count > 0) yield rows.batch();
}

/** Rows of one address become one contact; the last row with a value wins. */
class RowsOfBatch {
  readonly #columns: Columns;
  readonly #rows: NumberedRow[] = [];
  readonly #errors: Batch['errors'] = [];
  readonly #wanted = new Map<string, MergedRows>();

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  get count(): number {
    return this.#rows.length;
  }

  add(numbered: NumberedRow): void {
    this.#rows.push(numbered);
    const { row, cells } = numbered;
    const reading = readRow(this.#columns, cells);
    if (!reading.ok) {
      this.#errors.push({ row, email: reading.email, error: reading.error });
      return;
    }
    const { email, data } = reading;
    const merged = this.#wanted.get(email) ?? noRows();
    this.#wanted.set(email, merged);
    if (!mergeRow(merged, row, data)) this.#errors.push({ row, email, error: tooLarge });
  }

  batch(): Batch {
    const contacts = [...this.#wanted].map(([email, { values, rows }]) => ({
      email,
      data: Object.fromEntries(values),
      rows,
    }));
    return { rows: this.#rows, contacts, errors: this.#errors };
  }
}

/** @returns null when another process is working on the job, or it has ended */
async function storeBatch(run: Run, before: ImportProgress, batch: Batch): Promise<ImportProgress | null> {
  const { services, job } = run;
  const after = await services.jobTurns.run(job.projectId, () =>
    services.database.prisma.$transaction(
      async (db) => {
        const locked = await lockOpenJob(db, job.id);
        if (!locked) return null;
        const stored = locked.result as ImportProgress | null;
        if (stored && rowsDone(stored) !== rowsDone(before)) return null;
        const next = await takeIn(run, db, before, batch);
        await saveProgress(db, job.id, progressOf(rowsDone(next), next.totalRows), next);
        return next;
      },
      { timeout: 120_000, maxWait: 30_000 },
    ),
  );
  services.scheduleFollowUps(job.projectId);
  return after;
}

async function takeIn(
  { services, job, openSegment, header }: Run,
  db: Db,
  before: ImportProgress,
  { rows, contacts, errors }: Batch,
): Promise<ImportProgress> {
  const { subscribed = true, segmentId } = optionsOf(job);
  // The segment is locked first, as when contacts are added to it otherwise.
  const addToSegment = segmentId === undefined ? null : await openSegment(db, job.projectId, segmentId);
  const imported =
    contacts.length === 0
      ? { created: 0, tooLarge: [] }
      : await importContacts(db, services.secrets, job.projectId, contacts, subscribed);
  const refused = new Set(imported.tooLarge);
  await addToSegment?.(contacts.flatMap(({ email }) => (refused.has(email) ? [] : email)));
  const all = [
    ...errors,
    ...contacts
      .filter(({ email }) => refused.has(email))
      .flatMap(({ email, rows: ofEmail }) => ofEmail.map((row) => ({ row, email, error: tooLarge }))),
  ].toSorted((a, b) => a.row - b.row);
  const successes = rows.length - all.length;
  if (all.length > 0) {
    const failed = failedRowsOf(header, rows, all, before.failureCount === 0);
    await insertFailedRows(db, job.id, rowsDone(before) + rows.length, Buffer.from(failed));
  }
  return {
    ...before,
    successCount: before.successCount + successes,
    createdCount: before.createdCount + imported.created,
    updatedCount: before.updatedCount + successes - imported.created,
    failureCount: before.failureCount + all.length,
    errors: addErrors(before.errors, all),
  };
}
