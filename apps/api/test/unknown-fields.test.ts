import { type Operation, operationRegistry, unknownFieldsOf } from '@postrider/core/base/kernel';
import { verifiedDomain } from '@postrider/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Call, everyCall, exampleInputs } from './every-call.ts';
import { type Send, startApp, type TestApp } from './harness.ts';
import type { Json } from './openapi-walk.ts';

/** B1.1: a field that an endpoint does not describe is an error, because what is dropped in silence may have been the important one. */
let test: TestApp;
let send: Send;
let calls: Call[];
const from = 'hello@shop.test';
const content = { name: 'Spring', subject: 'Hello', body: '<p>Hello</p>', from };

beforeAll(async () => {
  test = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  await verifiedDomain(test.services, test.project.id, 'shop.test');
  send = test.withKey(test.project.secretKey);
  calls = everyCall(test.services);
});
afterAll(() => test.close());

const problems = ({ status, body }: Awaited<ReturnType<Send>>) => [
  status,
  ...(body?.error?.errors ?? []).map(
    ({ field, code, message }: Json) => `${field} ${code} ${/"(.*)"/.exec(message)?.[1] ?? '-'}`,
  ),
];

/** The dot paths of an operation's input that are unknown fields. */
const unknownIn = ({ input, output, kind }: Operation, given: Json): string[] =>
  unknownFieldsOf(input, given, kind === 'command' ? output : undefined, 1_000).map(({ field }) => field);

/** Fields whose content is the caller's own, whatever its names. */
const free =
  /(^|\.)(data|topics|headers|context|metadata|design|variables|mapping|removed|waits|webhooks|config|credential|passkey)(\.|$)/;

/** Each key of an input, with the input in which it is misspelt. */
function* misspelt(given: Json, path: readonly (string | number)[] = []): Generator<[string, Json]> {
  if (typeof given !== 'object' || given === null) return;
  if (Array.isArray(given)) {
    for (const [index, item] of given.entries())
      for (const [field, changed] of misspelt(item, [...path, index]))
        yield [field, given.with(index, changed)];
    return;
  }
  for (const [key, value] of Object.entries<Json>(given)) {
    const { [key]: _, ...rest } = given;
    yield [[...path, `${key}x`].join('.'), { ...rest, [`${key}x`]: value }];
    for (const [field, changed] of misspelt(value, [...path, key]))
      yield [field, { ...given, [key]: changed }];
  }
}

describe('every operation', () => {
  const offered = () =>
    [...operationRegistry.values()].filter(({ name }) =>
      calls.some(({ operation }) => operation.name === name),
    );

  it('takes the inputs that the API reference shows', () => {
    const refused = offered().flatMap((operation) =>
      exampleInputs(operation).flatMap((input) =>
        unknownIn(operation, input).map((field) => `${operation.name} ${field}`),
      ),
    );
    expect(refused).toEqual([]);
  });

  it('refuses each of their fields when it is misspelt, at every level but where names are the caller’s own', () => {
    const missed: string[] = [];
    let tried = 0;
    for (const operation of offered()) {
      for (const example of exampleInputs(operation)) {
        for (const [field, input] of misspelt(example)) {
          // Items of a batch are judged one by one, which is tested with the operation.
          if (free.test(field) || (operation.name === 'sending.sendBatch' && field.startsWith('emails.')))
            continue;
          tried += 1;
          if (!unknownIn(operation, input).includes(field)) missed.push(`${operation.name} ${field}`);
        }
      }
    }
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(300);
  });
});

