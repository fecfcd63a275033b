import { runBulkBatch, runImport } from '@postrider/core/audience/contacts';
import { newId } from '@postrider/core/base/lib';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/**
 * The worst input that a caller can send: each is a clear refusal or a counted failure, changes nothing else, and
 * does not keep the process from answering, which is checked after every test.
 */
let test: TestApp;
let send: Send;
let other: TestProject;
let bystander: { id: string };

const from = 'hello@worst.example.com';
const json = { 'content-type': 'application/json' };
const megabyte = 1024 * 1024;

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'worst.example.com');
  send = test.withKey(test.project.secretKey);
  const { body } = await send('POST', '/contacts', { email: 'bystander@a.test', data: { a: 1 } });
  bystander = (await send('GET', `/contacts/${body.id}`)).body;
  other = await createTestProject(test.services);
});
afterAll(() => test.close());

/** Another contact is returned unchanged. */
afterEach(async () => {
  const { status, body } = await send('GET', `/contacts/${bystander.id}`);
  expect([status, body]).toEqual([200, bystander]);
});

const contacts = (projectId = test.project.id) =>
  test.services.database.prisma.contact.count({ where: { projectId } });
const refusal = ({ status, body }: Awaited<ReturnType<Send>>) => [
  status,
  body?.error?.code,
  body?.error?.errors?.[0]?.field,
  body?.error?.errors?.[0]?.code,
];

describe('filter trees', () => {
  const leaf = { field: 'data.a', operator: 'equals', value: 1 };
  const deep = (levels: number): object => ({
    logic: 'AND',
    groups: [levels === 1 ? { filters: [leaf] } : { filters: [], conditions: deep(levels - 1) }],
  });
  const wide = (filters: number): object => ({
    logic: 'OR',
    groups: Array.from({ length: filters }, () => ({ filters: [leaf] })),
  });
  const below = (levels: number) => `condition${'.groups.0.conditions'.repeat(levels)}`;

  it.each([
    ['10 deep', deep(10), 201],
    ['of 200 filters', wide(200), 201],
  ])('%s is taken', async (_what, condition, status) => {
    expect((await send('POST', '/segments', { name: 'S', condition })).status).toBe(status);
  });

  it.each([
    ['11 deep', deep(11), below(10)],
    ['100 deep', deep(100), below(10)],
    ['1,000 deep', deep(1_000), 'condition'],
    ['of 201 filters', wide(201), 'condition'],
    [
      'of 100,000 filters in one group',
      { logic: 'AND', groups: [{ filters: Array(70_000).fill(leaf) }] },
      'condition',
    ],
  ])('%s is refused', async (_what, condition, field) => {
    const { id } = (await send('POST', '/segments', { name: 'S', condition: wide(1) })).body;
    for (const [method, url] of [
      ['POST', '/segments'],
      ['PATCH', `/segments/${id}`],
    ] as const) {
      const answer = await send(method, url, { name: 'S', condition });
      expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', field, 'too_big']);
    }
    expect((await send('GET', `/segments/${id}`)).body.condition).toEqual(wide(1));
  });

  it('of a million empty groups reports at most a thousand errors', async () => {
    const condition = `{"logic":"AND","groups":[${'{},'.repeat(90_000)}{}]}`;
    const answer = await send('POST', '/segments', `{"name":"S","condition":${condition}}`, json);
    expect(answer.status).toBe(422);
    expect(answer.body.error.errors).toHaveLength(1_000);
  });

  it.each([
    [
      'a field of 100,000 characters',
      { ...leaf, field: `data.${'long'.repeat(25_000)}` },
      'field',
      'unsupported_field',
    ],
    [
      'an event of 100,000 characters',
      { field: `event.${'e1'.repeat(50_000)}`, operator: 'triggered' },
      'field',
      'unsupported_field',
    ],
  ])('%s', async (_what, filter, field, code) => {
    const condition = { logic: 'AND', groups: [{ filters: [filter] }] };
    const answer = await send('POST', '/segments', { name: 'S', condition });
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', `condition.groups.0.filters.0.${field}`, code]);
  });

  it.each([
    ['equals', '1e400', undefined],
    ['greaterThan', '-1e400', undefined],
    ['within', '1e400', 'days'],
  ])('%s %s is refused: infinity cannot be stored', async (operator, value, unit) => {
    const filter = `{"field":"data.a","operator":"${operator}","value":${value},"unit":"${unit}"}`;
    const condition = `{"logic":"AND","groups":[{"filters":[${filter}]}]}`;
    const answer = await send('POST', '/segments', `{"name":"S","condition":${condition}}`, json);
    expect(refusal(answer)).toEqual([
      422,
      'VALIDATION_ERROR',
      'condition.groups.0.filters.0.value',
      'invalid_type',
    ]);
  });

  it.each([
    ['data.a', 'within', 1e300, 'days'],
    ['data.a', 'olderThan', 1e-300, 'minutes'],
    ['createdAt', 'within', 1e18, 'hours'],
    ['event.a', 'triggeredWithin', Number.MAX_VALUE, 'days'],
    ['email.sent', 'notTriggeredWithin', 9e15, 'days'],
    ['data.a', 'greaterThan', Number.MAX_VALUE, undefined],
    ['data.a', 'equals', 5e-324, undefined],
    ['data.a', 'equals', '9999-12-31', undefined],
    ['data.a', 'contains', '%_\\\'";--', undefined],
    ['email', 'contains', '%_\\\'";--', undefined],
    ['data.\'";--', 'equals', { a: ['\'";--'] }, undefined],
  ])('%s %s %j %s is counted', async (field, operator, value, unit) => {
    const condition = { logic: 'AND', groups: [{ filters: [{ field, operator, value, unit }] }] };
    const answer = await send('POST', '/segments', { name: 'S', condition });
    expect([answer.status, typeof answer.body.memberCount]).toEqual([201, 'number']);
    expect((await send('GET', `/segments/${answer.body.id}/contacts`)).status).toBe(200);
  });
});

