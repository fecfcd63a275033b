import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runImport, startContactImport } from '../../audience/contacts/index.ts';
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

/** How many contacts go out and come back. */
const contactCount = 400;

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
const state = fc.constantFrom('in', 'paused', 'request', 'own');
const contact = fc.record({ data: fc.dictionary(key, value), state });

it('contacts that are exported and imported into another project are equal but for ids and times', async () => {
  const [from, to] = [await createTestProject(test.services), await createTestProject(test.services)];
  const { prisma } = test.services.database;
  const samples = fc.sample(contact, {
    numRuns: contactCount,
    seed: Number(process.env['PROPERTY_SEED']) || 7,
  });
  await prisma.contact.createMany({
    data: samples.map((each, n) => ({
      id: newId(),
      projectId: from.id,
      email: `person${n}@people.test`,
      data: each.data,
      subscribed: each.state === 'in',
      snoozedUntil: each.state === 'paused' ? new Date(Date.UTC(2999, 0, 1, 0, 0, 0, n % 1_000)) : null,
      optedOutAt: each.state === 'own' ? new Date() : null,
    })),
  });
  await importInto(to, await exportOf(from, 'contacts'));
  const contactsOf = async (projectId: string) =>
    (await prisma.contact.findMany({ where: { projectId }, orderBy: { email: 'asc' } })).map(
      ({ email, data, subscribed, snoozedUntil, optedOutAt }) => ({
        email,
        data,
        subscribed,
        snoozedUntil,
        isOwn: optedOutAt !== null,
      }),
    );
  expect(await contactsOf(to.id)).toEqual(await contactsOf(from.id));
  const withoutOwn = (file: Buffer) => file.toString().split('\r\n')[0];
  expect(withoutOwn(await exportOf(to, 'contacts', { bom: 'true' }))).toBe(
    `\uFEFF${withoutOwn(await exportOf(from, 'contacts'))}`,
  );
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
