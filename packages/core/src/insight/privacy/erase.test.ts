import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteContact, findPerson, upsertContact } from '../../audience/contacts/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { getEmail, sweepErasedContents } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../testing/index.ts';
import { ensureDays } from '../requests/days.store.ts';
import { continueErasures, erasePerson, getErasure, listErasures } from './index.ts';
import { mentionPlaces } from './places.rules.ts';
import { placesWith, plantRow } from './plant.fixture.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const minuteMs = 60_000;
const dayMs = 86_400_000;
const never = Number.POSITIVE_INFINITY;
const later = (ms: number) => () => new Date(Date.now() + ms);

/** Has erasures go on, each time as much later as they want to wait. */
async function goOn(services: Services = test.services): Promise<void> {
  for (const ms of [0, 3 * minuteMs, 10 * minuteMs, 40 * minuteMs])
    await continueErasures(services, never, later(ms));
}

let project: TestProject;
let address: string;
beforeAll(async () => {
  project = await createTestProject(test.services);
});

const newAddress = () => `${newId()}@erased.test`;
const contactOf = async (email: string): Promise<string> => {
  const { id } = await upsertContact.run(project.ctx, { email, data: { nick: 'J' } });
  return id;
};

/** An email of a content, as it is stored once it was sent. */
async function mailed(
  { contactId, to, contentId }: { contactId: string | null; to: string; contentId: string },
  more: object = {},
): Promise<string> {
  const id = newId();
  await prisma().email.create({
    data: {
      ...{ id, projectId: project.id, contactId, to, contentId },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', status: 'SENT' },
      ...more,
    },
  });
  return id;
}

async function content(body: string, createdAt = new Date()): Promise<string> {
  const id = newId();
  await prisma().content.create({
    data: {
      ...{ id, projectId: project.id, hash: Uint8Array.from(Buffer.from(id)), createdAt },
      ...{ type: 'TRANSACTIONAL', sourceType: 'TRANSACTIONAL', subject: 'Hi', body },
      ...{ from: 'shop@mail.test', projectName: 'Shop' },
    },
  });
  return id;
}

