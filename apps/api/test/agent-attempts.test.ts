import { operationRegistry } from '@postrider/core/base/kernel';
import { endInterruptedApprovals, titles } from '@postrider/core/insight/approvals';
import fc from '@postrider/vitest/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  attempts,
  inputsOf,
  makeKey,
  notCalled,
  type Planted,
  plantForeign,
  plantProject,
  risky,
} from './agent-attempts.ts';
import { codeOf, type Send, startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/**
 * Behaviour B15.11: whatever an agent tries, no email leaves and nothing is changed that a person has to agree to.
 * `npm run fuzz -- agents` makes the whole series.
 */
const count = Number(process.env['AGENT_ATTEMPTS'] ?? 120);
const seed = Number(process.env['AGENT_SEED'] ?? 1);

let test: TestApp;
let planted: Planted;
let agent: Send;
beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '10000000' });
  planted = await plantProject(test, test.project, 'shop.example.com');
  agent = test.withKey((await makeKey(test, test.project)).key);
});
afterAll(() => test.close());

/** Written by whatever asks, or by the request itself. */
const ignored = new Set(['Approval', 'ApiKey', 'AuthAttempt', 'AuditLog', 'RateWindow']);

/** Every row that the project has, but for what every request writes. */
async function dump(): Promise<Record<string, string>> {
  const { durable } = test.services.database;
  const tables = await durable.query<{ name: string }>(
    `SELECT c."relname" AS "name" FROM pg_class c JOIN pg_namespace n ON n."oid" = c."relnamespace"
       JOIN pg_attribute a ON a."attrelid" = c."oid" AND a."attname" = 'projectId'
     WHERE n."nspname" = 'public' AND c."relkind" = 'r' AND NOT a."attisdropped" AND c."relname" NOT LIKE 'Request%' ORDER BY 1`,
  );
  const names = tables.rows.map(({ name }) => name).filter((name) => !ignored.has(name));
  const { rows } = await durable.query<{ name: string; digest: string }>(
    [
      ...names.map(
        (name) =>
          `SELECT '${name}' AS "name", count(*) || ':' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS "digest" FROM "${name}" t WHERE "projectId" = $1`,
      ),
      `SELECT 'Project', md5(t::text) FROM "Project" t WHERE "id" = $1`,
      `SELECT 'ApiKey', count(*)::text FROM "ApiKey" WHERE "projectId" = $1`,
    ].join(' UNION ALL '),
    [test.project.id],
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/** Tables whose rows differ. */
const changed = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((name) => after[name] !== before[name]);

/** At most a hundred may wait; what waits is of no use to the next attempts. */
const forget = () =>
  test.services.database.prisma.approval.updateMany({
    where: { projectId: test.project.id, status: 'PENDING' },
    data: { status: 'DECLINED' },
  });

/** Numbers from 0 to 1 that the seed repeats. */
function randomOf(seeded: number): () => number {
  const most = 1_000_000;
  const numbers = fc.sample(fc.noBias(fc.nat({ max: most - 1 })), { seed: seeded, numRuns: 20_000 });
  let place = 0;
  return () => (numbers[place++ % numbers.length] ?? 0) / most;
}

describe('the table of attempts', () => {
  it('has an input for every operation that may need a person, and a title', () => {
    const names = risky(test).map(({ operation }) => operation.name);
    const missing = new Set(
      names.filter((name) => operationRegistry.get(name)?.risk !== 'closed' && !(name in inputsOf(planted))),
    );
    expect([...missing]).toEqual([]);
    const untitled = [...operationRegistry.values()]
      .filter(({ risk }) => risk === 'mail' || risk === 'events' || risk === 'large')
      .map(({ name }) => name)
      .filter((name) => !(name in titles) && !notCalled.has(name) && name !== 'contacts.import');
    expect(untitled).toEqual([]);
  });

  it('asks a person for each of them, by a title that says what will happen', async () => {
    const before = await dump();
    const asked: Record<string, string[]> = {};
    const refused: Record<string, string> = {};
    const inputs = inputsOf(planted);
    for (const call of risky(test)) {
      const { name } = call.operation;
      if (call.door !== 'REST' || operationRegistry.get(name)?.risk === 'closed') continue;
      for (const input of inputs[name] ?? []) {
        const { method, url, payload } = call.requestOf(input);
        const answer = await agent(method, url, payload);
        const details: Json = answer.body?.error?.details ?? {};
        if (codeOf(answer) === 'APPROVAL_REQUIRED')
          asked[name] = [...(asked[name] ?? []), details['summary']];
        else refused[`${name} ${url}`] = `${answer.status} ${codeOf(answer)}`;
      }
      await forget();
    }
    expect(asked).toMatchObject({
      'sending.send': expect.arrayContaining([
        'Send “Hello” to ann@people.test',
        'Send the template “Receipt” to ann@people.test',
        'Send “Hello” to ann@people.test and 1 other',
      ]),
      'sending.reschedule': [expect.stringMatching(/^Send the email “Hello to later@people.test” at 20/)],
      'campaigns.send': [
        'Send the campaign “Spring” to 1 person',
        expect.stringMatching(/^Send the campaign “Spring” to 1 person at 20/),
      ],
      'events.record': expect.arrayContaining([
        'Record the event “live” for ann@people.test; the workflow “Live” starts or goes on',
      ]),
      'contacts.upsert': expect.arrayContaining([
        'Subscribe out@people.test, who was not subscribed; tracked segments may change',
      ]),
      'contacts.bulkDelete': ['Delete 1 contact', 'Delete 3 contacts'],
      'workflows.update': expect.arrayContaining(['Enable the workflow “Off”']),
      'workflows.startExecution': [
        'Start the workflow “Live” for ann@people.test',
        'Start the workflow “Live” for ann@people.test',
      ],
      'templates.update': ['Change the template “Live”, which an enabled workflow sends'],
      'webhooks.update': [
        'Change the webhook endpoint “https://ours.example.com/” to https://stranger.example/',
      ],
    });
    // What this project refuses before anybody is asked; a key of a project may not track.
    expect(Object.keys(refused).map((each) => each.split(' ')[0])).toEqual([
      'events.track',
      'campaigns.retry',
      'workflows.addTransition',
      'workflows.deleteTransition',
      'workflows.retryExecution',
      'webhooks.replayDelivery',
    ]);
    expect(changed(before, await dump())).toEqual([]);
  });
});

it(`none of ${count} attempts does what a person has to agree to`, {
  timeout: 60_000 + count * 1_000,
}, async () => {
  const random = randomOf(seed);
  const foreign = await plantForeign(test);
  const before = await dump();
  const codes = new Map<string, number>();
  const series = attempts({ test, agent, planted, foreign, random });
  for (let n = 0; n < count; n += 1) {
    const { value: attempt } = series.next();
    if (!attempt) throw new Error('the series has no end');
    const answers = await attempt.run();
    for (const answer of answers) {
      expect(answer.status, `${n}: ${attempt.name}: ${answer.text}`).toBeLessThan(500);
      const code = codeOf(answer) ?? String(answer.status);
      codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    const found = answers.map((answer) => answer.text.slice(0, 300)).join('\n');
    expect(changed(before, await dump()), `${n}: ${attempt.name}\n${found}`).toEqual([]);
    if (n % 10 === 9) await forget();
  }
  // Otherwise the series is about nothing.
  expect(codes.get('APPROVAL_REQUIRED') ?? 0, JSON.stringify([...codes])).toBeGreaterThan(count / 4);
  if (process.env['AGENT_ATTEMPTS'] !== undefined) console.log(Object.fromEntries(codes));
});

/** What a person agreed to happens once, and serves for nothing else. */
it.each<[string, () => Promise<number>, () => { url: string; body: object }]>([
  [
    'a send',
    () => test.services.database.prisma.email.count({ where: { projectId: test.project.id } }),
    () => ({ url: '/v1/send', body: { ...planted.sender, to: 'ann@people.test', subject: 'Once' } }),
  ],
  [
    'a batch',
    () => test.services.database.prisma.email.count({ where: { projectId: test.project.id } }),
    () => ({
      url: '/v1/send/batch',
      body: { emails: [{ ...planted.sender, to: 'ann@people.test', subject: 'Batch' }] },
    }),
  ],
  [
    'an event by name',
    () => test.services.database.prisma.event.count({ where: { projectId: test.project.id, name: 'live' } }),
    () => ({ url: '/events/track', body: { name: 'live', contactId: planted.contact } }),
  ],
  [
    'an event of an address',
    () => test.services.database.prisma.event.count({ where: { projectId: test.project.id, name: 'live' } }),
    () => ({ url: '/events/track', body: { event: 'live', email: 'ann@people.test' } }),
  ],
])(
  '%s that a person agreed to is carried out once, however often it is agreed to, repeated or interrupted',
  async (_what, number, call) => {
    const { prisma } = test.services.database;
    const owner = await test.withSession('OWNER');
    const member = await test.withSession('MEMBER');
    const { url, body } = call();
    const before = await number();
    const asked = await agent('POST', url, body);
    const id: string = asked.body.error.details.approvalId;
    const { hash } = (await owner('GET', `/approvals/${id}`)).body;
    const approve = (by: Send) => by('POST', `/approvals/${id}/approve`, { hash });
    const decisions = await Promise.all([owner, member, owner, member, agent].map(approve));
    expect(decisions.map(({ status }) => status).sort()).toEqual([200, 401, 409, 409, 409]);
    expect((await owner('GET', `/approvals/${id}`)).body).toMatchObject({ status: 'DONE' });
    expect((await number()) - before).toBe(1);
    // Killed between what it stored and the state of the approval.
    const running = { status: 'RUNNING', decidedAt: new Date(0) } as const;
    for (let turn = 0; turn < 2; turn += 1) {
      await prisma.approval.update({ where: { id }, data: running });
      await Promise.all([endInterruptedApprovals(test.services), endInterruptedApprovals(test.services)]);
      expect((await owner('GET', `/approvals/${id}`)).body, String(turn)).toMatchObject({ status: 'DONE' });
    }
    expect((await number()) - before).toBe(1);
    // The same call, another one, and another one with the consent of the first.
    const again = await agent('POST', url, body);
    expect(codeOf(again)).toBe('APPROVAL_REQUIRED');
    const second: string = again.body.error.details.approvalId;
    expect(second).not.toBe(id);
    const other = await agent(
      'POST',
      url,
      JSON.parse(
        JSON.stringify(body)
          .replaceAll('ann@people.test', 'bob@people.test')
          .replaceAll('live"', 'live","data":{"a":1}'),
      ),
    );
    const third: string = other.body.error.details.approvalId;
    expect((await owner('POST', `/approvals/${third}/approve`, { hash })).status).toBe(409);
    expect((await number()) - before).toBe(1);
    await forget();
  },
);
