import { newId } from '@postrider/core/base/lib';
import { writeChunk } from '@postrider/core/insight/exports';
import { verifiedDomain } from '@postrider/core/testing';
import { writeWorkflowEmail } from '@postrider/core/testing/workflows.fixture.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSubmission } from '../src/submission/submission-server.ts';
import { type Send, startApp, type TestApp } from './harness.ts';
import { loggedIn, submit } from './submission-kit.ts';

/** What is refused beyond the storage limit of an owner, and without room on the disk (behaviour B8.7). */
let test: TestApp;
let send: Send;
const from = 'hello@shop.example.com';
beforeAll(async () => {
  test = await startApp({ MAX_STORAGE_MB_PER_OWNER: '1' });
  send = test.withKey(test.project.secretKey);
  await verifiedDomain(test.services, test.project.id, 'shop.example.com');
});
afterAll(() => test.close());

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const form = (name: string, file: string, type: string, bytes: Buffer) => [
  Buffer.concat([
    Buffer.from(
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${file}"\r\ncontent-type: ${type}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n--x--\r\n'),
  ]),
  { 'content-type': 'multipart/form-data; boundary=x' },
];
const image = (): Promise<Awaited<ReturnType<Send>>> => {
  const [body, headers] = form('image', 'a.gif', 'image/gif', gif);
  return send('POST', '/uploads/image', body as Buffer, headers as Record<string, string>);
};
const csv = (): Promise<Awaited<ReturnType<Send>>> => {
  const [body, headers] = form('file', 'a.csv', 'text/csv', Buffer.from('email\na@people.test\n'));
  return send('POST', '/contacts/import', body as Buffer, headers as Record<string, string>);
};

/** More than the limit, as if it had been stored by others meanwhile; the sum of this process is read again after a second. */
async function fill(): Promise<void> {
  const { prisma } = test.services.database;
  await prisma.storageUsage.create({
    data: { projectId: test.project.id, kind: 'images', bytes: 2 * 1024 * 1024 },
  });
  await vi.waitUntil(async () => (await image()).status === 403, { timeout: 60_000, interval: 200 });
}

it('below the limit all is stored; the figures have the same numbers at all doors', async () => {
  expect((await image()).status).toBe(201);
  const mail = { to: 'a@people.test', from, subject: 'Hello', body: '<p>Hello</p>' };
  expect((await send('POST', '/v1/send', mail)).status).toBe(200);
  const { body, status } = await send('GET', `/projects/${test.project.id}/storage`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    byKind: { images: gif.length, contents: 'Hello'.length + '<p>Hello</p>'.length, exports: 0 },
    owner: { limitBytes: 1024 * 1024 },
  });
  expect(body.usedBytes).toBe(gif.length + body.byKind.contents);
  const fields =
    'usedBytes owner { usedBytes limitBytes } byKind { images attachments contents templates imports exports }';
  const graphql = await send('POST', '/graphql', { query: `{ project { storage { ${fields} } } }` });
  expect(graphql.body.data.project.storage).toEqual(body);
  const session = await test.withSession('MEMBER');
  const input = encodeURIComponent(JSON.stringify({ id: test.project.id }));
  const trpc = await session('GET', `/trpc/projects.getStorage?input=${input}`);
  expect(trpc.body.result.data).toEqual(body);
  expect((await test.anyone('GET', '/metrics')).text).toContain(
    `postrider_storage_bytes{kind="images"} ${gif.length}`,
  );
});

describe('beyond the limit', () => {
  let template: string;
  beforeAll(async () => {
    const made = await send('POST', '/templates', { name: 'Before', subject: 'S', body: '<p>B</p>', from });
    template = made.body.id;
    await fill();
  });

  it.each<[string, () => ReturnType<typeof image>]>([
    ['an image', image],
    ['an import', csv],
    ['an export', () => send('POST', '/exports', { type: 'contacts' })],
    [
      'a send',
      () => send('POST', '/v1/send', { to: 'b@people.test', from, subject: 'Other', body: '<p>B</p>' }),
    ],
    ['a template', () => send('POST', '/templates', { name: 'T', subject: 'S', body: '<p>B</p>', from })],
    ['a text of a template', () => send('PATCH', `/templates/${newId()}`, { body: '<p>B</p>' })],
    ['a copy of a template', () => send('POST', `/templates/${newId()}/duplicate`)],
    ['an older version', () => send('POST', `/templates/${template}/versions/1/restore`)],
    ['a campaign', () => send('POST', `/campaigns/${newId()}/send`)],
    ['a test of a campaign', () => send('POST', `/campaigns/${newId()}/test`, { email: from })],
  ])('%s is 403 with the figures', async (_name, request) => {
    const { status, body } = await request();
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'FORBIDDEN',
      { storage: { usedMb: 3, limitMb: 1 } },
    ]);
  });

  it('what stores neither files nor contents is not', async () => {
    expect((await send('POST', '/contacts', { email: 'c@people.test' })).status).toBe(201);
    expect((await send('GET', '/uploads')).status).toBe(200);
  });

  it('a submitted message gets 452 4.3.1', async () => {
    const server = await startSubmission(test.services, 0);
    const client = await loggedIn(server.port, test.project.secretKey);
    const message = `From: ${from}\r\nTo: d@people.test\r\nSubject: S\r\n\r\nText\r\n`;
    expect(await submit(client, ['d@people.test'], message)).toMatch(/^452 4\.3\.1 The storage limit/);
    client.end();
    await server.stop();
  });

  it('a running export fails with that reason', async () => {
    const id = newId();
    const { prisma } = test.services.database;
    await prisma.job.create({
      data: { id, projectId: test.project.id, kind: 'export', input: { type: 'contacts' } },
    });
    expect(await writeChunk(test.services, id)).toBe(false);
    expect(await prisma.job.findUniqueOrThrow({ where: { id } })).toMatchObject({
      state: 'failed',
      failedReason: 'storage limit exceeded',
    });
  });

  it('the email of a workflow becomes FAILED with that reason', async () => {
    const { prisma } = test.services.database;
    const contact = await prisma.contact.findFirstOrThrow({ where: { projectId: test.project.id } });
    const template = await prisma.template.create({
      data: {
        ...{ id: newId(), projectId: test.project.id, name: 'T', subject: 'S', body: '<p>B</p>', from },
        type: 'TRANSACTIONAL',
      },
    });
    const write = () =>
      prisma.$transaction((db) =>
        writeWorkflowEmail(test.services, db, {
          ...{
            project: test.project.project,
            template,
            contactId: contact.id,
            customAddress: null,
            vars: {},
          },
          ...{ workflowExecutionId: newId(), workflowStepExecutionId: newId() },
        }),
      );
    expect(await write()).toMatchObject({ kind: 'written', error: 'storage limit exceeded' });
  });
});

it('without room on the disk images are 503, and the process is ready', async () => {
  const roomy = await startApp();
  roomy.services.files.isLow = () => Promise.resolve(true);
  const [body, headers] = form('image', 'a.gif', 'image/gif', gif);
  const answer = await roomy.withKey(roomy.project.secretKey)(
    'POST',
    '/uploads/image',
    body as Buffer,
    headers as Record<string, string>,
  );
  expect([answer.status, answer.body.error.code]).toEqual([503, 'INTERNAL_SERVER_ERROR']);
  const ready = await roomy.anyone('GET', '/health/ready');
  expect(ready.body.checks).toMatchObject({ database: 'ok', disk: 'low' });
  await roomy.close();
});
