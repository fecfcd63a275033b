import { newId } from '@postrider/core/base/lib';
import { createTestProject, verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** Statuses, shapes and refusals of the segments' endpoints (behaviour B2.4, B2.5, B4.8, B7.4). */
let test: TestApp;
let send: Send;

const from = 'hello@segments.example.com';

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'segments.example.com');
  send = test.withKey(test.project.secretKey);
});
afterAll(() => test.close());

const treeOf = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] });
const hasPlan = (plan: unknown) => treeOf({ field: 'data.plan', operator: 'equals', value: plan });
const memberOf = (id: string) => treeOf({ field: `segment.${id}`, operator: 'memberOfSegment' });

const contact = async (email: string, data: object = {}) =>
  (await send('POST', '/contacts', { email, data })).body as { id: string; email: string };

async function segment(input: object): Promise<{ id: string; [field: string]: unknown }> {
  const { status, body } = await send('POST', '/segments', { name: 'Segment', ...input });
  expect(status).toBe(201);
  return body;
}
const read = async (id: string) => (await send('GET', `/segments/${id}`)).body;
const eventsOf = async (id: string): Promise<string[]> =>
  (await send('GET', `/events/contact/${id}`)).body.events
    .map(({ name }: { name: string }) => name)
    .reverse();

const record = {
  id: expect.any(String),
  projectId: expect.any(String),
  name: expect.any(String),
  slug: expect.any(String),
  description: null,
  type: 'DYNAMIC',
  condition: expect.any(Object),
  trackMembership: false,
  memberCount: 0,
  failedReason: null,
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
};

it('POST members takes a condition instead of addresses, and answers with a job', async () => {
  const { id } = await segment({ name: 'Who clicked', type: 'STATIC' });
  const path = `/segments/${id}/members`;
  for (const url of [path, `${path}/matching`]) {
    const { status, body } = await send('POST', url, { condition: hasPlan('matching') });
    expect([status, body]).toEqual([202, { message: expect.any(String), jobId: expect.any(String) }]);
    expect((await send('GET', `/contacts/bulk/${body.jobId}`)).body).toMatchObject({ state: 'waiting' });
  }
  const both = await send('POST', path, { condition: hasPlan('x'), emails: ['a@a.test'] });
  expect([both.status, codeOf(both)]).toEqual([422, 'VALIDATION_ERROR']);
  const { id: dynamicId } = await segment({ condition: hasPlan('x') });
  const refused = await send('POST', `/segments/${dynamicId}/members`, { condition: hasPlan('x') });
  expect([refused.status, codeOf(refused)]).toEqual([409, 'CONFLICT']);
});

it('GET usage lists what refers to a segment, and an unknown one is 404', async () => {
  const { id } = await segment({ name: 'In use', type: 'STATIC' });
  const reader = await segment({
    name: 'Reader',
    condition: treeOf({ field: 'event.segment.in-use.entry', operator: 'triggered' }),
  });
  expect((await send('GET', `/segments/${id}/usage`)).body).toEqual({
    usedInSegments: [{ id: reader.id, name: 'Reader' }],
    usedInCampaigns: [],
    usedInWorkflows: [],
    usedInGoals: [],
    usedInWebhookEndpoints: [],
    canDelete: false,
  });
  const refused = await send('PATCH', `/segments/${id}`, { slug: 'other' });
  expect([refused.status, refused.body.error.details]).toEqual([
    409,
    { usedBy: { segments: [{ id: reader.id, name: 'Reader' }] } },
  ]);
  expect((await send('PATCH', `/segments/${id}`, { slug: ' in-use' })).status).toBe(422);
  expect((await send('GET', `/segments/${newId()}/usage`)).status).toBe(404);
});

