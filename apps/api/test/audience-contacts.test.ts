import { runBulkBatch } from '@postrider/core/audience/contacts';
import { newId } from '@postrider/core/base/lib';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** The promises of behaviour B2.1, B3.2 and B4.5 about contacts, sentence by sentence, over HTTP. */
let test: TestApp;
let send: Send;

const from = 'hello@contacts.example.com';

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'contacts.example.com');
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

interface Contact {
  id: string;
  email: string;
  subscribed: boolean;
  snoozedUntil: string | null;
  data: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

const unused = (): string => `${newId()}@contact.test`;
const add = async (input: object = {}): Promise<Contact> =>
  (await send('POST', '/contacts', { email: unused(), ...input })).body;
const read = async (id: string): Promise<Contact> => (await send('GET', `/contacts/${id}`)).body;
const eventsOf = async (id: string): Promise<[string, unknown][]> =>
  (await send('GET', `/events/contact/${id}`)).body.events
    .map(({ name, data }: { name: string; data: unknown }) => [name, data])
    .reverse();
const errorsOf = ({ status, body }: Answer) => [
  status,
  ...(body.error?.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];
const date = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const inFuture = () => new Date(Date.now() + 86_400_000);

describe('a contact', () => {
  it('is created with 201, found again with 200, in exactly this shape', async () => {
    const email = unused();
    const input = { email: ` ${email.toUpperCase()} `, data: { plan: 'pro' } };
    const made = await send('POST', '/contacts', input);
    const shape = {
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      email,
      externalId: null,
      subscribed: true,
      status: 'subscribed',
      snoozedUntil: null,
      topics: {},
      topicDefaults: true,
      consentBasis: 'default',
      consentedAt: date,
      data: { plan: 'pro' },
      projectId: test.project.id,
      createdAt: date,
      updatedAt: date,
    };
    expect([made.status, made.body]).toEqual([201, { ...shape, _meta: { isNew: true, isUpdate: false } }]);
    const again = await send('POST', '/contacts', { email, subscribed: null, data: null });
    const { _meta, ...contact } = made.body;
    expect([again.status, again.body]).toEqual([
      200,
      { ...contact, _meta: { isNew: false, isUpdate: true } },
    ]);
    const got = await send('GET', `/contacts/${contact.id.toUpperCase()}`);
    const limits = { granted: [], quietUntil: null };
    expect([got.status, got.body]).toEqual([200, { ...contact, limits }]);
  });

  it('keeps its subscription when none is given; a change emits an event, the same value does not', async () => {
    const { id, email } = await add({ subscribed: false });
    expect(await eventsOf(id)).toEqual([]);
    expect((await send('POST', '/contacts', { email })).body.subscribed).toBe(false);
    await send('POST', '/contacts', { email, subscribed: false });
    await send('POST', '/contacts', { email, subscribed: true });
    await send('PATCH', `/contacts/${id}`, { subscribed: true });
    await send('PATCH', `/contacts/${id}`, { subscribed: false, data: { a: 1 } });
    await send('PATCH', `/contacts/${id}`, { data: { b: 1 } });
    expect(await eventsOf(id)).toEqual([
      ['contact.subscribed', { reason: 'api' }],
      ['contact.unsubscribed', { reason: 'api' }],
    ]);
  });

  it.each(['POST', 'PATCH'])('loses its snooze with any write of subscribed (%s)', async (method) => {
    for (const subscribed of [true, false]) {
      const { id, email } = await add({ subscribed: false });
      await test.services.database.prisma.contact.update({
        where: { id },
        data: { snoozedUntil: inFuture(), consentSeq: 1n },
      });
      const url = method === 'POST' ? '/contacts' : `/contacts/${id}`;
      const other = await send(method, url, { email, data: { a: 1 } });
      expect([other.status, other.body.snoozedUntil]).toEqual([200, date]);
      const { body } = await send(method, url, { email, subscribed });
      expect([body.subscribed, body.snoozedUntil]).toEqual([subscribed, null]);
    }
  });

  const first = { text: 'x', number: 0, flag: false, 'a.b c': 'dots', gone: 1 };
  it.each([
    ['merges key by key', { text: 'y', new: 1 }, { ...first, text: 'y', new: 1 }],
    [
      'null deletes a key',
      { gone: null, unknown: null },
      { text: 'x', number: 0, flag: false, 'a.b c': 'dots' },
    ],
    ['an empty string is ignored', { text: '', new: '' }, first],
    ['a blank is a value', { text: ' ' }, { ...first, text: ' ' }],
    [
      'reserved keys are dropped',
      { id: 1, svc_id: 1, svc_email: 1, email: 'x', unsubscribeUrl: 'x', subscribeUrl: {}, manageUrl: [] },
      first,
    ],
    ['persistent values are stored', { text: { value: 'z', persistent: true } }, { ...first, text: 'z' }],
    ['others are not', { text: { value: { any: [1] }, persistent: false } }, first],
    ['a key may have 100 characters', { ['k'.repeat(100)]: 1 }, { ...first, ['k'.repeat(100)]: 1 }],
    ['locale becomes a language tag', { locale: 'en_GB.UTF-8' }, { ...first, locale: 'en-GB' }],
    ['any other locale is kept', { locale: 'English' }, { ...first, locale: 'English' }],
    ['a locale may be a number', { locale: 1031 }, { ...first, locale: 1031 }],
  ])('data: %s', async (_what, data, expected) => {
    for (const method of ['POST', 'PATCH']) {
      const { id, email } = await add({ data: first });
      const answer = await send(method, method === 'POST' ? '/contacts' : `/contacts/${id}`, { email, data });
      expect([answer.status, answer.body.data]).toEqual([200, expected]);
      expect((await read(id)).data).toEqual(expected);
    }
  });

  it.each<[unknown, string]>([
    [[], 'data invalid_type'],
    ['x', 'data invalid_type'],
    [{ a: [1] }, 'data.a invalid_type'],
    [{ a: { b: 1 } }, 'data.a invalid_type'],
    [{ a: { value: [1], persistent: true } }, 'data.a invalid_type'],
    [{ '': 1 }, 'data. custom'],
    [{ ['k'.repeat(101)]: 1 }, `data.${'k'.repeat(101)} custom`],
    [{ 'a\nb': 1 }, 'data.a\nb custom'],
    [{ locale: ['en'] }, 'data.locale invalid_type'],
    [{ a: 'x'.repeat(66_000) }, 'data too_big'],
  ])('data that is refused (%#) changes nothing', async (data, error) => {
    const contact = await add({ data: { a: 1 } });
    const { id } = contact;
    const before = await read(id);
    for (const [method, url] of [
      ['POST', '/contacts'],
      ['PATCH', `/contacts/${id}`],
    ] as const) {
      const answer = await send(method, url, { email: contact.email, subscribed: false, data });
      expect(errorsOf(answer)).toEqual([422, error]);
    }
    expect([await read(id), await eventsOf(id)]).toEqual([before, []]);
  });

  it('data null on PATCH clears all data; {} and an absent data change nothing', async () => {
    const { id } = await add({ data: { a: 1 } });
    const { limits: _limits, ...before }: Contact & { limits?: unknown } = await read(id);
    for (const input of [{}, { data: {} }, { email: null, subscribed: null }])
      expect((await send('PATCH', `/contacts/${id}`, input)).body).toEqual(before);
    expect((await send('PATCH', `/contacts/${id}`, { data: null })).body.data).toEqual({});
  });

  it.each([
    ['nobody', 'email invalid_string'],
    ['a@b', 'email invalid_string'],
    ['a@b@c.test', 'email invalid_string'],
    ['a b@c.test', 'email invalid_string'],
    [`${'a'.repeat(250)}@b.test`, 'email invalid_string'],
    [5, 'email invalid_type'],
  ])('address %s is refused', async (email, error) => {
    expect(errorsOf(await send('POST', '/contacts', { email }))).toEqual([422, error]);
    const { id } = await add();
    expect(errorsOf(await send('PATCH', `/contacts/${id}`, { email }))).toEqual([422, error]);
  });

  it.each([undefined, null, '', ' \t'])('POST without an address (%j) is a flat 400', async (email) => {
    const { status, body } = await send('POST', '/contacts', { email });
    expect([status, body]).toEqual([400, { error: expect.any(String) }]);
  });

  it('accepts a new address of up to 254 characters, but not that of another contact', async () => {
    const [mine, other] = [await add(), await add()];
    const long = `${'a'.repeat(240)}@longest.test`;
    const moved = await send('PATCH', `/contacts/${mine.id}`, { email: long.toUpperCase() });
    expect([moved.status, moved.body.email]).toEqual([200, long]);
    const same = await send('PATCH', `/contacts/${mine.id}`, { email: long });
    expect(same.body.updatedAt).toBe(moved.body.updatedAt);
    const taken = await send('PATCH', `/contacts/${mine.id}`, { email: other.email, data: { a: 1 } });
    expect([taken.status, codeOf(taken)]).toEqual([409, 'CONFLICT']);
    expect((await read(mine.id)).data).toEqual({});
  });

  it('of another project answers like an unknown one', async () => {
    const other = await createTestProject(test.services);
    const { body } = await test.withKey(other.secretKey)('POST', '/contacts', { email: 'a@other.test' });
    for (const id of [newId(), body.id]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await send(
          method,
          `/contacts/${id}`,
          method === 'PATCH' ? { data: { a: 1 } } : undefined,
        );
        expect([answer.status, codeOf(answer)]).toEqual([404, 'CONTACT_NOT_FOUND']);
      }
    }
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(errorsOf(await send(method, '/contacts/17'))).toEqual([422, 'id invalid_string']);
  });
});

describe('deleting a contact', () => {
  it('deletes its events, removes address and content from its emails, and keeps an opt-out', async () => {
    const { id, email } = await add({ subscribed: false });
    await send('POST', '/events/track', { name: 'signup', contactId: id });
    const sent = await send('POST', '/v1/send', {
      to: { email, name: 'Ada' },
      subject: 'To {{name}}',
      body: '<p>Secret</p>',
      from,
    });
    const emailId = sent.body.data.emails[0].email;
    expect((await send('DELETE', `/contacts/${id}`)).status).toBe(204);
    expect((await send('GET', `/events/contact/${id}`)).status).toBe(404);
    const left = (await send('GET', `/emails/${emailId}`)).body;
    expect(left).toMatchObject({
      contactId: null,
      to: '',
      toName: null,
      status: 'SKIPPED',
      reason: 'cancelled',
    });
    expect((await send('GET', `/emails/${emailId}/preview`)).body).toMatchObject({ html: null, text: null });
    const back = await add({ email });
    expect([back.id === id, back.subscribed]).toEqual([false, false]);
    await send('DELETE', `/contacts/${back.id}`);
    expect((await add({ email, subscribed: true })).subscribed).toBe(true);
  });
});

describe('the list', () => {
  let project: Awaited<ReturnType<typeof createTestProject>>;
  let own: Send;
  const emails = async (query: string): Promise<string[]> =>
    (await own('GET', `/contacts?${query}`)).body.data.map((contact: Contact) => contact.email);

  beforeAll(async () => {
    project = await createTestProject(test.services);
    own = test.withKey(project.secretKey);
    for (const [name, subscribed] of [
      ['b_b', true],
      ['a%a', false],
      ['c', false],
    ] as const) {
      const { body } = await own('POST', '/contacts', { email: `${name}@list.test`, subscribed });
      if (name === 'c') {
        const data = { snoozedUntil: inFuture(), consentSeq: 1n };
        await test.services.database.prisma.contact.update({ where: { id: body.id }, data });
      }
    }
  });

  const [a, b, c] = ['a%a@list.test', 'b_b@list.test', 'c@list.test'];
  it.each([
    ['', [c, a, b]],
    ['dir=asc', [b, a, c]],
    ['sort=email', [c, b, a]],
    ['sort=email&dir=asc', [a, b, c]],
    ['sort=name&dir=up', [c, a, b]],
    ['subscribed=true', [b]],
    ['subscribed=false', [c, a]],
    ['status=subscribed', [b]],
    ['status=snoozed', [c]],
    ['status=unsubscribed', [a]],
    ['status=snoozed&subscribed=true', [c]],
    ['search=LIST.test&dir=asc', [b, a, c]],
    ['search=%25', [a]],
    ['search=_', [b]],
    ['search=nobody', []],
  ])('?%s', async (query, expected) => {
    expect(await emails(query)).toEqual(expected);
    const { body } = await own('GET', `/contacts?${query}`);
    expect(body).toMatchObject({ cursor: null, hasMore: false, total: expected.length });
  });

  it.each([
    ['status=all', 400],
    ['subscribed=yes', 400],
    ['cursor=x', 400],
  ])('?%s: 400 BAD_REQUEST', async (query, status) => {
    const answer = await own('GET', `/contacts?${query}`);
    expect([answer.status, codeOf(answer)]).toEqual([status, 'BAD_REQUEST']);
  });

  it('returns its total on the first page only', async () => {
    const first = (await own('GET', '/contacts?limit=2')).body;
    expect(first).toMatchObject({ hasMore: true, total: 3, cursor: expect.any(String) });
    const last = (await own('GET', `/contacts?limit=2&cursor=${encodeURIComponent(first.cursor)}`)).body;
    expect(last).toMatchObject({ hasMore: false, total: 0, cursor: null });
  });

  it.each(['createdAt', 'email'].flatMap((sort) => ['asc', 'desc'].map((dir) => [sort, dir] as const)))(
    'by %s %s: of 150 contacts of one moment none is lost and none comes twice, while others come and go',
    async (sort, dir) => {
      const { prisma } = test.services.database;
      const { id: projectId, secretKey } = await createTestProject(test.services);
      const get = test.withKey(secretKey);
      const createdAt = new Date('2026-01-01T00:00:00.000Z');
      const at = (list: string, index: number) => ({
        id: newId(),
        projectId,
        email: `${String((index * 7919) % 1000).padStart(3, '0')}-${index}@${list}.test`,
        createdAt,
      });
      const stay = Array.from({ length: 150 }, (_, index) => at('stay', index));
      let passing = Array.from({ length: 50 }, (_, index) => at('pass', index));
      await prisma.contact.createMany({ data: [...stay, ...passing].toSorted(() => Math.random() - 0.5) });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const { status, body }: Answer = await get('GET', `/contacts?limit=7&sort=${sort}&dir=${dir}${next}`);
        expect(status).toBe(200);
        seen.push(...body.data.map((contact: Contact) => contact.email));
        expect(body.hasMore).toBe(body.cursor !== null);
        cursor = body.cursor;
        // The last contact of a page may be deleted before the next page is requested.
        const going = new Set([...passing.slice(0, 3).map(({ id }) => id)]);
        await prisma.contact.deleteMany({ where: { id: { in: [...going] } } });
        const coming = Array.from({ length: 4 }, (_, index) => at('pass', 1000 + seen.length * 10 + index));
        await prisma.contact.createMany({ data: coming });
        passing = [...passing.filter(({ id }) => !going.has(id)), ...coming];
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((email) => email.endsWith('@stay.test')).toSorted()).toEqual(
        stay.map(({ email }) => email).toSorted(),
      );
    },
  );
});

