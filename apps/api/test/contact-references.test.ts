import { runImport, startContactImport } from '@postrider/core/audience/contacts';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { Postrider } from '@postrider/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** External ids, and the ways to name a contact (behaviour B4.5). */
let test: TestApp;
let send: Send;
let client: Postrider;
let other: TestProject;
let stranger: Send;

const from = 'a@references.example.com';

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
  send = test.withKey(test.project.secretKey);
  client = new Postrider({ apiKey: test.project.secretKey, baseUrl });
  other = await createTestProject(test.services);
  stranger = test.withKey(other.secretKey);
  await verifiedDomain(test.services, test.project.id, 'references.example.com');
});
afterAll(() => test.close());

let made = 0;
async function add(fields: object = {}) {
  made += 1;
  const { status, body } = await send('POST', '/contacts', { email: `c${made}@people.test`, ...fields });
  expect(status).toBe(201);
  return body;
}
const ext = (id: string): string => encodeURIComponent(`ext:${id}`);
const graphql = (query: string, variables: object = {}, by = send) =>
  by('POST', '/graphql', { query, variables });

describe('an external id', () => {
  it('is set, kept, replaced and cleared by POST and PATCH', async () => {
    const { email, externalId } = await add({ externalId: '  Shop-1 ' });
    expect(externalId).toBe('Shop-1');
    expect((await send('POST', '/contacts', { email })).body.externalId).toBe('Shop-1');
    expect((await send('POST', '/contacts', { email, externalId: 'shop-1' })).body.externalId).toBe('shop-1');
    const patched = await send('PATCH', `/contacts/${ext('shop-1')}`, { externalId: 'shop-2' });
    expect(patched.body).toMatchObject({ email, externalId: 'shop-2' });
    expect((await send('PATCH', `/contacts/${patched.body.id}`, { data: { a: 1 } })).body.externalId).toBe(
      'shop-2',
    );
    expect((await send('POST', '/contacts', { email, externalId: null })).body.externalId).toBeNull();
    expect((await send('GET', `/contacts/${ext('shop-2')}`)).status).toBe(404);
  });

  it.each([
    ['', 'required'],
    ['   ', 'required'],
    ['x'.repeat(256), 'too_big'],
    ['a\u0007b', 'custom'],
    [7, 'invalid_type'],
  ])('%j is 422', async (externalId, code) => {
    const answer = await send('POST', '/contacts', { email: 'bad@people.test', externalId });
    expect([answer.status, answer.body.error.errors[0]]).toEqual([
      422,
      expect.objectContaining({ field: 'externalId', code }),
    ]);
  });

  it('of another contact is 409 and names it, and the request changes nothing', async () => {
    const { id } = await add({ externalId: 'taken' });
    const mine = await add();
    const answers = [
      await send('POST', '/contacts', { email: 'late@people.test', externalId: 'taken' }),
      await send('PATCH', `/contacts/${mine.id}`, { externalId: 'taken', data: { a: 1 } }),
    ];
    for (const answer of answers)
      expect([answer.status, codeOf(answer), answer.body.error.details]).toEqual([
        409,
        'CONFLICT',
        { contactId: id },
      ]);
    expect((await send('GET', '/contacts/late@people.test')).status).toBe(404);
    expect((await send('GET', `/contacts/${mine.id}`)).body.data).toEqual({});
    const { status } = await stranger('POST', '/contacts', {
      email: 'late@people.test',
      externalId: 'taken',
    });
    expect(status).toBe(201);
  });

  it('that ten creators claim at once belongs to one: 201, and 409 for the others', async () => {
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          send('POST', '/contacts', { email: `r${round}-${n}@people.test`, externalId: `race ${round}` }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
      const { body } = await send('GET', `/contacts?externalId=race%20${round}`);
      const winner = body.data[0].id;
      for (const answer of answers.filter(({ status }) => status === 409))
        expect(answer.body.error.details).toEqual({ contactId: winner });
      expect((await send('GET', `/contacts?search=r${round}-`)).body.total).toBe(1);
    }
  });

  it('cannot be set by a public key', async () => {
    const answer = await test.withKey(test.project.publicKey)('POST', '/v1/track', {
      email: 'visitor@people.test',
      event: 'e',
      externalId: 'chosen',
    });
    expect(answer.body.error.errors).toMatchObject([{ field: 'externalId', code: 'unsupported_field' }]);
  });

  it('is erased with its contact, and free again', async () => {
    const { id } = await add({ externalId: 'erased' });
    expect((await send('DELETE', `/contacts/${ext('erased')}`)).status).toBe(204);
    expect((await send('GET', `/contacts/${id}`)).status).toBe(404);
    await add({ externalId: 'erased' });
  });

  it('1,000 hostile ones come back equal, by every exact way', { timeout: 120_000 }, async () => {
    const parts = [
      '/',
      '%2F',
      '%252F',
      '%',
      '@',
      '..',
      '.',
      '?',
      '#',
      '&',
      '+',
      ';',
      '\\',
      "'",
      '"',
      '*',
      ':',
      'ext:',
      '😀',
      'é',
      'é',
      '<b>',
      '{{x}}',
      '\u202e',
      'null',
      '$1',
      'A',
      'a',
    ];
    const ids = new Set([
      '..',
      '.',
      '/',
      '%2F',
      '@',
      '%',
      '../..',
      'a@b.example',
      'ext:x',
      '😀'.repeat(255),
      '%00',
      'x'.repeat(255),
    ]);
    for (let n = 0; ids.size < 1_000; n += 1) {
      const length = 1 + (n % 7);
      ids.add(
        Array.from({ length }, (_, at) => parts[(n * 31 + at * at * 17 + at * n) % parts.length]).join('') +
          (n > 300 ? n : ''),
      );
    }
    const all = [...ids].map((id) => id.trim()).filter((id) => id !== '');
    for (let start = 0; start < all.length; start += 50)
      await Promise.all(
        all.slice(start, start + 50).map(async (externalId, n) => {
          const { body } = await send('POST', '/contacts', {
            email: `h${start + n}@people.test`,
            externalId,
          });
          const found = await send('GET', `/contacts/${ext(externalId)}`);
          expect([found.status, found.body]).toMatchObject([200, { id: body.id, externalId }]);
          const listed = await send('GET', `/contacts?externalId=${encodeURIComponent(externalId)}`);
          expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id]);
        }),
      );
    const sample = all.slice(0, 40);
    const { body } = await send('POST', '/contacts/lookup', { externalIds: sample });
    expect(body.contacts.map(({ given, externalId }: Record<string, string>) => [given, externalId])).toEqual(
      sample.map((id) => [id, id]),
    );
    for (const id of sample) {
      expect((await client.contacts.get({ id: `ext:${id}` })).externalId).toBe(id);
      const { body: answer } = await graphql('query ($id: ID!) { contact(id: $id) { externalId } }', {
        id: `ext:${id}`,
      });
      expect(answer.data.contact.externalId).toBe(id);
    }
  });
});

