import { type ErrorCode, errorCodes } from '@postrider/core/base/kernel';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { type StripeStandIn, startStripeStandIn } from '@postrider/core/testing/stripe-stand-in.ts';
import { ApiError, call, type Operation, operations, Postrider } from '@postrider/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/**
 * Every code of behaviour B7.2, with its status, through REST, tRPC, GraphQL and the SDK. A door that cannot fail in this way is
 * left out with the reason. (parity.test.ts compares the rest of the failure.)
 */
let stripe: StripeStandIn;
let test: TestApp;
let other: TestProject;
let key: Send;
let session: Send;
let billed: TestApp;

const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
const letter = { from: 'a@codes.example.com', subject: 'S', body: '<p>B</p>' };
const mail = { ...letter, to: 'b@example.com' };
/** A campaign without a postal address. */
let unchecked: string;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  [test, billed] = await Promise.all([startApp({ VERIFY_SIGNUP_EMAIL: 'true' }), startApp(stripe.env)]);
  other = await createTestProject(test.services);
  key = test.withKey(test.project.secretKey);
  session = await test.withSession();
  await verifiedDomain(test.services, test.project.id, 'codes.example.com');
  await verifiedDomain(billed.services, billed.project.id, 'codes.example.com');
});
afterAll(async () => {
  await test.close();
  await billed.close();
  await stripe.close();
});

/** An SDK client whose requests go to the app without a network. */
function clientOf({ app, project }: TestApp, apiKey = project.secretKey): Postrider {
  const inject: typeof fetch = async (url, { method = 'GET', headers = {}, body } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url: String(url).replace('http://app', ''),
      headers: headers as Record<string, string>,
      ...(typeof body === 'string' && { payload: body }),
    });
    const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return new Response(answer.body || null, { status: answer.statusCode, headers: given });
  };
  return new Postrider({ apiKey, baseUrl: 'http://app', fetch: inject, maxRetries: 0 });
}

const via = (client: Postrider) => (operation: Operation, input: object) =>
  call(client.connection, operation, input).then(
    () => undefined,
    (error: unknown) => error,
  );
const sdk = (operation: Operation, input: object) => via(clientOf(test))(operation, input);
/** Requests that the SDK has no method for. */
const bare = (method: Operation['method'], path: string): Operation => ({ method, path });

const query = (name: string, input: object) =>
  session('GET', `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`);
const mutation = (name: string, input: object) => session('POST', `/trpc/${name}`, input);
const graphql = (text: string, variables: object = {}, send = key) =>
  send('POST', '/graphql', { query: text, variables });
const upsertField = 'mutation { upsertContact(input: { email: "a@example.com" }) { isNew } }';
const sendField = 'mutation ($input: SendEmailInput!) { sendEmail(input: $input) { timestamp } }';

type Door = 'rest' | 'trpc' | 'graphql' | 'sdk';
interface Case {
  code: ErrorCode;
  status: number;
  rest?: () => Promise<Answer>;
  trpc?: () => Promise<Answer>;
  graphql?: () => Promise<Answer>;
  sdk?: () => Promise<unknown>;
  without?: Partial<Record<Door, string>>;
  before?: () => Promise<unknown>;
  after?: () => Promise<unknown>;
}

const setDisabled = (disabled: boolean) =>
  test.services.database.prisma.project.update({ where: { id: test.project.id }, data: { disabled } });
const setGate = (sendGate: 'ADVISORY' | 'STRICT') =>
  test.services.database.prisma.project.update({ where: { id: test.project.id }, data: { sendGate } });
const setVerified = (emailVerified: boolean) =>
  test.services.database.prisma.user.updateMany({ data: { emailVerified } });
async function setCount(count: number): Promise<void> {
  const { prisma } = test.services.database;
  await prisma.rateWindow.updateMany({ data: { windowStart: new Date(), count } });
}
/** As many calls as a user may make in a minute, in batches of the size that is allowed. */
async function useUpSession(send: Send): Promise<void> {
  const names = Array(20).fill('users.me').join(',');
  for (let count = 0; count < 51; count++) await send('GET', `/trpc/${names}?batch=1`);
}
const rename = (from: string, to: string) =>
  test.services.database.prisma.$executeRawUnsafe(`ALTER TABLE "${from}" RENAME TO "${to}"`);

const keysOnly = 'it takes keys only';
const dropIn = 'only drop-in doors refuse what another service has; their tests are in test/compat';
const sessionsOnly = 'it takes sessions only';
const signedIn = 'it has no operation for signed-in users';

