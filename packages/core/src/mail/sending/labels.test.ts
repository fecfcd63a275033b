import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteContact } from '../../audience/contacts/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { getEmail } from './get-email.ts';
import { listEmails } from './list-emails.ts';
import { sendEmail } from './send-email.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  await prisma().suppression.create({
    data: { projectId: project.id, email: 'blocked@people.test', reason: 'MANUAL' },
  });
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;
const message = { to: 'ann@people.test', from: 'team@shop.test', subject: 'S', body: 'B' };
const attachments = [{ filename: 'a.PDF', content: 'aGk=' }];
const send = (body: object, of = project) => sendEmail.runRaw(of.ctx, { ...message, ...body });
const idOf = async (body: object, of = project) => (await send(body, of)).emails[0]?.email ?? '';
const list = async (filter: object, of = project) =>
  (await listEmails.runRaw(of.ctx, filter)).data.map(({ id }) => id);

describe('the reply of a send', () => {
  it.each([
    ['in a group', {}],
    ['alone', { attachments }],
  ])('says of each email where it goes and why it will not be sent (%s)', async (_way, more) => {
    const { emails } = await send({
      ...more,
      to: ['blocked@people.test', { email: 'Ann@people.test', name: 'A' }],
    });
    expect(emails.map(({ contact: _c, email: _e, ...rest }) => rest)).toEqual([
      {
        to: 'blocked@people.test',
        recipientType: 'TO',
        status: 'SKIPPED',
        reason: 'suppressed',
        ...{ scheduledAt: null, heldBy: null, estimatedSendAt: null },
      },
      {
        to: 'ann@people.test',
        recipientType: 'TO',
        status: 'PENDING',
        reason: null,
        ...{ scheduledAt: null, heldBy: null, estimatedSendAt: expect.any(String) },
      },
    ]);
    const [skipped] = emails;
    expect(await getEmail.run(project.ctx, { id: skipped?.email ?? '' })).toMatchObject({
      status: 'SKIPPED',
      reason: 'suppressed',
    });
    expect(
      await prisma().event.count({ where: { emailId: skipped?.email ?? '', name: 'email.skipped' } }),
    ).toBe(1);
  });

  it.each([
    ['in a group', {}],
    ['alone', { attachments }],
  ])('says which address the sandbox sender does not reach (%s)', async (_way, more) => {
    const own = await createTestProject(test.services);
    const { email: owner } = await prisma().user.findFirstOrThrow({
      where: { memberships: { some: { projectId: own.id, role: 'OWNER' } } },
    });
    const from = test.services.config.sandboxFrom;
    const { emails } = await send({ ...more, from, to: [owner, 'stranger@people.test'] }, own);
    expect(emails.map(({ status, reason }) => [status, reason])).toEqual([
      ['PENDING', null],
      ['SKIPPED', 'sandbox'],
    ]);
    expect(await prisma().event.count({ where: { projectId: own.id, name: 'email.skipped' } })).toBe(1);
    expect(
      await prisma().deliveryBatch.findMany({ where: { projectId: own.id }, select: { emailIds: true } }),
    ).toEqual([{ emailIds: [emails[0]?.email] }]);
  });

  it('names the domain of a sender that is not verified', async () => {
    await expect(send({ from: 'team@other.test' })).rejects.toMatchObject({
      code: 'INTERNAL_SERVER_ERROR',
      details: { reason: 'DOMAIN_NOT_VERIFIED', domain: 'other.test' },
    });
  });
});