describe('a reference', () => {
  it('by address finds ann@ beside joann@, in any spelling, and search stays a part', async () => {
    const ann = await add({ email: 'ann@example.org' });
    const joann = await add({ email: 'joann@example.org' });
    expect((await send('GET', '/contacts?search=ann@example.org')).body.total).toBe(2);
    for (const path of [
      '/contacts/ann@example.org',
      '/contacts/Ann%40EXAMPLE.org',
      `/contacts/${ann.id.toUpperCase()}`,
    ])
      expect((await send('GET', path)).body.id).toBe(ann.id);
    const listed = await send('GET', '/contacts?email=ANN@example.org');
    expect(listed.body).toMatchObject({ data: [{ id: ann.id }], total: 1 });
    expect((await send('GET', '/contacts?email=an@example.org')).body).toMatchObject({ data: [], total: 0 });
    expect((await send('GET', '/contacts?email=ann')).status).toBe(422);
    const looked = await send('POST', '/contacts/lookup', {
      emails: ['ANN@example.org', 'nobody@example.org'],
      externalIds: ['nothing'],
    });
    expect(looked.body).toEqual({
      found: ['ANN@example.org'],
      notFound: ['nobody@example.org'],
      contacts: [
        { given: 'ANN@example.org', id: ann.id, email: ann.email, externalId: null, subscribed: true },
      ],
    });
    await send('DELETE', '/contacts/ann@example.org');
    expect((await send('GET', `/contacts/${joann.id}`)).status).toBe(200);
  });

  it('works for events, filters, starts and tests of workflows', async () => {
    const contact = await add({ externalId: 'everywhere' });
    await send('POST', '/events/track', { email: contact.email, event: 'bought' });
    await send('POST', '/v1/send', { from, to: contact.email, subject: 'S', body: '<p>B</p>' });
    const workflow = (await send('POST', '/workflows', { name: 'W', eventName: 'never' })).body;
    await send('PATCH', `/workflows/${workflow.id}`, { enabled: true });
    for (const reference of [contact.id, contact.email, 'ext:everywhere']) {
      const encoded = encodeURIComponent(reference);
      const events = await send('GET', `/events/contact/${encoded}`);
      expect(events.body.events.map(({ name }: { name: string }) => name)).toContain('bought');
      const emails = await send('GET', `/emails?contactId=${encoded}`);
      expect(emails.body).toMatchObject({ total: 1, data: [{ contactId: contact.id }] });
      const activity = await send('GET', `/activity?contactId=${encoded}`);
      expect(activity.body.data[0].contactId).toBe(contact.id);
      const tested = await send('POST', `/workflows/${workflow.id}/test`, { contactId: reference });
      expect(tested.body.status).toBe('COMPLETED');
      const nested = await graphql(
        'query ($id: ID!) { emails(contactId: $id) { totalCount } activity(contactId: $id) { data { contactId } } }',
        { id: reference },
      );
      expect(nested.body.data.emails.totalCount).toBe(1);
    }
    const started = await send('POST', `/workflows/${workflow.id}/executions`, {
      contactId: 'ext:everywhere',
    });
    expect([started.status, started.body.contactId]).toEqual([201, contact.id]);
  });

  it('that is unknown is 404 in a path, a start and a test, and an empty list in a filter', async () => {
    const theirs = (await stranger('POST', '/contacts', { email: 'them@people.test', externalId: 'theirs' }))
      .body;
    const workflow = (await send('POST', '/workflows', { name: 'V', eventName: 'never' })).body;
    for (const reference of [
      theirs.id,
      'them@people.test',
      'ext:theirs',
      'ext:nobody',
      'nobody@people.test',
    ]) {
      const encoded = encodeURIComponent(reference);
      for (const answer of [
        await send('GET', `/contacts/${encoded}`),
        await send('PATCH', `/contacts/${encoded}`, { data: {} }),
        await send('DELETE', `/contacts/${encoded}`),
        await send('GET', `/events/contact/${encoded}`),
        await send('POST', `/workflows/${workflow.id}/test`, { contactId: reference }),
        await send('POST', `/workflows/${workflow.id}/executions`, { contactId: reference }),
      ])
        expect([answer.status, codeOf(answer)]).toEqual([404, 'CONTACT_NOT_FOUND']);
      expect((await send('GET', `/emails?contactId=${encoded}`)).body).toMatchObject({ data: [], total: 0 });
      expect((await send('GET', `/activity?contactId=${encoded}`)).body.data).toEqual([]);
    }
    expect((await stranger('GET', `/contacts/${theirs.id}`)).body.externalId).toBe('theirs');
    expect((await send('GET', '/contacts?externalId=theirs')).body.data).toEqual([]);
    expect((await send('POST', '/contacts/lookup', { externalIds: ['theirs'] })).body.contacts).toEqual([]);
  });

  it.each(['nobody', '0198c1a4', 'ext:', `ext:${'x'.repeat(256)}`, 'a@', 'ext:%07'])(
    'any other text is 422: %s',
    async (text) => {
      for (const path of [`/contacts/${text}`, `/events/contact/${text}`, `/emails?contactId=${text}`])
        expect((await send('GET', path)).status).toBe(422);
    },
  );
});