describe('an import', () => {
  const upload = (content: Buffer | string, filename = 'a.csv') =>
    send(
      'POST',
      '/contacts/import',
      Buffer.concat([
        Buffer.from(
          `--edge\r\nContent-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/csv\r\n\r\n`,
        ),
        Buffer.from(content),
        Buffer.from('\r\n--edge--\r\n'),
      ]),
      { 'content-type': 'multipart/form-data; boundary=edge' },
    );

  async function run(content: Buffer | string) {
    const { status, body } = await upload(content);
    expect(status).toBe(202);
    await runImport(test.services, body.jobId, () => undefined);
    return (await send('GET', `/contacts/import/${body.jobId}`)).body;
  }

  it('of exactly 5 MB is accepted, and one byte more is refused with 413', async () => {
    const file = Buffer.alloc(5 * megabyte, 'x');
    expect((await upload(file)).status).toBe(202);
    const answer = await upload(Buffer.concat([file, Buffer.from('x')]));
    expect([answer.status, codeOf(answer)]).toEqual([413, 'INVALID_REQUEST_BODY']);
  });

  it.each([
    ['nothing', '', /empty/],
    ['blanks and newlines', '\n\r\n\n', /empty/],
    ['Latin-1', Buffer.from('email,name\nada@latin.test,Zo\u00eb\n', 'latin1'), /UTF-8/],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /UTF-8/],
    ['no column email', 'post\nada@none.test\n', /email/],
    ['two columns of one name', 'email;plan;plan\ntwice@cell.test;a;b\n', /two columns "plan"/],
    ['a name of 2 MB', `email,${'k'.repeat(2 * megabyte)}\nlong@cell.test,1\n`, /64 KiB/],
    [
      'a quote that is never closed in the header',
      `"email,name\n${'ada@quote.test,1\n'.repeat(1_000)}`,
      /quote/,
    ],
  ])('of %s fails as a whole', async (_what, content, reason) => {
    const before = await contacts();
    const job = await run(content);
    expect(job).toMatchObject({ state: 'failed', result: null, failedReason: expect.stringMatching(reason) });
    expect(job.completedAt).not.toBeNull();
    expect(await contacts()).toBe(before);
  });

  it.each<[string, string, object[], number]>([
    [
      '5 MB in one cell',
      `email,a\ncell1@cell.test,"${'x'.repeat(5 * megabyte - 100)}"\ncell2@cell.test,1\n`,
      [{ row: 1, email: 'cell1@cell.test', error: expect.stringContaining('64 KiB') }],
      1,
    ],
    [
      '5 MB of an address',
      `email\n${'\u{1F600}'.repeat(megabyte)}@cell.test\ncell3@cell.test\n`,
      [{ row: 1, email: expect.any(String), error: 'A cell has more than 64 KiB' }],
      1,
    ],
    [
      'NUL in a cell, an address and a header',
      'email,a,b\0\nnul1@cell.test,x\0y,\nnul\0@cell.test,,\nnul2@cell.test,,1\nnul3@cell.test,1,\n',
      [{ row: 1 }, { row: 2 }, { row: 3, error: expect.stringContaining('\uFFFD') }],
      1,
    ],
    [
      'a quote that is never closed',
      `email,name\nquote1@cell.test,"${'x'.repeat(1_000)}\nquote2@cell.test,b\n`,
      [{ row: 1, email: 'quote1@cell.test', error: expect.stringContaining('quote') }],
      1,
    ],
    [
      'half of a character where a message is cut',
      `email,${'a'.repeat(253)}\u{1F600}\nhalf@cell.test,1\n`,
      [{ row: 1 }],
      0,
    ],
  ])('of %s counts the row as a failure and takes the others in', async (_what, content, errors, success) => {
    const { state, result } = await run(content);
    expect([state, result.successCount, result.failureCount]).toEqual(['completed', success, errors.length]);
    expect(result.errors).toMatchObject(errors);
  });

  it('of very many short rows is taken in', async () => {
    const names = Array.from({ length: 999 }, (_, n) => `,a${n}`).join('');
    const { state, result } = await run(`email${names}\n${'many@columns.test\n'.repeat(60_000)}`);
    expect([state, result.totalRows, result.createdCount]).toEqual(['completed', 60_000, 1]);
  });

  it('of a million columns fails with that reason', async () => {
    const { state, failedReason } = await run(`email${',a'.repeat(megabyte)}\nmany@columns.test\n`);
    expect([state, failedReason]).toEqual(['failed', 'The header has more than 10,000 cells']);
  });

  it('with empty lines before the header still detects the separator', async () => {
    const job = await run('\n\r\nemail;plan\nlines@cell.test;pro\n');
    expect(job.result).toMatchObject({ totalRows: 1, createdCount: 1 });
    const { body } = await send('GET', '/contacts?search=lines@cell.test');
    expect(body.data[0].data).toEqual({ plan: 'pro' });
  });

  it.each([
    [
      'a part without a name',
      'Content-Disposition: form-data; name="file"\r\nContent-Type: application/octet-stream',
    ],
    ['a part under another name', 'Content-Disposition: form-data; name="f"; filename="a.csv"'],
    ['a text instead of a file', 'Content-Disposition: form-data; name="file"'],
  ])('%s is no file: flat 400', async (_what, head) => {
    const answer = await send(
      'POST',
      '/contacts/import',
      `--edge\r\n${head}\r\n\r\nemail\n\r\n--edge--\r\n`,
      {
        'content-type': 'multipart/form-data; boundary=edge',
      },
    );
    expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
  });

  it.each([
    ['cut off', '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail'],
    ['without a boundary in it', 'email\n'],
  ])('a form %s is refused', async (_what, body) => {
    const answer = await send('POST', '/contacts/import', body, {
      'content-type': 'multipart/form-data; boundary=edge',
    });
    expect(answer.status).toBe(400);
  });
});

