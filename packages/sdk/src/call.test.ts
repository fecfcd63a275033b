import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  Postrider,
  type PostriderOptions,
  RateLimitError,
  TimeoutError,
  ValidationError,
} from './index.ts';
import { cut, json, type Received, refusal, serve } from './testing.fixture.ts';

const clientOf = (baseUrl: string, more: Partial<PostriderOptions> = {}): Postrider =>
  new Postrider({ apiKey: 'sk_test', baseUrl, ...more });

const timestamp = '2026-01-01T00:00:00.000Z';
const email = { to: 'reader@example.com', subject: 'S', body: '<p>B</p>', from: 'a@example.com' };
const accepted = json(200, { success: true, data: { emails: [], timestamp } });
const usedUp = (originalRequestAt: string) =>
  json(409, refusal('IDEMPOTENCY_KEY_REUSED', 409, { details: { originalRequestAt } }));

const made = [{ contact: { id: 'c-1', email: 'reader@example.com' }, email: 'e-1', status: 'SENT' }];
/** The key was used by a request with the same body. */
const usedBy = (response: ServerResponse, { body }: Received): void => {
  const originalDigest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
  const details = { originalRequestAt: timestamp, originalDigest, emails: made };
  json(409, refusal('IDEMPOTENCY_KEY_REUSED', 409, { details }))(response);
};

describe('a request', () => {
  it('has its input in path, query and body, and the key in a header', async () => {
    const { baseUrl, received } = await serve(json(200, {}));
    const client = clientOf(`${baseUrl}/mail/`);
    await client.events.usage({ eventName: 'signed up/eu?' });
    await client.contacts.list({ limit: 5, search: 'a&b', subscribed: false });
    await client.contacts.update({ id: 'x', subscribed: true });
    await client.segments.removeMembers({ id: 's', emails: ['a@example.com'] });
    await client.campaigns.cancel({ id: 'c' });
    expect(received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/mail/events/signed%20up%2Feu%3F/usage', ''],
      ['GET', '/mail/contacts?limit=5&search=a%26b&subscribed=false', ''],
      ['PATCH', '/mail/contacts/x', '{"subscribed":true}'],
      ['DELETE', '/mail/segments/s/members', '{"emails":["a@example.com"]}'],
      ['POST', '/mail/campaigns/c/cancel', ''],
    ]);
    expect(received[0]?.headers.authorization).toBe('Bearer sk_test');
  });

  it('never addresses another path by an empty id', async () => {
    const { baseUrl, received } = await serve(json(200, {}));
    for (const id of ['', '.', '..']) {
      await expect(clientOf(baseUrl).contacts.delete({ id })).rejects.toThrow('id must be');
    }
    expect(received).toEqual([]);
  });
});

describe('a dry run', () => {
  const dry = { 'dry-run': 'true' };
  it('names itself, has no idempotency key, and is repeated like a read', async () => {
    const done = json(200, { success: true, data: { emails: [], timestamp } }, dry);
    const { baseUrl, received } = await serve(cut, done, json(200, {}, dry));
    const client = clientOf(baseUrl);
    expect(await client.send(email, { dryRun: true, idempotencyKey: 'a' })).toMatchObject({ emails: [] });
    await client.contacts.upsert({ email: 'a@example.com' }, { dryRun: true });
    expect(received.map(({ headers }) => [headers['dry-run'], headers['idempotency-key']])).toEqual([
      ['true', undefined],
      ['true', undefined],
      ['true', undefined],
    ]);
  });

  it('fails where the server knows none and has carried it out', async () => {
    const { baseUrl, received } = await serve(json(200, {}), json(200, {}));
    const call = clientOf(baseUrl).contacts.upsert({ email: 'a@example.com' }, { dryRun: true });
    await expect(call).rejects.toThrow('no dry runs');
    expect(received).toHaveLength(1);
  });
});