/** An unknown record by its id: the same way to fail at each door. */
const missing = (code: ErrorCode, path: string, router: string, operation: Operation): Case => ({
  code,
  status: 404,
  rest: () => key('GET', `/${path}/${unknown}`),
  trpc: () => query(`${router}.get`, { id: unknown }),
  graphql: () => graphql(`{ ${path.slice(0, -1)}(id: "${unknown}") { id } }`),
  sdk: () => sdk(operation, { id: unknown }),
});

const cases: Case[] = [
  {
    code: 'BAD_REQUEST',
    status: 400,
    rest: () => key('GET', '/contacts?cursor=nonsense'),
    trpc: () => query('contacts.list', { cursor: 'nonsense' }),
    graphql: () => graphql('{ contacts(after: "nonsense") { totalCount } }'),
    sdk: () => sdk(operations.contactsList, { cursor: 'nonsense' }),
  },
  {
    code: 'INVALID_REQUEST_BODY',
    status: 400,
    rest: () => key('POST', '/contacts', '{', { 'content-type': 'application/json' }),
    trpc: () => session('POST', '/trpc/contacts.upsert', '{', { 'content-type': 'application/json' }),
    graphql: () => key('POST', '/graphql', '{', { 'content-type': 'application/json' }),
    without: { sdk: 'it writes the JSON' },
  },
  {
    code: 'INVALID_REQUEST_BODY',
    status: 413,
    rest: () => key('POST', '/contacts', { email: 'a@example.com', data: { text: 'x'.repeat(6_000_000) } }),
    trpc: () =>
      mutation('contacts.upsert', { email: 'a@example.com', data: { text: 'x'.repeat(6_000_000) } }),
    graphql: () => graphql('{ project { id } }', { text: 'x'.repeat(6_000_000) }),
    sdk: () =>
      sdk(operations.contactsUpsert, { email: 'a@example.com', data: { text: 'x'.repeat(6_000_000) } }),
  },
  {
    code: 'QUERY_TOO_COMPLEX',
    status: 400,
    graphql: () => graphql(`${'{ a '.repeat(300)}${'}'.repeat(300)}`),
    sdk: () => sdk(operations.graphqlExecute, { query: `${'{ a '.repeat(300)}${'}'.repeat(300)}` }),
    without: { rest: 'it has no documents', trpc: 'it has no documents' },
  },
  {
    code: 'MISSING_AUTH',
    status: 401,
    rest: () => test.anyone('GET', '/contacts'),
    trpc: () => test.anyone('GET', '/trpc/contacts.list'),
    graphql: () => graphql('{ project { id } }', {}, test.anyone),
    without: { sdk: 'every client has a key' },
  },
  {
    code: 'INVALID_API_KEY',
    status: 401,
    rest: () => test.withKey('sk_unknown')('GET', '/contacts'),
    graphql: () => graphql('{ project { id } }', {}, test.withKey('sk_unknown')),
    sdk: () => via(clientOf(test, 'sk_unknown'))(operations.contactsList, {}),
    without: { trpc: sessionsOnly },
  },
  {
    code: 'UNAUTHORIZED',
    status: 401,
    rest: () => key('GET', '/users/@me'),
    trpc: () => test.anyone('GET', '/trpc/users.me', undefined, { cookie: 'postrider_session=unknown' }),
    sdk: () => sdk(bare('GET', '/users/@me'), {}),
    without: { graphql: signedIn },
  },
  {
    code: 'INVALID_CREDENTIALS',
    status: 401,
    rest: () => test.anyone('POST', '/auth/login', { email: 'a@example.com', password: 'wrong' }),
    trpc: () => test.anyone('POST', '/trpc/auth.login', { email: 'a@example.com', password: 'wrong' }),
    sdk: () => sdk(bare('POST', '/auth/login'), { email: 'a@example.com', password: 'wrong' }),
    without: { graphql: signedIn },
  },
  {
    code: 'BILLING_LIMIT_EXCEEDED',
    status: 402,
    async before() {
      const { body, signature } = stripe.notice('checkout.session.completed', {
        client_reference_id: billed.project.id,
        customer: 'cus_1',
        subscription: 'sub_1',
        currency: 'eur',
      });
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
      await billed.anyone('POST', '/webhooks/incoming/stripe', body, headers);
      const owner = await billed.withSession();
      await owner('PUT', `/users/@me/projects/${billed.project.id}/billing-limits`, { transactional: 1 });
      await billed.withKey(billed.project.secretKey)('POST', '/v1/send', mail);
    },
    rest: () => billed.withKey(billed.project.secretKey)('POST', '/v1/send', mail),
    trpc: async () => (await billed.withSession())('POST', '/trpc/sending.send', mail),
    graphql: () =>
      graphql(
        sendField,
        { input: { ...mail, to: [{ email: mail.to }], from: { email: mail.from } } },
        billed.withKey(billed.project.secretKey),
      ),
    sdk: () => via(clientOf(billed))(operations.sendingSend, mail),
  },
  {
    code: 'FORBIDDEN',
    status: 403,
    rest: async () => (await test.withSession('MEMBER'))('POST', '/domains', { domain: 'x.example.com' }),
    trpc: async () =>
      (await test.withSession('MEMBER'))('POST', '/trpc/domains.create', { domain: 'x.example.com' }),
    graphql: async () => graphql(upsertField, {}, test.withKey(await readKey())),
    sdk: async () =>
      via(clientOf(test, await readKey()))(operations.contactsUpsert, { email: 'a@example.com' }),
  },
  {
    code: 'APPROVAL_REQUIRED',
    status: 409,
    rest: async () => test.withKey(await readKey('agent'))('POST', '/v1/send', mail),
    graphql: async () =>
      graphql(
        sendField,
        { input: { ...mail, to: [{ email: mail.to }], from: { email: mail.from } } },
        test.withKey(await readKey('agent')),
      ),
    sdk: async () => via(clientOf(test, await readKey('agent')))(operations.sendingSend, mail),
    without: { trpc: sessionsOnly },
  },
  {
    code: 'PREFLIGHT_FAILED',
    status: 409,
    async before() {
      await key('POST', '/contacts', { email: 'reader@example.com' });
      const made = await key('POST', '/campaigns', { ...letter, name: 'C', audienceType: 'ALL' });
      unchecked = made.body.data.id;
      await setGate('STRICT');
    },
    after: () => setGate('ADVISORY'),
    rest: () => key('POST', `/campaigns/${unchecked}/send`),
    trpc: () => mutation('campaigns.send', { id: unchecked }),
    graphql: () => graphql(`mutation { sendCampaign(input: { id: "${unchecked}" }) { id } }`),
    sdk: () => sdk(operations.campaignsSend, { id: unchecked }),
  },
  {
    code: 'PROJECT_ACCESS_DENIED',
    status: 403,
    rest: () => key('GET', `/projects/${other.id}/members`),
    trpc: () => session('GET', '/trpc/contacts.list', undefined, { 'x-project-id': other.id }),
    sdk: () => sdk(operations.membersList, { id: other.id }),
    without: { graphql: 'the project follows from the key' },
  },
  {
    code: 'PROJECT_DISABLED',
    status: 403,
    before: () => setDisabled(true),
    after: () => setDisabled(false),
    rest: () => key('POST', '/contacts', { email: 'a@example.com' }),
    trpc: () => mutation('contacts.upsert', { email: 'a@example.com' }),
    graphql: () => graphql(upsertField),
    sdk: () => sdk(operations.contactsUpsert, { email: 'a@example.com' }),
  },
  {
    code: 'EMAIL_VERIFICATION_REQUIRED',
    status: 403,
    before: () => setVerified(false),
    after: () => setVerified(true),
    rest: () => session('GET', '/contacts'),
    trpc: () => query('contacts.list', {}),
    without: { graphql: keysOnly, sdk: keysOnly },
  },
  {
    code: 'INTERNAL_SERVER_ERROR',
    status: 403,
    rest: () => key('POST', '/v1/send', { ...mail, from: 'a@elsewhere.example' }),
    trpc: () => mutation('sending.send', { ...mail, from: 'a@elsewhere.example' }),
    graphql: () =>
      graphql(sendField, {
        input: { ...mail, to: [{ email: mail.to }], from: { email: 'a@elsewhere.example' } },
      }),
    sdk: () => sdk(operations.sendingSend, { ...mail, from: 'a@elsewhere.example' }),
  },
  { ...missing('RESOURCE_NOT_FOUND', 'emails', 'emails', operations.sendingGetEmail) },
  { ...missing('CONTACT_NOT_FOUND', 'contacts', 'contacts', operations.contactsGet) },
  { ...missing('TEMPLATE_NOT_FOUND', 'templates', 'templates', operations.templatesGet) },
  { ...missing('CAMPAIGN_NOT_FOUND', 'campaigns', 'campaigns', operations.campaignsGet) },
  { ...missing('SEGMENT_NOT_FOUND', 'segments', 'segments', operations.segmentsGet) },
  { ...missing('WORKFLOW_NOT_FOUND', 'workflows', 'workflows', operations.workflowsGet) },
  {
    code: 'DOMAIN_NOT_FOUND',
    status: 404,
    rest: () => key('DELETE', `/domains/${unknown}`),
    trpc: () => mutation('domains.delete', { id: unknown }),
    graphql: () => graphql(`mutation { deleteDomain(id: "${unknown}") }`),
    sdk: () => sdk(operations.domainsDelete, { id: unknown }),
  },
  {
    code: 'BILLING_DISABLED',
    status: 404,
    rest: () => session('GET', `/users/@me/projects/${test.project.id}/billing-limits`),
    trpc: () => query('billing.limits', { id: test.project.id }),
    without: { graphql: signedIn, sdk: signedIn },
  },
  {
    code: 'CONFLICT',
    status: 409,
    before: () => key('POST', '/domains', { domain: 'twice.example.com' }),
    rest: () => key('POST', '/domains', { domain: 'twice.example.com' }),
    trpc: () => mutation('domains.create', { domain: 'twice.example.com' }),
    graphql: () => graphql('mutation { createDomain(input: { domain: "twice.example.com" }) { id } }'),
    sdk: () => sdk(operations.domainsCreate, { domain: 'twice.example.com' }),
  },
  {
    code: 'IDEMPOTENCY_KEY_REUSED',
    status: 409,
    before: () => key('POST', '/v1/send', mail, { 'idempotency-key': 'once' }),
    rest: () => key('POST', '/v1/send', mail, { 'idempotency-key': 'once' }),
    sdk: () =>
      clientOf(test)
        .send({ ...mail, subject: 'Another' }, { idempotencyKey: 'once' })
        .catch((error: unknown) => error),
    graphql: () =>
      graphql(
        'mutation ($input: SendEmailInput!) { sendEmail(input: $input, idempotencyKey: "once") { timestamp } }',
        { input: mail },
      ),
    without: { trpc: 'it takes no idempotency keys' },
  },
  {
    code: 'VALIDATION_ERROR',
    status: 422,
    rest: () => key('POST', '/contacts', { email: 'nobody' }),
    trpc: () => mutation('contacts.upsert', { email: 'nobody' }),
    graphql: () => graphql(upsertField.replace('a@example.com', 'nobody')),
    sdk: () => sdk(operations.contactsUpsert, { email: 'nobody' }),
  },
  {
    code: 'NOT_SUPPORTED',
    status: 404,
    without: { rest: dropIn, trpc: dropIn, graphql: dropIn, sdk: dropIn },
  },
  {
    code: 'RATE_LIMIT_EXCEEDED',
    status: 429,
    before: () => setCount(1000),
    after: () => setCount(0),
    rest: () => key('GET', '/contacts'),
    async trpc() {
      const admin = await test.withSession('ADMIN');
      await useUpSession(admin);
      return admin('GET', '/trpc/contacts.list');
    },
    graphql: () => graphql('{ project { id } }'),
    sdk: () => sdk(operations.contactsList, {}),
  },
  {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    before: () => rename('Template', 'Gone'),
    after: () => rename('Gone', 'Template'),
    rest: () => key('GET', '/templates'),
    trpc: () => query('templates.list', {}),
    graphql: () => graphql('{ templates { total } }'),
    sdk: () => sdk(operations.templatesList, {}),
  },
];

