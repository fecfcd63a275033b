import { runImport } from '@postrider/core/audience/contacts';
import { newId } from '@postrider/core/base/lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses, shapes and flat bodies of the contacts' endpoints (behaviour B4.5, B7.4). */
let test: TestApp;
let send: Send;

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const add = async (email = `${newId()}@a.test`) => (await send('POST', '/contacts', { email })).body;

interface Part {
  name?: string;
  filename?: string;
  type?: string;
  content: string;
  subscribed?: string;
  basis?: string;
  wordingId?: string;
  consentAt?: string;
  consentSource?: string;
  mapping?: string;
  segmentId?: string;
  kind?: string;
  encoding?: string;
  dryRun?: string;
  from?: string;
}

function upload({ name = 'file', filename = 'people.csv', type = 'text/csv', content, ...fields }: Part) {
  const field = Object.entries(fields)
    .map(([key, value]) => `--edge\r\nContent-Disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`)
    .join('');
  const body = `${field}--edge\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--edge--\r\n`;
  return send('POST', '/contacts/import', body, { 'content-type': 'multipart/form-data; boundary=edge' });
}

async function sendForm(form: FormData) {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  return send('POST', '/contacts/import', Buffer.from(await request.arrayBuffer()), {
    'content-type': request.headers.get('content-type') ?? '',
  });
}

