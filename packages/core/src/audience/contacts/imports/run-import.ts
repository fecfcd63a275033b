import type { Db } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { Breath } from '../../../base/lib/index.ts';
import { timeZoneOfProject } from '../../../people/projects/index.ts';
import { findChoosableTopics } from '../../consent/index.ts';
import { presentDefinitions } from '../fields/definitions.ts';
import {
  addErrors,
  type ColumnResult,
  emptyImport,
  type ImportOptions,
  type ImportProgress,
  progressOf,
  rowsDone,
  shownExamples,
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
import { type Batch, batchesOf, emptyColumns, idTaken, type RowNote, tooLarge } from './batches.ts';
import { failedRowsOf } from './failed-rows.rules.ts';
import { insertFailedRows } from './failed-rows.store.ts';
import { skippedIn } from './header.rules.ts';
import {
  countSuppressed,
  type ImportAuthor,
  importContacts,
  importOptOuts,
  importSuppressions,
  type RowsToImport,
  rowsToImport,
} from './import.store.ts';
import { type CsvFile, openCsv, UnreadableCsv } from './read-csv.ts';
import { type Surveyed, surveyFile } from './survey.ts';
import { type Stored, Trial } from './trial.ts';

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
 * job and imports nothing. A dry run takes the same way, but only reads; it begins anew when it is interrupted.
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
  const options = optionsOf(job);
  try {
    const bytes = await readImportFile(services.database, jobId);
    if (!bytes) throw new UnreadableCsv('The file is no longer stored');
    const breath = new Breath();
    const file = await openCsv(bytes, options.encoding, breath);
    const [zone, fieldTypes, topics] = await Promise.all([
      timeZoneOfProject(prisma, job.projectId),
      presentDefinitions(prisma, job.projectId),
      findChoosableTopics(prisma, job.projectId),
    ]);
    const surveyed = await surveyFile(file, { options, fieldTypes, topics, zone, breath });
    onBatch();
    const kind = options.kind ?? 'contacts';
    const trial = options.dryRun ? await Trial.begin(services, job.projectId, file, surveyed) : null;
    const run: Run = { services, job, options, openSegment, surveyed, trial };
    const stored = trial ? null : (job.result as ImportProgress | null);
    const start = { ...nothingYet(file, surveyed, trial !== null), ...stored };
    await importRows(run, batchesOf(file, surveyed, kind, rowsDone(start)), start, onBatch);
  } catch (error) {
    if (!(error instanceof UnreadableCsv)) throw error;
    await failJob(prisma, jobId, error.message, options.dryRun === true);
  }
}

const nothingYet = (file: CsvFile, surveyed: Surveyed, dryRun: boolean): ImportProgress => ({
  ...emptyImport,
  totalRows: surveyed.totalRows,
  dryRun,
  encoding: file.encoding,
  separator: file.separator,
  skippedColumns: skippedIn(surveyed.header),
  columns: emptyColumns(surveyed).map(({ index: _, ...column }) => column),
});

const optionsOf = ({ input }: JobRow): ImportOptions =>
  'subscribed' in input ? input : { subscribed: true };

interface Run {
  services: Services;
  job: JobRow;
  options: ImportOptions;
  openSegment: OpenSegment;
  surveyed: Surveyed;
  /** of a dry run */
  trial: Trial | null;
}

/** A batch with what is computed for its statement; null where its rows are not imported as contacts. */
interface ReadyBatch extends Batch {
  toImport: RowsToImport | null;
}

async function prepared(
  { services: { secrets }, job: { projectId }, options, trial }: Run,
  batch: Batch,
): Promise<ReadyBatch> {
  const isImport = !trial && (options.kind ?? 'contacts') === 'contacts';
  return { ...batch, toImport: isImport ? await rowsToImport(secrets, projectId, batch.contacts) : null };
}

/** Parses and prepares the next batch while the database stores the current one. */
async function importRows(
  run: Run,
  batches: AsyncIterable<Batch>,
  start: ImportProgress,
  onBatch: () => void,
): Promise<void> {
  let storing: Promise<ImportProgress | null> = Promise.resolve(start);
  try {
    for await (const batch of batches) {
      const ready = await prepared(run, batch);
      const before = await storing;
      if (before === null) return;
      storing = storeBatch(run, before, ready).finally(onBatch);
      // Awaited below; this avoids an unhandled rejection until then.
      storing.catch(() => undefined);
    }
  } finally {
    await storing;
  }
  const end = await storing;
  if (end) await completeJob(run.services.database.prisma, run.job.id, end, run.trial !== null);
}