describe('bulk changes', () => {
  it.each(['subscribe', 'unsubscribe', 'delete'])(
    '%s of 1,000 contacts of another project touches none',
    async (verb) => {
      const { prisma } = test.services.database;
      const ids = Array.from({ length: 1_000 }, () => newId());
      await prisma.contact.createMany({
        data: ids.map((id, index) => ({
          id,
          projectId: other.id,
          email: `${verb}${index}@other.test`,
          subscribed: index % 2 === 0,
        })),
      });
      const before = await prisma.contact.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
      const { status, body } = await send('POST', `/contacts/bulk-${verb}`, { contactIds: ids });
      expect(status).toBe(202);
      while (await runBulkBatch(test.services, body.jobId));
      const job = (await send('GET', `/contacts/bulk/${body.jobId}`)).body;
      expect(job).toMatchObject({ state: 'completed', progress: 100 });
      expect(job.result).toMatchObject({
        operation: verb,
        totalRequested: 1_000,
        successCount: 0,
        unchangedCount: 0,
        failureCount: 1_000,
      });
      expect(job.result.errors).toHaveLength(100);
      expect(job.result.errors[0]).toEqual({
        contactId: expect.any(String),
        email: null,
        error: expect.any(String),
      });
      expect(await prisma.contact.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } })).toEqual(
        before,
      );
      expect(await prisma.event.count({ where: { contactId: { in: ids } } })).toBe(0);
    },
  );

  it.each([
    [{ contactIds: Array.from({ length: 1_001 }, () => newId()) }],
    [{ contactIds: Array(500_000).fill('x') }],
    [{ contactIds: [newId(), null] }],
    [{ mode: 'ids' }],
    [{ mode: 'all', contactIds: [newId()] }],
    [{ mode: 'query', filter: [] }],
    [{ mode: 'query', filter: { search: 'x'.repeat(256) } }],
    [{ mode: 'query', filter: { subscribed: 'true' } }],
    [{ mode: 'query', filter: {}, excludeIds: Array.from({ length: 10_001 }, () => newId()) }],
    [{ mode: 'query', filter: {}, excludeIds: ['x'] }],
  ])('a body that fits no form is a flat 400 (%#)', async (input) => {
    for (const verb of ['subscribe', 'unsubscribe', 'delete']) {
      const { status, body } = await send('POST', `/contacts/bulk-${verb}`, input);
      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
    }
  });
});

