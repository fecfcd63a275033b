import { runContactImport } from '@postrider/core/audience/segments';
import { operationRegistry } from '@postrider/core/base/kernel';
import { writeChunk } from '@postrider/core/insight/exports';
import { foldStorage } from '@postrider/core/people/storage';
import { storageKinds } from '@postrider/core/people/storage/contract';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, type Send, startApp, type TestApp } from './harness.ts';

/** One list of what stores files and contents: all of it is counted, and refused beyond the limit of the owner (behaviour B8.7). */
let test: TestApp;
let send: Send;
const from = 'hello@shop.example.com';
const megabyte = 1_048_576;
beforeAll(async () => {
  test = await startApp({ MAX_STORAGE_MB_PER_OWNER: '1' });
  send = test.withKey(test.project.secretKey);
  await verifiedDomain(test.services, test.project.id, 'shop.example.com');
  await send('POST', '/contacts', { email: 'ann@people.test' });
});
afterAll(() => test.close());

/** Where what is counted lies: the kind, and its bytes as they are read. */
const text = (...columns: string[]) =>
  columns.map((column) => `coalesce(octet_length(convert_to("${column}"::text, 'UTF8')), 0)`).join(' + ');
const tables: Record<string, { kind: string; bytes: string }> = {
  Upload: { kind: 'images', bytes: '"size"' },
  Blob: { kind: 'attachments', bytes: 'coalesce(length("bytes"), 0)' },
  Content: { kind: 'contents', bytes: text('subject', 'body') },
  Template: { kind: 'templates', bytes: text('subject', 'body', 'design') },
  TemplateVersion: { kind: 'templates', bytes: text('subject', 'body', 'design') },
  Campaign: { kind: 'templates', bytes: text('subject', 'body', 'design') },
  SavedBlock: { kind: 'templates', bytes: text('body', 'design') },
  JobFile: { kind: 'imports', bytes: 'length("bytes")' },
  ImportFailedRows: { kind: 'imports', bytes: 'length("bytes")' },
  ExportChunk: { kind: 'exports', bytes: 'length("bytes")' },
};

type Sums = Record<string, number>;
async function sumsOf(parts: string[]): Promise<Sums> {
  const { rows } = await test.services.database.durable.query<{ kind: string; bytes: number }>(
    `SELECT "kind", sum("bytes")::float8 AS "bytes" FROM (${parts.join(' UNION ALL ')}) s
     WHERE "projectId" = $1 GROUP BY 1 HAVING sum("bytes") <> 0 ORDER BY 1`,
    [test.project.id],
  );
  return Object.fromEntries(rows.map(({ kind, bytes }) => [kind, bytes]));
}
const entered = () =>
  sumsOf(
    ['StorageUsage', 'StorageEntry'].map(
      (name) => `SELECT "projectId", "kind"::text AS "kind", "bytes" FROM "${name}"`,
    ),
  );
const counted = () =>
  sumsOf(
    Object.entries(tables).map(
      ([name, { kind, bytes }]) =>
        `SELECT "projectId", '${kind}' AS "kind", (${bytes})::bigint AS "bytes" FROM "${name}"`,
    ),
  );

