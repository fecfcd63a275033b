import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainly } from '../../audience/contacts/imports/consent.rules.ts';
import { readHeader } from '../../audience/contacts/imports/header.rules.ts';
import { importContacts } from '../../audience/contacts/imports/import.store.ts';
import { RowReader } from '../../audience/contacts/imports/rows.rules.ts';
import {
  addSuppressions,
  deleteSuppression,
  listSuppressions,
  lookupContacts,
  removeSuppressions,
  updateContact,
  upsertContact,
} from '../../audience/contacts/index.ts';
import { searchEvents, trackEvent } from '../../audience/events/index.ts';
import {
  addSegmentMembers,
  createSegment,
  listContacts,
  removeSegmentMembers,
} from '../../audience/segments/index.ts';
import { newId } from '../../base/lib/index.ts';
import { createTemplate, updateTemplate } from '../../content/templates/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { readSubmission } from '../submission/read-submission.ts';
import { listEmails } from './list-emails.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
});
afterAll(() => test.close());

const stored = 'renée@xn--mller-kva.example';
const spellings = [
  'Renée@MÜLLER.example',
  'rene\u0301e@mu\u0308ller.example',
  'RENÉE@xn--mller-kva.example',
  'renée@ｍüller．example',
  ' ren\u200bée@müller\u00ad.example ',
] as const;
const [first, composed, aLabel, wide, unseen] = spellings;
const from = 'team@shop.test';

const filtered = async (operator: string, value: string) => {
  const filter = JSON.stringify({
    logic: 'AND',
    groups: [{ filters: [{ field: 'email', operator, value }] }],
  });
  return (await listContacts.runRaw(project.ctx, { filter })).data.map(({ email }) => email);
};