describe('tags and metadata', () => {
  const labels = { tags: ['receipt', 'shop 3'], metadata: { orderId: '1001', 'a.b-c_d': 'true' } };

  it.each([
    ['in a group', {}],
    ['alone', { attachments }],
  ])('are those of the email, and it is found by them (%s)', async (_way, more) => {
    const own = await createTestProject(test.services);
    await verifiedDomain(test.services, own.id, 'shop.test');
    const given = { tags: ['receipt', ' shop 3 ', 'receipt'], metadata: { orderId: 1001, 'a.b-c_d': true } };
    const id = await idOf({ ...more, ...given }, own);
    const plain = await idOf(more, own);
    expect(await getEmail.run(own.ctx, { id })).toMatchObject(labels);
    expect(await getEmail.run(own.ctx, { id: plain })).toMatchObject({ tags: [], metadata: {} });
    expect(await list({ tag: 'shop 3' }, own)).toEqual([id]);
    expect(await list({ metadata: 'orderId:1001' }, own)).toEqual([id]);
    expect(await list({ metadata: 'orderId:100' }, own)).toEqual([]);
    expect(await list({ metadata: 'orderId:1001', tag: 'receipt', search: 'ann@' }, own)).toEqual([id]);
    expect(await list({ tag: 'receipt', status: 'SENT' }, own)).toEqual([]);
    expect(await list({ tag: 'receipt' })).not.toContain(id);
    // An email without either has no row and no index entry.
    const [row] = await prisma().$queryRaw<object[]>`
      SELECT "tags", "metadata" FROM "Email" WHERE "id" = ${plain}::uuid`;
    expect(row).toEqual({ tags: null, metadata: null });
    expect(await prisma().emailTag.count({ where: { projectId: own.id } })).toBe(2);
  });

  it('are in its events, and left out of those of other emails', async () => {
    const to = 'blocked@people.test';
    const [tagged, plain] = [await idOf({ to, ...labels }), await idOf({ to })];
    const dataOf = async (emailId: string) =>
      (await prisma().event.findFirstOrThrow({ where: { emailId, name: 'email.skipped' } })).data;
    expect(await dataOf(tagged)).toMatchObject(labels);
    expect(Object.keys((await dataOf(plain)) as object)).not.toContain('tags');
  });

  it('are in webhooks always', async () => {
    const own = await createTestProject(test.services);
    await verifiedDomain(test.services, own.id, 'shop.test');
    await prisma().suppression.create({ data: { projectId: own.id, email: message.to, reason: 'MANUAL' } });
    await prisma().webhookEndpoint.create({
      data: {
        id: crypto.randomUUID(),
        projectId: own.id,
        url: 'https://hook.test',
        types: ['*'],
        secretCipher: 's',
      },
    });
    await idOf(labels, own);
    await idOf({}, own);
    const deliveries = await prisma().webhookDelivery.findMany({
      where: { projectId: own.id, type: 'email.skipped' },
      orderBy: { id: 'asc' },
    });
    expect(deliveries.map(({ data }) => data)).toMatchObject([labels, { tags: [], metadata: {} }]);
  });

  it('lists by a tag are pages in the order of time', async () => {
    const tag = 'paged';
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await idOf({ tags: [tag] }));
    const pages: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await listEmails.runRaw(project.ctx, { tag, limit: 2, ...(cursor && { cursor }) });
      if (!cursor) expect(page.total).toBe(5);
      pages.push(...page.data.map(({ id }) => id));
      cursor = page.cursor;
    }
    expect(pages).toEqual(ids);
  });

  it('metadata goes with the contact, tags stay', async () => {
    const { emails } = await send({ to: 'gone@people.test', ...labels });
    await deleteContact.run(project.ctx, { id: emails[0]?.contact?.id ?? '' });
    expect(await getEmail.run(project.ctx, { id: emails[0]?.email ?? '' })).toMatchObject({
      tags: labels.tags,
      metadata: {},
    });
    expect(await list({ metadata: 'orderId:1001' })).not.toContain(emails[0]?.email);
  });

  it.each([
    [{ tags: [] }, 'tags', 'too_small'],
    [{ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) }, 'tags', 'too_big'],
    [{ tags: ['a,b'] }, 'tags.0', 'invalid_string'],
    [{ tags: ['a\tb'] }, 'tags.0', 'invalid_string'],
    [{ tags: ['ok', ' '] }, 'tags.1', 'too_small'],
    [{ tags: ['a'.repeat(65)] }, 'tags.0', 'too_big'],
    [{ tags: 'a' }, 'tags', 'invalid_type'],
    [{ metadata: { 'a b': '' } }, 'metadata.a b', 'invalid_string'],
    [{ metadata: { a: null } }, 'metadata.a', 'invalid_type'],
    [{ metadata: { a: { b: 1 } } }, 'metadata.a', 'invalid_type'],
    [{ metadata: { a: 'x'.repeat(501) } }, 'metadata.a', 'too_big'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n])) },
      'metadata',
      'too_big',
    ],
    [
      { metadata: Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`k${n}`, 'ä'.repeat(250)])) },
      'metadata',
      'too_big',
    ],
    [{ metadata: ['a'] }, 'metadata', 'invalid_type'],
  ])('%j is refused at %s', async (given, field, code) => {
    await expect(send(given)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', errors: [{ field, code }] });
  });

  it('a key that objects have by themselves is a key like others, but for the one that would be dropped', async () => {
    const id = await idOf({ metadata: { constructor: 'b' } });
    expect(Object.entries((await getEmail.run(project.ctx, { id })).metadata)).toContainEqual([
      'constructor',
      'b',
    ]);
    for (const name of ['metadata', 'headers'])
      await expect(send({ [name]: JSON.parse('{"__proto__": "a"}') })).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        errors: [{ field: `${name}.__proto__`, code: 'custom' }],
      });
  });

  it('a pair that does not identify emails is refused', async () => {
    const own = await createTestProject(test.services);
    await verifiedDomain(test.services, own.id, 'shop.test');
    const id = await idOf({ metadata: { a: 'b' } }, own);
    await prisma().$executeRaw`
      INSERT INTO "Email" ("id", "projectId", "to", "type", "sourceType", "contentId", "metadata")
      SELECT uuid7(), "projectId", "to", "type", "sourceType", "contentId", "metadata"
      FROM "Email" CROSS JOIN generate_series(1, 5000) WHERE "id" = ${id}::uuid`;
    await expect(list({ metadata: 'a:b' }, own)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(list({ metadata: 'no pair' }, own)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
