import PlunkModule from '@plunk/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CompatStack, from, startCompat } from './compat-kit.ts';

/** The older client of Plunk, unchanged. It is CommonJS with its class as `default`. */
const Plunk = PlunkModule.default ?? (PlunkModule as unknown as typeof PlunkModule.default);
type Client = InstanceType<typeof Plunk>;

let stack: CompatStack;
let client: Client;
beforeAll(async () => {
  stack = await startCompat();
  client = clientOf(stack.project.secretKey);
});
afterAll(() => stack.close());

const clientOf = (key: string): Client => new Plunk(key, { baseUrl: `${stack.url}/compat/plunk/` });
const mail = { from, subject: 'Hello {{name}}', body: '<p>{{data.plan}}</p>' };
const messageOf = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => Promise.reject(new Error('accepted')),
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  );

describe('the older client', () => {
  it('sends, and fills in variables', async () => {
    const reply: Record<string, unknown> = await client.emails.send({
      ...mail,
      to: 'ann@people.test',
      data: { plan: 'pro' },
      name: 'Shop',
      type: 'html',
    } as never);
    expect(reply).toMatchObject({
      success: true,
      emails: [{ to: 'ann@people.test' }],
      timestamp: expect.any(String),
    });
    expect(reply['data']).toMatchObject({ emails: reply['emails'] });
    const message = await stack.arrived('ann@people.test');
    expect([message.subject?.trim(), message.html, message.from?.name]).toEqual([
      'Hello',
      expect.stringContaining('<p>pro</p>'),
      'Shop',
    ]);
  });

  it('sends to several apart', async () => {
    await client.emails.send({ ...mail, to: ['s1@people.test', 's2@people.test'] });
    expect((await stack.arrived('s1@people.test')).raw).not.toContain('s2@people.test');
  });

  it('tracks with a secret and with a public key', async () => {
    for (const key of [stack.project.secretKey, stack.project.publicKey]) {
      const reply: Record<string, unknown> = await clientOf(key).events.track({
        event: 'signed-up',
        email: 'tracked@people.test',
        data: { plan: 'pro' },
      });
      expect(reply).toMatchObject({ success: true, contact: expect.any(String), event: expect.any(String) });
    }
    const { rows } = await stack.test.services.database.durable.query(
      `SELECT count(*)::int AS count FROM "Event" WHERE "projectId" = $1 AND "name" = 'signed-up'`,
      [stack.project.id],
    );
    expect(rows[0].count).toBe(2);
  });

  it('works with its base at /v1, as clients do that add the whole path themselves, with the ids at the top', async () => {
    const atV1 = (key: string) => new Plunk(key, { baseUrl: `${stack.url}/compat/plunk/v1/` });
    const { secretKey, publicKey } = stack.project;
    const sent = await atV1(secretKey).emails.send({ ...mail, to: 'v1@people.test' });
    expect(sent).toMatchObject({
      success: true,
      emails: [{ to: 'v1@people.test', email: expect.any(String) }],
    });
    for (const key of [secretKey, publicKey])
      expect(await atV1(key).events.track({ event: 'at-v1', email: 'v1@people.test' })).toMatchObject({
        success: true,
        event: expect.any(String),
      });
  });

  it('reads the message of an error', async () => {
    expect(
      await messageOf(client.emails.send({ ...mail, from: undefined, to: 'a@people.test' } as never)),
    ).toMatch(/^Error: from: Add "from"/);
    expect(await messageOf(client.emails.send({ ...mail, to: 'a@people.test', type: 'markdown' }))).toMatch(
      /type: Markdown/,
    );
    expect(await messageOf(client.emails.send({ ...mail, to: 'nobody' }))).toMatch(/^Error: to: /);
    expect(await messageOf(client.events.track({ event: '', email: 'a@people.test' }))).toMatch(/event/);
    expect(await messageOf(clientOf('x').emails.send({ ...mail, to: 'a@people.test' }))).toMatch(
      /^TokenError: /,
    );
    expect(
      await messageOf(clientOf(stack.project.publicKey).emails.send({ ...mail, to: 'a@people.test' })),
    ).toMatch(/^TokenError: A secret key/);
  });

  it('replays a used key', async () => {
    const post = () =>
      stack.test.withKey(stack.project.secretKey)(
        'POST',
        '/compat/plunk/send',
        { ...mail, to: 'once@people.test' },
        { 'idempotency-key': 'once' },
      );
    const [first, again] = [await post(), await post()];
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.emails[0].email).toBe(first.body.emails[0].email);
  });
});