describe('NUL and half characters', () => {
  it.each([
    ['POST', '/contacts', '{"email":"a\\u0000@a.test"}', 'email'],
    ['POST', '/contacts', '{"email":"nul@a.test","data":{"a":"x\\u0000"}}', 'data.a'],
    ['POST', '/contacts', '{"email":"nul@a.test","data":{"a":"\\ud800"}}', 'data.a'],
    ['POST', '/contacts', '{"email":"nul@a.test","data":{"a\\u0000":1}}', 'data.a\uFFFD'],
    ['POST', '/contacts/lookup', '{"emails":["a@a.test","\\u0000"]}', 'emails.1'],
    ['POST', '/templates', `{"name":"N","subject":"S","body":"\\u0000","from":"${from}"}`, 'body'],
    [
      'POST',
      '/campaigns',
      `{"name":"N\\udfff","subject":"S","body":"B","from":"${from}","audienceType":"ALL"}`,
      'name',
    ],
    ['POST', '/segments', '{"name":"N","condition":{"logic":"\\u0000","groups":[]}}', 'condition.logic'],
    ['GET', '/contacts?search=a%00', undefined, 'search'],
    ['GET', '/templates?search=%00', undefined, 'search'],
    ['GET', '/campaigns?search=%00', undefined, 'search'],
    ['GET', '/contacts/fields/a%00/values', undefined, 'field'],
    ['GET', '/contacts/fields/a%00/usage', undefined, 'field'],
    ['DELETE', '/contacts/fields/a%00', undefined, 'field'],
    ['GET', '/contacts/%00', undefined, 'id'],
    ['GET', '/contacts/import/%00', undefined, 'jobId'],
  ])('%s %s %s: 422 at its field', async (method, url, payload, field) => {
    const before = await contacts();
    const answer = await send(method, url, payload, payload === undefined ? {} : json);
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', field, 'custom']);
    expect(await contacts()).toBe(before);
  });

  it.each(['/contacts/%E0%A4%A', '/contacts/fields/%FF/values', '/contacts/%'])(
    'GET %s: 400',
    async (url) => {
      expect((await send('GET', url)).status).toBe(400);
    },
  );
});

