import { issueSession, sessionCookie } from '@postrider/core/people/users';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '@postrider/core/testing';
import { SmtpClient } from '@postrider/core/testing/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type ServedApi, serveApi } from './served-api.ts';
import { logIn } from './submission-kit.ts';

/** What one project asks of the api never keeps it from answering another project. */
let test: TestServices;
let api: ServedApi;
let url: string;
let submissionPort: number;
let attacker: TestProject;
let neighbour: TestProject;

const from = 'hello@neighbours.example.com';
const endless = `{% for i in (1..1000000) %}{% for j in (1..1000) %}{% if ${'1 and '.repeat(500)} 1 %}{% endif %}{% endfor %}{% endfor %}`;
const blanks = `{{ a${' '.repeat(49_900)}b }}`.repeat(40);
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  test = await createTestServices();
  attacker = await createTestProject(test.services);
  neighbour = await createTestProject(test.services);
  for (const [index, { id }] of [attacker, neighbour].entries())
    await verifiedDomain(test.services, id, index === 0 ? 'attacks.example.com' : 'neighbours.example.com');
  submissionPort = await freePort();
  api = await serveApi(test.services, {
    RATE_LIMIT_PER_MINUTE: '100000',
    SUBMISSION_PORT: String(submissionPort),
  });
  url = api.url;
});
afterAll(async () => {
  await api.stop();
  await test.close();
});

const bearer = ({ secretKey }: TestProject) => ({ authorization: `Bearer ${secretKey}` });

