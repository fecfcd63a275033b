import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Statement, verifyConsent, writeConsents } from '../../audience/consent/index.ts';
import { runImport, startContactImport } from '../../audience/contacts/index.ts';
import { createTopic } from '../../audience/topics/index.ts';
import { CsvReader } from '../../base/lib/csv-reader.rules.ts';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { openExportFile } from './open-export-file.ts';
import { startExport } from './start-export.ts';
import { writeChunk } from './write-chunk.ts';

/** How many contacts go out and come back; more where a machine has the time. */
const contactCount = Number(process.env['ROUND_TRIP_CONTACTS']) || 400;

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

async function exportOf(
  { ctx }: TestProject,
  type: 'contacts' | 'suppressions',
  query: object = {},
): Promise<Buffer> {
  const { id: jobId } = await startExport.run(ctx, { type });
  while (await writeChunk(test.services, jobId));
  const parts: Buffer[] = [];
  for await (const bytes of (await openExportFile(ctx, jobId, query)).chunks) parts.push(bytes);
  return Buffer.concat(parts);
}

async function importInto({ ctx, id }: TestProject, csv: Buffer, options: object = {}): Promise<void> {
  const { jobId } = await startContactImport.runRaw(ctx, { csv, ...options });
  await runImport(test.services, jobId);
  const job = await test.services.database.prisma.job.findUniqueOrThrow({ where: { id: jobId } });
  expect(job).toMatchObject({
    projectId: id,
    state: 'completed',
    result: { failureCount: 0, unreadCount: 0 },
  });
}

const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc
      .array(fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', ' ', '"', ',', ';', 'a', '1', '.'), {
        maxLength: 6,
      })
      .map((parts) => parts.join('')),
    fc.constantFrom(
      'true',
      'FALSE',
      '12345',
      '007',
      '1e5',
      '-5',
      '19.90',
      '0x10',
      'Infinity',
      '2026-11-20',
      "''=x",
      "'tis",
      '   ',
      ' x',
      'x ',
      'null',
      '\u00a0',
    ),
  )
  .filter((each) => each !== '' && !each.includes('\0') && each.isWellFormed());
const value = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean());
const key = fc.constantFrom(
  'plan',
  'data.plan',
  'email address',
  'createdAt',
  'status',
  'a"b',
  'a,b',
  'ключ',
  '=x',
  'Subscribed',
);
const statuses = ['unlogged', 'subscribed', 'snoozed', 'pending', 'never', 'request', 'own'] as const;
const bases = ['default', 'customer', 'given', 'confirmed'] as const;
const choice = fc.constantFrom(true, false, null);
const contact = fc.record({
  data: fc.dictionary(key, value),
  status: fc.constantFrom(...statuses),
  basis: fc.constantFrom(...bases),
  /** the contact is subscribed to the topics alone that it chose */
  isAlone: fc.boolean(),
  choices: fc.record({ general: choice, news: choice }),
  source: fc.constantFrom(null, 'Fair', '=1+1', "'quoted, twice'"),
  second: fc.nat(86_400 * 365),
});
type Sample = typeof contact extends fc.Arbitrary<infer Each> ? Each : never;

/** Contacts with all that a consent can be, written as the doors write it. */
async function fill(project: TestProject, samples: readonly Sample[]): Promise<void> {
  const { prisma } = test.services.database;
  // Of who subscribed before there was a log, it is not known since when.
  await prisma.contact.createMany({
    data: samples.map(({ data, status }, n) => ({
      ...{ id: newId(), projectId: project.id, email: `person${n}@people.test`, data },
      ...(status === 'unlogged'
        ? { subscribed: true }
        : { subscribed: false, stated: false, consentSeq: 0n }),
    })),
  });
  const contacts = await prisma.contact.findMany({ where: { projectId: project.id } });
  const topics = await prisma.topic.findMany({ where: { projectId: project.id } });
  const ids = new Map(contacts.map(({ id, email }) => [email, id]));
  const numbers = new Map(topics.map(({ key: name, number }) => [name, number]));
  const say = (statementOf: (sample: Sample) => Omit<Statement, 'contact'> | null) =>
    writeConsents(
      prisma,
      project.id,
      { by: 'single', source: 'api', actor: 'system' },
      samples.flatMap((sample, n) => {
        const statement = statementOf(sample);
        const id = ids.get(`person${n}@people.test`);
        return statement && id !== undefined ? [{ contact: id, ...statement }] : [];
      }),
    );
  const chosen = ({ choices }: Sample, wanted: boolean): number[] =>
    Object.entries(choices).flatMap(([name, each]) => (each === wanted ? [numbers.get(name) ?? 0] : []));
  await say((sample) => {
    const { status, basis, isAlone, source, second } = sample;
    const at = new Date(Date.UTC(2025, 0, 1, 0, 0, second));
    if (status === 'pending') return { kind: 'request', until: new Date(Date.UTC(2999, 0, 1)) };
    if (status === 'never' || status === 'unlogged') return null;
    return {
      kind: 'state',
      wanted: true,
      ...(isAlone && { defaults: false }),
      ...{ yes: chosen(sample, true), no: chosen(sample, false), basis, at },
      ...(source !== null && { evidence: { source } }),
    };
  });
  await say(({ status, second }) => {
    if (status === 'snoozed') return { kind: 'snooze', until: new Date(Date.UTC(2999, 0, 1, 0, 0, second)) };
    if (status === 'request') return { kind: 'state', wanted: false };
    return status === 'own' ? { kind: 'state', wanted: false, optOutBy: 'recipient' } : null;
  });
}

