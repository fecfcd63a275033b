import { gunzipSync } from 'node:zlib';
import { verifiedDomain } from '@postrider/core/testing';
import { buildClientSchema, getIntrospectionQuery, validateSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { graphqlLimits } from '../src/graphql/limits.ts';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** The GraphQL door (behaviour B4.21). */
let test: TestApp;
let send: Send;
const from = 'hello@graphql.example.com';

beforeAll(async () => {
  test = await startApp();
  send = test.withKey(test.project.secretKey);
  await verifiedDomain(test.services, test.project.id, 'graphql.example.com');
});
afterAll(() => test.close());

const ask = (query: string, variables?: object) => send('POST', '/graphql', { query, variables });

describe('the main tasks', () => {
  it('a contact, a template, an email, an event, a campaign', async () => {
    const contact = await ask(
      'mutation ($input: UpsertContactInput!) { upsertContact(input: $input) { isNew contact { email data } } }',
      { input: { email: 'Ada@Example.com', data: { plan: 'pro' } } },
    );
    expect(contact.body).toEqual({
      data: { upsertContact: { isNew: true, contact: { email: 'ada@example.com', data: { plan: 'pro' } } } },
      extensions: { cost: { requested: 5, limit: graphqlLimits.cost } },
    });

    const template = await ask(
      'mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { id type createdAt } }',
      { input: { name: 'Welcome', subject: 'Hi {{name}}', body: '<p>Hi</p>', from, type: 'TRANSACTIONAL' } },
    );
    const { id: templateId, type, createdAt } = template.body.data.createTemplate;
    expect([type, new Date(createdAt).toISOString()]).toEqual(['TRANSACTIONAL', createdAt]);

    const sent = await ask(
      'mutation ($input: SendEmailInput!) { sendEmail(input: $input) { emails { email contact { id email } } } }',
      { input: { to: ['ada@example.com', { email: 'bob@example.com', name: 'Bob' }], template: templateId } },
    );
    expect(sent.body.data.sendEmail.emails).toHaveLength(2);

    const tracked = await ask(
      'mutation { trackEvent(input: { email: "ada@example.com", event: "signup" }) { contact event } }',
    );
    expect(tracked.body.data.trackEvent.contact).toBe(sent.body.data.sendEmail.emails[0].contact.id);

    const campaign = await ask(
      'mutation ($input: CreateCampaignInput!) { createCampaign(input: $input) { id status } }',
      {
        input: { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL', templateId },
      },
    );
    const { id } = campaign.body.data.createCampaign;
    const started = await ask(
      'mutation ($id: ID!) { sendCampaign(input: { id: $id }) { status scheduledFor } }',
      { id },
    );
    expect(started.body.data.sendCampaign).toEqual({ status: 'SENDING', scheduledFor: null });
    const read = await ask(
      'query ($id: ID!) { campaign(id: $id) { status template { name } stats { sentCount skippedReasons } } }',
      { id },
    );
    expect(read.body.data.campaign).toEqual({
      status: 'SENDING',
      template: { name: 'Welcome' },
      stats: { sentCount: 0, skippedReasons: {} },
    });
    const cancelled = await ask('mutation ($id: ID!) { cancelCampaign(input: { id: $id }) { status } }', {
      id,
    });
    expect(cancelled.body.data.cancelCampaign).toEqual({ status: 'CANCELLED' });

    const email = await ask(
      'query ($id: ID!) { email(id: $id) { to status interactions { type } preview { subject } } }',
      {
        id: sent.body.data.sendEmail.emails[1].email,
      },
    );
    expect(email.body.data.email).toMatchObject({
      to: 'bob@example.com',
      interactions: [],
      preview: { subject: 'Hi Bob' },
    });
  });
});

describe('lists', () => {
  beforeAll(async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await ask(`mutation { upsertContact(input: { email: "${name}@lists.example" }) { isNew } }`);
  });

  it.each(['createdAt', 'email'])(
    'a Relay connection sorted by %s: every edge’s cursor continues after it',
    async (sort) => {
      const query = `query ($after: String, $first: Int) {
      contacts(first: $first, after: $after, sort: ${sort}, dir: asc, search: "lists.example") {
        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { email } }
      }
    }`;
      const all = (await ask(query, {})).body.data.contacts;
      const emails = all.edges.map((edge: { node: { email: string } }) => edge.node.email);
      expect([all.totalCount, emails]).toEqual([
        5,
        ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@lists.example`),
      ]);
      expect(all.pageInfo).toEqual({
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: all.edges[0].cursor,
        endCursor: all.edges[4].cursor,
      });
      const rest = (await ask(query, { first: 2, after: all.edges[1].cursor })).body.data.contacts;
      expect(rest.edges.map((edge: { node: { email: string } }) => edge.node.email)).toEqual(
        emails.slice(2, 4),
      );
      expect(rest.pageInfo).toMatchObject({
        hasNextPage: true,
        hasPreviousPage: true,
        endCursor: rest.edges[1].cursor,
      });
    },
  );

  it('a page list has the fields of REST', async () => {
    const { body } = await ask(
      '{ templates(page: 2, pageSize: 1) { data { id } page pageSize total totalPages } }',
    );
    expect(body.data.templates).toEqual({ data: [], page: 2, pageSize: 1, total: 1, totalPages: 1 });
  });

  it('relations of a list are looked up together, however many rows it has', async () => {
    const statements = vi.spyOn(test.services.database.prisma, '$queryRaw');
    const { body } = await ask(
      '{ emails(first: 100) { edges { node { contact { email } template { name } campaign { id } } } } }',
    );
    const { edges } = body.data.emails;
    expect(edges.length).toBeGreaterThanOrEqual(2);
    expect(edges[0].node).toEqual({
      contact: { email: expect.any(String) },
      template: { name: 'Welcome' },
      campaign: null,
    });
    const contacts = statements.mock.calls.filter(([text]) =>
      JSON.stringify(text).includes('FROM \\"Contact\\"'),
    );
    expect(contacts).toHaveLength(1);
    statements.mockRestore();
  });
});

describe('errors', () => {
  it.each([
    ['campaign', 'CAMPAIGN_NOT_FOUND'],
    ['contact', 'CONTACT_NOT_FOUND'],
    ['domain', 'DOMAIN_NOT_FOUND'],
    ['email', 'RESOURCE_NOT_FOUND'],
    ['event', 'RESOURCE_NOT_FOUND'],
    ['segment', 'SEGMENT_NOT_FOUND'],
    ['template', 'TEMPLATE_NOT_FOUND'],
    ['workflow', 'WORKFLOW_NOT_FOUND'],
  ])('each kind of record is read by its id: an unknown %s is %s', async (field, code) => {
    const read = (id: string) =>
      ask('query ($id: ID!) { record: @(id: $id) { id } }'.replace('@', field), { id });
    expect(codeOf(await read('01a1fbbb-6049-7208-955a-65aac1f35b72'))).toBe(code);
    expect(codeOf(await read('no id'))).toBe('VALIDATION_ERROR');
  });

  it('an unknown id is an error with its code, beside the records that were found', async () => {
    const { status, body } = await ask(
      '{ project { name } contact(id: "01a1fbbb-6049-7208-955a-65aac1f35b72") { id } }',
    );
    expect(status).toBe(200);
    expect(body.errors[0]).toMatchObject({
      path: ['contact'],
      extensions: { code: 'CONTACT_NOT_FOUND', statusCode: 404 },
    });
  });

  it.each([
    ['a document that does not parse', { query: '{ project {' }, 'INVALID_REQUEST_BODY'],
    ['a field that does not exist', { query: '{ project { nope } }' }, 'VALIDATION_ERROR'],
    [
      'a variable of a wrong type',
      { query: 'query ($id: ID!) { contact(id: $id) { id } }', variables: {} },
      'VALIDATION_ERROR',
    ],
    ['no document', { variables: {} }, 'INVALID_REQUEST_BODY'],
    [
      'a size that is no number and has no text',
      {
        query: 'query ($n: Int) { contacts(first: $n) { totalCount } }',
        variables: { n: [{ toString: null }] },
      },
      'VALIDATION_ERROR',
    ],
    ['an empty batch', [], 'INVALID_REQUEST_BODY'],
    ['a batch that holds no operation', [null], 'INVALID_REQUEST_BODY'],
    [
      'variables nested 20,000 deep',
      `{"query":"query ($d: JSON) { contacts(search: $d) { totalCount } }","variables":{"d":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`,
      'VALIDATION_ERROR',
    ],
  ])('%s', async (_what, payload, code) => {
    const answer = await send('POST', '/graphql', payload, { 'content-type': 'application/json' });
    expect(codeOf(answer)).toBe(code);
    expect(answer.body.errors[0].extensions.requestId).toBe(answer.headers['x-request-id']);
  });

  it('an invalid query is a 400 for clients that accept the newer media type', async () => {
    const headers = { accept: 'application/graphql-response+json' };
    const answer = await send('POST', '/graphql', { query: '{ nope }' }, headers);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    ['malformed JSON', '{', 400],
    [
      'a body above 5 MB',
      JSON.stringify({ query: '{ project { id } }', variables: { x: 'x'.repeat(6_000_000) } }),
      413,
    ],
  ])('%s, in the words of GraphQL', async (_what, payload, status) => {
    const answer = await send('POST', '/graphql', payload, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.errors[0].extensions.code]).toEqual([status, 'INVALID_REQUEST_BODY']);
  });
});

describe('introspection', () => {
  it('is open to key holders only', async () => {
    const query = '{ __schema { queryType { name } } }';
    expect((await ask(query)).body.data.__schema.queryType.name).toBe('Query');
    expect((await test.anyone('POST', '/graphql', { query })).status).toBe(401);
  });

  it.each([
    ['by default', {}],
    [
      'with every option',
      {
        descriptions: true,
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
        oneOf: true,
      },
    ],
    ['without descriptions', { descriptions: false }],
  ])('the standard query of graphql-js gives a schema that clients can build, %s', async (_what, options) => {
    const { status, body } = await ask(getIntrospectionQuery(options));
    expect([status, body.errors]).toEqual([200, undefined]);
    const built = buildClientSchema(body.data);
    expect(validateSchema(built)).toEqual([]);
    expect(Object.keys(built.getMutationType()?.getFields() ?? {})).toContain('sendEmail');
  });

  it('is refused if it is recursive', async () => {
    const answer = await ask(
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    );
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    expect(answer.body.errors[0].message).toContain('introspection depth');
  });
});

describe('a batch', () => {
  it('answers the operations in order', async () => {
    const { body } = await send('POST', '/graphql', [{ query: '{ project { id } }' }, { query: '{ nope }' }]);
    const extensions = { cost: { requested: 3, limit: graphqlLimits.cost } };
    expect(body).toEqual([
      { data: { project: { id: test.project.id } }, extensions },
      {
        errors: [
          expect.objectContaining({ extensions: expect.objectContaining({ code: 'VALIDATION_ERROR' }) }),
        ],
        extensions,
      },
    ]);
  });
});

describe('400 QUERY_TOO_COMPLEX', () => {
  const nested = (depth: number) => `{ ${'email { '.repeat(depth - 1)}id${' }'.repeat(depth)}`;
  const inInput = (value: string) =>
    `mutation { upsertContact(input: { email: "a@b.example", data: ${value} }) { isNew } }`;
  const page = (alias: string) => `${alias}: contacts(first: 100) { edges { node { id email data } } }`;
  const aliases = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: project { id }`).join(' ')} }`;

  it.each([
    ['fields nested deeper than 12', nested(graphqlLimits.depth + 1)],
    ['more than 100 aliases', aliases(graphqlLimits.aliases + 1)],
    ['a document above 100 KB', `{ project { id } } #${'x'.repeat(graphqlLimits.documentBytes)}`],
    [
      'a cost above the limit',
      `{ ${Array.from({ length: 30 }, (_, index) => page(`a${index}`)).join(' ')} }`,
    ],
    ['a cost of lists sized by `limit`', `{ ${repeat(30, 'events(limit: 500) { events { id } }')} }`],
    [
      'a cost of lists without a size',
      `{ ${repeat(30, 'segments { id name type memberCount createdAt updatedAt description condition slug a b c d e f g h i }')} }`,
    ],
    [
      'expensive fields',
      `{ ${repeat(21, 'email(id: "01a1fbbb-6049-7208-955a-65aac1f35b72") { preview { subject } }')} }`,
    ],
    ['fragments that spread fragments that …', bomb(24)],
    ['a chain of 3,000 fragments', chain(3_000)],
    ['selection sets nested 5,000 deep', '{a'.repeat(5_000) + '}'.repeat(5_000)],
    ['selection sets nested 5,000 deep, never closed', '{a'.repeat(5_000)],
    ['lists nested 5,000 deep', inInput('['.repeat(5_000) + ']'.repeat(5_000))],
    ['objects nested 5,000 deep', inInput(`${'{a:'.repeat(5_000)}1${'}'.repeat(5_000)}`)],
    [
      'list types nested 5,000 deep',
      `query ($x: ${'['.repeat(5_000)}Int${']'.repeat(5_000)}) { project { id } }`,
    ],
  ])('%s', async (_what, query) => {
    const answer = await ask(query);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
  });

  it('more than 10 operations in a batch', async () => {
    const batch = (count: number) => Array.from({ length: count }, () => ({ query: '{ project { id } }' }));
    const answer = await send('POST', '/graphql', batch(11));
    expect([answer.status, codeOf(answer)]).toEqual([400, 'QUERY_TOO_COMPLEX']);
    expect((await send('POST', '/graphql', batch(10))).body).toHaveLength(10);
  });

  it('not below the limits', async () => {
    expect(codeOf(await ask(nested(graphqlLimits.depth)))).toBe('VALIDATION_ERROR');
    expect(codeOf(await ask(chain(90)))).toBeUndefined();
    expect(codeOf(await ask(inInput(`"${'[{('.repeat(1_000)}"`)))).toBe('VALIDATION_ERROR');
    expect((await ask(aliases(graphqlLimits.aliases))).status).toBe(200);
    expect((await ask('{ emails(first: 100) { edges { node { to contact { email } } } } }')).status).toBe(
      200,
    );
  });

  it('reports the cost of a request', async () => {
    const affordable = await ask('{ contacts(first: 100) { edges { node { id email } } } }');
    expect(affordable.body.extensions.cost).toEqual({ requested: 401, limit: graphqlLimits.cost });
    const refused = await ask(`{ ${Array.from({ length: 30 }, (_, index) => page(`a${index}`)).join(' ')} }`);
    expect(refused.body.extensions.cost).toEqual({ requested: 30 * 501, limit: graphqlLimits.cost });
  });

  function repeat(times: number, field: string): string {
    return Array.from({ length: times }, (_, index) => `a${index}: ${field}`).join(' ');
  }

  /** Each fragment spreads the next one. */
  function chain(length: number): string {
    const links = Array.from({ length }, (_, index) =>
      index === length - 1
        ? `fragment f${index} on Project { id }`
        : `fragment f${index} on Project { ...f${index + 1} }`,
    );
    return `{ project { ...f0 } } ${links.join('')}`;
  }

  /** Every level spreads the next one twice: 2^levels fields in a document of a few lines. */
  function bomb(levels: number): string {
    const fragments = Array.from({ length: levels }, (_, level) =>
      level === 0
        ? 'fragment f0 on Project { id name }'
        : `fragment f${level} on Project { ...f${level - 1} ...f${level - 1} }`,
    );
    return `{ project { ...f${levels - 1} } } ${fragments.join(' ')}`;
  }
});

describe('other abuse', () => {
  it('circular fragments are not valid', async () => {
    const answer = await ask(
      '{ project { ...a } } fragment a on Project { ...b } fragment b on Project { ...a }',
    );
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    expect(answer.body.errors[0].message).toContain('Cannot spread fragment');
  });

  it('a document of 10 MB is refused before it is parsed', async () => {
    const answer = await ask(`{ project { id } } #${'x'.repeat(10_000_000)}`);
    expect([answer.status, codeOf(answer)]).toEqual([413, 'INVALID_REQUEST_BODY']);
  });
});

describe('GraphiQL', () => {
  const open = (headers: Record<string, string>) => test.app.inject({ url: '/graphql', headers });
  const browser = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, br' };

  it('is a page for browsers that loads nothing from other servers', async () => {
    const page = await open(browser);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const html = gunzipSync(page.rawPayload).toString();
    expect(html).toContain('Postrider GraphQL');
    expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
    expect(page.headers['content-security-policy']).toContain("connect-src 'self'");
  });
});