describe('spellings of one address, whichever door they come in by', () => {
  it('are one contact', async () => {
    const { id, email } = await upsertContact.runRaw(project.ctx, { email: first });
    expect(email).toBe(stored);
    expect(await upsertContact.runRaw(project.ctx, { email: composed })).toMatchObject({ id });
    await trackEvent.runRaw(project.publicCtx, { email: aLabel, event: 'seen' });
    const sent = await sendEmail.runRaw(project.ctx, { to: wide, from, subject: 'S', body: 'B' });
    expect(sent.emails.map(({ contact }) => contact)).toEqual([{ id, email: stored }]);
    const other = await upsertContact.runRaw(project.ctx, { email: 'other@people.test' });
    await expect(updateContact.runRaw(project.ctx, { id: other.id, email: unseen })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const reading = readHeader(['email']);
    if (!reading.ok) throw new Error(reading.problem);
    const cells = [`René <mailto:${unseen.trim()}>`];
    const row = { cells, quoted: [false], count: 1, isCut: false, problem: null };
    expect(new RowReader(reading.header, { byForm: 'yes', zone: 'UTC' }).read(row)).toMatchObject({
      email: stored,
    });
    expect(await test.services.database.prisma.contact.count({ where: { projectId: project.id } })).toBe(2);
  });

  it.each(spellings)('%j is found', async (spelling) => {
    const unknown = 'nobody@müller.example';
    expect(await lookupContacts.runRaw(project.ctx, { emails: [spelling, unknown] })).toMatchObject({
      found: [spelling],
      notFound: [unknown],
    });
    expect(await filtered('equals', spelling)).toEqual([stored]);
    expect((await listContacts.runRaw(project.ctx, { search: spelling })).total).toBe(1);
    expect((await listEmails.runRaw(project.ctx, { search: spelling })).data).toHaveLength(1);
    expect((await searchEvents.runRaw(project.ctx, { contact: spelling })).data).toHaveLength(1);
  });

  it.each(['müller', '@Müller.ex', 'xn--mller', 'rene\u0301e'])('a part, %j, is found', async (part) => {
    expect(await filtered('contains', part)).toEqual([stored]);
    expect(await filtered('notContains', part)).toEqual(['other@people.test']);
    expect((await listContacts.runRaw(project.ctx, { search: part })).total).toBe(1);
    expect((await listEmails.runRaw(project.ctx, { search: part })).data).toHaveLength(1);
  });

  it('are one member of a segment', async () => {
    const { id } = await createSegment.runRaw(project.ctx, { name: 'Members', type: 'STATIC' });
    const emails = [...spellings];
    expect(await addSegmentMembers.runRaw(project.ctx, { id, emails, createMissing: true })).toEqual({
      added: 1,
      created: 0,
      notFound: [],
    });
    expect(await removeSegmentMembers.runRaw(project.ctx, { id, emails: [unseen] })).toEqual({ removed: 1 });
  });

  it('are one suppression, which stops email to each of them', async () => {
    const emails = [...spellings, 'ann@1.2.3'];
    expect(await addSuppressions.runRaw(project.ctx, { emails })).toEqual({
      added: 1,
      existing: 0,
      invalid: ['ann@1.2.3'],
    });
    expect((await listSuppressions.runRaw(project.ctx, { search: 'müller' })).data).toMatchObject([
      { email: stored },
    ]);
    await deleteSuppression.runRaw(project.ctx, { email: wide });
    expect((await listSuppressions.runRaw(project.ctx, {})).data).toEqual([]);
  });

  it('are one recipient of a submitted message', () => {
    const header = `From: ${from}\r\nTo: René <renée@müller.example>\r\nReply-To: ${first}`;
    const { names, replyTo } = readSubmission(Buffer.from(`${header}\r\n\r\nText\r\n`));
    expect([...names]).toEqual([[stored, 'René']]);
    expect(replyTo).toBe(stored);
  });
});

describe('what an earlier version has stored under another spelling', () => {
  const [letters, normal] = ['ada@müller.example', 'ada@xn--mller-kva.example'];
  const projectOf = async () => {
    const other = await createTestProject(test.services);
    await verifiedDomain(test.services, other.id, 'shop.test');
    return other;
  };
  const subscribedOf = async ({ id }: TestProject) =>
    (
      await test.services.database.prisma.contact.findFirstOrThrow({
        where: { projectId: id, email: normal },
      })
    ).subscribed;
  const doors: [string, (project: TestProject, email: string) => Promise<unknown>][] = [
    ['a contact', ({ ctx }, email) => upsertContact.runRaw(ctx, { email })],
    ['an event', ({ publicCtx }, email) => trackEvent.runRaw(publicCtx, { email, event: 'seen' })],
    [
      'a member',
      async ({ ctx }, email) => {
        const { id } = await createSegment.runRaw(ctx, { name: 'S', type: 'STATIC' });
        await addSegmentMembers.runRaw(ctx, { id, emails: [email], createMissing: true });
      },
    ],
    [
      'an import',
      ({ id }, email) =>
        importContacts(
          test.services.database.prisma,
          test.services.secrets,
          id,
          [{ email, externalId: null, data: {}, isFirst: true, ...plainly('yes') }],
          { actor: 'system', jobId: newId() },
        ),
    ],
  ];

  it.each(doors)('an opt-out of a deleted contact holds for %s', async (_door, enter) => {
    const other = await projectOf();
    const addressHash = Uint8Array.from(test.services.secrets.addressHash(other.id, letters));
    await test.services.database.prisma.optOut.create({ data: { projectId: other.id, addressHash } });
    await enter(other, normal);
    expect(await subscribedOf(other)).toBe(false);
    expect(await upsertContact.runRaw(other.ctx, { email: letters, subscribed: true })).toMatchObject({
      subscribed: true,
    });
    expect(await upsertContact.runRaw(other.ctx, { email: letters })).toMatchObject({ subscribed: true });
    expect(await test.services.database.prisma.optOut.count({ where: { projectId: other.id } })).toBe(0);
  });

  it.each(doors)('a contact that has opted out counts for %s, before both are one', async (_door, enter) => {
    const other = await projectOf();
    await test.services.database.prisma.contact.create({
      data: { id: newId(), projectId: other.id, email: letters, subscribed: false },
    });
    await enter(other, normal);
    expect(await subscribedOf(other)).toBe(false);
  });

  it('a suppression stops email, and can be removed', async () => {
    const other = await projectOf();
    const expiresAt = new Date('2999-01-01T00:00:00Z');
    const suppress = () =>
      test.services.database.prisma.suppression.create({
        data: { projectId: other.id, email: letters, reason: 'BOUNCE', expiresAt },
      });
    await suppress();
    await sendEmail.runRaw(other.ctx, { to: normal, from, subject: 'S', body: 'B' });
    expect((await listSuppressions.runRaw(other.ctx, {})).data).toMatchObject([
      { email: normal, reason: 'BOUNCE', expiresAt: expiresAt.toISOString() },
    ]);
    await deleteSuppression.runRaw(other.ctx, { email: normal });
    await suppress();
    await deleteSuppression.runRaw(other.ctx, { email: normal });
    await suppress();
    expect(await removeSuppressions.runRaw(other.ctx, { emails: [normal] })).toMatchObject({ removed: 1 });
    expect((await listSuppressions.runRaw(other.ctx, {})).data).toEqual([]);
  });
});

describe('a mailbox string', () => {
  const send = async (body: object) => {
    const { emails } = await sendEmail.runRaw(project.ctx, { subject: 'S', body: 'B', ...body });
    const { prisma } = test.services.database;
    const email = await prisma.email.findUniqueOrThrow({ where: { id: emails[0]?.email ?? '' } });
    const content = await prisma.content.findUniqueOrThrow({ where: { id: email.contentId } });
    return {
      to: email.to,
      toName: email.toName,
      from: content.from,
      fromName: content.fromName,
      replyTo: content.replyTo,
    };
  };

  it('gives address and name of recipient and sender, and an address for replies', async () => {
    expect(
      await send({
        to: '"Miller, Bob" <Bob@People.test>',
        from: 'Shop <Team@shop.test>',
        reply: 'Help desk <help@shop.test>',
      }),
    ).toEqual({
      to: 'bob@people.test',
      toName: 'Miller, Bob',
      from,
      fromName: 'Shop',
      replyTo: 'help@shop.test',
    });
  });

  it('gives way to a name beside it', async () => {
    expect(
      await send({
        to: { email: 'Bob <bob@people.test>', name: 'Robert' },
        from: 'Shop <team@shop.test>',
        name: 'Store',
      }),
    ).toMatchObject({ toName: 'Robert', fromName: 'Store' });
  });

  it.each([
    [{ to: 'a@people.test, b@people.test' }, 'to'],
    [{ to: ['a@people.test', 'a@people.test (home)'] }, 'to.1'],
    [{ from: 'Shop <team@shop.test>, Other <other@shop.test>' }, 'from'],
    [{ reply: 'Team: a@people.test;' }, 'reply'],
  ])('of several addresses, %j, is refused', async (given, field) => {
    await expect(send({ to: 'a@people.test', from, ...given })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      errors: [{ field, code: 'invalid_string', message: 'Only one address' }],
    });
  });

  it('names the sender of a template unless another name is given', async () => {
    const mailbox = 'Shop <team@shop.test>';
    const content = { name: 'T', subject: 'S', body: 'B', from: mailbox, replyTo: 'Help <help@shop.test>' };
    const named = await createTemplate.runRaw(project.ctx, { ...content, fromName: 'Store' });
    expect(named).toMatchObject({ from, fromName: 'Store', replyTo: 'help@shop.test' });
    const { id, ...template } = await createTemplate.runRaw(project.ctx, content);
    expect(template).toMatchObject({ from, fromName: 'Shop' });
    const changed = await updateTemplate.runRaw(project.ctx, { id, from: 'Market <team@shop.test>' });
    expect(changed).toMatchObject({ from, fromName: 'Market' });
    expect(await updateTemplate.runRaw(project.ctx, { id, from })).toMatchObject({ fromName: 'Market' });
  });
});