const post = (
  path: string,
  headers: Record<string, string>,
  body: unknown,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Everything that a neighbour needs: the health check, sending, and rendering. */
async function askAsNeighbour(): Promise<number[]> {
  const answers = [
    await fetch(`${url}/health/live`),
    await post('/v1/send', bearer(neighbour), { to: 'a@b.test', subject: 'Hi {{email}}', body: 'B', from }),
    await post('/templates', bearer(neighbour), {
      name: 'T',
      subject: 'S',
      body: `${'x'.repeat(30_000)}{{a}}`,
      from,
    }),
  ];
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return answers.map(({ status }) => status);
}

/** The attack begins first, and the neighbour is done before it ends. @returns the answers to the attack */
async function expectNeighbourFirst(attack: () => Promise<Response>[]): Promise<Response[]> {
  let attacks = 0;
  const requests = attack().map(async (request) => {
    const answer = await request;
    await answer.clone().arrayBuffer();
    attacks += 1;
    return answer;
  });
  for (let round = 0; round < 3; round++) expect(await askAsNeighbour()).toEqual([200, 200, 201]);
  expect(attacks).toBeLessThan(requests.length);
  return Promise.all(requests);
}

/** Its owner pauses ever longer after slow tasks: a request that would wait for that is told when to come back. */
async function expectRefusals(answers: Response[]): Promise<void> {
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].filter((status) => status !== 200)).toEqual([429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

const sessionOf = async (project: TestProject) => ({
  cookie: `${sessionCookie}=${await issueSession(test.services, { id: project.ownerId })}`,
  'x-project-id': project.id,
  'sec-fetch-site': 'same-origin',
});

describe('a neighbour is answered while another project', () => {
  it('previews templates without end, twenty in a request', async () => {
    const headers = await sessionOf(attacker);
    const names = Array(20).fill('sending.previewContent').join(',');
    const input = { subject: 'S', body: endless, type: 'MARKETING' };
    const batch = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index, input]));
    const [answer] = await expectNeighbourFirst(() => [post(`/trpc/${names}?batch=1`, headers, batch)]);
    if (!answer) throw new Error('the batch was not asked');
    const results = (await answer.json()) as { error?: { data: { code: string } } }[];
    const codes = new Set(results.map(({ error }) => error?.data.code));
    expect(codes).toEqual(new Set([undefined, 'RATE_LIMIT_EXCEEDED']));
  });

  it('stores templates of which each is expensive to parse', async () => {
    const template = { name: 'Blanks', subject: 'S', body: blanks, from: 'hello@attacks.example.com' };
    const over = new AbortController();
    const statuses = new Set<number>();
    const lanes = Array.from({ length: 4 }, async () => {
      try {
        while (!over.signal.aborted)
          statuses.add((await post('/templates', bearer(attacker), template, over.signal)).status);
      } catch (error) {
        if (!over.signal.aborted) throw error;
      }
    });
    for (let round = 0; round < 3; round++) expect(await askAsNeighbour()).toEqual([200, 200, 201]);
    over.abort();
    await Promise.all(lanes);
    expect([...statuses].filter((status) => status !== 201)).toEqual([]);
  });

  it('reads the preview of an email without end, many times at once', async () => {
    const sent = await post('/v1/send', bearer(attacker), {
      to: 'a@b.test',
      subject: 'S',
      body: endless,
      from: 'hello@attacks.example.com',
    });
    const { data } = (await sent.json()) as { data: { emails: { email: string }[] } };
    const path = `${url}/emails/${data.emails[0]?.email}/preview`;
    await expectRefusals(
      await expectNeighbourFirst(() =>
        Array.from({ length: 10 }, () => fetch(path, { headers: bearer(attacker) })),
      ),
    );
  });

  it('holds 1,000 connections of the submission port, those that are admitted within a message', async () => {
    const clients = Array.from({ length: 1_000 }, () => new SmtpClient(submissionPort));
    const greetings = await Promise.all(clients.map((client) => client.reply()));
    const admitted = clients.filter((_, index) => greetings[index]?.startsWith('220'));
    expect(admitted).toHaveLength(100);
    await Promise.all(
      admitted.map(async (client) => {
        await logIn(client, attacker.secretKey);
        await client.say('MAIL FROM:<a@attacks.example.com>');
        await client.say('RCPT TO:<a@people.example>');
        expect(await client.say('DATA')).toMatch(/^354 /);
        client.write(`From: a@attacks.example.com\r\n\r\n${'x'.repeat(100_000)}`);
      }),
    );
    for (let round = 0; round < 3; round++) expect(await askAsNeighbour()).toEqual([200, 200, 201]);
    for (const client of clients) client.end();
  });

  it('lists emails whose subjects have no end', async () => {
    await post('/v1/send', bearer(attacker), {
      to: Array.from({ length: 100 }, (_, index) => `loop${index}@b.test`),
      subject:
        '{% for i in (1..1000000) %}{% for j in (1..1000) %}{% if 1 %}{% endif %}{% endfor %}{% endfor %}S',
      body: 'B',
      from: 'hello@attacks.example.com',
    });
    await expectRefusals(
      await expectNeighbourFirst(() =>
        Array.from({ length: 8 }, () => fetch(`${url}/emails?limit=100`, { headers: bearer(attacker) })),
      ),
    );
  });
});

it('the metrics show what the attacks cost', async () => {
  const text = await (await fetch(`${url}/metrics`)).text();
  for (const name of [
    'postrider_bodies_bytes',
    'postrider_connections_refused_total',
    'postrider_event_loop_stalls_total',
    'postrider_storage_bytes',
    'postrider_streams',
    'postrider_streams_ended_total',
    'postrider_task_limits_total',
    'postrider_turn_wait_seconds',
    'postrider_unsupported_fields_total',
  ])
    expect(text).toContain(`# TYPE ${name} `);
  expect(text).toMatch(/^postrider_task_limits_total\{task="sending.preview"\} [1-9]/m);
  expect(text).toMatch(/^postrider_turn_wait_seconds_count\{what="thread"\} [1-9]/m);
  const { rows } = await test.services.database.durable.query(
    'SELECT "slowMinutes" > 0 AS "slow", "taskLimits" > 0 AS "limited" FROM "OwnerDay" WHERE "userId" = $1',
    [attacker.ownerId],
  );
  expect(rows).toEqual([{ slow: true, limited: true }]);
});