it('a look-up needs 1 to 500 addresses and external ids together', async () => {
  const many = Array(251).fill('x');
  for (const body of [
    {},
    { emails: [] },
    { emails: [], externalIds: [] },
    { emails: many, externalIds: many },
    { externalIds: 'x' },
  ])
    expect((await send('POST', '/contacts/lookup', body)).status).toBe(400);
  const { body } = await graphql(
    'query ($ids: [String!]) { contactLookup(emails: $ids, externalIds: $ids) { found } }',
    { ids: many },
  );
  expect(body.errors[0].extensions.code).toBe('VALIDATION_ERROR');
});

it('one suppression is found by its address', async () => {
  await send('POST', '/suppressions', { emails: ['gone@people.test'] });
  const answer = await send('GET', '/suppressions/GONE%40people.test');
  expect([answer.status, answer.body]).toMatchObject([200, { email: 'gone@people.test', reason: 'MANUAL' }]);
  const asked = await graphql('{ suppression(email: "gone@people.test") { reason } }');
  expect(asked.body.data.suppression.reason).toBe('MANUAL');
  for (const by of [send, stranger]) {
    const path = by === send ? '/suppressions/other@people.test' : '/suppressions/gone@people.test';
    expect(codeOf(await by('GET', path))).toBe('RESOURCE_NOT_FOUND');
  }
  expect((await client.contacts.getSuppression({ email: 'gone@people.test' })).reason).toBe('MANUAL');
});