const file = (name: string, filename: string, type: string, bytes: Buffer | string) => {
  const head = `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\ncontent-type: ${type}\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), Buffer.from(bytes), Buffer.from('\r\n--x--\r\n')]);
  return [body, { 'content-type': 'multipart/form-data; boundary=x' }] as const;
};
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Each text is longer than the one before, so that a change takes more room. */
let length = 100;
const body = () => {
  length += 100;
  return `<p>${'ä'.repeat(length)}</p>`;
};
/** Compressed by PostgreSQL, unlike what a client sends. */
const design = () => ({
  version: 1,
  content: Array.from({ length: 300 }, (_, n) => ({ text: 'A paragraph', n })),
});
const written = () => ({ subject: 'Größe', body: body(), from });
const audience = { audienceType: 'ALL', type: 'MARKETING' };

/** Some records are answered inside `data`. */
const idOf = ({ body: answer }: Answer): string => answer.id ?? answer.data?.id;

/** The records that the operations have made, by what they are. */
const made: Record<string, string> = {};
const keep =
  (name: string) =>
  async (answer: Promise<Answer>): Promise<Answer> => {
    const result = await answer;
    if (result.status < 300) made[name] ??= idOf(result);
    return result;
  };

const copyOf = (kind: string, id?: string) => send('POST', `/${kind}/${id}/duplicate`);

/** Every operation that stores files or contents, in an order in which each finds what it needs. */
const operations: [name: string, kind: string, request: () => Promise<Answer>][] = [
  [
    'uploads.image',
    'images',
    () => send('POST', '/uploads/image', ...file('image', 'a.gif', 'image/gif', gif)),
  ],
  [
    'contacts.import',
    'imports',
    () =>
      send(
        'POST',
        '/contacts/import',
        ...file('file', 'a.csv', 'text/csv', 'email\nbob@people.test\nno address\n'),
      ),
  ],
  ['exports.start', 'exports', () => send('POST', '/exports', { type: 'contacts' })],
  ['sending.send', 'contents', () => send('POST', '/v1/send', { to: 'ann@people.test', ...written() })],
  [
    'sending.send',
    'attachments',
    () =>
      send('POST', '/v1/send', {
        ...{ to: 'ann@people.test', ...written() },
        attachments: [
          { filename: 'a.txt', content: Buffer.from(body()).toString('base64'), contentType: 'text/plain' },
        ],
      }),
  ],
  [
    'templates.create',
    'templates',
    () => keep('template')(send('POST', '/templates', { name: 'T', ...written(), design: design() })),
  ],
  [
    'templates.update',
    'templates',
    () => send('PATCH', `/templates/${made.template}`, { body: body(), design: design() }),
  ],
  [
    'templates.update',
    'templates',
    () => send('PATCH', `/templates/${made.template}`, { subject: `Subject ${length}` }),
  ],
  ['templates.duplicate', 'templates', () => copyOf('templates', made.template)],
  [
    'templates.restoreVersion',
    'templates',
    () => send('POST', `/templates/${made.template}/versions/1/restore`),
  ],
  [
    'blocks.create',
    'templates',
    () => keep('block')(send('POST', '/blocks', { name: 'B', body: body(), design: design() })),
  ],
  ['blocks.update', 'templates', () => send('PATCH', `/blocks/${made.block}`, { body: body() })],
  [
    'campaigns.create',
    'templates',
    () =>
      keep('campaign')(
        send('POST', '/campaigns', { name: 'C', ...written(), ...audience, design: design() }),
      ),
  ],
  [
    'campaigns.update',
    'templates',
    () =>
      send('PUT', `/campaigns/${made.campaign}`, { name: 'C', ...written(), ...audience, design: design() }),
  ],
  ['campaigns.duplicate', 'templates', () => keep('copy')(copyOf('campaigns', made.campaign))],
  [
    'campaigns.test',
    'contents',
    () => send('POST', `/campaigns/${made.campaign}/test`, { email: made.member }),
  ],
  ['campaigns.send', 'contents', () => send('POST', `/campaigns/${made.campaign}/send`)],
  [
    'campaigns.createSequel',
    'templates',
    async () => {
      const { prisma } = test.services.database;
      await prisma.campaign.updateMany({ where: { id: made.campaign }, data: { status: 'SENT' } });
      return send('POST', `/campaigns/${made.campaign}/sequel`, { kind: 'NEW' });
    },
  ],
  [
    'workflows.createFromRecipe',
    'templates',
    () => send('POST', '/workflows/from-recipe', { recipe: 'welcome', from }),
  ],
];

it('every table that is counted is in the list', async () => {
  const { rows } = await test.services.database.durable.query<{ name: string }>(
    `SELECT c."relname" AS "name" FROM pg_trigger t JOIN pg_class c ON c."oid" = t."tgrelid"
     JOIN pg_proc p ON p."oid" = t."tgfoid" WHERE p."proname" LIKE 'enter\\_storage\\_of\\_%' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(tables).sort());
  expect(operations.filter(([name]) => !operationRegistry.has(name))).toEqual([]);
});

describe('below the limit', () => {
  beforeAll(async () => {
    const { prisma } = test.services.database;
    const owner = await prisma.user.findUniqueOrThrow({ where: { id: test.project.ownerId } });
    made.member = owner.email;
  });

  it.each(operations)('%s stores %s, and what it stores is counted', async (_name, _kind, request) => {
    const { status, text: answer } = await request();
    expect([200, 201, 202], answer).toContain(status);
    expect(await entered()).toEqual(await counted());
  });

  it('what the jobs of an import and of an export write is counted, so that every kind has something', async () => {
    const { prisma } = test.services.database;
    const jobOf = async (kind: string) => {
      const { id } = await prisma.job.findFirstOrThrow({ where: { projectId: test.project.id, kind } });
      return id;
    };
    await runContactImport(test.services, await jobOf('import'));
    expect(await prisma.importFailedRows.count()).toBe(1);
    expect(await entered()).toEqual(await counted());
    const job = await jobOf('export');
    while (await writeChunk(test.services, job)) expect(await entered()).toEqual(await counted());
    expect(await entered()).toEqual(await counted());
    expect(Object.keys(await entered())).toEqual([...storageKinds].sort());
  });

  it.each<[string, () => Promise<string>]>([
    ['an image', async () => `/uploads/${(await send('GET', '/uploads')).body.data[0].id}`],
    ['a template', async () => `/templates/${idOf(await copyOf('templates', made.template))}`],
    ['a campaign', async () => `/campaigns/${idOf(await copyOf('campaigns', made.campaign))}`],
    ['a block', async () => `/blocks/${idOf(await send('POST', '/blocks', { name: 'B', body: body() }))}`],
  ])('%s that is deleted is counted no more', async (_name, make) => {
    const path = await make();
    const before = await entered();
    expect((await send('DELETE', path)).status).toBeLessThan(300);
    expect(await entered()).toEqual(await counted());
    expect(await entered()).not.toEqual(before);
  });

  it('nothing changes when entries are folded', async () => {
    const before = await entered();
    await foldStorage(test.services);
    expect(await entered()).toEqual(before);
    expect(await test.services.database.prisma.storageEntry.count()).toBe(0);
  });
});

