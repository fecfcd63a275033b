import type { Db } from '../db/index.ts';
import type { Services } from '../kernel/index.ts';
import { isTooLarge } from './contacts.rules.ts';
import { type Columns, columnsOf, readRow } from './csv.rules.ts';
import { readCsv, UnreadableCsv } from './csv.ts';
import { type ImportedContact, importContacts } from './import.store.ts';
import { addErrors, type ImportProgress, progressOf, rowsDone } from './jobs.rules.ts';
import {
  completeJob,
  failJob,
  findOpenJob,
  type JobRow,
  lockOpenJob,
  readJobFile,
  saveProgress,
} from './jobs.store.ts';

const batchRows = 5_000;
const tooLarge = 'The data of a contact takes at most 64 KiB of JSON';

interface NumberedRow {
  row: number;
  cells: string[];
}

/**
 * Takes the rows of an import in, from where its row says that it stands, to the end. Each batch is one transaction with its progress, so
 * that stopping anywhere and starting again neither loses nor repeats a row. A file that cannot be read fails the job and imports nothing.
 *
 * @param beat called after every batch
 */
export async function runImport(services: Services, jobId: string, beat: () => void): Promise<void> {
  const { prisma } = services.database;
  const job = await findOpenJob(prisma, jobId);
  if (job?.kind !== 'import') return;
  try {
    const file = await readJobFile(prisma, jobId);
    if (!file) throw new UnreadableCsv('The file is no longer stored');
    const { columns, totalRows } = await survey(file);
    beat();
    const start = (job.result as ImportProgress | null) ?? nothingYet(totalRows);
    await importRows(services, job, file, columns, start, beat);
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

/** Reads the whole file once before anything is stored. @throws UnreadableCsv */
async function survey(file: Buffer): Promise<{ columns: Columns; totalRows: number }> {
  let columns: Columns | null | undefined;
  let totalRows = 0;
  for await (const cells of readCsv(file)) {
    if (columns) totalRows += 1;
    else columns = columnsOf(cells);
    if (columns === null) throw new UnreadableCsv('The header has no column "email"');
  }
  if (!columns) throw new UnreadableCsv('The file is empty');
  return { columns, totalRows };
}

async function importRows(
  services: Services,
  job: JobRow,
  file: Buffer,
  columns: Columns,
  start: ImportProgress,
  beat: () => void,
): Promise<void> {
  let progress: ImportProgress | null = start;
  const skip = rowsDone(start);
  let row = -1;
  let rows: NumberedRow[] = [];
  for await (const cells of readCsv(file)) {
    row += 1;
    if (row === 0 || row <= skip) continue;
    rows.push({ row, cells });
    if (rows.length < batchRows) continue;
    progress = await storeBatch(services, job, columns, progress, rows);
    beat();
    if (progress === null) return;
    rows = [];
  }
  if (rows.length > 0) progress = await storeBatch(services, job, columns, progress, rows);
  if (progress) await completeJob(services.database.prisma, job.id, progress);
}

/** @returns null when somebody else works on the job, or it is over */
async function storeBatch(
  services: Services,
  job: JobRow,
  columns: Columns,
  before: ImportProgress,
  rows: NumberedRow[],
): Promise<ImportProgress | null> {
  const after = await services.database.prisma.$transaction(
    async (db) => {
      const locked = await lockOpenJob(db, job.id);
      if (!locked) return null;
      const stored = locked.result as ImportProgress | null;
      if (stored && rowsDone(stored) !== rowsDone(before)) return null;
      const next = await takeIn(services, db, job, columns, before, rows);
      await saveProgress(db, job.id, progressOf(rowsDone(next), next.totalRows), next);
      return next;
    },
    { timeout: 120_000, maxWait: 30_000 },
  );
  services.announceNews(job.projectId);
  return after;
}

async function takeIn(
  services: Services,
  db: Db,
  job: JobRow,
  columns: Columns,
  before: ImportProgress,
  rows: NumberedRow[],
): Promise<ImportProgress> {
  const errors: ImportProgress['errors'] = [];
  const wanted = new Map<string, ImportedContact & { rows: number[] }>();
  for (const { row, cells } of rows) {
    const reading = readRow(columns, cells);
    if (!reading.ok) {
      errors.push({ row, email: reading.email, error: reading.error });
      continue;
    }
    const { email, data } = reading;
    const known = wanted.get(email);
    const merged = known ? { ...known.data, ...data } : data;
    if (known && isTooLarge(JSON.stringify(merged))) errors.push({ row, email, error: tooLarge });
    else if (known) {
      known.data = merged;
      known.rows.push(row);
    } else wanted.set(email, { email, data: merged, rows: [row] });
  }
  const subscribed = 'subscribed' in job.input ? job.input.subscribed : true;
  const contacts = [...wanted.values()];
  const imported =
    contacts.length === 0
      ? { created: new Set<string>(), tooLarge: new Set<string>() }
      : await importContacts(db, services.secrets, job.projectId, contacts, subscribed);
  for (const { email, rows: ofEmail } of contacts) {
    if (!imported.tooLarge.has(email)) continue;
    for (const row of ofEmail) errors.push({ row, email, error: tooLarge });
  }
  errors.sort((a, b) => a.row - b.row);
  const successes = rows.length - errors.length;
  return {
    ...before,
    successCount: before.successCount + successes,
    createdCount: before.createdCount + imported.created.size,
    updatedCount: before.updatedCount + successes - imported.created.size,
    failureCount: before.failureCount + errors.length,
    errors: addErrors(before.errors, errors),
  };
}