describe('look-ups', () => {
  it('keep the spelling and order of the request', async () => {
    const [one, two] = [await add(), await add()];
    const emails = [` ${two.email} `, 'X@y.test', one.email.toUpperCase(), 'nonsense', two.email];
    const { status, body } = await send('POST', '/contacts/lookup', { emails });
    const foundAs = (given: unknown, { id, email }: { id: string; email: string }) => ({
      given,
      id,
      email,
      externalId: null,
      subscribed: true,
    });
    expect([status, body]).toEqual([
      200,
      {
        found: [emails[0], emails[2], emails[4]],
        notFound: ['X@y.test', 'nonsense'],
        contacts: [foundAs(emails[0], two), foundAs(emails[2], one), foundAs(emails[4], two)],
      },
    ]);
    const many = await send('POST', '/contacts/lookup', { emails: Array(500).fill(one.email) });
    expect([many.status, many.body.found.length]).toEqual([200, 500]);
  });
});

describe('fields', () => {
  let own: Send;
  beforeAll(async () => {
    const project = await createTestProject(test.services);
    await verifiedDomain(test.services, project.id, 'fields.example.com');
    own = test.withKey(project.secretKey);
    for (const [index, data] of [
      { age: 5, mixed: 1, since: '2026-01-02', on: true, '.b': 'x' },
      { age: 'old', mixed: 'a', since: '2026-01-02T10:00:00Z', on: false },
      { mixed: 'b', since: 'later' },
      { mixed: true, since: '2026-02-01' },
    ].entries())
      await own('POST', '/contacts', { email: `${index}@fields.test`, data });
  });

  it('have types and coverage, sorted by name', async () => {
    const { status, body } = await own('GET', '/contacts/fields');
    expect([status, body]).toEqual([
      200,
      {
        fields: [
          { field: 'createdAt', type: 'date', coverage: 100 },
          { field: 'data..b', type: 'string', coverage: 25 },
          { field: 'data.age', type: expect.any(String), coverage: 50 },
          { field: 'data.mixed', type: 'string', coverage: 100 },
          { field: 'data.on', type: 'boolean', coverage: 50 },
          { field: 'data.since', type: 'date', coverage: 100 },
          { field: 'email', type: 'string', coverage: 100 },
          { field: 'subscribed', type: 'boolean', coverage: 100 },
          { field: 'updatedAt', type: 'date', coverage: 100 },
        ].map((each) => ({ ...each, label: null, definition: null, similar: [] })),
        count: 9,
      },
    ]);
  });

  it.each([
    ['mixed', 'data.mixed', [true, 1, 'a', 'b'], ''],
    ['data.mixed', 'data.mixed', [true, 1], '?limit=2'],
    ['subscribed', 'subscribed', [false, true], ''],
    ['email', 'email', [], ''],
    ['createdAt', 'createdAt', [], ''],
    ['updatedAt', 'updatedAt', [], ''],
    ['nobody', 'data.nobody', [], ''],
    ['data..b', 'data..b', ['x'], ''],
  ])('values of %s', async (path, field, values, query) => {
    const limit = query === '' ? 100 : 2;
    const { status, body } = await own('GET', `/contacts/fields/${path}/values${query}`);
    expect([status, body]).toEqual([200, { field, values, count: values.length, limit }]);
    expect((await own('GET', `/contacts/fields/${path}/values?limit=1000`)).body.limit).toBe(200);
  });

  it.each([
    ['CONDITION', { field: 'contact.data.step', operator: 'exists' }],
    [
      'CONDITION',
      { mode: 'multi', field: 'data.step', branches: [{ id: 'a', name: 'A', operator: 'exists' }] },
    ],
    ['UPDATE_CONTACT', { data: { step: 'x' } }],
    ['UPDATE_CONTACT', { updates: { step: null } }],
  ])('are in use by a step %s %j', async (type, config) => {
    const workflow = (await own('POST', '/workflows', { name: 'W', eventName: 'signup' })).body;
    const step = { type, name: 'Step', position: { x: 0, y: 0 }, config };
    expect((await own('POST', `/workflows/${workflow.id}/steps`, step)).status).toBe(201);
    const usage = await own('GET', '/contacts/fields/step/usage');
    expect(usage.body).toMatchObject({ usedInWorkflows: [{ id: workflow.id, name: 'W' }], canDelete: false });
    expect((await own('DELETE', '/contacts/fields/step')).status).toBe(409);
    expect((await own('DELETE', `/workflows/${workflow.id}`)).status).toBe(204);
    expect((await own('DELETE', '/contacts/fields/step')).body).toEqual({ deletedFrom: 0 });
  });

  it('cannot be deleted while they are in use, or when they are standard', async () => {
    const condition = {
      logic: 'OR',
      groups: [
        {
          filters: [],
          conditions: {
            logic: 'AND',
            groups: [{ filters: [{ field: 'data.age', operator: 'exists' }] }],
          },
        },
      ],
    };
    const mail = { subject: 'S', body: 'B', from: 'hello@fields.example.com' };
    const audience = { audienceType: 'FILTERED', audienceCondition: condition };
    const segment = (await own('POST', '/segments', { name: 'By age', condition })).body;
    const campaign = (await own('POST', '/campaigns', { ...mail, name: 'For ages', ...audience })).body.data;
    const workflow = (await own('POST', '/workflows', { name: 'On age', eventName: 'signup' })).body;
    const step = await own('POST', `/workflows/${workflow.id}/steps`, {
      type: 'CONDITION',
      name: 'Old?',
      position: { x: 0, y: 0 },
      config: { field: 'data.age', operator: 'equals', value: 'old' },
    });
    expect(step.status).toBe(201);
    const usage = await own('GET', '/contacts/fields/age/usage');
    expect([usage.status, usage.body]).toEqual([
      200,
      {
        usedInSegments: [{ id: segment.id, name: 'By age' }],
        usedInCampaigns: [{ id: campaign.id, name: 'For ages' }],
        usedInTemplates: [],
        usedInWorkflows: [{ id: workflow.id, name: 'On age' }],
        contactCount: 2,
        canDelete: false,
      },
    ]);
    for (const path of [
      `/segments/${segment.id}`,
      `/campaigns/${campaign.id}`,
      `/workflows/${workflow.id}`,
    ]) {
      const answer = await own('DELETE', '/contacts/fields/data.age');
      expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
      expect((await own('DELETE', path)).status).toBe(204);
    }
    expect((await own('GET', '/contacts/fields/age/usage')).body.canDelete).toBe(true);
    expect((await own('DELETE', '/contacts/fields/age')).body).toEqual({ deletedFrom: 2 });
    expect((await own('DELETE', '/contacts/fields/age')).body).toEqual({ deletedFrom: 0 });
    for (const field of ['email', 'subscribed', 'createdAt', 'updatedAt']) {
      const answer = await own('DELETE', `/contacts/fields/${field}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BAD_REQUEST']);
      expect((await own('GET', `/contacts/fields/${field}/usage`)).body).toMatchObject({
        contactCount: 4,
        canDelete: false,
      });
    }
  });
});

describe('bulk changes', () => {
  async function run(verb: string, input: object) {
    const { status, body } = await send('POST', `/contacts/bulk-${verb}`, input);
    expect(status).toBe(202);
    const waiting = await send('GET', `/contacts/bulk/${body.jobId}`);
    expect(waiting.body).toEqual({
      id: body.jobId,
      state: 'waiting',
      waitsFor: 'engine',
      progress: 0,
      result: null,
      failedReason: null,
      createdAt: date,
      completedAt: null,
    });
    while (await runBulkBatch(test.services, body.jobId));
    const job = (await send('GET', `/contacts/bulk/${body.jobId}`)).body;
    expect(job).toMatchObject({ state: 'completed', progress: 100, failedReason: null, completedAt: date });
    return job.result;
  }

  it('change the contacts that they can, each with its event, and count the others', async () => {
    const [on, off] = [await add(), await add({ subscribed: false })];
    const unknown = newId();
    for (const input of [{ mode: 'ids' }, {}]) {
      const contactIds = [on.id, off.id.toUpperCase(), unknown];
      expect(await run('unsubscribe', { ...input, contactIds })).toEqual({
        operation: 'unsubscribe',
        totalRequested: 3,
        successCount: 'mode' in input ? 1 : 0,
        unchangedCount: 'mode' in input ? 1 : 2,
        refusedCount: 0,
        failureCount: 1,
        errors: [{ contactId: unknown, email: null, error: expect.any(String) }],
      });
    }
    expect(await eventsOf(on.id)).toEqual([['contact.unsubscribed', { reason: 'bulk' }]]);
    expect(await eventsOf(off.id)).toEqual([]);
  });

  it('by query change the contacts that match at the time of the call', async () => {
    const name = `query${newId()}`;
    const made = await Promise.all(
      [true, false, true].map((subscribed, index) => add({ email: `${name}-${index}@a.test`, subscribed })),
    );
    const filter = { search: name.toUpperCase(), subscribed: true };
    const input = { mode: 'query', filter, excludeIds: [made[0]?.id] };
    const result = await run('delete', input);
    expect(result).toMatchObject({
      operation: 'delete',
      totalRequested: 1,
      successCount: 1,
      failureCount: 0,
    });
    const statuses = await Promise.all(made.map(({ id }) => send('GET', `/contacts/${id}`)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 404]);
  });
});
