import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { createWording } from '../../consent/index.ts';
import { createTopic } from '../../topics/index.ts';
import { deleteContact } from '../delete-contact.ts';
import { getContactImport } from '../jobs/get-job.ts';
import { upsertContact } from '../upsert-contact.ts';
import { runImport } from './run-import.ts';
import { startContactImport } from './start-import.ts';

let test: TestServices;
let project: TestProject;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

async function run(csv: string, options: object = {}) {
  const { jobId } = await startContactImport.runRaw(project.ctx, { csv, ...options });
  await runImport(test.services, jobId);
  return getContactImport.run(project.ctx, { jobId });
}

/** The import, after a dry run that has said the same. */
async function importCsv(csv: string, options: object = {}) {
  const dry = await run(csv, { ...options, dryRun: true });
  const real = await run(csv, options);
  expect({ ...dry.result, dryRun: false }).toEqual(real.result);
  return real;
}

const later = new Date(Date.now() + 86_400_000 * 30);

/** One contact in each state, and two addresses without one; `left` opted out before its contact was deleted. */
async function people(): Promise<void> {
  const { prisma } = test.services.database;
  const rows = {
    in: { subscribed: true },
    paused: { subscribed: false, snoozedUntil: later },
    byRequest: { subscribed: false },
    byOwn: { subscribed: false, optedOutAt: new Date() },
  };
  for (const [name, row] of Object.entries(rows))
    await prisma.contact.create({
      data: { id: newId(), projectId: project.id, email: `${name.toLowerCase()}@a.test`, ...row },
    });
  const { id } = await upsertContact.run(project.ctx, { email: 'left@a.test', subscribed: false });
  await deleteContact.run(project.ctx, { id });
}

async function states(): Promise<Record<string, string>> {
  const rows = await test.services.database.prisma.contact.findMany({
    where: { projectId: project.id },
    orderBy: { email: 'asc' },
  });
  return Object.fromEntries(
    rows.map(({ email, subscribed, snoozedUntil, stated, subscriptionChangedAt, optedOutAt }) => {
      const isOwn = optedOutAt !== null && optedOutAt >= (subscriptionChangedAt ?? new Date(0));
      return [
        email.split('@')[0] ?? '',
        subscribed ? 'in' : snoozedUntil ? 'paused' : !stated ? 'never' : isOwn ? 'own' : 'request',
      ];
    }),
  );
}

const eventsOf = async () =>
  (await test.services.database.prisma.event.findMany({ where: { projectId: project.id } })).map(
    ({ name, data }) => [name, data],
  );

const everybody = ['new', 'left', 'in', 'paused', 'byrequest', 'byown'];
const unsubscribedEvent = ['contact.unsubscribed', { reason: 'import' }];