/** The rows of an export of contacts without what belongs to a project, by address; who waits for a confirmation comes back as `never`. */
function rowsOf(csv: Buffer): Record<string, string>[] {
  const reader = new CsvReader({ separator: ',' });
  const all = [...reader.feed(csv.toString()), ...reader.end()].map(({ cells }) => cells);
  const [header = [], ...rows] = all;
  const own = new Set(['id', 'projectId', 'createdAt', 'updatedAt']);
  return rows
    .map((cells) =>
      Object.fromEntries(
        header.flatMap((name, index) =>
          own.has(name) ? [] : [[name, (cells[index] ?? '').replace(/^pending$/, 'never')]],
        ),
      ),
    )
    .toSorted((one, other) => ((one['email'] ?? '') < (other['email'] ?? '') ? -1 : 1));
}

it('contacts that are exported and imported into another project are equal but for ids and times', {
  timeout: 600_000,
}, async () => {
  const [from, to] = [await createTestProject(test.services), await createTestProject(test.services)];
  // Topics are of the project, and have other numbers in another one.
  for (const [project, keys] of [
    [from, ['news']],
    [to, ['other', 'news']],
  ] as const)
    for (const name of keys)
      await createTopic.runRaw(project.ctx, { key: name, name: { en: name }, default: 'OUT' });
  const samples = fc.sample(contact, {
    numRuns: contactCount,
    seed: Number(process.env['PROPERTY_SEED']) || 7,
  });
  await fill(from, samples);
  const first = await exportOf(from, 'contacts');
  await importInto(to, first);
  const { prisma } = test.services.database;
  const contactsOf = async (project: TestProject) => {
    const topics = await prisma.topic.findMany({ where: { projectId: project.id } });
    const named = (numbers: readonly number[]) =>
      topics.flatMap(({ key: name, number }) => (numbers.includes(number) ? [name] : [])).toSorted();
    const rows = await prisma.contact.findMany({
      where: { projectId: project.id },
      orderBy: { email: 'asc' },
    });
    return rows.map((row) => ({
      ...{ email: row.email, data: row.data, subscribed: row.subscribed, snoozedUntil: row.snoozedUntil },
      ...{ stated: row.stated, optOutBy: row.optOutBy, topicDefaults: row.topicDefaults },
      ...{ yes: named(row.topicsOn), no: named(row.topicsOff) },
      basis: row.subscribed ? [row.consentBasis, row.consentedAt] : null,
    }));
  };
  expect(await contactsOf(to)).toEqual(await contactsOf(from));
  const second = await exportOf(to, 'contacts', { bom: 'true' });
  expect(second.subarray(0, 3).toString('hex')).toBe('efbbbf');
  const shown = (csv: Buffer) => rowsOf(csv).map(({ 'topics.other': _, ...row }) => row);
  expect(shown(second.subarray(3))).toEqual(shown(first));
  const differences = [];
  for await (const each of verifyConsent(test.services, to.id)) differences.push(each);
  expect(differences).toEqual([]);
});

it('suppressions come back with their reasons and times, and a byte order mark is no text', async () => {
  const [from, to] = [await createTestProject(test.services), await createTestProject(test.services)];
  const { prisma } = test.services.database;
  const reasons = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const;
  await prisma.suppression.createMany({
    data: Array.from({ length: 30 }, (_, n) => ({
      projectId: from.id,
      email: `${n % 2 === 0 ? '+' : ''}p${n}@people.test`,
      reason: reasons[n % 3] ?? 'MANUAL',
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n, n)),
    })),
  });
  await importInto(to, await exportOf(from, 'suppressions', { bom: 'true' }), { kind: 'suppressions' });
  const listOf = async (projectId: string) =>
    (await prisma.suppression.findMany({ where: { projectId }, orderBy: { email: 'asc' } })).map(
      ({ projectId: _, ...row }) => row,
    );
  expect(await listOf(to.id)).toEqual(await listOf(from.id));
});
