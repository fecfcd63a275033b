import { createSecrets } from '@postrider/core/base/kernel';
import { encodeLink } from '@postrider/core/mail/message';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { type Paced, startPaced } from '@postrider/harness/paced';
import type { TestProject } from '@postrider/harness/project.store';
import { type Asked, type Client, createClient } from './client.ts';

/** What the product has answered for, which has to be found afterwards. */
export interface Accepted {
  /** ids of emails */
  emails: string[];
  /** codes of events */
  events: string[];
  /** addresses that entered the workflow */
  entered: string[];
  /** ids of emails that were opened */
  opened: string[];
  /** the number of contacts that were added */
  contacts: number;
}

/** What is going on while a request is answered. */
export interface Moment {
  during: string;
  /** An api of the version before stops: how it does that is no work of this version. */
  stopsBefore: boolean;
}

export interface Failure extends Moment {
  /** which request, and what came instead of its answer */
  text: string;
}

export interface Requests {
  accepted: Accepted;
  failures: readonly Failure[];
  /** how many were sent, by what they ask for */
  sent: ReadonlyMap<string, number>;
  /** Ends it, when all are answered. */
  stop(): Promise<void>;
}

export interface RequestsOptions {
  chaos: ChaosStack;
  /** of the balancer */
  api: string;
  shop: TestProject;
  perSecond: number;
  /** for how long clients keep connections that they do not use, in milliseconds */
  idleMs: number;
  entryEvent: string;
  moment(): Moment;
}

/** A person's browser: requests without a name of one would count as a crawler's. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const streams = 3;
/** Longer than any run. */
const streamMs = 3_600_000;
/** Clients that rarely ask, and often enough to keep their connection. */
const rareSeconds = [0.7, 1.2, 1.7, 2.5, 4, 7];
export const plainEvent = 'visited';

interface Sent {
  data: { emails: { email: string }[] };
}