describe('a send', () => {
  it('keeps one idempotency key over all attempts, and each send has its own', async () => {
    const { baseUrl, received } = await serve(
      json(503, refusal('INTERNAL_SERVER_ERROR', 503), { 'retry-after': '0' }),
      cut,
      accepted,
    );
    const client = clientOf(baseUrl);
    expect(await client.send(email)).toMatchObject({ repeated: false, answerLost: false });
    await client.send(email);
    await client.send(email, { idempotencyKey: 'order-1' });
    const [first, second, third, ...later] = received.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect([second, third]).toEqual([first, first]);
    expect(later).toEqual([expect.not.stringMatching(String(first)), 'order-1']);
  });

  it('returns the first result when the answer was lost after the API had accepted it', async () => {
    const { baseUrl, received } = await serve(cut, usedBy);
    const sent = await clientOf(baseUrl).send(email);
    expect(sent).toEqual({ emails: made, timestamp, repeated: true, answerLost: true });
    expect(received.length).toBe(2);
  });

  it('returns the first result when another process made the same request with the key', async () => {
    const { baseUrl } = await serve(usedBy);
    const sent = await clientOf(baseUrl).send(email, { idempotencyKey: 'order-1' });
    expect(sent).toEqual({ emails: made, timestamp, repeated: true, answerLost: false });
  });

  it('is refused when the key belongs to another request, also after a lost answer', async () => {
    const other = json(
      409,
      refusal('IDEMPOTENCY_KEY_REUSED', 409, { details: { originalDigest: 'sha-256=:x:' } }),
    );
    for (const answers of [[other], [cut, other]]) {
      const { baseUrl } = await serve(...answers);
      const sending = clientOf(baseUrl).send(email, { idempotencyKey: 'order-1' });
      await expect(sending).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', name: 'ConflictError' });
    }
  });

  it('succeeds without ids where an API without digests had accepted it', async () => {
    const { baseUrl } = await serve(cut, usedUp(timestamp));
    expect(await clientOf(baseUrl).send(email)).toEqual({
      emails: [],
      timestamp,
      repeated: true,
      answerLost: true,
    });
  });

  it('with a key that was used before is refused', async () => {
    const { baseUrl } = await serve(usedUp(timestamp));
    const sending = clientOf(baseUrl).send(email, { idempotencyKey: 'order-1' });
    await expect(sending).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', name: 'ConflictError' });
  });

  it('after a 429 with a used key is refused too: the 429 accepted nothing', async () => {
    const limited = json(429, refusal('RATE_LIMIT_EXCEEDED', 429), { 'retry-after': '0' });
    const { baseUrl } = await serve(limited, usedUp(timestamp));
    const sending = clientOf(baseUrl).send(email, { idempotencyKey: 'order-1' });
    await expect(sending).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});

describe('a retry', () => {
  it('of a change without an idempotency key happens after 429 only', async () => {
    for (const failure of [cut, json(502, 'bad gateway')]) {
      const { baseUrl, received } = await serve(failure, json(201, {}));
      await expect(clientOf(baseUrl).contacts.upsert({ email: 'a@example.com' })).rejects.toThrow();
      expect(received.length).toBe(1);
    }
    const limited = json(429, refusal('RATE_LIMIT_EXCEEDED', 429), { 'retry-after': '0' });
    const { baseUrl, received } = await serve(limited, json(201, {}));
    await clientOf(baseUrl).contacts.upsert({ email: 'a@example.com' });
    expect(received.length).toBe(2);
  });

  it('waits as long as Retry-After, or else RateLimit-Reset, asks for', async () => {
    for (const headers of [
      { 'retry-after': '1' },
      { 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
    ] as Record<string, string>[]) {
      const { baseUrl } = await serve(json(429, refusal('RATE_LIMIT_EXCEEDED', 429), headers), json(200, {}));
      const begun = performance.now();
      await clientOf(baseUrl).events.names();
      expect(performance.now() - begun).toBeGreaterThan(990);
    }
  });

  it('does not wait longer than the client allows, nor more often', async () => {
    const limited = (after: string) =>
      json(429, refusal('RATE_LIMIT_EXCEEDED', 429), { 'retry-after': after });
    const slow = await serve(limited('3600'));
    await expect(clientOf(slow.baseUrl).events.names()).rejects.toThrow(RateLimitError);
    expect(slow.received.length).toBe(1);
    const endless = await serve(limited('0'));
    await expect(clientOf(endless.baseUrl, { maxRetries: 3 }).events.names()).rejects.toThrow(RateLimitError);
    expect(endless.received.length).toBe(4);
  });
});

describe('a call ends', () => {
  const never = (): void => {};

  it('with a TimeoutError when no answer arrives in time', async () => {
    const { baseUrl, received } = await serve(never);
    const client = clientOf(baseUrl, { timeoutMs: 50, maxRetries: 1 });
    await expect(client.events.names()).rejects.toThrow(TimeoutError);
    expect(received.length).toBe(2);
  });

  it('with the reason of its signal, also while it waits for a retry', async () => {
    const limited = json(429, refusal('RATE_LIMIT_EXCEEDED', 429), { 'retry-after': '30' });
    for (const answer of [never, limited]) {
      const { baseUrl } = await serve(answer);
      const reason = new Error('the page was left');
      const abort = new AbortController();
      const calling = clientOf(baseUrl).events.names({}, { signal: abort.signal });
      setTimeout(() => abort.abort(reason), 100);
      await expect(calling).rejects.toBe(reason);
    }
  });

  it('with a ConnectionError when there is no server', async () => {
    const client = clientOf('http://127.0.0.1:9', { maxRetries: 0 });
    await expect(client.events.names()).rejects.toThrow(ConnectionError);
  });
});

describe('an error', () => {
  it('has the code, status, fields, advice and request id of the envelope', async () => {
    const errors = [{ field: 'email', message: 'Required', code: 'required' }];
    const { baseUrl } = await serve(json(422, refusal('VALIDATION_ERROR', 422, { errors })));
    const error = await clientOf(baseUrl)
      .contacts.upsert({ email: '' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      status: 422,
      errors,
      requestId: 'r-1',
      suggestion: 'Try',
      message: 'VALIDATION_ERROR',
    });
  });

  it('has the sentence of a flat body, the code of a GraphQL error, and the status of an answer that is not the API’s', async () => {
    const flat = await serve(json(400, { error: 'email is required' }, { 'x-request-id': 'r-2' }));
    await expect(clientOf(flat.baseUrl).contacts.upsert({ email: '' })).rejects.toMatchObject({
      name: 'ApiError',
      code: 'BAD_REQUEST',
      message: 'email is required',
      requestId: 'r-2',
    });
    const extensions = { code: 'QUERY_TOO_COMPLEX', requestId: 'r-3' };
    const graphql = await serve(json(400, { errors: [{ message: 'Too deep', extensions }] }));
    await expect(clientOf(graphql.baseUrl).graphql.execute({ query: '{ a }' })).rejects.toMatchObject({
      message: 'Too deep',
      status: 400,
      ...extensions,
    });
    const proxy = await serve((response) => response.writeHead(403).end('<html>no</html>'));
    const error = await clientOf(proxy.baseUrl)
      .events.names()
      .then(null, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ name: 'PermissionError', code: 'UNEXPECTED_RESPONSE', status: 403 });
  });
});

async function itemsOf(list: AsyncIterable<unknown>): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const item of list) items.push(item);
  return items;
}