describe('a request with a field that is not described', () => {
  it.each<[string, string, Json, string]>([
    ['POST', '/v1/send', { subscibed: true }, 'subscibed unsupported_field subscribed'],
    ['POST', '/v1/send', { copies: 'b@people.test' }, 'copies unsupported_field -'],
    ['POST', '/v1/send', { html: '<p>' }, 'html unsupported_field body'],
    ['POST', '/v1/send', { reply_to: from }, 'reply_to unsupported_field replyTo'],
    ['POST', '/v1/send', { template_id: '' }, 'template_id unsupported_field template'],
    ['POST', '/v1/send', { dynamicTemplateData: {} }, 'dynamicTemplateData unsupported_field data'],
    ['POST', '/v1/track', { properties: {} }, 'properties unsupported_field data'],
    ['POST', '/contacts', { unsubscribed: true }, 'unsubscribed unsupported_field subscribed'],
    ['POST', '/templates', { reply_to: from }, 'reply_to unsupported_field replyTo'],
    ['POST', '/segments', { conditions: {} }, 'conditions unsupported_field condition'],
  ])('%s %s %j: 422 %s', async (method, url, extra, problem) => {
    const inputs: Record<string, Json> = {
      '/v1/send': { to: 'a@people.test', subject: 's', body: 'b', from },
      '/v1/track': { email: 'a@people.test', event: 'signed_up' },
      '/contacts': { email: 'a@people.test' },
      '/templates': content,
      '/segments': {
        name: 'Gold',
        condition: { logic: 'AND', groups: [{ filters: [{ field: 'data.a', operator: 'exists' }] }] },
      },
    };
    const key = url === '/v1/track' ? test.project.publicKey : test.project.secretKey;
    const answer = await test.withKey(key)(method, url, { ...inputs[url], ...extra });
    expect(problems(answer)).toEqual([422, problem]);
  });

  it('changes nothing and sends nothing', async () => {
    const campaign = await send('POST', '/campaigns', { ...content, audienceType: 'ALL' });
    const { id } = campaign.body.data;
    const answer = await send('POST', `/campaigns/${id}/send`, { sendAt: '2030-01-01T00:00:00Z' });
    expect(problems(answer)).toEqual([422, 'sendAt unsupported_field scheduledFor']);
    expect((await send('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT');
  });

  it('names all of them, beside the other problems', async () => {
    const answer = await send('POST', '/v1/send', {
      to: { email: 'no address', nmae: 'A' },
      subject: 's',
      body: 'b',
      from,
      copies: [],
    });
    expect(problems(answer).slice(1).sort()).toEqual([
      'copies unsupported_field -',
      'to.email invalid_string -',
      'to.nmae unsupported_field name',
    ]);
  });

  it('also where it is a parameter of the query', async () => {
    expect(problems(await send('GET', '/contacts?mail=a@people.test'))).toEqual([
      422,
      'mail unsupported_field email',
    ]);
    expect(problems(await send('GET', '/templates?page_size=5'))).toEqual([
      422,
      'page_size unsupported_field pageSize',
    ]);
    expect(problems(await send('POST', '/contacts?subscribed=false', { email: 'a@people.test' }))).toEqual([
      422,
      'subscribed unsupported_field -',
    ]);
    expect((await send('GET', '/contacts?_=1764140000000')).status).toBe(200);
  });

  it('also where it is a part of a form', async () => {
    const form = new FormData();
    form.set('file', new File(['email\na@people.test\n'], 'contacts.csv', { type: 'text/csv' }));
    form.set('segment_id', 'x');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const answer = await send('POST', '/contacts/import', Buffer.from(await request.arrayBuffer()), {
      'content-type': request.headers.get('content-type') ?? '',
    });
    expect(problems(answer)).toEqual([422, 'segment_id unsupported_field segmentId']);
  });
});

describe('a record as it was returned', () => {
  it('is taken back by its PUT or PATCH', async () => {
    const condition = { logic: 'AND', groups: [{ filters: [{ field: 'data.a', operator: 'exists' }] }] };
    const step = {
      type: 'DELAY',
      name: 'Wait',
      position: { x: 0, y: 0 },
      config: { amount: 1, unit: 'days' },
    };
    const made = async (url: string, body: Json) => {
      const answer = await send('POST', url, body);
      expect([url, answer.status]).toEqual([url, 201]);
      return answer.body.success === true ? answer.body.data : answer.body;
    };
    const contact = await made('/contacts', { email: 'back@people.test', data: { plan: 'gold' } });
    const template = await made('/templates', content);
    const campaign = await made('/campaigns', {
      ...content,
      audienceType: 'FILTERED',
      audienceCondition: condition,
    });
    const segment = await made('/segments', { name: 'S', condition, trackMembership: true });
    const workflow = await made('/workflows', { name: 'W', eventName: 'signed_up' });
    const added = await made(`/workflows/${workflow.id}/steps`, step);
    const endpoint = await made('/webhook-endpoints', { url: 'https://example.com/hook', types: ['*'] });
    const writes: [string, string, string][] = [
      ['PATCH', `/contacts/${contact.id}`, `/contacts/${contact.id}`],
      ['PATCH', `/templates/${template.id}`, `/templates/${template.id}`],
      ['PUT', `/campaigns/${campaign.id}`, `/campaigns/${campaign.id}`],
      ['PATCH', `/segments/${segment.id}`, `/segments/${segment.id}`],
      ['PATCH', `/workflows/${workflow.id}`, `/workflows/${workflow.id}`],
      ['PATCH', `/webhook-endpoints/${endpoint.id}`, `/webhook-endpoints/${endpoint.id}`],
    ];
    for (const [method, url, at] of writes) {
      const { body: record } = await send('GET', at);
      const answer = await send(method, url, record);
      expect([url, answer.status, problems(answer)]).toEqual([url, 200, [200]]);
    }
    const { body: graph } = await send('GET', `/workflows/${workflow.id}`);
    const stored = graph.steps.find(({ id }: Json) => id === added.id);
    const answer = await send('PATCH', `/workflows/${workflow.id}/steps/${added.id}`, stored);
    expect(problems(answer)).toEqual([200]);
  });
});

/** Requests in the shape of those that libraries of other services and of this product's kind send. */
describe('what existing clients send', () => {
  it.each<[string, Json]>([
    [
      'an early client of hosted senders',
      {
        to: 'a@people.test',
        subject: 's',
        body: '<b>b</b>',
        type: 'html',
        from,
        name: 'Shop',
        subscribed: false,
        headers: { 'X-A': '1' },
      },
    ],
    [
      'one that names everything, null where it has nothing',
      {
        to: ['a@people.test'],
        subject: 's',
        body: 'b',
        from,
        name: null,
        reply: null,
        headers: null,
        subscribed: null,
        attachments: null,
        data: null,
        template: null,
      },
    ],
    [
      'one that marks its fields for itself',
      {
        to: { name: 'A', email: 'a@people.test', _id: 7 },
        subject: 's',
        body: 'b',
        from: { name: 'Shop', email: from },
        _client: 'x/1.0',
      },
    ],
    [
      'one that writes Markdown elsewhere',
      { to: 'a@people.test', subject: 's', body: '# b', type: 'markdown', from },
    ],
  ])('%s', async (_client, body) => {
    expect(problems(await send('POST', '/v1/send', body))).toEqual([200]);
  });
});