describe('202', () => {
  it.each([
    [{ content: 'email\na@a.test\n' }],
    [{ content: 'email\n', filename: 'people.CSV', type: 'application/octet-stream', subscribed: 'false' }],
    [{ content: '', filename: 'people' }],
  ])('POST /contacts/import %j', async (part) => {
    const { status, body } = await upload(part);
    expect([status, body]).toEqual([202, { message: expect.any(String), jobId: expect.any(String) }]);
    const job = await send('GET', `/contacts/import/${body.jobId}`);
    expect(job.body).toMatchObject({
      id: body.jobId,
      state: 'waiting',
      progress: 0,
      result: null,
      completedAt: null,
    });
  });

  it('POST /contacts/import with a mapping and a static segment', async () => {
    const segment = await send('POST', '/segments', { name: 'Fair', type: 'STATIC' });
    const options = { mapping: '{"Mail":"email"}', segmentId: segment.body.id };
    expect((await upload({ content: 'Mail\na@a.test\n', ...options })).status).toBe(202);
  });

  it('POST /contacts/import first tries a file, and then imports it', async () => {
    const options = { subscribed: 'keep', encoding: 'windows-1252', dryRun: 'true' };
    const dry = await upload({ content: 'email,plan\ntried@a.test,pro\n', ...options });
    expect(dry.status).toBe(202);
    const form = new FormData();
    form.set('from', dry.body.jobId);
    const early = await sendForm(form);
    expect([early.status, codeOf(early)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    await runImport(test.services, dry.body.jobId);
    const tried = await send('GET', `/contacts/import/${dry.body.jobId}`);
    expect(tried.body).toMatchObject({ state: 'completed', result: { dryRun: true, createdCount: 1 } });
    expect((await send('GET', '/contacts?search=tried@a.test')).body.total).toBe(0);
    form.set('subscribed', 'keep');
    const { status, body } = await sendForm(form);
    expect(status).toBe(202);
    await runImport(test.services, body.jobId);
    expect((await send('GET', '/contacts?search=tried@a.test')).body.data).toMatchObject([
      { subscribed: false, data: { plan: 'pro' } },
    ]);
    expect((await send('GET', '/contacts/imports')).body.data.slice(0, 2)).toMatchObject([
      { dryRun: false, fileName: 'people.csv' },
      { dryRun: true },
    ]);
  });

  it('POST /contacts/import states what the consents in a file rest on', async () => {
    const wording = await send('POST', '/wordings', { language: 'en', text: 'Yes, send me offers.' });
    const stated = {
      ...{ subscribed: 'true', basis: 'customer', wordingId: wording.body.id },
      ...{ consentAt: '2025-01-01T00:00:00Z', consentSource: 'Checkout' },
    };
    const started = await upload({ content: 'email,topics.general\nagreed@a.test,no\n', ...stated });
    expect(started.status).toBe(202);
    await runImport(test.services, started.body.jobId);
    const [contact] = (await send('GET', '/contacts?search=agreed@a.test')).body.data;
    expect(contact).toMatchObject({
      ...{ status: 'subscribed', topics: { general: false }, consentBasis: 'customer' },
      consentedAt: '2025-01-01T00:00:00.000Z',
    });
    const acts = (await send('GET', `/contacts/${contact.id}/consent/acts`)).body.data;
    expect(acts).toMatchObject([
      {
        action: 'subscribe',
        source: 'import',
        wording: { id: wording.body.id },
        evidence: { source: 'Checkout' },
      },
    ]);
    const refused = await upload({ content: 'email\n', basis: 'confirmed' });
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, 'basis']);
    const unknown = await upload({ content: 'Mail,N\n', mapping: '{"Mail":"email","N":"topics.none"}' });
    expect([unknown.status, unknown.body.error.errors[0]]).toMatchObject([
      422,
      { field: 'mapping.N', code: 'unknown_topic' },
    ]);
  });

  it('GraphQL takes the same options, with keep as a field of its own', async () => {
    const query = `mutation { importContacts(input: {csv: "email\\nkept@a.test", keep: true, kind: contacts, encoding: "utf-8"}) { jobId } }`;
    const { body } = await send('POST', '/graphql', { query });
    await runImport(test.services, body.data.importContacts.jobId);
    const result = await send('POST', '/graphql', {
      query: `{ contactImport(jobId: "${body.data.importContacts.jobId}") { result { createdCount subscribedCount columns { header to read } } } }`,
    });
    expect(result.body.data.contactImport.result).toEqual({
      createdCount: 1,
      subscribedCount: 0,
      columns: [{ header: 'email', to: 'email', read: 1 }],
    });
  });

  it.each(['subscribe', 'unsubscribe', 'delete'])('POST /contacts/bulk-%s', async (verb) => {
    const { status, body } = await send('POST', `/contacts/bulk-${verb}`, { contactIds: [(await add()).id] });
    expect([status, body]).toEqual([202, { message: expect.any(String), jobId: expect.any(String) }]);
    expect((await send('GET', `/contacts/bulk/${body.jobId}`)).status).toBe(200);
  });

  it('POST /contacts/bulk-update, and its 422 at the field', async () => {
    const contactIds = [(await add()).id];
    const { status, body } = await send('POST', '/contacts/bulk-update', {
      contactIds,
      data: { plan: 'pro' },
    });
    expect([status, body]).toEqual([202, { message: expect.any(String), jobId: expect.any(String) }]);
    const refused = await send('POST', '/contacts/bulk-update', { contactIds, data: { plan: { a: 1 } } });
    expect([refused.status, refused.body.error.errors[0].field]).toEqual([422, 'data.plan']);
    const nothing = await send('POST', '/contacts/bulk-update', { contactIds, data: {} });
    expect([nothing.status, nothing.body.error.errors[0].code]).toEqual([422, 'required']);
  });

  it('POST /contacts/bulk-add-to-segment', async () => {
    const segment = await send('POST', '/segments', { name: 'Bulk', type: 'STATIC' });
    const input = { mode: 'query', filter: { text: 'ann' }, segmentId: segment.body.id };
    const { status, body } = await send('POST', '/contacts/bulk-add-to-segment', input);
    expect([status, body]).toEqual([202, { message: expect.any(String), jobId: expect.any(String) }]);
    const unknown = await send('POST', '/contacts/bulk-add-to-segment', { ...input, segmentId: newId() });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'SEGMENT_NOT_FOUND']);
  });

  it('GET /contacts?text= finds names, by every door', async () => {
    await send('POST', '/contacts', {
      email: 'kov@a.test',
      data: { firstName: 'Zdeňka', lastName: 'Kovářová' },
    });
    const found = await send('GET', `/contacts?text=${encodeURIComponent('kovarova zdenka')}`);
    expect(found.body.data.map(({ email }: { email: string }) => email)).toEqual(['kov@a.test']);
    const query = '{ contacts(text: "Kovářová") { edges { node { email } } } }';
    const byGraph = await send('POST', '/graphql', { query });
    expect(byGraph.body.data.contacts.edges).toEqual([{ node: { email: 'kov@a.test' } }]);
  });
});

