import { operationRegistry } from '@postrider/core/base/kernel';
import { requestLogOf } from '@postrider/core/insight/requests';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialOf } from '../src/access/access-of.ts';
import { startSubmission } from '../src/submission/submission-server.ts';
import { everyCall, exampleInputs } from './every-call.ts';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '1000000', ATTACHMENTS_MAX_MB: '1' });
  await requestLogOf(test.services).settled();
});
afterAll(() => test.close());

const settled = () => requestLogOf(test.services).settled();
const logOf = async (project: TestProject, query = ''): Promise<Json[]> => {
  await settled();
  const answer = await test.withKey(project.secretKey)('GET', `/requests?limit=100${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const countsOf = async (project: TestProject): Promise<Json[]> => {
  await settled();
  return (await test.withKey(project.secretKey)('GET', '/requests/stats')).body.data;
};
const requestIdOf = ({ headers }: Answer): string => String(headers['x-request-id']);

/** A project of its own, because a project has a sample per minute, with an address that it may send from. */
async function newProject() {
  const project = await createTestProject(test.services);
  const domain = `d${project.id}.example.com`;
  await verifiedDomain(test.services, project.id, domain);
  return { project, send: test.withKey(project.secretKey), from: `hello@${domain}` };
}

describe('what is logged', () => {
  it('an accepted send, with its emails and nothing that was written in it', async () => {
    const { project, send, from } = await newProject();
    const answer = await send('POST', '/v1/send', {
      to: ['ann@people.test', { name: 'Planted Name', email: 'bob@people.test' }],
      from: { name: 'Planted Sender', email: from },
      subject: 'Planted subject',
      body: '<p>Planted body {{ plan }}</p>',
      tracking: false,
      data: { plan: 'planted', seats: 3, order: { value: 'planted', persistent: false } },
      headers: { 'X-Entity-Ref-ID': 'planted' },
      attachments: [{ filename: 'planted.pdf', content: 'cGxhbnRlZA==', contentType: 'application/pdf' }],
    });
    expect(answer.status).toBe(200);
    const [entry] = await logOf(project);
    const emailIds = answer.body.data.emails.map(({ email }: Json) => email);
    expect(entry).toMatchObject({
      door: 'REST',
      method: 'POST',
      path: '/v1/send',
      operation: 'sending.send',
      status: 200,
      code: null,
      credential: { type: 'secret', id: null, label: 'Secret key', prefix: project.secretKey.slice(0, 11) },
      requestId: requestIdOf(answer),
      dryRun: false,
      emailIds,
      alike: 0,
    });
    const domain = from.slice(from.indexOf('@'));
    expect(entry.request).toEqual({
      to: ['a…@people.test', { name: { length: 12 }, email: 'b…@people.test' }],
      from: { name: { length: 14 }, email: `h…${domain}` },
      subject: { length: 15 },
      body: { length: 30 },
      tracking: false,
      data: {
        plan: { length: 7 },
        seats: { type: 'number' },
        order: { value: { length: 7 }, persistent: { type: 'boolean' } },
      },
      headers: { 'X-Entity-Ref-ID': { length: 7 } },
      attachments: [{ size: 7, type: 'application/pdf' }],
    });
    expect(entry.response.emails.map(({ email }: Json) => email)).toEqual(emailIds);
    expect(await logOf(project, `&emailId=${emailIds[1]}`)).toHaveLength(1);
    expect(await countsOf(project)).toMatchObject([
      { operation: 'sending.send', status: 200, code: null, count: 1 },
    ]);
  });

  it('an event by its name, with a public key', async () => {
    const { project } = await newProject();
    const track = test.withKey(project.publicKey);
    await track('POST', '/v1/track', {
      email: 'ann@people.test',
      event: 'signed_up',
      data: { plan: 'planted' },
    });
    expect(await logOf(project)).toMatchObject([
      {
        operation: 'events.track',
        credential: { type: 'public', label: 'Public key' },
        request: { email: 'a…@people.test', event: 'signed_up', data: { plan: { length: 7 } } },
      },
    ]);
  });

  it('GraphQL by the operations of its fields, and a failed one by the failure', async () => {
    const { project, send } = await newProject();
    await send('POST', '/graphql', {
      query: '{ contacts(first: 1) { edges { node { id } } } domains { id } }',
    });
    await send('POST', '/graphql', {
      query: '{ contact(id: "01a1fbbb-6049-7208-955a-65aac1f35b72") { id } }',
    });
    await send('POST', '/graphql', { query: '{ contacts(first: 1) { planted } }' });
    await send('POST', '/graphql', { query: '{ planted' });
    const log = (await logOf(project)).reverse();
    expect(log.map(({ door, operation, status, code }) => [door, operation, status, code])).toEqual([
      ['GRAPHQL', 'contacts.list', 200, null],
      ['GRAPHQL', 'contacts.get', 404, 'CONTACT_NOT_FOUND'],
      ['GRAPHQL', 'contacts.list', 422, 'VALIDATION_ERROR'],
      ['GRAPHQL', null, 400, 'INVALID_REQUEST_BODY'],
    ]);
    expect(log[0]?.request.calls.map(({ operation }: Json) => operation)).toEqual([
      'contacts.list',
      'domains.list',
    ]);
    expect(JSON.stringify(log)).not.toContain('planted');
  });

  it('submitted messages, and logins that a key of the project was refused', async () => {
    const { project, from } = await newProject();
    const server = await startSubmission(test.services, 0);
    const submit = async (key: string, sender: string, user = 'postrider') => {
      const transport = nodemailer.createTransport({
        host: '127.0.0.1',
        port: server.port,
        auth: { user, pass: key },
      });
      const mail = { from: sender, to: 'ann@people.test', subject: 'Planted', text: 'Planted' };
      const reply = await transport.sendMail(mail).then(({ response }) => response, String);
      transport.close();
      return reply;
    };
    const accepted = await submit(project.secretKey, from);
    expect(accepted).toMatch(/^250/);
    await submit(project.secretKey, 'hello@unverified.example');
    await submit(project.publicKey, from);
    await submit(project.secretKey.replace(/.{4}$/, '0000'), from);
    await server.stop();
    const log = (await logOf(project)).reverse();
    expect(log.map(({ door, method, status, code }) => [door, method, status, code])).toEqual([
      ['SMTP', 'DATA', 200, null],
      ['SMTP', 'DATA', 403, 'INTERNAL_SERVER_ERROR'],
      ['SMTP', 'AUTH', 401, 'INVALID_API_KEY'],
    ]);
    expect(log[0]).toMatchObject({
      operation: 'sending.submit',
      path: 'smtp',
      request: { recipients: ['a…@people.test'], message: { size: expect.any(Number) } },
      emailIds: [accepted.split(' ').at(-1)],
    });
    expect(JSON.stringify(log)).not.toContain('Planted');
  });

  it('requests of the MCP server as such', async () => {
    const { project, send } = await newProject();
    await send('GET', '/contacts', undefined, { 'user-agent': 'postrider-mcp/1' });
    expect(await logOf(project)).toMatchObject([{ door: 'MCP', operation: 'contacts.list' }]);
  });

  it('keys of the wrong kind and beyond their scope, but no unknown key and no session', async () => {
    const { project } = await newProject();
    const owner = await test.withSession();
    const created = await owner('POST', `/users/@me/projects/${test.project.id}/keys`, {
      name: 'Reader',
      scope: 'read',
    });
    const before = (await logOf(test.project)).length;
    const reader = test.withKey(created.body.data?.key ?? created.body.key);
    await reader('POST', '/contacts', { email: 'ann@people.test' });
    expect((await logOf(test.project)).slice(0, 1)).toMatchObject([
      { status: 403, code: 'FORBIDDEN', operation: 'contacts.upsert', credential: { label: 'Reader' } },
    ]);
    expect(await logOf(test.project)).toHaveLength(before + 1);
    await test.withKey(project.publicKey)('GET', '/contacts');
    await test.withKey(project.secretKey)('POST', '/v1/track', {});
    await test.withKey(project.secretKey.replace(/.{4}$/, '0000'))('GET', '/contacts');
    await test.withKey(`pk_${'0'.repeat(64)}`)('GET', '/contacts');
    await test.withKey('planted')('GET', '/contacts');
    const log = await logOf(project);
    expect(log.map(({ status, code, credential }) => [status, code, credential.type]).sort()).toEqual([
      [401, 'INVALID_API_KEY', 'public'],
      [401, 'INVALID_API_KEY', 'secret'],
    ]);
  });

  it('no read of the log, by any door, whether it is answered or refused', async () => {
    const { project, send } = await newProject();
    const reads = [
      ['GET', '/requests'],
      ['GET', '/requests?status=9xx'],
      ['GET', '/requests/stats'],
      ['GET', '/requests/01a1fbbb-6049-7208-955a-65aac1f35b72'],
      [
        'POST',
        '/graphql',
        { query: '{ requests(first: 1) { edges { node { id } } } requestStats { data { count } } }' },
      ],
      ['POST', '/graphql', { query: '{ requests(first: 1) { planted } }' }],
    ] as const;
    for (const [method, url, payload] of reads) await send(method, url, payload);
    await test.withKey(project.publicKey)('GET', '/requests');
    expect(await logOf(project)).toEqual([]);
    expect(await countsOf(project)).toEqual([]);
    await send('POST', '/graphql', { query: '{ requests(first: 1) { totalCount } domains { id } }' });
    expect(await logOf(project)).toMatchObject([{ operation: 'requests.list' }]);
  });

  it('at most 4 KB of each of the largest requests', async () => {
    const { project, send, from } = await newProject();
    const large = { subject: 'S', body: 'x'.repeat(1_500_000), from, to: 'ann@people.test' };
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`planted${n}`, 'x']));
    await send('POST', '/v1/send', { ...large, data: wide });
    await send('POST', '/v1/send', {
      ...large,
      to: Array.from({ length: 5_000 }, (_, n) => `a${n}@people.test`),
    });
    await send('POST', '/contacts', `{"email": "${'x'.repeat(60_000_000)}"}`, {
      'content-type': 'application/json',
    });
    await send('POST', '/contacts', `[${'['.repeat(5_000)}${']'.repeat(5_000)}]`, {
      'content-type': 'application/json',
    });
    await send('POST', '/contacts', '{"email": ', { 'content-type': 'application/json' });
    await settled();
    const sizes = await test.services.database.durable.query(
      `SELECT "status", octet_length("request"::text) AS given, octet_length("response"::text) AS answered FROM "RequestEntry"
       WHERE "projectId" = $1`,
      [project.id],
    );
    expect(sizes.rows).toHaveLength(5);
    for (const { given, answered } of sizes.rows) {
      expect(given ?? 0).toBeLessThanOrEqual(4_096);
      expect(answered ?? 0).toBeLessThanOrEqual(4_096);
    }
    expect(sizes.rows.map(({ status }) => status)).toContain(413);
  });
});

/** Calls with a key, with the examples of the reference, some of which are refused. */
const callsWithKey = () =>
  everyCall(test.services).filter(
    ({ door, operation }) =>
      door !== 'tRPC' && credentialOf(operation) !== 'none' && !operation.name.startsWith('requests.'),
  );

it('finds a hundred kinds of refusals by their code, each by the id of its reply', async () => {
  const kinds = new Map<
    string,
    { requestId: string; project: TestProject; answer: Answer; operation: string }
  >();
  let { project } = await newProject();
  let sent = 0;
  const inputs: Json[] = [{}, { id: 'not an id', unknownField: 1, email: 7, limit: {} }];
  for (const { operation, door, requestOf } of callsWithKey()) {
    for (const input of inputs) {
      if (sent >= 30) {
        ({ project } = await newProject());
        sent = 0;
      }
      sent += 1;
      const { method, url, payload } = requestOf(input);
      const answer = await test.withKey(project.secretKey)(method, url, payload);
      const code = codeOf(answer);
      if (code === undefined) continue;
      kinds.set(`${door} ${operation.name} ${code}`, {
        requestId: requestIdOf(answer),
        project,
        answer,
        operation: operation.name,
      });
    }
  }
  expect(kinds.size).toBeGreaterThan(100);
  await settled();
  const { rows } = await test.services.database.durable.query(
    'SELECT "requestId", "projectId", "status", "code", "operation" FROM "RequestEntry"',
  );
  const byId = new Map(rows.map((row) => [row.requestId, row]));
  const missed = [...kinds.values()].filter(({ requestId, project, answer, operation }) => {
    const row = byId.get(requestId);
    const status = answer.body?.errors?.[0]?.extensions?.statusCode ?? answer.status;
    return !(
      row?.code === codeOf(answer) &&
      row?.status === status &&
      row?.projectId === project.id &&
      row?.operation === operation
    );
  });
  expect(missed.map(({ answer, operation }) => `${operation} ${answer.text.slice(0, 200)}`)).toEqual([]);
}, 240_000);

/** Fields whose values the log shows although the caller chooses them: names for programs. */
const shownTexts = new Set(['event', 'eventName', 'tag', 'tags']);
const marker = 'Plänted-7f3a secret';

/** The input with every text replaced, and with every further field that a caller could send. */
function planted(value: Json, name = '', depth = 0): Json {
  if (typeof value === 'string')
    return /@[\w.-]+\.\w+$/.test(value) ? `${marker.replace(/\W/g, '')}@people.test` : marker;
  if (Array.isArray(value)) return value.map((item) => planted(item, name, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries<Json>(value).filter(([key]) => !shownTexts.has(key));
  return {
    ...Object.fromEntries(entries.map(([key, item]) => [key, planted(item, key, depth + 1)])),
    [marker]: marker,
    password: marker,
    [`${marker.replace(/\W/g, '')}@people.test`]: { [marker]: [marker] },
  };
}

/** The same, but only texts that no type refuses, so that the request gets further. */
function plantedWhereFree(value: Json): Json {
  if (typeof value === 'string')
    return /^[\w-]{36}$|^\d{4}-\d{2}|^https?:|^[A-Z_]+$/.test(value) ? value : planted(value);
  if (Array.isArray(value)) return value.map(plantedWhereFree);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries<Json>(value).flatMap(([key, item]) =>
      shownTexts.has(key) ? [] : [[key, plantedWhereFree(item)]],
    ),
  );
}

it('keeps no text that is planted in any field of any operation, with any door', async () => {
  let project: TestProject | undefined;
  let send: Send = test.anyone;
  let sent = 0;
  const changing = callsWithKey();
  for (const { operation, requestOf } of changing)
    for (const example of [...exampleInputs(operation), {}])
      for (const input of [planted(example), plantedWhereFree(example)]) {
        if (sent % 15 === 0) ({ project, send } = await newProject());
        sent += 1;
        const { method, url, payload } = requestOf(input);
        await send(method, url, payload, { 'x-planted': marker.replace(/\W/g, '') });
      }
  await settled();
  expect(project).toBeDefined();
  expect(sent).toBeGreaterThan(changing.length);
  const { durable } = test.services.database;
  const texts = [marker, 'Plänted', 'Planted-7f3a', 'Plnted7f3asecret', 'nted-7f3a', '7f3asecret'];
  for (const table of ['RequestEntry', 'RequestCount']) {
    const { rows } = await durable.query(
      `SELECT t::text AS line FROM "${table}" t WHERE t::text ILIKE ANY($1) LIMIT 5`,
      [texts.map((text) => `%${text}%`)],
    );
    expect(rows).toEqual([]);
  }
  const { rows } = await durable.query(
    'SELECT count(DISTINCT "operation")::int AS n, count(*)::int AS entries FROM "RequestEntry"',
  );
  expect(rows[0].n).toBeGreaterThan(100);
  expect(operationRegistry.size).toBeGreaterThan(rows[0].n);
}, 600_000);

it('replies while the tables of the log cannot be written', async () => {
  const { project, send } = await newProject();
  await send('GET', '/contacts');
  await settled();
  const client = await test.services.database.durable.connect();
  let writing = Promise.resolve();
  try {
    await client.query('BEGIN; LOCK TABLE "RequestEntry", "RequestCount" IN ACCESS EXCLUSIVE MODE');
    for (let n = 0; n < 20; n += 1) {
      expect((await send('GET', '/contacts?planted=1')).status).toBe(422);
      if (n === 5) writing = settled();
    }
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
  await writing;
  expect(await logOf(project, '&status=4xx')).toHaveLength(20);
});