describe('a list', () => {
  it('gives a page when awaited, and all items of all pages when iterated', async () => {
    const page = (data: number[], cursor: string | null) =>
      json(200, { data, cursor, hasMore: cursor !== null });
    const { baseUrl, received } = await serve(
      page([1, 2], 'b'),
      page([1, 2], 'b'),
      page([], 'c'),
      page([3], null),
    );
    const list = clientOf(baseUrl).contacts.list({ limit: 2 });
    expect(received).toEqual([]);
    expect(await list).toMatchObject({ data: [1, 2], cursor: 'b' });
    expect(await itemsOf(list)).toEqual([1, 2, 3]);
    expect(received.map(({ url }) => url)).toEqual([
      '/contacts?limit=2',
      '/contacts?limit=2',
      '/contacts?limit=2&cursor=b',
      '/contacts?limit=2&cursor=c',
    ]);
  });

  it('counts the pages of a page list', async () => {
    const page = (number: number) => json(200, { data: [number], page: number, totalPages: 2 });
    const { baseUrl, received } = await serve(page(1), page(2));
    expect(await itemsOf(clientOf(baseUrl).templates.list())).toEqual([1, 2]);
    expect(received.map(({ url }) => url)).toEqual(['/templates', '/templates?page=2']);
  });
});