describe('what a row says, by how its person was before', () => {
  const before = { in: 'in', paused: 'paused', byrequest: 'request', byown: 'own' };

  it.each([
    [
      'yes',
      {},
      { ...before, new: 'in', left: 'request' },
      { subscribedCount: 1, unsubscribedCount: 0, optedOutCount: 4 },
      [],
    ],
    [
      '',
      {},
      { ...before, new: 'never', left: 'request' },
      { subscribedCount: 0, unsubscribedCount: 0, optedOutCount: 4 },
      [],
    ],
    [
      'no',
      {},
      { new: 'own', left: 'own', in: 'own', paused: 'own', byrequest: 'own', byown: 'own' },
      { subscribedCount: 0, unsubscribedCount: 3, optedOutCount: 3 },
      [unsubscribedEvent],
    ],
  ])('%j in a column', async (word, options, after, counts, events) => {
    await people();
    const file = `email,subscribed\n${everybody.map((name) => `${name}@a.test,${word}\n`).join('')}`;
    expect((await importCsv(file, options)).result).toMatchObject({
      totalRows: 6,
      createdCount: 2,
      updatedCount: 4,
      failureCount: 0,
      ...counts,
    });
    expect(await states()).toEqual(after);
    expect(await eventsOf()).toEqual(events);
  });

  it.each<[unknown, Record<string, string>, object, unknown[]]>([
    ['true', { ...before, new: 'in', left: 'request' }, { subscribedCount: 1, optedOutCount: 4 }, []],
    ['keep', { ...before, new: 'never', left: 'request' }, { subscribedCount: 0, optedOutCount: 4 }, []],
    [
      'false',
      { new: 'own', left: 'own', in: 'own', paused: 'own', byrequest: 'own', byown: 'own' },
      { unsubscribedCount: 3, optedOutCount: 3 },
      [unsubscribedEvent],
    ],
  ])('by the form field %s', async (subscribed, after, counts, events) => {
    await people();
    const file = `email,plan\n${everybody.map((name) => `${name}@a.test,pro\n`).join('')}`;
    expect((await importCsv(file, { subscribed })).result).toMatchObject(counts);
    expect(await states()).toEqual(after);
    expect(await eventsOf()).toEqual(events);
  });

  it('a pause stops email to who receives it, and nobody else', async () => {
    await people();
    const file = `email,subscribed,snoozedUntil\n${everybody.map((name) => `${name}@a.test,false,${later.toISOString()}\n`).join('')}`;
    expect((await importCsv(file)).result).toMatchObject({ unsubscribedCount: 2, optedOutCount: 4 });
    expect(await states()).toEqual({
      new: 'paused',
      left: 'request',
      in: 'paused',
      paused: 'paused',
      byrequest: 'request',
      byown: 'own',
    });
  });

  it('a person of several rows is out when one says no, in whichever batch it stands, and counts once', async () => {
    const filler = Array.from({ length: 5_000 }, (_, n) => `n${n}@a.test,yes\n`).join('');
    const job = await importCsv(
      `email,subscribed\ntwice@a.test,yes\n${filler}twice@a.test,no\nTWICE@a.test,\n`,
    );
    expect(job.result).toMatchObject({
      createdCount: 5_001,
      updatedCount: 2,
      subscribedCount: 5_000,
      unsubscribedCount: 1,
      optedOutCount: 0,
    });
    expect((await states())['twice']).toBe('own');
    expect(await eventsOf()).toEqual([]);
  });

  it('no batch of an unsubscribing file counts a person again', async () => {
    const filler = Array.from({ length: 5_000 }, (_, n) => `n${n}@a.test\n`).join('');
    const job = await importCsv(`email\ntwice@a.test\n${filler}twice@a.test\n`, { subscribed: 'false' });
    expect(job.result).toMatchObject({ createdCount: 5_001, unsubscribedCount: 5_001, optedOutCount: 0 });
  });

  it('a column tells how many of its cells say yes and no, and which cannot be read', async () => {
    const job = await importCsv(
      'email,subscribed,plan\na@a.test,ja,pro\nb@a.test,0,\nc@a.test,,\nd@a.test,perhaps,pro\n',
    );
    expect(job.result).toMatchObject({ totalRows: 4, failureCount: 1, unreadCount: 1 });
    expect(job.result?.columns).toEqual([
      {
        header: 'email',
        to: 'email',
        type: null,
        format: null,
        read: 3,
        unread: 0,
        yes: null,
        no: null,
        examples: [],
      },
      {
        header: 'subscribed',
        to: 'subscribed',
        type: null,
        format: null,
        read: 2,
        unread: 1,
        yes: 1,
        no: 1,
        examples: [{ row: 4, value: 'perhaps' }],
      },
      {
        header: 'plan',
        to: 'data.plan',
        type: 'TEXT',
        format: null,
        read: 1,
        unread: 0,
        yes: null,
        no: null,
        examples: [],
      },
    ]);
  });

  it('an import over people who opted out subscribes none of them, with any value', async () => {
    await people();
    for (const subscribed of ['true', 'keep', 'false']) {
      await run(
        `email,subscribed\nbyown@a.test,yes\nleft@a.test,true\nbyrequest@a.test,1\npaused@a.test,active\n`,
        { subscribed },
      );
      const { byown, left, byrequest, paused } = await states();
      expect([byown, left, byrequest, paused]).toEqual(['own', 'request', 'request', 'paused']);
    }
  });
});