describe('beyond the limit', () => {
  beforeAll(async () => {
    await test.services.database.prisma.storageUsage.update({
      where: { projectId_kind: { projectId: test.project.id, kind: 'contents' } },
      data: { bytes: { increment: 2 * megabyte } },
    });
    const isRefused = async () => (await send('POST', '/exports', { type: 'contacts' })).status === 403;
    await vi.waitUntil(isRefused, { timeout: 60_000, interval: 200 });
  });

  it.each(operations)(
    '%s (%s) is 403 with the figures, and stores nothing',
    async (_name, _kind, request) => {
      const before = await entered();
      const { status, body: answer } = await request();
      expect([status, answer.error?.code, answer.error?.details]).toEqual([
        403,
        'FORBIDDEN',
        { storage: { usedMb: expect.any(Number), limitMb: 1 } },
      ]);
      expect(answer.error.details.storage.usedMb).toBeGreaterThanOrEqual(3);
      expect(await entered()).toEqual(before);
    },
  );

  it('what takes no more room than before is stored', async () => {
    const changed = await send('PUT', `/campaigns/${made.copy}`, {
      name: 'C',
      ...{ subject: 'S', body: '<p>Short</p>', from },
      ...audience,
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await send('PATCH', `/blocks/${made.block}`, { body: '<p>Short</p>' })).status).toBe(200);
    expect((await send('PATCH', `/blocks/${made.block}`, { name: 'Other' })).status).toBe(200);
    expect((await send('DELETE', `/blocks/${made.block}`)).status).toBeLessThan(300);
  });
});

describe('a request whose content does not fit', () => {
  const kilobytes = (count: number) => `<p>${'x'.repeat(count * 1_024)}</p>`;
  const text = (count: number) => ({ subject: 'S', body: kilobytes(count), from });

  it.each<[string, (own: Send) => Promise<Answer>]>([
    ['a send', (own) => own('POST', '/v1/send', { to: 'ann@people.test', ...text(1_100) })],
    ['a template, which has a version', (own) => own('POST', '/templates', { name: 'T', ...text(600) })],
    [
      'a copy of a template, which has a version',
      async (own) => {
        const { body: template } = await own('POST', '/templates', { name: 'T', ...text(300) });
        return own('POST', `/templates/${template.id}/duplicate`);
      },
    ],
    [
      'a version with the body of the one before',
      async (own) => {
        const { body: template } = await own('POST', '/templates', { name: 'T', ...text(400) });
        return own('PATCH', `/templates/${template.id}`, { subject: 'Other' });
      },
    ],
    [
      'a campaign from a template, whose design it copies',
      async (own) => {
        const content = [{ text: 'x'.repeat(350 * 1_024) }];
        const design = { version: 1, content };
        const { body: template } = await own('POST', '/templates', { name: 'T', ...text(1), design });
        return own('POST', '/campaigns', { name: 'C', ...text(1), ...audience, templateId: template.id });
      },
    ],
    ...['duplicate', 'send', 'test'].map((verb): [string, (own: Send) => Promise<Answer>] => [
      `${verb} of a campaign, which stores its text again`,
      async (own) => {
        const { body: campaign } = await own('POST', '/campaigns', { name: 'C', ...text(600), ...audience });
        const input = verb === 'test' ? { email: made.member } : undefined;
        return own('POST', `/campaigns/${campaign.data.id}/${verb}`, input);
      },
    ]),
  ])('is refused: %s', async (_name, request) => {
    const project = await createTestProject(test.services);
    await test.services.database.prisma.user.update({
      where: { id: project.ownerId },
      data: { emailVerified: true },
    });
    await verifiedDomain(test.services, project.id, 'shop.example.com');
    const { status, body: answer } = await request(test.withKey(project.secretKey));
    expect([status, answer.error?.details?.storage?.limitMb]).toEqual([403, 1]);
  });
});
