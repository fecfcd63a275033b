import type { z } from 'zod';
import type { Db } from '../../../base/db/index.ts';
import {
  AppError,
  type Context,
  command,
  conflict,
  invalid,
  projectIdOf,
  suggestions,
} from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { authorOf } from '../../../people/audit/index.ts';
import { assertStorage } from '../../../people/storage/index.ts';
import { findChoosableTopics, hasWording, sayingOf, unknownTopic } from '../../consent/index.ts';
import { importContactsJob } from '../contacts.jobs.ts';
import type { ImportOptions } from '../jobs/jobs.rules.ts';
import { importLimitBytes, queuedJob } from '../jobs/jobs.schema.ts';
import { copyDryRunFile, insertJob, storeImportFile } from '../jobs/jobs.store.ts';
import { typeOfSegment } from './import.store.ts';
import { topicsIn } from './mapping.rules.ts';
import { importInput } from './start-import.schema.ts';

type Given = z.output<typeof importInput>;

export const startContactImport = command({
  name: 'contacts.import',
  summary: 'Imports contacts from a CSV file in the background',
  permission: 'data:write',
  risk: 'large',
  outside: true,
  errors: ['SEGMENT_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  input: importInput,
  output: queuedJob,
  async prepare(ctx, { csv, from, segmentId, mapping, wordingId }) {
    const projectId = projectIdOf(ctx);
    await assertReferences(ctx.db, projectId, { mapping, wordingId });
    if (segmentId !== undefined) await assertStaticSegment(ctx.db, projectId, segmentId);
    const jobId = newId();
    if (csv === undefined) {
      await assertStorage(ctx.services, projectId);
      return { jobId, fileName: await copyOf(ctx.db, { from: from ?? '', jobId, projectId }) };
    }
    const bytes = typeof csv === 'string' ? Buffer.from(csv) : csv;
    if (bytes.length > importLimitBytes) throw importTooLarge();
    await assertStorage(ctx.services, projectId, bytes.length);
    await storeImportFile(ctx.services.database, { jobId, projectId, bytes });
    return { jobId, fileName: null };
  },
  async handler(ctx, given, { jobId, fileName }) {
    const { keep, mapping, segmentId, kind, encoding, dryRun } = given;
    const subscribed = keep === true ? 'keep' : (given.subscribed ?? true);
    const projectId = projectIdOf(ctx);
    if (segmentId !== undefined) await assertStaticSegment(ctx.db, projectId, segmentId);
    const input: ImportOptions = {
      subscribed,
      ...(mapping && { mapping }),
      ...(segmentId !== undefined && { segmentId }),
      ...(kind && { kind }),
      ...(encoding && { encoding }),
      ...(dryRun && { dryRun }),
      said: importerOf(ctx),
      ...statedIn(given),
    };
    const author = { ...authorOf(ctx.actor), fileName: given.fileName || fileName };
    await insertJob(ctx.db, { id: jobId, projectId, kind: 'import', input, ...author });
    ctx.audit({ targetType: 'job', targetId: jobId });
    ctx.afterCommit(() => ctx.services.workflows.signalDebounced(importContactsJob, { jobId }));
    return { message: dryRun ? 'Dry run queued' : 'Import queued', jobId };
  },
});

/** What the request states of the consents in the file; nothing where it states nothing. */
function statedIn({ consentAt, consentSource, ...given }: Given): Pick<ImportOptions, 'stated'> {
  const basis = given.basis ?? null;
  const wordingId = given.wordingId ?? null;
  const at = consentAt === undefined ? null : new Date(consentAt).toISOString();
  const source = consentSource || null;
  const isStated = basis !== null || at !== null || source !== null || wordingId !== null;
  return isStated ? { stated: { basis, at, source, wordingId } } : {};
}

/** @throws AppError VALIDATION_ERROR for a topic or a wording that the project does not have */
async function assertReferences(
  db: Db,
  projectId: string,
  { mapping, wordingId }: Pick<Given, 'mapping' | 'wordingId'>,
): Promise<void> {
  const named = topicsIn(mapping ?? {});
  const topics = named.length === 0 ? new Map() : await findChoosableTopics(db, projectId);
  const unknown = named.flatMap(({ header, key }) =>
    topics.has(key) ? [] : [unknownTopic(`mapping.${header}`, key)],
  );
  if (unknown.length > 0) throw invalid(unknown);
  if (wordingId !== undefined && !(await hasWording(db, projectId, wordingId)))
    throw invalid([
      { field: 'wordingId', code: 'unknown_reference', message: 'The project has no such wording' },
    ]);
}

const importerOf = (ctx: Context): ImportOptions['said'] => {
  const { actor, actorId, keyName } = sayingOf(ctx);
  return { actor, ...(actorId && { actorId }), ...(keyName && { keyName }) };
};

/** How long the file of a dry run can be imported, in milliseconds. */
const keptMs = 3_600_000;

/** @returns its name @throws AppError RESOURCE_NOT_FOUND without a dry run of the last hour */
async function copyOf(
  db: Db,
  copy: { from: string; jobId: string; projectId: string },
): Promise<string | null> {
  const copied = await copyDryRunFile(db, { ...copy, after: new Date(Date.now() - keptMs) });
  if (!copied)
    throw new AppError('RESOURCE_NOT_FOUND', 'There is no dry run of the last hour with this id', {
      suggestion: 'Send the file again',
    });
  return copied.fileName;
}

/** @throws AppError SEGMENT_NOT_FOUND, or CONFLICT for a segment whose members its condition decides */
async function assertStaticSegment(db: Db, projectId: string, id: string): Promise<void> {
  const type = await typeOfSegment(db, projectId, id);
  if (type === null) throw new AppError('SEGMENT_NOT_FOUND', 'Segment not found');
  if (type !== 'STATIC')
    throw conflict('The members of a dynamic segment are determined by its condition', {
      suggestion: suggestions.CONFLICT.dynamicSegment,
    });
}

export const importTooLarge = (): AppError =>
  new AppError('INVALID_REQUEST_BODY', 'The CSV file is larger than 5 MB', {
    kind: 'too_large',
    suggestion: 'Split the file and repeat the header in each part',
  });