async function readKey(scope = 'read'): Promise<string> {
  const answer = await session('POST', `/users/@me/projects/${test.project.id}/keys`, { name: 'Key', scope });
  return answer.body.key;
}

/** Code and status as a caller of the door reads them; GraphQL gives the status in the error. */
function outcomeOf(answer: Answer): unknown {
  const { body, status } = answer;
  return [
    codeOf(answer),
    body?.errors?.[0]?.extensions?.statusCode ?? body?.error?.data?.httpStatus ?? status,
  ];
}

it.each(cases.map((one) => [`${one.status} ${one.code}`, one] as const))(
  '%s is the same at every door',
  async (_name, one) => {
    await one.before?.();
    try {
      for (const door of ['rest', 'trpc', 'graphql'] as const) {
        const answer = await one[door]?.();
        if (answer) expect([door, outcomeOf(answer)]).toEqual([door, [one.code, one.status]]);
      }
      if (!one.sdk) return;
      const error = await one.sdk();
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({ code: one.code, status: one.status });
    } finally {
      await one.after?.();
    }
  },
);

it('every code is tested, at each door or with the reason why not', () => {
  expect(new Set(cases.map(({ code }) => code))).toEqual(new Set(Object.keys(errorCodes)));
  for (const { code, without = {}, ...doors } of cases)
    for (const door of ['rest', 'trpc', 'graphql', 'sdk'] as const)
      expect([code, door, doors[door] !== undefined]).toEqual([code, door, without[door] === undefined]);
});