describe('a dynamic segment', () => {
  it('is created with its members counted, listed, read, changed and deleted', async () => {
    await contact('pro@crud.test', { plan: 'crud' });
    const { status, body } = await send('POST', '/segments', {
      name: '  Customers ',
      condition: hasPlan('crud'),
    });
    expect([status, body]).toEqual([
      201,
      { ...record, name: 'Customers', condition: hasPlan('crud'), memberCount: 1 },
    ]);
    const path = `/segments/${body.id}`;
    expect((await send('GET', path)).body).toEqual(body);
    const newer = await segment({ name: 'Newer', condition: hasPlan('none') });
    const list = await send('GET', '/segments');
    expect(list.body.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([newer.id, body.id]);

    const same = await send('PATCH', path, {});
    expect([same.status, same.body.name, same.body.condition]).toEqual([200, 'Customers', hasPlan('crud')]);
    const changed = await send('PATCH', path, {
      name: 'Nobody',
      description: 'note',
      type: 'STATIC',
      condition: hasPlan('nobody'),
    });
    expect([changed.status, changed.body]).toEqual([
      200,
      {
        ...record,
        name: 'Nobody',
        description: 'note',
        condition: hasPlan('nobody'),
        memberCount: 0,
      },
    ]);
    const cleared = await send('PATCH', path, { name: null, description: null, condition: null });
    expect(cleared.body).toMatchObject({ name: 'Nobody', description: null, condition: hasPlan('nobody') });

    expect(await send('DELETE', path)).toMatchObject({ status: 204, text: '' });
    const again = await send('DELETE', path);
    expect([again.status, codeOf(again)]).toEqual([404, 'SEGMENT_NOT_FOUND']);
  });

  it('lists its contacts live, the newest first, page by page', async () => {
    const { id } = await segment({ condition: hasPlan('live') });
    const emails: string[] = [];
    for (const name of ['a', 'b', 'c'])
      emails.unshift((await contact(`${name}@live.test`, { plan: 'live' })).email);
    const first = await send('GET', `/segments/${id}/contacts?pageSize=2`);
    expect([first.status, first.body]).toEqual([
      200,
      { data: expect.any(Array), page: 1, pageSize: 2, total: 3, totalPages: 2 },
    ]);
    expect(first.body.data[0]).toEqual({
      id: expect.any(String),
      email: emails[0],
      subscribed: true,
      snoozedUntil: null,
      externalId: null,
      data: { plan: 'live' },
      status: 'subscribed',
      consentBasis: 'default',
      consentedAt: expect.any(String),
      topics: {},
      topicDefaults: true,
      projectId: test.project.id,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const second = await send('GET', `/segments/${id}/contacts?pageSize=2&page=2`);
    const seen = [...first.body.data, ...second.body.data].map(({ email }: { email: string }) => email);
    expect(seen).toEqual(emails);
    const clamped = await send('GET', `/segments/${id}/contacts?pageSize=5000&page=nine`);
    expect(clamped.body).toMatchObject({ page: 1, pageSize: 100 });
    const past = await send('GET', `/segments/${id}/contacts?page=1000000000`);
    expect([past.status, past.body.data]).toEqual([200, []]);
    // The cached count changes with the next refresh, which emits no event.
    expect((await read(id)).memberCount).toBe(0);
    const refreshed = await send('POST', `/segments/${id}/refresh`);
    expect([refreshed.status, refreshed.body]).toEqual([200, { memberCount: 3 }]);
    expect((await read(id)).memberCount).toBe(3);
  });

  it('cannot have members added and is computed only while it is tracked', async () => {
    const { id } = await segment({ condition: hasPlan('x') });
    for (const [method, path, input] of [
      ['POST', 'members', { emails: ['a@a.test'] }],
      ['DELETE', 'members', { emails: ['a@a.test'] }],
      ['POST', 'compute', undefined],
    ] as const) {
      const answer = await send(method, `/segments/${id}/${path}`, input);
      expect([answer.status, codeOf(answer)]).toEqual([409, 'CONFLICT']);
    }
  });
});

describe('a static segment', () => {
  it('ignores a condition and accepts members by address', async () => {
    const { id, ...made } = await segment({ type: 'STATIC', condition: 'anything', description: 'list' });
    expect(made).toMatchObject({ type: 'STATIC', condition: null, description: 'list', memberCount: 0 });
    const [ada, bob] = [await contact('ada@static.test'), await contact('bob@static.test')];
    const path = `/segments/${id}/members`;

    const added = await send('POST', path, {
      emails: [' ADA@static.test', 'Unknown@static.test', 'nonsense'],
    });
    expect([added.status, added.body]).toEqual([
      200,
      { added: 1, created: 0, notFound: ['Unknown@static.test', 'nonsense'] },
    ]);
    const more = await send('POST', path, {
      emails: ['ada@static.test', 'bob@static.test', 'new@static.test', 'nonsense'],
      createMissing: true,
      subscribed: false,
    });
    expect(more.body).toEqual({ added: 3, created: 1, notFound: ['nonsense'] });
    expect((await read(id)).memberCount).toBe(3);
    const { body } = await send('GET', `/segments/${id}/contacts`);
    expect(body.data.map(({ email }: { email: string }) => email).slice(-1)).toEqual([ada.email]);
    expect(body.data.find(({ email }: { email: string }) => email === 'new@static.test').subscribed).toBe(
      false,
    );

    const removed = await send('DELETE', path, { emails: ['Bob@static.test', 'nobody@static.test'] });
    expect([removed.status, removed.body]).toEqual([200, { removed: 1 }]);
    expect((await send('DELETE', path, { emails: [bob.email] })).body).toEqual({ removed: 0 });
    expect((await read(id)).memberCount).toBe(2);
    await send('DELETE', `/contacts/${ada.id}`);
    expect((await send('GET', `/segments/${id}/contacts`)).body.total).toBe(1);

    const condition = await send('PATCH', `/segments/${id}`, { condition: 'still ignored' });
    expect([condition.status, condition.body.condition]).toEqual([200, null]);
    expect((await send('POST', `/segments/${id}/compute`)).status).toBe(409);
    expect((await send('POST', `/segments/${id}/refresh`)).body).toEqual({ memberCount: 1 });
  });

  it('emits entries and exits once while it is tracked, and a new name does not change their names', async () => {
    const { id } = await segment({ name: 'VIP  Customers!', type: 'STATIC', trackMembership: true });
    const ada = await contact('ada@vip.test');
    const path = `/segments/${id}/members`;
    await send('POST', path, { emails: [ada.email] });
    await send('POST', path, { emails: [ada.email, ada.email] });
    await send('PATCH', `/segments/${id}`, { name: 'Été' });
    await send('DELETE', path, { emails: [ada.email] });
    await send('DELETE', path, { emails: [ada.email] });
    expect(await eventsOf(ada.id)).toEqual(['segment.vip-customers.entry', 'segment.vip-customers.exit']);
    const [{ data }] = (await send('GET', `/events/contact/${ada.id}`)).body.events;
    expect(data).toEqual({ segmentId: id, segmentName: 'Été' });
  });
});

describe('a tracked dynamic segment', () => {
  it('is computed by difference; every entry and exit emits its event once', async () => {
    const ada = await contact('ada@tracked.test', { plan: 'tracked' });
    const { id } = await segment({ name: 'Tracked', condition: hasPlan('tracked'), trackMembership: true });
    const compute = async () => (await send('POST', `/segments/${id}/compute`)).body;
    expect(await compute()).toEqual({ added: 1, removed: 0, total: 1 });
    expect(await compute()).toEqual({ added: 0, removed: 0, total: 1 });
    const bob = await contact('bob@tracked.test', { plan: 'tracked' });
    await send('PATCH', `/contacts/${ada.id}`, { data: { plan: null } });
    expect(await compute()).toEqual({ added: 1, removed: 1, total: 1 });
    await send('PATCH', `/contacts/${ada.id}`, { data: { plan: 'tracked' } });
    expect(await compute()).toEqual({ added: 1, removed: 0, total: 2 });
    expect(await eventsOf(ada.id)).toEqual([
      'segment.tracked.entry',
      'segment.tracked.exit',
      'segment.tracked.entry',
    ]);
    expect(await eventsOf(bob.id)).toEqual(['segment.tracked.entry']);
    expect(await read(id)).toMatchObject({ memberCount: 2, trackMembership: true });
    // A refresh only counts.
    await send('PATCH', `/contacts/${bob.id}`, { data: { plan: 'other' } });
    expect((await send('POST', `/segments/${id}/refresh`)).body).toEqual({ memberCount: 1 });
    expect(await eventsOf(bob.id)).toEqual(['segment.tracked.entry']);
    // Turning tracking off removes the rows without events.
    const off = await send('PATCH', `/segments/${id}`, { trackMembership: false });
    expect([off.status, off.body.trackMembership]).toEqual([200, false]);
    expect((await send('POST', `/segments/${id}/compute`)).status).toBe(409);
    await send('PATCH', `/segments/${id}`, { trackMembership: true });
    expect(await compute()).toEqual({ added: 1, removed: 0, total: 1 });
    expect(await eventsOf(bob.id)).toEqual(['segment.tracked.entry']);
  });
});

describe('flat 400', () => {
  it.each([
    [{}],
    [{ name: ' ', condition: hasPlan(1) }],
    [{ name: null, type: 'STATIC' }],
    [{ name: 'N' }],
    [{ name: 'N', condition: null }],
    [{ name: 'N', condition: 'AND' }],
    [{ name: 'N', condition: [] }],
    [{ name: 'N', type: 'DYNAMIC', condition: 7 }],
  ])('POST /segments %j', async (input) => {
    const { status, body } = await send('POST', '/segments', input);
    expect([status, body]).toEqual([400, { error: expect.any(String) }]);
  });
});

/** Invalid trees, with the path below `condition` (or `audienceCondition`) and the code of the first problem. */
const f = (filter: object) => treeOf(filter);
const value = 1;
const badTrees: [string, unknown, string, string][] = [
  ['no logic', { groups: [{ filters: [] }] }, '.logic', 'required'],
  ['a logic in lower case', { ...hasPlan(1), logic: 'and' }, '.logic', 'invalid_enum_value'],
  ['a logic that is no text', { ...hasPlan(1), logic: 1 }, '.logic', 'invalid_type'],
  ['no groups', { logic: 'AND' }, '.groups', 'required'],
  ['an empty list of groups', { logic: 'AND', groups: [] }, '.groups', 'too_small'],
  ['groups that are no list', { logic: 'AND', groups: {} }, '.groups', 'invalid_type'],
  ['an empty group', { logic: 'AND', groups: [{ filters: [] }] }, '.groups.0', 'too_small'],
  ['a group without anything', { logic: 'AND', groups: [{}] }, '.groups.0', 'too_small'],
  ['a group that is a text', { logic: 'AND', groups: ['x'] }, '.groups.0', 'invalid_type'],
  [
    'filters that are no list',
    { logic: 'AND', groups: [{ filters: {} }] },
    '.groups.0.filters',
    'invalid_type',
  ],
  ['a filter that is a list', treeOf([]), '.groups.0.filters.0', 'invalid_type'],
  ['no field', f({ operator: 'equals', value }), '.groups.0.filters.0.field', 'required'],
  [
    'a field that is a number',
    f({ field: 1, operator: 'equals', value }),
    '.groups.0.filters.0.field',
    'invalid_type',
  ],
  [
    'an unknown field',
    f({ field: 'name', operator: 'equals', value }),
    '.groups.0.filters.0.field',
    'unsupported_field',
  ],
  [
    'data without a key',
    f({ field: 'data.', operator: 'equals', value }),
    '.groups.0.filters.0.field',
    'unsupported_field',
  ],
  ['no operator', f({ field: 'data.a', value }), '.groups.0.filters.0.operator', 'required'],
  [
    'an unknown operator',
    f({ field: 'data.a', operator: 'EQUALS', value }),
    '.groups.0.filters.0.operator',
    'invalid_enum_value',
  ],
  [
    'an operator of another field',
    f({ field: 'email', operator: 'greaterThan', value }),
    '.groups.0.filters.0.operator',
    'unsupported_operator',
  ],
  [
    'exists of the address',
    f({ field: 'email', operator: 'exists' }),
    '.groups.0.filters.0.operator',
    'unsupported_operator',
  ],
  [
    'triggered of data',
    f({ field: 'data.a', operator: 'triggered' }),
    '.groups.0.filters.0.operator',
    'unsupported_operator',
  ],
  ['no value', f({ field: 'data.a', operator: 'equals' }), '.groups.0.filters.0.value', 'required'],
  ['no unit', f({ field: 'data.a', operator: 'within', value }), '.groups.0.filters.0.unit', 'required'],
  [
    'an unknown unit',
    f({ field: 'data.a', operator: 'within', value, unit: 'weeks' }),
    '.groups.0.filters.0.unit',
    'invalid_enum_value',
  ],
  [
    'a window that is a text',
    f({ field: 'event.a', operator: 'triggeredWithin', value: '7', unit: 'days' }),
    '.groups.0.filters.0.value',
    'invalid_type',
  ],
  [
    'a negative window',
    f({ field: 'createdAt', operator: 'olderThan', value: -1, unit: 'days' }),
    '.groups.0.filters.0.value',
    'too_small',
  ],
  [
    'no date',
    f({ field: 'createdAt', operator: 'equals', value: 'soon' }),
    '.groups.0.filters.0.value',
    'invalid_date',
  ],
  [
    'no day of the calendar',
    f({ field: 'updatedAt', operator: 'lessThan', value: '2026-02-30' }),
    '.groups.0.filters.0.value',
    'invalid_date',
  ],
  [
    'an unknown email activity',
    f({ field: 'email.read', operator: 'triggered' }),
    '.groups.0.filters.0.field',
    'invalid_enum_value',
  ],
  ['an unknown segment', memberOf(newId()), '.groups.0.filters.0.field', 'unknown_segment'],
  ['a segment that is no id', memberOf('vip'), '.groups.0.filters.0.field', 'unknown_segment'],
  [
    'a problem in nested conditions',
    { logic: 'OR', groups: [{ filters: [], conditions: f({ field: 'data.a', operator: 'is' }) }] },
    '.groups.0.conditions.groups.0.filters.0.operator',
    'invalid_enum_value',
  ],
];

describe('422 for an invalid tree', () => {
  it.each(badTrees)('%s', async (_what, tree, path, code) => {
    const { id } = await segment({ condition: hasPlan('untouched') });
    const campaign = {
      subject: 'S',
      body: 'B',
      from,
      name: 'C',
      audienceType: 'FILTERED',
      audienceCondition: tree,
    };
    for (const [method, url, input, field] of [
      ['POST', '/segments', { name: 'N', condition: tree }, 'condition'],
      ['PATCH', `/segments/${id}`, { condition: tree }, 'condition'],
      ['POST', '/campaigns', campaign, 'audienceCondition'],
    ] as const) {
      const answer = await send(method, url, input);
      expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
      expect(answer.body.error.errors).toContainEqual(
        expect.objectContaining({ field: `${field}${path}`, code, message: expect.any(String) }),
      );
    }
    expect((await read(id)).condition).toEqual(hasPlan('untouched'));
  });
});

describe('422', () => {
  it.each([
    [{ name: 'x'.repeat(101), condition: hasPlan(1) }, 'name', 'too_big'],
    [{ name: 'N', description: 'x'.repeat(501), condition: hasPlan(1) }, 'description', 'too_big'],
    [{ name: 5, condition: hasPlan(1) }, 'name', 'invalid_type'],
    [{ name: 'N', type: 'SMART', condition: hasPlan(1) }, 'type', 'invalid_enum_value'],
    [{ name: 'N', condition: hasPlan(1), trackMembership: 'yes' }, 'trackMembership', 'invalid_type'],
    [{ name: 'N\u0000', condition: hasPlan(1) }, 'name', 'custom'],
  ])('POST /segments %#', async (input, field, code) => {
    const answer = await send('POST', '/segments', input);
    expect([answer.status, codeOf(answer)]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.errors).toEqual([expect.objectContaining({ field, code })]);
  });

  it.each(['POST', 'DELETE'])('%s /segments/:id/members', async (method) => {
    const { id } = await segment({ type: 'STATIC' });
    for (const [input, field, code] of [
      [{}, 'emails', 'required'],
      [{ emails: 'a@a.test' }, 'emails', 'invalid_type'],
      [{ emails: [] }, 'emails', 'too_small'],
      [{ emails: Array.from({ length: 501 }, () => 'a@a.test') }, 'emails', 'too_big'],
      [{ emails: ['a@a.test', 1] }, 'emails.1', 'invalid_type'],
    ] as const) {
      const answer = await send(method, `/segments/${id}/members`, input);
      expect([answer.status, answer.body.error.errors]).toEqual([
        422,
        [expect.objectContaining({ field, code })],
      ]);
    }
  });
});

describe('ids', () => {
  const paths: [string, string][] = [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/contacts'],
    ['POST', '/members'],
    ['DELETE', '/members'],
    ['POST', '/compute'],
    ['POST', '/refresh'],
  ];

  it.each(paths)(
    '%s /segments/:id%s: 422 for no uuid, 404 for an unknown one and for another project',
    async (method, path) => {
      const other = await createTestProject(test.services);
      const foreign = await test.withKey(other.secretKey)('POST', '/segments', {
        name: 'Other',
        type: 'STATIC',
      });
      const input = path === '/members' ? { emails: ['a@a.test'] } : undefined;
      const bad = await send(method, `/segments/nonsense${path}`, input);
      expect([bad.status, bad.body.error.errors[0].field]).toEqual([422, 'id']);
      for (const id of [newId(), foreign.body.id]) {
        const answer = await send(method, `/segments/${id}${path}`, input);
        expect([answer.status, codeOf(answer)]).toEqual([404, 'SEGMENT_NOT_FOUND']);
      }
    },
  );
});

describe('segments that refer to segments', () => {
  it('are evaluated live, and must not refer to themselves through others', async () => {
    await contact('nested@a.test', { plan: 'nested' });
    const base = await segment({ condition: hasPlan('nested') });
    const middle = await segment({ condition: memberOf(base.id) });
    const top = await segment({ condition: memberOf(middle.id.toUpperCase()) });
    expect(top['memberCount']).toBe(1);
    const field = 'condition.groups.0.filters.0.field';
    for (const id of [base.id, middle.id, top.id]) {
      const answer = await send('PATCH', `/segments/${base.id}`, { condition: memberOf(id) });
      expect([answer.status, answer.body.error.errors]).toEqual([
        422,
        [expect.objectContaining({ field, code: 'circular_reference' })],
      ]);
    }
    expect((await read(base.id)).condition).toEqual(hasPlan('nested'));
    const used = await send('DELETE', `/segments/${base.id}`);
    expect([used.status, codeOf(used)]).toEqual([409, 'CONFLICT']);
    for (const { id } of [top, middle, base])
      expect((await send('DELETE', `/segments/${id}`)).status).toBe(204);
  });

  it('of another project are unknown', async () => {
    const other = await createTestProject(test.services);
    const { body } = await test.withKey(other.secretKey)('POST', '/segments', {
      name: 'Other',
      type: 'STATIC',
    });
    const answer = await send('POST', '/segments', { name: 'N', condition: memberOf(body.id) });
    expect(answer.body.error.errors[0].code).toBe('unknown_segment');
  });
});

describe('a segment in use', () => {
  it('by a campaign cannot be deleted until the campaign has ended', async () => {
    const { id } = await segment({ type: 'STATIC' });
    const { email } = await contact('audience@a.test');
    await send('POST', `/segments/${id}/members`, { emails: [email] });
    const campaign = { subject: 'S', body: 'B', from, name: 'C', audienceType: 'SEGMENT', segmentId: id };
    const { body } = await send('POST', '/campaigns', campaign);
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(409);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect((await send('POST', `/campaigns/${body.data.id}/send`, { scheduledFor: later })).status).toBe(200);
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(409);
    expect((await send('POST', `/campaigns/${body.data.id}/cancel`)).status).toBe(200);
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(204);
  });

  it('by the audience filter of a draft or the schedule of a workflow cannot be deleted', async () => {
    const { id } = await segment({ type: 'STATIC' });
    const campaign = await send('POST', '/campaigns', {
      subject: 'S',
      body: 'B',
      from,
      name: 'C',
      audienceType: 'FILTERED',
      audienceCondition: memberOf(id),
    });
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(409);
    expect((await send('DELETE', `/campaigns/${campaign.body.data.id}`)).status).toBe(204);
    const workflow = await send('POST', '/workflows', { name: 'W', eventName: 'signup' });
    const scheduled = await send('PATCH', `/workflows/${workflow.body.id}`, {
      triggerType: 'SCHEDULE',
      triggerConfig: { cron: '0 9 * * *', segmentId: id },
    });
    expect(scheduled.status).toBe(200);
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(409);
    expect((await send('DELETE', `/workflows/${workflow.body.id}`)).status).toBe(204);
    expect((await send('DELETE', `/segments/${id}`)).status).toBe(204);
  });
});