it('emails are found by their whole recipient, whoever their contact is now', async () => {
  const mail = (to: string) => send('POST', '/v1/send', { from, to, subject: 'S', body: '<p>B</p>' });
  await mail('bo@people.test');
  await mail('jobo@people.test');
  await send('PATCH', '/contacts/bo@people.test', { email: 'moved@people.test' });
  await mail('bo@people.test');
  const { body } = await send('GET', '/emails?recipient=BO@people.test&limit=1');
  expect([body.total, body.data.length, body.hasMore]).toEqual([2, 1, true]);
  const next = await send('GET', `/emails?recipient=bo@people.test&cursor=${body.cursor}&limit=1`);
  expect([...body.data, ...next.body.data].map(({ to }: { to: string }) => to)).toEqual([
    'bo@people.test',
    'bo@people.test',
  ]);
  expect((await send('GET', '/emails?recipient=moved@people.test')).body.total).toBe(0);
  expect((await stranger('GET', '/emails?recipient=bo@people.test')).body.total).toBe(0);
  expect((await send('GET', '/emails?recipient=bo')).status).toBe(422);
});

describe('imports, exports and webhooks', () => {
  it('an import gives external ids by a column or a mapping; the row of one that is taken fails', async () => {
    await add({ email: 'owner@import.test', externalId: 'own' });
    const csv = `email,externalId,Kundennummer
a@import.test,i-1,
b@import.test,i-1,
c@import.test,own,
owner@import.test,own,
d@import.test,,
e@import.test,${'x'.repeat(256)},
`;
    const session = await test.withSession();
    const importOf = async (text: string, mapping?: object, dryRun = false) => {
      const given = { csv: text, dryRun, ...(mapping && { mapping: JSON.stringify(mapping) }) };
      const { jobId } = await startContactImport.run(test.project.ctx, given);
      await runImport(test.services, jobId);
      return (await session('GET', `/contacts/import/${jobId}`)).body;
    };
    const trial = await importOf(csv, undefined, true);
    const { result } = await importOf(csv);
    const { successCount, failureCount, createdCount, errors } = trial.result;
    expect(result).toMatchObject({ successCount, failureCount, createdCount, errors });
    expect(result).toMatchObject({ successCount: 3, failureCount: 3 });
    expect(result.errors.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [2, 'externalId: another contact has it'],
      [3, 'externalId: another contact has it'],
      [6, 'externalId: At most 255 characters'],
    ]);
    expect((await send('GET', `/contacts/${ext('i-1')}`)).body).toMatchObject({
      email: 'a@import.test',
      data: {},
    });
    expect((await send('GET', '/contacts/b@import.test')).status).toBe(404);
    await importOf('email,Kundennummer\na@import.test,i-9\n', { Kundennummer: 'externalId' });
    expect((await send('GET', '/contacts/a@import.test')).body.externalId).toBe('i-9');
  });
});