describe('what is known of a consent', () => {
  /** By address: contacts of one batch get their acts in any order. */
  const acts = async () => {
    const { prisma } = test.services.database;
    const where = { projectId: project.id };
    const contacts = await prisma.contact.findMany({ where });
    const rows = await prisma.consentAct.findMany({ where, orderBy: { seq: 'asc' } });
    const emailOf = new Map(contacts.map(({ id, email }) => [id, email]));
    return rows
      .map(({ contactId, action, effect, basis, at, ip, evidence, wordingId, topicsOn, topicsOff }) => ({
        email: emailOf.get(contactId ?? '') ?? '',
        ...{ action, effect, basis, at: at.toISOString(), ip, evidence, wordingId, topicsOn, topicsOff },
      }))
      .toSorted((one, other) => one.email.localeCompare(other.email));
  };

  it('is kept with the act, and decides what the subscription rests on', async () => {
    const mapping = JSON.stringify({
      SIGNUP: { to: 'consent.at', format: 'DD.MM.YYYY' },
      IP: 'consent.ip',
      WHERE: 'consent.source',
      CONFIRM_TIME: 'consent.confirmedAt',
      CONFIRM_IP: 'consent.confirmedIp',
      LEFT: 'consent.unsubscribedAt',
    });
    const job = await importCsv(
      [
        'email,SIGNUP,IP,WHERE,CONFIRM_TIME,CONFIRM_IP,LEFT,subscribed',
        'double@a.test,01.02.2025,203.0.113.7,Footer,2025-02-01 10:00:00,203.0.113.8,,yes',
        'single@a.test,,,Fair,,,,yes',
        'left@a.test,01.02.2025,,,,,2025-03-01T08:00:00Z,yes',
        'future@a.test,01.02.2999,,,,,,yes',
        'unread@a.test,2025-02-01,,,,,,yes',
      ].join('\n'),
      { mapping },
    );
    expect(job.result).toMatchObject({ subscribedCount: 2, unsubscribedCount: 1, failureCount: 2 });
    expect(job.result?.errors.map(({ error }) => error)).toEqual([
      'consent.at: "01.02.2999" is in the future',
      'consent.at: "2025-02-01" is not a date',
    ]);
    expect(await acts()).toMatchObject([
      {
        action: 'subscribe',
        basis: 'confirmed',
        at: '2025-02-01T00:00:00.000Z',
        ip: '203.0.113.7',
        evidence: {
          source: 'Footer',
          confirmedAt: '2025-02-01T10:00:00.000Z',
          confirmedIp: '203.0.113.8',
        },
      },
      { action: 'unsubscribe', basis: null, at: '2025-03-01T08:00:00.000Z', evidence: null },
      { action: 'subscribe', basis: 'given', evidence: { source: 'Fair' } },
    ]);
  });

  it('by the request counts for those whom it subscribes, and less than what a row says', async () => {
    const wording = await createWording.run(project.ctx, { language: 'en', text: 'Yes, send me offers.' });
    const options = {
      subscribed: 'true',
      basis: 'customer',
      wordingId: wording.id,
      consentAt: '2025-01-01T00:00:00Z',
      consentSource: 'Checkout',
    };
    await importCsv('email,consent.source,consent.at\na@a.test,,\nb@a.test,Fair,2024-01-01\n', options);
    const stated = { action: 'subscribe', wordingId: wording.id };
    expect(await acts()).toMatchObject([
      { ...stated, basis: 'customer', at: '2025-01-01T00:00:00.000Z', evidence: { source: 'Checkout' } },
      { ...stated, basis: 'given', at: '2024-01-01T00:00:00.000Z', evidence: { source: 'Fair' } },
    ]);
    // Evidence about people who are subscribed is recorded, and a repetition of the file subscribes no one.
    await importCsv('email,consent.confirmedAt\na@a.test,2025-01-02\nb@a.test,\n', options);
    expect((await acts()).filter(({ basis }) => basis === 'confirmed')).toMatchObject([
      {
        email: 'a@a.test',
        action: 'subscribe',
        effect: 'changed',
        basis: 'confirmed',
        wordingId: wording.id,
      },
    ]);
  });

  it('choices are columns by the keys of topics, and those of other topics are skipped', async () => {
    await createTopic.runRaw(project.ctx, { key: 'news', name: { en: 'News' }, default: 'OUT' });
    const mapping = JSON.stringify({ Offers: 'topics.general' });
    const job = await importCsv(
      'email,topics.news,Offers,topics.gone\na@a.test,yes,no,yes\nb@a.test,,,\nc@a.test,no,,\nd@a.test,often,,\n',
      { mapping, subscribed: 'keep' },
    );
    expect(job.result).toMatchObject({
      skippedColumns: ['topics.gone'],
      subscribedCount: 1,
      unsubscribedCount: 1,
      failureCount: 1,
      columns: [{}, { to: 'topics.news', yes: 1, no: 1 }, { to: 'topics.general', yes: 0, no: 1 }],
    });
    expect(await states()).toEqual({ a: 'in', b: 'never', c: 'request' });
    expect(await acts()).toMatchObject([
      { action: 'subscribe', basis: 'given', topicsOn: [2], topicsOff: [1] },
      { action: 'topics', topicsOff: [2] },
    ]);
  });

  it.each<[object, string, string]>([
    [{ mapping: '{"N":"topics.none"}' }, 'mapping.N', 'unknown_topic'],
    [{ mapping: '{"N":{"to":"topics.general","type":"TEXT"}}' }, 'mapping.N.type', 'unsupported_field'],
    [{ mapping: '{"N":{"to":"consent.ip","format":"ISO"}}' }, 'mapping.N.format', 'unsupported_field'],
    [{ mapping: '{"N":{"to":"consent.at","format":"1,234.5"}}' }, 'mapping.N.format', 'unsupported_field'],
    [{ mapping: '{"N":"consent.at","M":"consent.at"}' }, 'mapping', 'custom'],
    [{ wordingId: newId() }, 'wordingId', 'unknown_reference'],
    [{ basis: 'confirmed' }, 'basis', 'invalid_enum_value'],
    [{ consentAt: '2999-01-01T00:00:00Z' }, 'consentAt', 'invalid_date'],
    [{ kind: 'optOuts', basis: 'given' }, 'basis', 'unsupported_field'],
  ])('%j is refused at %s', async (options, field, code) => {
    await expect(
      startContactImport.runRaw(project.ctx, { csv: 'email,N,M\n', ...options }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] });
  });
});

