import { listText } from '../../audience/contacts/index.ts';
import { AppError, type Context, type Services, systemContext } from '../../base/kernel/index.ts';
import { csvLine } from '../../base/lib/index.ts';
import { isStorageFull, storageReason } from '../../people/storage/index.ts';
import { insertChunk } from './export-jobs.store.ts';
import {
  type ExportProgress,
  type ExportRequest,
  type ExportRow,
  failExport,
  findOpenExport,
  lockOpenExport,
  saveExport,
} from './exports.store.ts';
import type { Source } from './source.ts';
import { sources } from './sources.ts';

/** Size of a chunk, in bytes; the last page may exceed it. */
const chunkBytes = 1024 * 1024;
/** For how long one call reads before it writes what it has. */
const callMs = 10_000;

/**
 * Writes the next chunk of an export. The chunk and the position in the list are one transaction, so that an interrupted export
 * neither loses nor repeats a row.
 *
 * @returns whether there may be more to write
 */
export async function writeChunk(services: Services, jobId: string, bytes = chunkBytes): Promise<boolean> {
  const { prisma } = services.database;
  const open = await findOpenExport(prisma, jobId);
  if (!open) return false;
  return services.jobTurns.run(open.project.id, () => writeNext(services, jobId, open, bytes));
}

async function writeNext(
  services: Services,
  jobId: string,
  { job, project }: NonNullable<Awaited<ReturnType<typeof findOpenExport>>>,
  bytes: number,
): Promise<boolean> {
  const { prisma } = services.database;
  if (await isStorageFull(services, project.id)) {
    await failExport(prisma, jobId, storageReason);
    return false;
  }
  const ctx = systemContext(services, { project });
  const chunk = await readRows(ctx, job, bytes);
  return prisma.$transaction(
    async (db) => {
      const locked = await lockOpenExport(db, jobId);
      if (!locked) return false;
      const n = chunk.after.chunks - 1;
      // Another process has written this chunk.
      if ((locked.result?.chunks ?? 0) !== n) return true;
      await insertChunk(db, jobId, n, Buffer.from(chunk.text));
      const hasEnded = chunk.after.cursor === null;
      await saveExport(db, jobId, hasEnded ? 100 : percentOf(chunk.after), chunk.after, hasEnded);
      return !hasEnded;
    },
    { timeout: 60_000, maxWait: 30_000 },
  );
}

interface Chunk {
  text: string;
  after: ExportProgress;
}

async function readRows(ctx: Context, { input, result }: ExportRow, bytes: number): Promise<Chunk> {
  const source = sources[input.type];
  const endsAt = performance.now() + callMs;
  const after = result ? { ...result } : await nothingYet(ctx, source);
  let text = result ? '' : csvLine(after.columns);
  do {
    const page = await source.page(ctx, input, after.cursor);
    if (after.cursor === null) after.total = page.total;
    const rows = source.time ? page.rows.filter(isIn(input, source.time)) : page.rows;
    for (const row of rows) text += csvLine(after.columns.map((column) => asText(cellOf(row, column))));
    after.rows += rows.length;
    after.seen += page.rows.length;
    after.cursor = isBefore(input, source, page.rows.at(-1)) ? null : page.cursor;
  } while (after.cursor !== null && text.length < bytes && performance.now() < endsAt);
  return { text, after: { ...after, chunks: after.chunks + 1 } };
}

const nothingYet = async (ctx: Context, source: Source): Promise<ExportProgress> => ({
  columns: await source.columns(ctx),
  rows: 0,
  chunks: 0,
  total: 0,
  seen: 0,
  cursor: null,
});

type Row = Record<string, unknown>;

const isIn =
  ({ from, to }: ExportRequest, time: string) =>
  (row: Row): boolean => {
    const at = timeOf(row, time);
    return (from === undefined || at >= Date.parse(from)) && (to === undefined || at < Date.parse(to));
  };

/** Whether the rest of the list is older than the period. */
const isBefore = ({ from }: ExportRequest, { time, byTime }: Source, last: Row | undefined): boolean =>
  byTime === true &&
  time !== undefined &&
  from !== undefined &&
  last !== undefined &&
  timeOf(last, time) < Date.parse(from);

function timeOf(row: Row, column: string): number {
  const at = row[column];
  if (typeof at !== 'string') throw new AppError('INTERNAL_SERVER_ERROR', `A record has no ${column}`);
  return Date.parse(at);
}

/** The part after the first dot is one key, dots included. */
function cellOf(row: Row, column: string): unknown {
  const dot = column.indexOf('.');
  if (dot === -1) return row[column];
  const object = row[column.slice(0, dot)];
  const key = column.slice(dot + 1);
  return typeof object === 'object' && object !== null && Object.hasOwn(object, key)
    ? (object as Row)[key]
    : null;
}

/** Only the data of contacts has lists. */
const asText = (value: unknown): unknown => (Array.isArray(value) ? listText(value.map(String)) : value);

/** 100 is reserved for the end. */
const percentOf = ({ seen, total }: ExportProgress): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((seen / total) * 100));