it('webhooks have it in their contact', async () => {
  const endpoint = await send('POST', '/webhook-endpoints', { url: 'https://hooks.example.com/a' });
  expect(endpoint.status).toBe(201);
  const { id, email } = await add({ externalId: 'hooked' });
  await send('POST', '/events/track', { email, event: 'hooked' });
  const delivery = await test.services.database.prisma.webhookDelivery.findFirstOrThrow({
    where: { projectId: test.project.id, type: 'event.hooked' },
  });
  expect(delivery.data).toMatchObject({ contact: { id, email, externalId: 'hooked' } });
});

describe('node and nodes', () => {
  const query =
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Contact { email } ... on Email { subject } ... on Workflow { name } ... on Execution { status } } }';

  it('find records of every type by their id', async () => {
    const contact = await add();
    await send('POST', '/v1/send', { from, to: contact.email, subject: 'S', body: '<p>B</p>' });
    const email = (await send('GET', `/emails?contactId=${contact.id}`)).body.data[0];
    const event = (await send('POST', '/events/track', { email: contact.email, event: 'e' })).body;
    const workflow = (await send('POST', '/workflows', { name: 'W', eventName: 'never' })).body;
    await send('PATCH', `/workflows/${workflow.id}`, { enabled: true });
    const execution = (await send('POST', `/workflows/${workflow.id}/executions`, { contactId: contact.id }))
      .body;
    const content = { name: 'N', subject: 'S', body: '<p>B</p>', from };
    const template = (await send('POST', '/templates', content)).body;
    const campaign = (await send('POST', '/campaigns', { ...content, audienceType: 'ALL' })).body.data;
    const segment = (await send('POST', '/segments', { name: 'S', type: 'STATIC' })).body;
    const domain = await test.services.database.prisma.domain.findFirstOrThrow({
      where: { projectId: test.project.id },
    });
    const block = (await send('POST', '/blocks', { name: 'B', body: '<p>B</p>' })).body;
    const records: Record<string, { id: string }> = {
      Contact: contact,
      Email: email,
      Event: event,
      Workflow: workflow,
      Execution: execution,
      Template: template,
      Campaign: campaign,
      Segment: segment,
      Domain: domain,
      SavedBlock: block,
    };
    const ids = Object.values(records).map(({ id }: { id: string }) => id);
    const { body } = await graphql(query, { ids });
    expect(body.errors).toBeUndefined();
    expect(body.data.nodes.map(({ __typename, id }: Record<string, string>) => [__typename, id])).toEqual(
      Object.entries(records).map(([type, { id }]: [string, { id: string }]) => [type, id]),
    );
    expect(body.data.nodes[0].email).toBe(contact.email);
    const one = await graphql('query ($id: ID!) { node(id: $id) { id } }', { id: contact.id.toUpperCase() });
    expect(one.body.data.node.id).toBe(contact.id);

    const theirs = await graphql(query, { ids }, stranger);
    expect(theirs.body.data.nodes).toEqual(ids.map(() => null));
  });

  it('are null for what is unknown, and keep order and repetition', async () => {
    const { id } = await add();
    const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
    const { body } = await graphql(query, { ids: [unknown, id, 'nonsense', id] });
    expect(body.data.nodes.map((node: { id: string } | null) => node?.id ?? null)).toEqual([
      null,
      id,
      null,
      id,
    ]);
    expect((await graphql('{ node(id: "x") { id } }')).body).toMatchObject({ data: { node: null } });
  });

  it('take 1 to 100 ids', async () => {
    for (const ids of [[], Array(101).fill('x')])
      expect(codeOf(await graphql(query, { ids }))).toBe('VALIDATION_ERROR');
  });
});

it('an empty `after` is the start of a list', async () => {
  await add();
  const list =
    'query ($after: String) { contacts(first: 1, after: $after) { pageInfo { hasPreviousPage endCursor } edges { node { emails(after: $after) { totalCount } } } } }';
  const { body } = await graphql(list, { after: '' });
  expect(body.errors).toBeUndefined();
  expect(body.data.contacts.pageInfo.hasPreviousPage).toBe(false);
});