describe('deep and long JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([600, 30_000, 2_400_000])('lists %i deep', async (depth) => {
    for (const [method, url, payload, field] of [
      ['POST', '/contacts', `{"email":"deep@a.test","data":{"a":${nested(depth)}}}`, 'data'],
      [
        'POST',
        '/segments',
        `{"name":"S","condition":{"logic":"AND","groups":${nested(depth)}}}`,
        'condition',
      ],
      [
        'POST',
        '/v1/send',
        `{"to":"deep@a.test","subject":"S","body":"B","from":"${from}","data":{"a":${nested(depth)}}}`,
        'data',
      ],
    ] as const) {
      const answer = await send(method, url, payload, json);
      expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', field, 'too_big']);
    }
    expect((await send('GET', '/contacts?search=deep@a.test')).body.total).toBe(0);
  });

  it('objects as deep as lists, in GraphQL too', async () => {
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const answer = await send('POST', '/contacts', `{"email":"deep@a.test","data":${objects}}`, json);
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', 'data', 'too_big']);
    const query = 'mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { isNew } }';
    const variables = `{"input":{"email":"deep@a.test","data":${objects}}}`;
    const graphql = await send('POST', '/graphql', `{"query":"${query}","variables":${variables}}`, json);
    expect(graphql.status).toBeLessThan(500);
    expect(codeOf(graphql)).not.toBe('INTERNAL_SERVER_ERROR');
    const literal = await send('POST', '/graphql', {
      query: `{ contacts(search: ${nested(40_000)}) { totalCount } }`,
    });
    expect(literal.status).toBeLessThan(500);
  });

  it.each([
    ['/segments/{static}/members', 'emails', 500_000],
    ['/v1/send', 'to', 1_500_000],
    ['/campaigns/{campaign}/retry', 'statuses', 1_000_000],
  ])('POST %s with a list without an end', async (path, field, length) => {
    const segment = await send('POST', '/segments', { name: 'S', type: 'STATIC' });
    const url = path.replace('{static}', segment.body.id).replace('{campaign}', newId());
    const payload = `{"subject":"S","body":"B","from":"${from}","${field}":[${'1,'.repeat(length)}1]}`;
    const answer = await send('POST', url, payload, json);
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', field, 'too_big']);
    expect(answer.text.length).toBeLessThan(10_000);
  });

  it('data of more than 64 KiB, in one request or in several', async () => {
    const half = 'x'.repeat(40_000);
    const { body } = await send('POST', '/contacts', { email: 'large@a.test', data: { a: half } });
    for (const [method, url, input] of [
      ['POST', '/contacts', { email: 'large@a.test', data: { b: half } }],
      ['PATCH', `/contacts/${body.id}`, { data: { b: half } }],
      ['POST', '/contacts', { email: 'larger@a.test', data: { a: half, b: half } }],
      [
        'POST',
        '/contacts',
        {
          email: 'larger@a.test',
          data: Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`\t${i}`, 1])),
        },
      ],
    ] as const) {
      expect(refusal(await send(method, url, input))).toEqual([422, 'VALIDATION_ERROR', 'data', 'too_big']);
    }
    expect((await send('GET', `/contacts/${body.id}`)).body).toMatchObject({ data: { a: half } });
    expect((await send('GET', '/contacts?search=larger@a.test')).body.total).toBe(0);
  });

  it.each(['1e400', '-1e400'])('%s is a number that cannot be stored', async (number) => {
    const answer = await send('POST', '/contacts', `{"email":"inf@a.test","data":{"a":${number}}}`, json);
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', 'data.a', 'invalid_type']);
  });

  it('the largest and smallest numbers are returned as they were given', async () => {
    const data = { a: Number.MAX_VALUE, b: 5e-324, c: -0.1, d: 2 ** 53 };
    const { status, body } = await send('POST', '/contacts', { email: 'numbers@a.test', data });
    expect([status, body.data]).toEqual([201, data]);
  });
});