describe('a batch', () => {
  it('answers in the order of its inputs, a few at a time, and one failure does not end it', async () => {
    let open = 0;
    let most = 0;
    const { baseUrl } = await serve((response, { body }) => {
      most = Math.max(most, ++open);
      const { event } = JSON.parse(body) as { event: string };
      setTimeout(() => {
        open--;
        if (event === '2') json(422, refusal('VALIDATION_ERROR', 422))(response);
        else json(200, { contactId: 'c', id: 'e', createdAt: event })(response);
      }, 20);
    });
    const inputs = Array.from({ length: 6 }, (_, index) => ({
      email: 'a@example.com',
      event: String(index),
    }));
    const results = await clientOf(baseUrl).trackBatch(inputs, { concurrency: 3 });
    const read = results.map((each) =>
      each.status === 'fulfilled' ? each.value.timestamp : each.reason.code,
    );
    expect(read).toEqual(['0', '1', 'VALIDATION_ERROR', '3', '4', '5']);
    expect(most).toBe(3);
  });
});

describe('a batch of emails', () => {
  type Item = { subject: string };
  const many = (length: number, more: object = {}) =>
    Array.from({ length }, (_, n) => ({ ...email, subject: String(n), ...more }));
  const answered = (response: ServerResponse, { body }: Received): void => {
    const { emails } = JSON.parse(body) as { emails: Item[] };
    const results = emails.map(({ subject }, index) =>
      subject === '7'
        ? { index, status: 'REFUSED', error: { code: 'VALIDATION_ERROR' } }
        : { index, status: 'ACCEPTED', emails: [{ email: `e-${subject}` }] },
    );
    json(200, { success: true, data: { results, accepted: 0, refused: 0, timestamp } })(response);
  };

  it('is sent in parts of at most 1,000 emails, with keys of their own, and answers in the order of its items', async () => {
    const { baseUrl, received } = await serve(answered);
    const batch = await clientOf(baseUrl).sendBatch(many(2_500), { idempotencyKey: 'orders' });
    expect(
      received.map(({ headers, body }) => [
        headers['idempotency-key'],
        (JSON.parse(body) as { emails: Item[] }).emails.length,
      ]),
    ).toEqual([
      ['orders', 1_000],
      ['orders/1', 1_000],
      ['orders/2', 500],
    ]);
    expect(batch.results.map(({ index }) => index)).toEqual(many(2_500).map((_, n) => n));
    expect(batch.results[2_400]?.emails?.[0]?.email).toBe('e-2400');
    expect(batch).toMatchObject({
      accepted: 2_499,
      refused: 1,
      timestamp,
      repeated: false,
      answerLost: false,
    });
  });

  it('counts the emails of its items: recipients and copies', async () => {
    const { baseUrl, received } = await serve(answered);
    await clientOf(baseUrl).sendBatch(
      many(400, { to: 'a@example.com', cc: 'b@example.com', bcc: ['c@example.com'] }),
    );
    expect(received.map(({ body }) => (JSON.parse(body) as { emails: Item[] }).emails.length)).toEqual([
      333, 67,
    ]);
  });

  it('returns the first results when the same batch was sent before', async () => {
    const results = [
      { index: 0, status: 'ACCEPTED', emails: made },
      { index: 1, status: 'REFUSED' },
    ];
    const repeated = (response: ServerResponse, { body }: Received): void => {
      const originalDigest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
      const details = { originalRequestAt: timestamp, originalDigest, results };
      json(409, refusal('IDEMPOTENCY_KEY_REUSED', 409, { details }))(response);
    };
    const { baseUrl } = await serve(cut, repeated);
    expect(await clientOf(baseUrl).sendBatch(many(2))).toEqual({
      ...{ results, accepted: 1, refused: 1, timestamp, repeated: true, answerLost: true },
    });
  });

  it('of which a later part fails says what is sent, and with which key the rest follows', async () => {
    const { baseUrl } = await serve(answered, json(422, refusal('VALIDATION_ERROR', 422)));
    const sending = clientOf(baseUrl).sendBatch(many(1_500), { idempotencyKey: 'orders' });
    await expect(sending).rejects.toMatchObject({
      name: 'BatchIncompleteError',
      idempotencyKey: 'orders',
      results: expect.objectContaining({ length: 1_000 }),
      cause: expect.objectContaining({ code: 'VALIDATION_ERROR' }),
    });
  });

  it('that is atomic is one request', async () => {
    const { baseUrl, received } = await serve(answered);
    await expect(clientOf(baseUrl).sendBatch(many(1_001), { atomic: true })).rejects.toThrow('at most 1,000');
    expect(received).toEqual([]);
  });
});