describe('privacy.erase', () => {
  it('answers an address that was never seen like one that is known', async () => {
    const known = newAddress();
    await contactOf(known);
    const [one, other] = [
      await erasePerson.run(project.ctx, { email: known, reason: 'asked' }),
      await erasePerson.run(project.ctx, { email: newAddress(), reason: 'asked' }),
    ];
    const shape = {
      id: expect.any(String),
      status: 'RUNNING',
      addressHash: expect.stringMatching(/^[0-9a-f]{32}$/),
      actor: { type: 'key', id: null, label: 'Secret key' },
      reason: 'asked',
      requestedAt: expect.any(String),
      completedAt: null,
      removed: {},
      kept: [],
      remaining: 0,
    };
    expect([one, other]).toEqual([shape, shape]);
    await goOn();
    const receipts = [
      await getErasure.run(project.ctx, { id: one.id }),
      await getErasure.run(project.ctx, { id: other.id }),
    ];
    expect(receipts.map(({ status, removed }) => ({ status, removed }))).toEqual([
      { status: 'COMPLETED', removed: expect.objectContaining({ contacts: 1 }) },
      { status: 'COMPLETED', removed: {} },
    ]);
    expect(receipts[1]?.kept.map(({ record }) => record)).toEqual(['counters', 'audit']);
    const { data } = await listErasures.run(project.ctx, {});
    expect(data.map(({ id }) => id)).toEqual([other.id, one.id]);
  });

  it('404: for a contact of another project, and for the receipt of one', async () => {
    const foreign = await createTestProject(test.services);
    const id = await contactOf(newAddress());
    await expect(erasePerson.run(foreign.ctx, { contactId: id })).rejects.toMatchObject({
      code: 'CONTACT_NOT_FOUND',
    });
    const { id: erasureId } = await erasePerson.run(project.ctx, { contactId: id });
    await expect(getErasure.run(foreign.ctx, { id: erasureId })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    expect((await listErasures.run(foreign.ctx, {})).data).toEqual([]);
  });

  it('422: with neither an address nor a contact, and with both', async () => {
    await expect(erasePerson.run(project.ctx, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(
      erasePerson.run(project.ctx, { email: newAddress(), contactId: newId() }),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('403: for a member, and with a key that may only read', async () => {
    const member = await project.userCtx('MEMBER');
    await expect(erasePerson.run(member, { email: newAddress() })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('an erasure', () => {
  it('finds an address that was planted in every column that may hold one, and leaves what it names as kept', async () => {
    address = newAddress();
    const contactId = await contactOf(address);
    const planted = { text: `Ask ${address.toUpperCase()}, or ${address}.` };
    const projectId = `'${project.id}'::uuid`;
    const [emailId, executionId, jobId, domainId] = [newId(), newId(), newId(), newId()];
    const parents: Record<string, Record<string, string>> = {
      Email: { id: `'${emailId}'`, contentId: `'${await content('<p>Nobody</p>')}'`, status: `'SENT'` },
      Interaction: { emailId: `'${emailId}'` },
      WorkflowExecution: { id: `'${executionId}'` },
      WorkflowStepExecution: { executionId: `'${executionId}'` },
      Figure: { scopeId: projectId, dimension: `'tag'` },
      Job: { id: `'${jobId}'`, state: `'completed'` },
      RequestEntry: { at: 'now()' },
    };
    await ensureDays(test.services.database, [Date.now() - (Date.now() % dayMs)]);
    for (const { table, columns, treatment } of mentionPlaces)
      if (treatment !== 'wait')
        await plantRow(
          test.services,
          table,
          { projectId, ...parents[table] },
          { columns: Object.keys(columns), ...planted },
        );
    await plantRow(test.services, 'Domain', { id: `'${domainId}'`, projectId });
    const note = { columns: ['from', 'subject', 'text'], ...planted };
    await plantRow(test.services, 'DomainNote', { domainId: `'${domainId}'` }, note);
    for (const table of ['ExportChunk', 'ImportFailedRows', 'JobFile'])
      await plantRow(
        test.services,
        table,
        { projectId, jobId: `'${jobId}'`, n: '0' },
        { columns: ['bytes'], ...planted },
      );
    const act = { projectId, contactId: `'${contactId}'`, seq: '1' };
    await plantRow(test.services, 'ConsentAct', act, {
      columns: ['before', 'page', 'ip', 'userAgent', 'evidence', 'keyName'],
      ...planted,
    });
    await plantRow(
      test.services,
      'SubscriptionRequest',
      { projectId, contactId: `'${contactId}'` },
      {
        columns: ['data', 'ip', 'page', 'userAgent'],
        ...planted,
      },
    );
    await plantRow(test.services, 'Suppression', { projectId }, { columns: ['email'], text: address });
    const own = newId();
    await plantRow(
      test.services,
      'Content',
      {
        ...{
          id: `'${own}'`,
          projectId,
          sourceType: `'TRANSACTIONAL'`,
          createdAt: `now() - interval '9 days'`,
        },
        attachments: `'[{"filename": "${address}.pdf"}]'`,
      },
      { columns: ['subject', 'preheader', 'body', 'text', 'headers'], ...planted },
    );
    // Of an older email, which retention has cleared already, links are left.
    const cleared = { projectId, subject: `''`, createdAt: `now() - interval '99 days'` };
    await plantRow(test.services, 'Content', cleared, { columns: ['links', 'headers'], ...planted });
    await mailed(
      { contactId, to: address, contentId: own },
      { error: `550 <${address}>`, vars: { to: address } },
    );
    await mailed({ contactId: null, to: address, contentId: own }, { toOther: true });

    const acts = await prisma().consentAct.count({ where: { contactId } });
    const { id } = await erasePerson.run(project.ctx, { email: address, reason: `asked by ${address}` });
    await continueErasures(test.services, never);
    await sweepErasedContents(test.services, new Date(), 100);
    await goOn();

    const receipt = await getErasure.run(project.ctx, { id });
    expect(receipt).toMatchObject({ status: 'COMPLETED', remaining: 0, reason: 'asked by [erased]' });
    const kept = mentionPlaces.filter(({ treatment }) => treatment === 'keep');
    const written = kept.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    );
    expect(await placesWith(test.services, address)).toEqual([...written, 'Suppression.email'].toSorted());
    expect(await placesWith(test.services, contactId)).toEqual([
      'AuditLog.targetId',
      'ErasedContact.contactId',
    ]);
    expect(receipt.kept.map(({ record }) => record)).toEqual([
      'erasedContact',
      'acts',
      'suppression',
      'definitions',
      'counters',
      'audit',
    ]);
    expect(receipt.removed).toMatchObject({
      contacts: 2,
      acts,
      subscriptionRequests: 2,
      exportFiles: 1,
      importFiles: 2,
      letters: 1,
    });
  });

  it('waits for what goes by itself, and is completed only then', async () => {
    const email = newAddress();
    const batchId = newId();
    const row = { id: `'${batchId}'`, projectId: `'${project.id}'::uuid` };
    await plantRow(test.services, 'DeliveryBatch', row, { columns: ['results'], text: email });
    const { id } = await erasePerson.run(project.ctx, { email });
    await goOn();
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'RUNNING', remaining: 1 });
    await prisma().deliveryBatch.deleteMany({ where: { id: batchId } });
    await continueErasures(test.services, never, later(60 * minuteMs));
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'COMPLETED', remaining: 0 });
  });

  it('leaves a text to a colleague who got it too, and names it', async () => {
    const [email, colleague] = [newAddress(), newAddress()];
    const [person, other] = [await contactOf(email), await contactOf(colleague)];
    const contentId = await content(`<p>Meet ${email}</p>`, new Date(Date.now() - 9 * dayMs));
    await mailed({ contactId: person, to: email, contentId });
    const theirs = await mailed({ contactId: other, to: colleague, contentId });
    const { id } = await erasePerson.run(project.ctx, { email });
    await sweepErasedContents(test.services, new Date(), 100);
    await goOn();
    const receipt = await getErasure.run(project.ctx, { id });
    expect(receipt.status).toBe('COMPLETED');
    expect(receipt.kept).toContainEqual({ record: 'texts', why: expect.any(String) });
    expect(await getEmail.run(project.ctx, { id: theirs })).toMatchObject({ to: colleague });
    expect((await prisma().content.findUniqueOrThrow({ where: { id: contentId } })).body).toContain(email);
  });

  it('has its texts cleared when nobody can share them any more, and not before', async () => {
    const email = newAddress();
    const contactId = await contactOf(email);
    const contentId = await content(`<p>Dear ${email}</p>`);
    await mailed({ contactId, to: email, contentId });
    const { id } = await erasePerson.run(project.ctx, { email });
    await goOn();
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'RUNNING', remaining: 1 });
    await sweepErasedContents(test.services, new Date(Date.now() + 8 * dayMs + 1), 100);
    await continueErasures(test.services, never, later(9 * dayMs));
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'COMPLETED' });
    expect(await placesWith(test.services, email)).toEqual([]);
  });

  it('touches neither another project, nor an address of which this one is a part, nor what came later', async () => {
    const email = newAddress();
    await contactOf(email);
    const longer = `x.${email}`;
    const neighbour = await createTestProject(test.services);
    await upsertContact.run(neighbour.ctx, { email, data: { friend: email } });
    await upsertContact.run(project.ctx, { email: longer, data: { own: longer, friend: email } });
    const { id } = await erasePerson.run(project.ctx, { email });
    await upsertContact.run(project.ctx, { email, data: { again: 'yes' } });
    await goOn();
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({ status: 'COMPLETED' });
    const rows = await prisma().contact.findMany({
      where: { email: { in: [email, longer] } },
      select: { projectId: true, email: true, data: true },
      orderBy: { data: 'asc' },
    });
    expect(rows).toEqual(
      expect.arrayContaining([
        { projectId: neighbour.id, email, data: { friend: email } },
        { projectId: project.id, email: longer, data: { own: longer, friend: '[erased]' } },
        { projectId: project.id, email, data: { again: 'yes' } },
      ]),
    );
    expect(rows).toHaveLength(3);
  });

  it('goes on from its row after each of many kills', async () => {
    const email = newAddress();
    await contactOf(email);
    await upsertContact.run(project.ctx, { email: newAddress(), data: { friend: email } });
    const { id } = await erasePerson.run(project.ctx, { email });
    let kills = 0;
    for (let call = 0; call < 300; call += 1) {
      const now = later(call * minuteMs);
      // A process is killed within a step: nothing of it remains.
      await test.services.database.undone(async (database) => {
        kills += await continueErasures({ ...test.services, database }, performance.now(), now).catch(
          () => 0,
        );
      });
      await continueErasures(test.services, performance.now(), now);
      if ((await getErasure.run(project.ctx, { id })).status === 'COMPLETED') break;
    }
    expect(kills).toBeGreaterThanOrEqual(20);
    expect(await getErasure.run(project.ctx, { id })).toMatchObject({
      status: 'COMPLETED',
      removed: { contacts: 2 },
    });
    expect(await placesWith(test.services, email)).toEqual([]);
  });
});

describe('the deletion of a contact', () => {
  it('reduces its acts to what was said and when, and keeps that its links can be used to leave', async () => {
    const email = newAddress();
    const contactId = await contactOf(email);
    const projectId = `'${project.id}'::uuid`;
    const wordingId = newId();
    const act = {
      projectId,
      contactId: `'${contactId}'`,
      seq: '77',
      wordingId: `'${wordingId}'`,
      basis: `'given'`,
    };
    await plantRow(
      test.services,
      'ConsentAct',
      { ...act, action: `'subscribe'`, topicsOn: `'{1}'` },
      {
        columns: ['page', 'ip', 'userAgent', 'evidence', 'keyName', 'before'],
        text: email,
      },
    );
    await plantRow(test.services, 'SubscriptionRequest', { projectId, contactId: `'${contactId}'` });
    await deleteContact.run(project.ctx, { id: contactId });
    const [reduced] = await prisma().consentAct.findMany({ where: { projectId: project.id, seq: 77n } });
    const hash = test.services.secrets.addressHash(project.id, email);
    expect(reduced).toMatchObject({
      ...{ contactId: null, action: 'subscribe', basis: 'given', topicsOn: [1], wordingId },
      ...{
        page: null,
        ip: null,
        userAgent: null,
        evidence: null,
        keyName: null,
        before: null,
        actorId: null,
      },
    });
    expect(Buffer.from(reduced?.addressHash ?? [])).toEqual(hash);
    expect(await prisma().subscriptionRequest.count({ where: { contactId } })).toBe(0);
    const erased = await prisma().erasedContact.findUniqueOrThrow({ where: { contactId } });
    expect(Buffer.from(erased.addressHash)).toEqual(hash);
    expect(await findPerson(prisma(), project.id, { by: 'email', value: email })).toBeNull();
  });
});
