import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

/** The same failure has the same code, status, message and fields through every door (behaviour B4.21). */
let test: TestApp;
let key: Send;
let session: Send;
let campaignId: string;

const unknown = '01a1fbbb-6049-7208-955a-65aac1f35b72';
const from = 'hello@parity.example.com';

beforeAll(async () => {
  test = await startApp();
  key = test.withKey(test.project.secretKey);
  session = await test.withSession();
  await verifiedDomain(test.services, test.project.id, 'parity.example.com');
  const draft = { name: 'Draft', subject: 'S', body: '<p>B</p>', from, audienceType: 'ALL' };
  campaignId = (await key('POST', '/campaigns', draft)).body.data.id;
});
afterAll(() => test.close());

interface Case {
  rest: () => Promise<Answer>;
  trpc: () => Promise<Answer>;
  graphql: () => Promise<Answer>;
  code: string;
  status: number;
}

const template = { name: 'T', subject: 'S', body: '<p>B</p>', from };
const query = (path: string, input: unknown) =>
  session('GET', `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
const mutation = (path: string, input: object) => session('POST', `/trpc/${path}`, input);
const graphql = (text: string, variables?: object) => key('POST', '/graphql', { query: text, variables });
const createTemplate = (input: object) => () =>
  graphql('mutation ($input: CreateTemplateInput!) { createTemplate(input: $input) { id } }', { input });

const cases: Record<string, () => Case> = {
  'an unknown contact': () => ({
    rest: () => key('GET', `/contacts/${unknown}`),
    trpc: () => query('contacts.get', { id: unknown }),
    graphql: () => graphql('query ($id: ID!) { contact(id: $id) { id } }', { id: unknown }),
    code: 'CONTACT_NOT_FOUND',
    status: 404,
  }),
  'an id that is no uuid': () => ({
    rest: () => key('GET', '/templates/NONSENSE'),
    trpc: () => query('templates.get', { id: 'NONSENSE' }),
    graphql: () => graphql('{ template(id: "NONSENSE") { id } }'),
    code: 'VALIDATION_ERROR',
    status: 422,
  }),
  'a bad address': () => ({
    rest: () => key('POST', '/contacts', { email: 'nobody' }),
    trpc: () => mutation('contacts.upsert', { email: 'nobody' }),
    graphql: () => graphql('mutation { upsertContact(input: { email: "nobody" }) { isNew } }'),
    code: 'VALIDATION_ERROR',
    status: 422,
  }),
  'a template that does not parse': () => ({
    rest: () => key('POST', '/templates', { ...template, body: '{% if %}' }),
    trpc: () => mutation('templates.create', { ...template, body: '{% if %}' }),
    graphql: createTemplate({ ...template, body: '{% if %}' }),
    code: 'VALIDATION_ERROR',
    status: 422,
  }),
  'a sender that is not verified': () => ({
    rest: () => key('POST', '/templates', { ...template, from: 'a@elsewhere.example' }),
    trpc: () => mutation('templates.create', { ...template, from: 'a@elsewhere.example' }),
    graphql: createTemplate({ ...template, from: 'a@elsewhere.example' }),
    code: 'INTERNAL_SERVER_ERROR',
    status: 403,
  }),
  'an action in the wrong state': () => ({
    rest: () => key('POST', `/campaigns/${campaignId}/cancel`),
    trpc: () => mutation('campaigns.cancel', { id: campaignId }),
    graphql: () =>
      graphql('mutation ($id: ID!) { cancelCampaign(input: { id: $id }) { id } }', { id: campaignId }),
    code: 'CONFLICT',
    status: 409,
  }),
  'an invalid cursor': () => ({
    rest: () => key('GET', '/contacts?cursor=nonsense'),
    trpc: () => query('contacts.list', { cursor: 'nonsense' }),
    graphql: () => graphql('{ contacts(after: "nonsense") { totalCount } }'),
    code: 'BAD_REQUEST',
    status: 400,
  }),
};

/** The failure as a caller reads it, without values that differ between requests. */
function read(answer: Answer): Record<string, unknown> {
  const { body } = answer;
  const rest =
    body?.error?.data === undefined ? body?.error : { ...body.error.data, message: body.error.message };
  const found = rest ?? { ...body.errors[0].extensions, message: body.errors[0].message };
  const { code, message, errors, details, suggestion, statusCode = found.httpStatus } = found;
  return { code, message, errors, details, suggestion, statusCode };
}

describe.each(Object.entries(cases))('%s', (_what, make) => {
  it('is the same failure at all three doors', async () => {
    const { rest, trpc, graphql: viaGraphql, code, status } = make();
    const [first, second, third] = [await rest(), await trpc(), await viaGraphql()];
    expect([first.status, codeOf(first)]).toEqual([status, code]);
    expect(second.status).toBe(status);
    expect(read(second)).toEqual(read(first));
    expect(read(third)).toEqual(read(first));
    expect(first.body.error.requestId).toBe(first.headers['x-request-id']);
    expect(second.body.error.data.requestId).toBe(second.headers['x-request-id']);
    expect(third.body.errors[0].extensions.requestId).toBe(third.headers['x-request-id']);
  });
});

describe('an unexpected failure', () => {
  beforeAll(() => test.services.database.prisma.$executeRawUnsafe('ALTER TABLE "Template" RENAME TO "Gone"'));
  afterAll(() => test.services.database.prisma.$executeRawUnsafe('ALTER TABLE "Gone" RENAME TO "Template"'));

  it('is a 500 that does not reveal its cause, at all three doors', async () => {
    const answers = [
      await key('GET', '/templates'),
      await query('templates.list', {}),
      await graphql('{ templates { total } }'),
    ];
    for (const answer of answers) {
      expect(read(answer)).toMatchObject({
        code: 'INTERNAL_SERVER_ERROR',
        statusCode: 500,
        message: 'An unexpected error occurred',
      });
      expect(answer.text).not.toMatch(/prisma|relation|Template"|stack|\.ts/i);
    }
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 200]);
  });
});