describe('flat 400', () => {
  it.each([
    ['/contacts/lookup', {}],
    ['/contacts/lookup', { emails: 'a@a.test' }],
    ['/contacts/lookup', { emails: [] }],
    ['/contacts/lookup', { emails: Array.from({ length: 501 }, () => 'a@a.test') }],
    ['/contacts/bulk-delete', {}],
    ['/contacts/bulk-delete', { contactIds: ['x'] }],
    ['/contacts/bulk-delete', { mode: 'query' }],
    ['/contacts/bulk-update', { data: { plan: 'pro' } }],
    ['/contacts/bulk-add-to-segment', { contactIds: ['x'] }],
    ['/contacts/import', { file: 'email' }],
    ['/contacts/import', undefined],
  ])('POST %s (%#)', async (path, body) => {
    const answer = await send('POST', path, body);
    expect([answer.status, answer.body]).toEqual([400, { error: expect.any(String) }]);
  });

  it('POST /contacts/import with a file that is not CSV, or in another field', async () => {
    for (const part of [
      { content: 'x', filename: 'a.png', type: 'image/png' },
      { content: 'email\n', name: 'upload' },
    ]) {
      const { status, body } = await upload(part);
      expect([status, body]).toEqual([400, { error: expect.any(String) }]);
    }
  });
});

it('413 for a file of more than 5 MB', async () => {
  const answer = await upload({ content: 'x'.repeat(5 * 1024 * 1024 + 1) });
  expect([answer.status, codeOf(answer)]).toEqual([413, 'INVALID_REQUEST_BODY']);
});

it('422, 401 and 404 as on other endpoints', async () => {
  expect((await upload({ content: 'email\n', subscribed: 'maybe' })).status).toBe(422);
  expect((await test.anyone('POST', '/contacts/import')).status).toBe(401);
  for (const path of ['import', 'bulk']) {
    const answer = await send('GET', `/contacts/${path}/${newId()}`);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  }
  expect((await send('POST', '/contacts/lookup', { emails: [1] })).status).toBe(422);
  expect((await send('PATCH', '/contacts/x', {})).status).toBe(422);
});

it('PATCH and DELETE /contacts/:id', async () => {
  const [mine, other] = [await add(), await add()];
  const { status, body } = await send('PATCH', `/contacts/${mine.id}`, {
    subscribed: false,
    data: { plan: 'pro' },
  });
  expect([status, body.subscribed, body.data]).toEqual([200, false, { plan: 'pro' }]);
  expect((await send('PATCH', `/contacts/${mine.id}`, { email: other.email })).status).toBe(409);
  expect(await send('DELETE', `/contacts/${mine.id}`)).toMatchObject({ status: 204, text: '' });
  const again = await send('DELETE', `/contacts/${mine.id}`);
  expect([again.status, codeOf(again)]).toEqual([404, 'CONTACT_NOT_FOUND']);
});

it('fields: list, values, usage, deletion, with an encoded name', async () => {
  await send('POST', '/contacts', { email: 'fields@a.test', data: { 'a/b c': 1 } });
  const list = await send('GET', '/contacts/fields');
  expect(list.body.fields).toContainEqual({
    field: 'data.a/b c',
    type: 'number',
    coverage: expect.any(Number),
    label: null,
    definition: null,
    similar: [],
  });
  const path = `/contacts/fields/${encodeURIComponent('a/b c')}`;
  expect((await send('GET', `${path}/values`)).body).toEqual({
    field: 'data.a/b c',
    values: [1],
    count: 1,
    limit: 100,
  });
  expect((await send('GET', `${path}/usage`)).body).toMatchObject({ contactCount: 1, canDelete: true });
  expect((await send('DELETE', path)).body).toEqual({ deletedFrom: 1 });
  expect((await send('DELETE', '/contacts/fields/email')).status).toBe(400);
});

it('POST /contacts/import refuses a mapping and a segment that do not exist', async () => {
  const content = 'Mail\na@a.test\n';
  const wrong = await upload({ content, mapping: '{"Mail":"address"}' });
  expect([wrong.status, wrong.body]).toMatchObject([422, { error: { errors: [{ field: 'mapping.Mail' }] } }]);
  const nowhere = await upload({ content, segmentId: '0198c1a4-7d1e-7b3a-9c55-2f6d8e4b1a90' });
  expect([nowhere.status, nowhere.body]).toMatchObject([404, { error: { code: 'SEGMENT_NOT_FOUND' } }]);
});
