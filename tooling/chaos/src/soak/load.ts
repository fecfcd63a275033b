import { setTimeout as sleep } from 'node:timers/promises';
import { createSecrets } from '@postrider/core/base/kernel';
import { encodeLink } from '@postrider/core/mail/message';
import { sendCampaignNow } from '@postrider/harness/campaign';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { startPaced } from '@postrider/harness/paced';
import type { TestProject } from '@postrider/harness/project.store';
import type { Random } from '@postrider/harness/random';

/** Requests since they were last taken. */
export interface Requests {
  /** answered at the first try, in milliseconds */
  ms: number[];
  /** had to be repeated because there was no answer, or one of a server that cannot */
  repeated: number;
}

export interface Load {
  take(): Requests;
  /** emails that were accepted one by one */
  readonly accepted: number;
  /** answers that no repetition changes, one sentence each, the first ones */
  readonly refusals: readonly string[];
  /** Ends it; resolves when all requests are answered. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  chaos: ChaosStack;
  project: TestProject;
  random: Random;
  /** requests a second */
  rate: number;
  people: number;
  /** between two campaigns to all contacts, and two imports */
  campaignSeconds: number;
  importSeconds: number;
  /** called for each email that is accepted */
  onAccepted?(id: string): void;
}

interface Asked {
  method?: 'GET' | 'POST' | 'PATCH';
  key?: string;
  body?: unknown;
  form?: FormData;
  idempotencyKey?: string;
}