/** Requests over several doors, each sent once, at a constant rate, on connections of all habits. */
export function startRequests(options: RequestsOptions): Requests {
  const { chaos, api, shop, perSecond, idleMs, entryEvent, moment } = options;
  const secrets = createSecrets(chaos.stack.env['APP_SECRET'] ?? '');
  const clients = [
    createClient(api, { keepAlive: true, connections: 64, idleMs }),
    createClient(api, { keepAlive: true, connections: 8, idleMs }),
    createClient(api, { keepAlive: false, connections: 64 }),
  ] as const;
  const accepted: Accepted = { emails: [], events: [], entered: [], opened: [], contacts: 0 };
  const failures: Failure[] = [];
  const sent = new Map<string, number>();
  const unopened: string[] = [];
  const secret = { authorization: `Bearer ${shop.secretKey}` };
  const open = { authorization: `Bearer ${shop.publicKey}` };

  /** @returns the body of an answer with the wanted status */
  const ask = async (
    client: Client,
    name: string,
    asked: Asked,
    wanted = 200,
    isRight: (text: string) => boolean = () => true,
  ): Promise<string | null> => {
    sent.set(name, (sent.get(name) ?? 0) + 1);
    const { status, text } = await client.ask(asked);
    if (status === wanted && isRight(text)) return text;
    failures.push({ ...moment(), text: `${name}: ${status ?? 'no answer'} ${text.slice(0, 300)}` });
    return null;
  };
  const send = async (client: Client, index: number): Promise<void> => {
    const asked: Asked = {
      method: 'POST',
      path: '/v1/send',
      headers: { ...secret, 'idempotency-key': `receipt-${index}` },
      body: {
        to: `buyer${index}@people.test`,
        from: shop.from,
        subject: `Receipt ${index % 50}`,
        body: `<p>Receipt number ${index % 50}</p>`,
      },
    };
    const text = await ask(client, 'send', asked);
    if (text === null) return;
    const [email] = (JSON.parse(text) as Sent).data.emails;
    if (email) {
      accepted.emails.push(email.email);
      unopened.push(email.email);
    }
    if (index % 4 === 0) await ask(client, 'send again with its key', asked, 409);
  };
  const track = async (client: Client, index: number, event: string): Promise<boolean> => {
    const text = await ask(client, 'track', {
      method: 'POST',
      path: '/v1/track',
      headers: { ...open, 'idempotency-key': `${event}-${index}` },
      body: {
        email: `member${index}@people.test`,
        event,
        data: { code: { value: `C${index}`, persistent: false } },
      },
    });
    return text !== null;
  };
  const read = (client: Client, path: string): Promise<string | null> =>
    ask(client, `GET ${path}`, { method: 'GET', path, headers: secret });
  const kinds: readonly [weight: number, work: (client: Client, index: number) => Promise<unknown>][] = [
    [6, send],
    [
      4,
      async (client, index) => {
        if (await track(client, index, plainEvent)) accepted.events.push(`C${index}`);
      },
    ],
    [
      1,
      async (client, index) => {
        if (await track(client, index, entryEvent)) accepted.entered.push(`member${index}@people.test`);
      },
    ],
    [
      2,
      async (client, index) => {
        const body = { email: `added${index}@people.test`, data: { visits: index } };
        const text = await ask(
          client,
          'add a contact',
          { method: 'POST', path: '/contacts', headers: secret, body },
          201,
        );
        if (text !== null) accepted.contacts += 1;
      },
    ],
    [
      2,
      (client) =>
        ask(
          client,
          'graphql',
          {
            method: 'POST',
            path: '/graphql',
            headers: secret,
            body: {
              query:
                '{ contacts(first: 5) { edges { node { email events(first: 2) { edges { node { name } } } } } } }',
            },
          },
          200,
          (text) => !text.includes('"errors"'),
        ),
    ],
    [
      1,
      async (client) => {
        const emailId = await oneToOpen();
        if (emailId === undefined) return;
        const path = `/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`;
        const text = await ask(client, 'open', { method: 'GET', path, headers: { 'user-agent': browser } });
        if (text !== null) accepted.opened.push(emailId);
      },
    ],
    [1, (client) => read(client, '/emails?limit=20')],
    [1, (client) => read(client, '/contacts?limit=20')],
    [1, (client) => read(client, '/activity?limit=20')],
    [1, (client) => read(client, '/campaigns')],
  ];
  /** One that has arrived: what is opened before would count as sent. */
  const oneToOpen = async (): Promise<string | undefined> => {
    const emailId = unopened[0];
    if (emailId === undefined || (await chaos.sink.find([emailId])).length === 0) return undefined;
    return unopened[0] === emailId ? unopened.shift() : undefined;
  };
  const lots = kinds.flatMap(([weight, work]) => Array.from({ length: weight }, () => work));
  const step = 7;
  const busy = startPaced(perSecond, async (index) => {
    const client = clients[index % clients.length];
    // Each kind comes by turns, and on each client.
    const work = lots[(index * step) % lots.length];
    if (client) await work?.(client, index);
  });
  const rare = rareSeconds.map((seconds): [Client, Paced] => {
    const client = createClient(api, { keepAlive: true, connections: 1, idleMs });
    return [client, startPaced(1 / seconds, async () => void (await read(client, '/contacts?limit=5')))];
  });
  const over = new AbortController();
  const followers = createClient(api, { keepAlive: true, connections: streams });
  /** Streams end when their api stops, and then in order; clients go on at another one. */
  const follow = async (): Promise<void> => {
    const asked: Asked = {
      ...{ method: 'POST', path: '/graphql' },
      headers: { ...secret, accept: 'text/event-stream' },
      body: { query: 'subscription { activity { metadata } }' },
    };
    while (!over.signal.aborted) {
      sent.set('stream', (sent.get('stream') ?? 0) + 1);
      const { status, text } = await followers.ask(asked, streamMs);
      if (over.signal.aborted || (status === 200 && /^event: complete$/m.test(text))) continue;
      failures.push({
        ...moment(),
        text: `stream: ${status ?? 'no answer'} ${status === 200 ? 'without an end' : ''} ${text.slice(-300)}`,
      });
    }
  };
  const following = Array.from({ length: streams }, follow);
  return {
    accepted,
    failures,
    sent,
    async stop() {
      await Promise.all([busy.stop(), ...rare.map(([, paced]) => paced.stop())]);
      over.abort();
      followers.close();
      await Promise.all(following);
      for (const client of [...clients, ...rare.map(([client]) => client)]) client.close();
    },
  };
}