/** @returns null when another process is working on the job, or it has ended */
async function storeBatch(
  run: Run,
  before: ImportProgress,
  batch: ReadyBatch,
): Promise<ImportProgress | null> {
  const { services, job, trial } = run;
  const after = await services.jobTurns.run(job.projectId, () =>
    services.database.prisma.$transaction(
      async (db) => {
        const locked = await lockOpenJob(db, job.id);
        if (!locked) return null;
        const stored = locked.result as ImportProgress | null;
        if (!trial && stored && rowsDone(stored) !== rowsDone(before)) return null;
        const next = await takeIn(run, db, before, batch);
        await saveProgress(db, job.id, progressOf(rowsDone(next), next.totalRows), next);
        return next;
      },
      { timeout: 120_000, maxWait: 30_000 },
    ),
  );
  if (!trial) services.scheduleFollowUps(job.projectId);
  return after;
}

async function takeIn(run: Run, db: Db, before: ImportProgress, batch: ReadyBatch): Promise<ImportProgress> {
  const { job, surveyed, trial } = run;
  const stored = trial ? await trial.take(db, run.options.kind, batch) : await store(run, db, batch);
  const refused = new Map([
    ...stored.tooLarge.map((email) => [email, tooLarge] as const),
    ...stored.taken.map((email) => [email, idTaken] as const),
  ]);
  const errors = [
    ...batch.errors,
    ...batch.contacts.flatMap(({ email, rows }) => {
      const error = refused.get(email);
      return error === undefined ? [] : rows.map((row) => ({ row, email, error }));
    }),
  ].toSorted(byRow);
  const successes = batch.rows.length - errors.length;
  const failed = new Set(errors.map(({ row }) => row));
  const listed = [...errors, ...batch.partial.filter(({ row }) => !failed.has(row))].toSorted(byRow);
  if (!trial && listed.length > 0) {
    const shape = { header: surveyed.head, width: surveyed.width };
    const isFirst = before.failureCount === 0 && before.unreadCount === 0;
    const text = failedRowsOf(shape, batch.rows, listed, isFirst);
    await insertFailedRows(db, job.id, rowsDone(before) + batch.rows.length, Buffer.from(text));
  }
  const columns = before.columns.map((column, index) => withMore(column, batch.columns[index]));
  return {
    ...before,
    successCount: before.successCount + successes,
    createdCount: before.createdCount + stored.created,
    updatedCount: before.updatedCount + successes - stored.created,
    failureCount: before.failureCount + errors.length,
    errors: addErrors(before.errors, errors),
    unreadCount: columns.reduce((sum, { unread }) => sum + unread, 0),
    columns,
    subscribedCount: before.subscribedCount + stored.subscribed,
    unsubscribedCount: before.unsubscribedCount + stored.unsubscribed,
    optedOutCount: before.optedOutCount + stored.optedOut,
    suppressedCount: before.suppressedCount + stored.suppressed,
  };
}

const byRow = (a: RowNote, b: RowNote): number => a.row - b.row;

const withMore = (before: ColumnResult, more: ColumnResult | undefined): ColumnResult => ({
  ...before,
  read: before.read + (more?.read ?? 0),
  unread: before.unread + (more?.unread ?? 0),
  yes: before.yes === null ? null : before.yes + (more?.yes ?? 0),
  no: before.no === null ? null : before.no + (more?.no ?? 0),
  examples: [...before.examples, ...(more?.examples ?? [])].slice(0, shownExamples),
});

async function store(
  { services: { secrets }, job: { id: jobId, projectId }, options, openSegment }: Run,
  db: Db,
  { contacts, toImport }: ReadyBatch,
): Promise<Stored> {
  const { kind = 'contacts', segmentId } = options;
  // The segment is locked first, as when contacts are added to it otherwise.
  const addToSegment = segmentId === undefined ? null : await openSegment(db, projectId, segmentId);
  if (contacts.length === 0) return nothingStored;
  const firsts = contacts.filter(({ isFirst }) => isFirst).map(({ email }) => email);
  const { stated } = options;
  const author: ImportAuthor = { actor: 'system', ...options.said, jobId, ...(stated && { stated }) };
  if (kind === 'suppressions') {
    const created = await importSuppressions(db, projectId, contacts);
    return { ...nothingStored, created, suppressed: firsts.length };
  }
  if (kind === 'optOuts') {
    const { unsubscribed } = await importOptOuts(db, secrets, projectId, contacts, author);
    const suppressed = await countSuppressed(db, projectId, firsts);
    return { ...nothingStored, unsubscribed, optedOut: firsts.length, suppressed };
  }
  const imported = await importContacts(db, secrets, projectId, contacts, author, toImport);
  const refused = new Set([...imported.tooLarge, ...imported.taken]);
  await addToSegment?.(contacts.flatMap(({ email }) => (refused.has(email) ? [] : email)));
  return { ...imported, suppressed: await countSuppressed(db, projectId, firsts) };
}

const nothingStored: Stored = {
  created: 0,
  tooLarge: [],
  taken: [],
  subscribed: 0,
  unsubscribed: 0,
  optedOut: 0,
  suppressed: 0,
};