const requestTimeoutMs = 15_000;
const patienceMs = 180_000;
const pauseMs = 250;
const keptIds = 500;
const rowsPerImport = 200;
const mostRefusals = 20;
/** A person's browser: requests without a name of one would count as a crawler's. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** Everything that an installation does all day, at a constant rate. Requests that fail are repeated, as clients do. */
export function startLoad(options: LoadOptions): Load {
  const { chaos, project, random, rate, people } = options;
  const { api } = chaos.stack.urls;
  const secrets = createSecrets(chaos.stack.env['APP_SECRET'] ?? '');
  const recent: string[] = [];
  const refusals: string[] = [];
  let requests: Requests = { ms: [], repeated: 0 };
  let accepted = 0;

  const ask = async (path: string, asked: Asked): Promise<string | null> => {
    const deadline = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt += 1) {
      const begun = performance.now();
      const answer = await once(api, path, asked);
      const { status, text } = answer;
      if (status !== null && status < 500) {
        if (attempt === 0) requests.ms.push(performance.now() - begun);
        // 409 after a lost answer: the first request was stored.
        const isKnown = status < 400 || (status === 409 && attempt > 0);
        if (!isKnown && refusals.length < mostRefusals)
          refusals.push(
            `${asked.method ?? 'POST'} ${path.slice(0, 40)} answered ${status}: ${text.slice(0, 200)}`,
          );
        return status < 400 ? text : null;
      }
      requests.repeated += 1;
      if (Date.now() > deadline) {
        refusals.push(
          `${path.slice(0, 40)} was not answered for ${patienceMs / 1_000} s: ${status} ${text.slice(0, 200)}`,
        );
        return null;
      }
      await sleep(pauseMs);
    }
  };
  const key = project.secretKey;
  const person = (): string => `p${random.whole(1, people + 1)}@people.test`;
  /** One that has arrived: what is opened before would count as sent (B3.3). */
  const arrivedEmail = async (): Promise<string | undefined> => {
    const id = recent[random.whole(0, recent.length)];
    return id !== undefined && (await chaos.sink.find([id])).length > 0 ? id : undefined;
  };

  const kinds: readonly [weight: number, work: (index: number) => Promise<unknown>][] = [
    [
      7,
      async (index) => {
        const text = await ask('/v1/send', {
          key,
          idempotencyKey: `soak-send-${index}`,
          body: {
            to: person(),
            from: project.from,
            subject: `Order {{number}}`,
            body: '<p>Hello {{name ?? there}}, order {{number}} has left. <a href="https://example.com/orders">Follow it</a>.</p>',
            data: { number: index },
          },
        });
        if (text === null) return;
        accepted += 1;
        const id = (JSON.parse(text) as { data?: { emails?: { email?: string }[] } }).data?.emails?.[0]
          ?.email;
        if (id === undefined) return;
        recent.push(id);
        if (recent.length > keptIds) recent.shift();
        options.onAccepted?.(id);
      },
    ],
    [
      4,
      (index) =>
        ask('/v1/track', {
          key: project.publicKey,
          idempotencyKey: `soak-track-${index}`,
          body: { email: person(), event: 'signup', data: { code: `C-${index}` } },
        }),
    ],
    [2, (index) => ask('/contacts', { key, body: { email: person(), data: { visits: index } } })],
    [
      3,
      async () => {
        const emailId = await arrivedEmail();
        if (emailId !== undefined)
          await ask(`/t/o/${encodeLink(secrets, { kind: 'open', emailId })}.gif`, { method: 'GET' });
      },
    ],
    [
      1,
      async () => {
        const emailId = await arrivedEmail();
        if (emailId !== undefined)
          await ask(`/t/c/${encodeLink(secrets, { kind: 'click', emailId, target: { linkId: 0 } })}`, {
            method: 'GET',
          });
      },
    ],
    [
      2,
      () =>
        ask(
          ['/contacts', '/emails', '/campaigns', '/activity', '/analytics/timeseries', '/workflows'][
            random.whole(0, 6)
          ] ?? '/contacts',
          { method: 'GET', key },
        ),
    ],
    [
      1,
      () =>
        ask('/graphql', {
          key,
          body: { query: '{ contacts(first: 5) { edges { node { email subscribed } } } }' },
        }),
    ],
  ];
  const lots = kinds.flatMap(([weight, work]) => Array.from({ length: weight }, () => work));

  const paced = startPaced(rate, async (index) => {
    await lots[random.whole(0, lots.length)]?.(index);
  });
  const stopping = new AbortController();
  const repeat = async (seconds: number, work: (round: number) => Promise<unknown>): Promise<void> => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      await work(round);
      await sleep(seconds * 1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const others = Promise.all([
    repeat(options.campaignSeconds, () => persistently(() => sendCampaignNow(api, project), stopping.signal)),
    repeat(options.importSeconds, (round) => ask('/contacts/import', { key, form: csvOf(round) })),
  ]);
  return {
    take() {
      const taken = requests;
      requests = { ms: [], repeated: 0 };
      return taken;
    },
    get accepted() {
      return accepted;
    },
    refusals,
    async stop() {
      stopping.abort();
      await Promise.all([paced.stop(), others]);
    },
  };
}

async function once(
  api: string,
  path: string,
  { method = 'POST', key, body, form, idempotencyKey }: Asked,
): Promise<{ status: number | null; text: string }> {
  try {
    const response = await fetch(new URL(path, api), {
      method,
      redirect: 'manual',
      headers: {
        'user-agent': browser,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(form === undefined ? {} : { body: form }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    return { status: null, text: String(error) };
  }
}

/** The same people each time, so that an import changes contacts and adds none. */
function csvOf(round: number): FormData {
  const rows = Array.from(
    { length: rowsPerImport },
    (_, n) => `p${n + 1}@people.test,Person ${n + 1},${round}`,
  );
  const form = new FormData();
  form.set(
    'file',
    new Blob([`email,name,round\n${rows.join('\n')}\n`], { type: 'text/csv' }),
    'contacts.csv',
  );
  return form;
}

/** Repeats work while the api cannot do it. */
async function persistently(work: () => Promise<unknown>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await work();
      return;
    } catch (error) {
      if (/answered 4\d\d/.test(String(error))) throw error;
      await sleep(pauseMs);
    }
  }
}
