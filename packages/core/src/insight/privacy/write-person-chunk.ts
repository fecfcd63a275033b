import { type Context, type Services, systemContext } from '../../base/kernel/index.ts';
import { isStorageFull, storageReason } from '../../people/storage/index.ts';
import { insertChunk } from '../exports/index.ts';
import type { Whom } from './person.store.ts';
import {
  failPersonExport,
  findNeglectedPersonExports,
  findOpenPersonExport,
  lockOpenPersonExport,
  type PersonExportRow,
  type PersonProgress,
  savePersonExport,
} from './person-exports.store.ts';
import { headOf, sections } from './person-sections.ts';

/** Size of a chunk, in characters; the last page may exceed it. */
const chunkLength = 1024 * 1024;
/** For how long one call reads before it writes what it has. */
const callMs = 10_000;

/**
 * Writes the next chunk of the document about a person. The chunk and the position are one transaction, so that an interrupted export neither
 * loses nor repeats a record.
 *
 * @returns whether there may be more to write; false for a job of another kind
 */
export async function writePersonChunk(
  services: Services,
  jobId: string,
  length = chunkLength,
): Promise<boolean> {
  const { prisma } = services.database;
  const open = await findOpenPersonExport(prisma, jobId);
  if (!open) return false;
  const { job, project } = open;
  return services.jobTurns.run(project.id, async () => {
    if (await isStorageFull(services, project.id)) {
      await failPersonExport(prisma, jobId, storageReason);
      return false;
    }
    const chunk = await read(systemContext(services, { project }), job, length);
    return prisma.$transaction((db) => store(db, job, chunk), { timeout: 60_000, maxWait: 30_000 });
  });
}

interface Chunk {
  text: string;
  after: PersonProgress;
}

async function store(db: Context['db'], { id }: PersonExportRow, { text, after }: Chunk): Promise<boolean> {
  const locked = await lockOpenPersonExport(db, id);
  if (!locked) return false;
  // Another process has written this chunk.
  if ((locked.result?.chunks ?? 0) !== after.chunks - 1) return true;
  const hasEnded = after.section === sections.length;
  const progress = hasEnded ? 100 : Math.floor((after.section * 100) / sections.length);
  await insertChunk(db, id, after.chunks - 1, Buffer.from(text));
  await savePersonExport(db, id, progress, after, hasEnded);
  return !hasEnded;
}

const atBeginning: PersonProgress = { chunks: 0, records: 0, section: 0, inSection: 0, after: null };

async function read(
  ctx: Context,
  { input, projectId, result }: PersonExportRow,
  length: number,
): Promise<Chunk> {
  const { address, contactId } = input;
  const hash = ctx.services.secrets.addressHash(projectId, address);
  const whom: Whom = { projectId, address, contactId, hash };
  const endsAt = performance.now() + callMs;
  const after = { ...(result ?? atBeginning) };
  // The object is left open for the lists.
  let text = result ? '' : JSON.stringify(await headOf(ctx, whom), null, 1).replace(/\n\}$/, '');
  do {
    const section = sections[after.section];
    if (!section) break;
    if (after.after === null) text += `,\n "${section.name}": [`;
    const page = await section.page(ctx, whom, after.after);
    for (const record of page.records) {
      text += `${after.inSection === 0 ? '' : ','}\n  ${JSON.stringify(record)}`;
      after.inSection += 1;
    }
    after.records += page.records.length;
    after.after = page.after;
    if (page.after !== null) continue;
    text += after.inSection === 0 ? ']' : '\n ]';
    after.section += 1;
    after.inSection = 0;
  } while (after.section < sections.length && text.length < length && performance.now() < endsAt);
  if (after.section === sections.length) text += '\n}\n';
  return { text, after: { ...after, chunks: after.chunks + 1 } };
}

/** A signal to start a job arrives within this time. */
const neglectedSeconds = 60;

/** Ids of exports of people that are still open after a minute, for `reconcile`. */
export const findOpenPersonExports = (services: Services, limit: number): Promise<string[]> =>
  findNeglectedPersonExports(services.database.prisma, neglectedSeconds, limit);

/** Fails an export that cannot be completed; one of another kind is left alone. @param reason for the user */
export const giveUpPersonExport = (
  services: Services,
  jobId: string,
  reason = 'An unexpected error occurred. Start it again',
): Promise<void> => failPersonExport(services.database.prisma, jobId, reason);