describe('the other kinds of files', () => {
  it('optOuts: contacts are unsubscribed as by themselves, other addresses are remembered', async () => {
    await people();
    const file = `Email Address,First Name,UNSUB_TIME\n${everybody.map((name) => `${name}@a.test,X,2025-05-01\n`).join('')}bad,,\nnew@a.test,,\n`;
    const job = await importCsv(file, { kind: 'optOuts' });
    expect(job.result).toMatchObject({
      totalRows: 8,
      successCount: 7,
      createdCount: 0,
      updatedCount: 7,
      failureCount: 1,
      unsubscribedCount: 2,
      optedOutCount: 6,
      skippedColumns: ['First Name', 'UNSUB_TIME'],
    });
    expect(await states()).toEqual({ in: 'own', paused: 'own', byrequest: 'own', byown: 'own' });
    expect(await eventsOf()).toEqual([unsubscribedEvent]);
    await run('email\nnew@a.test\nleft@a.test\n');
    expect(await states()).toMatchObject({ new: 'own', left: 'own' });
    const remembered = await test.services.database.prisma.optOut.findMany({
      where: { projectId: project.id },
    });
    expect(remembered.map(({ byRecipient }) => byRecipient)).toEqual([true, true]);
  });

  it('suppressions: the first entry stays, and what cannot be read fails its row', async () => {
    const { prisma } = test.services.database;
    const at = new Date('2026-01-01T00:00:00Z');
    await prisma.suppression.create({
      data: { projectId: project.id, email: 'old@a.test', reason: 'COMPLAINT', createdAt: at },
    });
    const job = await importCsv(
      'email,reason,emailId,createdAt\nold@a.test,BOUNCE,,2026-02-01\nnew@a.test,bounce,,2026-02-01T10:00:00.000Z\nplain@a.test,,,\nx@a.test,spam,,\ny@a.test,,,2999-01-01\nz@a.test,,,soon\n',
      { kind: 'suppressions' },
    );
    expect(job.result).toMatchObject({
      createdCount: 2,
      updatedCount: 1,
      failureCount: 3,
      suppressedCount: 3,
      skippedColumns: ['emailId'],
    });
    expect(job.result?.errors.map(({ error }) => error)).toEqual([
      'reason: "spam" is none of BOUNCE, COMPLAINT, MANUAL',
      'createdAt: "2999-01-01" is in the future',
      'createdAt: "soon" is not a date',
    ]);
    const rows = await prisma.suppression.findMany({
      where: { projectId: project.id },
      orderBy: { email: 'asc' },
    });
    expect(rows).toMatchObject([
      { email: 'new@a.test', reason: 'BOUNCE', createdAt: new Date('2026-02-01T10:00:00.000Z') },
      { email: 'old@a.test', reason: 'COMPLAINT', createdAt: at },
      { email: 'plain@a.test', reason: 'MANUAL' },
    ]);
    expect(await prisma.contact.count({ where: { projectId: project.id } })).toBe(0);
  });

  it('suppressions: an entry keeps its end, and one that lasts takes the end of another away', async () => {
    const { prisma } = test.services.database;
    const end = new Date('2999-01-01T00:00:00Z');
    for (const email of ['ending@a.test', 'lasting@a.test'])
      await prisma.suppression.create({
        data: { projectId: project.id, email, reason: 'BOUNCE', expiresAt: end },
      });
    const job = await importCsv(
      'email,expiresAt\nending@a.test,2998-01-01\nlasting@a.test,\nnew@a.test,2998-01-01\nx@a.test,soon\n',
      { kind: 'suppressions' },
    );
    expect(job.result).toMatchObject({ createdCount: 1, updatedCount: 2, failureCount: 1 });
    expect(
      await prisma.suppression.findMany({ where: { projectId: project.id }, orderBy: { email: 'asc' } }),
    ).toMatchObject([
      { email: 'ending@a.test', expiresAt: end },
      { email: 'lasting@a.test', expiresAt: null },
      { email: 'new@a.test', expiresAt: new Date('2998-01-01T00:00:00Z') },
    ]);
  });

  it('an import of contacts counts the suppressed ones among them', async () => {
    await test.services.database.prisma.suppression.create({
      data: { projectId: project.id, email: 'b@a.test', reason: 'BOUNCE' },
    });
    expect((await importCsv('email\na@a.test\nb@a.test\nB@a.test\n')).result).toMatchObject({
      suppressedCount: 1,
      createdCount: 2,
    });
  });

  it.each([
    [{ kind: 'optOuts', segmentId: newId() }, 'segmentId'],
    [{ kind: 'suppressions', subscribed: 'keep' }, 'subscribed'],
    [{ subscribed: true, keep: true }, 'keep'],
    [{ kind: 'people' }, 'kind'],
    [{ encoding: 'utf-7' }, 'encoding'],
    [{ subscribed: 'maybe' }, 'subscribed'],
    [{ from: newId() }, 'from'],
  ])('%j is refused at %s', async (options, field) => {
    await expect(
      startContactImport.runRaw(project.ctx, { csv: 'email\n', ...options }),
    ).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field }],
    });
  });
});