describe('queries', () => {
  const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it.each([
    '',
    'nonsense',
    'x'.repeat(2_000),
    cursorOf(['a\0', newId()]),
    cursorOf(['\ud800', newId()]),
    cursorOf(['-200000-01-01T00:00:00.000Z', newId()]),
    cursorOf(['+200000-01-01T00:00:00.000Z', newId()]),
    cursorOf(['Tue Nov 21 2026 (really)', newId()]),
    cursorOf([1, newId()]),
    cursorOf(['2026-01-01T00:00:00.000Z', 'x']),
    cursorOf({}),
  ])('cursor %#', async (cursor) => {
    for (const path of ['/contacts', '/emails', '/suppressions']) {
      const answer = await send('GET', `${path}?cursor=${encodeURIComponent(cursor)}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
    }
    const text = await send('GET', `/contacts?sort=email&cursor=${encodeURIComponent(cursor)}`);
    expect(text.status).toBeLessThan(500);
  });

  it.each([
    ['/contacts?limit=1e400', 200],
    ['/contacts?limit=-1', 200],
    ['/contacts?limit=99999999999999999999', 200],
    ['/contacts?limit=1&limit=2', 200],
    ['/contacts?limit[]=1', 422],
    ['/contacts?sort=__proto__&dir=constructor', 200],
    ['/contacts?status=constructor', 400],
    ['/contacts?subscribed=1', 400],
    ['/contacts?search=a&search=b', 422],
    [`/contacts?search=${'%25_%5C'.repeat(80)}`, 200],
    [`/contacts?search=${'x'.repeat(256)}`, 422],
    ['/templates?page=1e400', 200],
    ['/templates?page=99999999999999999999&pageSize=0', 200],
    ['/campaigns?page=-5&pageSize=1e9', 200],
    ['/contacts/fields/email/values?limit=1e400', 200],
    [`/contacts/fields/${'x'.repeat(401)}/values`, 422],
    ['/emails?from=-200000-01-01', 422],
    ['/emails?to=%2B275760-09-13T00:00:00.000Z', 422],
    ['/emails?contactId=x', 422],
    ['/emails?status=constructor', 400],
  ])('GET %s: %i', async (url, status) => {
    expect((await send('GET', url)).status).toBe(status);
  });
});

describe('templates', () => {
  it('of 40 outputs with 49,900 blanks each do not keep the health check from answering meanwhile', async () => {
    const body = `{{ a${' '.repeat(49_900)}b }}`.repeat(40);
    let open = true;
    const posts = Promise.all(
      [1, 2, 3, 4].map((number) =>
        send('POST', '/templates', { name: `Blanks ${number}`, subject: 'S', body, from, type: 'MARKETING' }),
      ),
    ).finally(() => {
      open = false;
    });
    let answers = 0;
    while (open) {
      expect((await test.anyone('GET', '/health/live')).status).toBe(200);
      answers += 1;
      await new Promise(setImmediate);
    }
    expect((await posts).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(answers).toBeGreaterThan(10);
  });

  const letter = { name: 'T', subject: 'S', body: 'B', from };
  const syntax = [422, 'VALIDATION_ERROR', 'body', 'template_syntax'];

  it.each([
    ['an unclosed tag', 'one\n  {% if a %}', { line: 2, column: 3 }],
    ['an unclosed output', 'one\ntwo {{ a', { line: 2, column: 5 }],
    ['an unknown tag', '{% explode %}', { line: 1, column: 1 }],
    ['an unknown filter', '\n{{ a | explode }}', { line: 2, column: 1 }],
    ['include', '{% include "x" %}', { line: 1, column: 1 }],
  ])('%s is refused with its place', async (_what, body, place) => {
    const campaign = { ...letter, body, audienceType: 'ALL' };
    for (const [url, input] of [
      ['/templates', { ...letter, body }],
      ['/campaigns', campaign],
      ['/v1/send', { to: 'syntax@a.test', subject: 'S', body, from }],
    ] as const) {
      const answer = await send('POST', url, input);
      expect(refusal(answer)).toEqual(syntax);
      expect(answer.body.error.details).toEqual({ field: 'body', ...place });
    }
    expect((await send('GET', '/contacts?search=syntax@a.test')).body.total).toBe(0);
  });

  it.each([
    ['tags 10,000 deep', '{% if a %}'.repeat(10_000) + '{% endif %}'.repeat(10_000)],
    ['a million openers', '{{'.repeat(1_000_000)],
    ['a filter chain without an end', `{{ a ${'| upcase '.repeat(100_000)} }}`],
  ])('%s', async (_what, body) => {
    expect(refusal(await send('POST', '/templates', { ...letter, body }))).toEqual(syntax);
  });

  it.each([
    [{ body: 'x'.repeat(2_000_001) }, 'body'],
    [{ subject: 'x'.repeat(999) }, 'subject'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ description: 'x'.repeat(501) }, 'description'],
    [{ fromName: 'x'.repeat(101) }, 'fromName'],
  ])('too long (%#)', async (part, field) => {
    const answer = await send('POST', '/templates', { ...letter, ...part });
    expect(refusal(answer)).toEqual([422, 'VALIDATION_ERROR', field, 'too_big']);
  });

  it('that loop forever or explode are sent by plain replacement, and listed with it', async () => {
    const loop = 'Hi {{name}}{% for i in (1..1000000000) %}{{ i }}{% endfor %}';
    const items = Array.from({ length: 5_000 }, (_, i) => i);
    const nested =
      '{% for a in items %}{% for b in items %}{% for c in items %}{{ a }}{% endfor %}{% endfor %}{% endfor %}';
    const sent = await send('POST', '/v1/send', {
      to: Array.from({ length: 30 }, (_, i) => `loop${i}@a.test`),
      subject: loop,
      body: `<p>Hi {{name}}</p>${nested}`,
      from,
      data: { name: 'Ada', items },
    });
    expect(sent.status).toBe(200);
    const list = await send('GET', '/emails?limit=30');
    expect(list.body.data.map(({ subject }: { subject: string }) => subject)).toEqual(
      Array(30).fill('Hi Ada'),
    );
    const preview = await send('GET', `/emails/${sent.body.data.emails[0].email}/preview`);
    expect([preview.status, preview.body.subject]).toEqual([200, 'Hi Ada']);
    expect(preview.body.html).toContain('<p>Hi Ada</p>');
  });
});

describe('dates', () => {
  it.each([
    '1e15',
    '-1',
    '1e400',
    '"soon"',
    '""',
    '"+033658-09-27T01:46:40.000Z"',
    'true',
    '[]',
    '{}',
    '["2099-01-01"]',
    '"9999-99-99"',
  ])('scheduledFor %s is 400 and leaves a draft', async (scheduledFor) => {
    const campaign = { name: 'C', subject: 'S', body: 'B', from, audienceType: 'ALL' };
    const path = `/campaigns/${(await send('POST', '/campaigns', campaign)).body.data.id}`;
    const answer = await send('POST', `${path}/send`, `{"scheduledFor":${scheduledFor}}`, json);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
    expect((await send('GET', path)).body).toMatchObject({ status: 'DRAFT', scheduledFor: null });
  });
});
