import { setTimeout as sleep } from 'node:timers/promises';
import { verifyConsent } from '@postrider/core/audience/consent';
import { openDatabase } from '@postrider/core/base/db';
import { createSecrets, type Services } from '@postrider/core/base/kernel';
import { encodeConfirmLink, encodeLink } from '@postrider/core/mail/message';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import {
  actsOfRecipients,
  type Confirmed,
  confirmedRequests,
  confirmFrom,
  insertTopic,
  takenStatements,
  turnsOf,
} from '../harness/consent.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { killAndStart, untilAnswering } from './batch.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

interface Plan {
  /** blows while people and programs speak */
  blows: number;
  /** requests, each of which is confirmed by 50 at once while something is killed */
  confirmations: number;
}

export const consent: Scenario = {
  name: 'consent',
  summary:
    'four writers change subscriptions at every door while api, worker and PostgreSQL are killed 20 times, and 20 links are confirmed by 50 at once with a kill in between: the acts say what each contact is, each confirmation is all or nothing, and once',
  recipients: 400,
  mostSeeds: 5,
  run: (options) => runConsent(options, { blows: 20, confirmations: 20 }),
};

export const consentSmall: Scenario = {
  name: 'consent-small',
  summary: 'the short form of `consent` that is part of the long tests',
  recipients: 60,
  mostSeeds: 5,
  run: (options) => runConsent(options, { blows: 3, confirmations: 3 }),
};

const writers = 4;
const betweenMs = 25;
const between = { least: 500, most: 1_500 };
const clicksAtOnce = 50;
const requestTimeoutMs = 10_000;
const stallMs = 120_000;
/** Acts without effect that are stored of a contact in an hour (behaviour B12.4). */
const storedWithoutEffect = 20;

const killed = {
  async 'kill -9 of the api'({ stack }: ChaosStack) {
    await killAndStart(stack.processes.api);
  },
  async 'kill -9 of the worker'({ stack }: ChaosStack) {
    await killAndStart(stack.processes.worker);
  },
  async 'kill -9 and restart of PostgreSQL'({ stack }: ChaosStack) {
    const { postgres } = stack.processes;
    if (!postgres) throw new Error('This run needs a PostgreSQL of its own.');
    await postgres.kill();
    await postgres.start();
  },
} as const;
type Blow = keyof typeof killed;
const blowNames = Object.keys(killed) as Blow[];
const deliveryProcessesKilled: Record<Blow, number> = {
  'kill -9 of the api': 0,
  'kill -9 of the worker': 2,
  'kill -9 and restart of PostgreSQL': 0,
};

export interface Person {
  id: string;
  email: string;
  /** path of the pages behind the link of an email */
  pages: string;
  /** requests of the person that were answered */
  answered: number;
}

export interface Scene {
  chaos: ChaosStack;
  project: TestProject;
  people: Person[];
  problems: string[];
}

function runConsent(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { seed, log } = options;
  return withStack(options, {}, async (chaos) => {
    const random = createRandom(seed);
    const appSecret = chaos.stack.env.APP_SECRET ?? '';
    const project = await createProject(chaos.db, { appSecret, signed: false });
    await confirmFrom(chaos.db, project.id, project.from);
    await insertTopic(chaos.db, project.id, 'news');
    const people = await peopleOf(chaos, project, options.recipients, appSecret);
    const scene: Scene = { chaos, project, people, problems: [] };
    const blows = random.shuffle(Array.from({ length: plan.blows }, (_, n) => at(blowNames, n)));
    const said = await speakUnder(scene, blows, random, log);
    log(`${said} requests were answered; confirming ${plan.confirmations} requests`);
    const confirmBlows = await confirmUnder(scene, plan.confirmations, random, appSecret);
    await untilAnswering(chaos);
    await untilSettled(chaos, { stallMs });
    scene.problems.push(...(await differences(scene)), ...(await broken(scene)));
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const all = [...blows, ...confirmBlows];
    const kills = all.reduce((sum, name) => sum + deliveryProcessesKilled[name], 0);
    return {
      reports: [report],
      problems: scene.problems,
      notes: [
        ...describeReport(report),
        `${said} answered requests of ${writers} writers to ${people.length} contacts; ${plan.confirmations} confirmations by ${clicksAtOnce} at once`,
        blowNames.map((name) => `${all.filter((one) => one === name).length} ${name}`).join(', '),
      ],
      kills,
      uncertain: { samples: [report.uncertain.length], most: kills * connectionsPerProcess },
    };
  });
}

function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new Error('no values');
  return value;
}

export interface Asked {
  method?: string;
  body?: object;
  form?: Record<string, string>;
  key?: string;
}

/** @returns null when the service could not answer */
export async function ask(
  api: string,
  path: string,
  { method = 'POST', body, form, key }: Asked,
): Promise<{ status: number; text: string } | null> {
  try {
    const answer = await fetch(new URL(path, api), {
      method,
      redirect: 'manual',
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      },
      body: form ? new URLSearchParams(form) : JSON.stringify(body ?? {}),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const text = await answer.text();
    return answer.status >= 500 ? null : { status: answer.status, text };
  } catch {
    return null;
  }
}

async function peopleOf(
  { stack }: ChaosStack,
  { secretKey }: TestProject,
  count: number,
  appSecret: string,
): Promise<Person[]> {
  const secrets = createSecrets(appSecret);
  const people: Person[] = [];
  for (let index = 0; index < count; index += 1) {
    const email = `person${index}@people.test`;
    const answer = await ask(stack.urls.api, '/contacts', { body: { email }, key: secretKey });
    const { id } = JSON.parse(answer?.text ?? '{}') as { id?: string };
    if (id === undefined) throw new Error(`The contact was not stored: ${answer?.text}`);
    people.push(personOf(secrets, id, email));
  }
  return people;
}

export function personOf(secrets: Services['secrets'], id: string, email: string): Person {
  const token = encodeLink(secrets, { kind: 'preferences', contactId: id, emailId: null });
  return { id, email, pages: `/u/${token}`, answered: 0 };
}

/** What is said at each door. True where a recipient speaks, whose acts are all in the log. */
export const doors: readonly [(scene: Scene, person: Person, random: Random) => [string, Asked], boolean][] =
  [
    [
      ({ project: { secretKey: key } }, { email }, random) => [
        `/contacts/${email}`,
        { method: 'PATCH', key, body: { subscribed: random.next() < 0.5 } },
      ],
      false,
    ],
    [
      ({ project: { secretKey: key } }, { email }, random) => [
        '/contacts',
        { key, body: { email, topics: { news: random.next() < 0.5 } } },
      ],
      false,
    ],
    [
      ({ project: { publicKey: key } }, { email }) => [
        '/v1/track',
        { key, body: { email, event: 'seen', subscribed: true } },
      ],
      false,
    ],
    [
      ({ project: { secretKey: key }, people }, _, random) => [
        random.next() < 0.5 ? '/contacts/bulk-subscribe' : '/contacts/bulk-unsubscribe',
        {
          key,
          body: {
            contactIds: random
              .shuffle(people)
              .slice(0, 20)
              .map(({ id }) => id),
          },
        },
      ],
      false,
    ],
    [(_, { pages }) => [pages, { form: { 'List-Unsubscribe': 'One-Click' } }], true],
    [(_, { pages }) => [`${pages}/unsubscribe`, { form: {} }], true],
    [(_, { pages }) => [`${pages}/subscribe`, { form: {} }], true],
    [(_, { pages }) => [`${pages}/manage`, { form: { action: 'snooze', duration: '2w' } }], true],
    [(_, { pages }) => [`${pages}/manage`, { form: { action: 'save', topic: 'news' } }], true],
  ];

/** Writers speak until the last blow is over. @returns how many requests were answered */
async function speakUnder(
  scene: Scene,
  blows: readonly Blow[],
  random: Random,
  log: (line: string) => void,
): Promise<number> {
  const { chaos, people } = scene;
  const api = chaos.stack.urls.api;
  let answered = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    for (; !isOver; await sleep(betweenMs)) {
      const person = at(people, random.whole(0, people.length - 1));
      const [request, isOwn] = at(doors, random.whole(0, doors.length - 1));
      const [path, asked] = request(scene, person, random);
      const answer = await ask(api, path, asked);
      // Whether a request that got no answer was carried out is unknown: it may be in the log.
      if (!answer) continue;
      if (answer.status < 400) {
        answered += 1;
        if (isOwn) person.answered += 1;
      } else if (answer.status !== 429) {
        scene.problems.push(`${path} answered ${answer.status}: ${answer.text.slice(0, 200)}`);
      }
    }
  };
  const all = Promise.all(Array.from({ length: writers }, write));
  try {
    for (const [index, name] of blows.entries()) {
      await untilAnswering(chaos);
      await sleep(random.whole(between.least, between.most));
      log(`${answered} requests answered; ${index + 1} of ${blows.length}: ${name}`);
      await killed[name](chaos);
    }
    await untilAnswering(chaos);
    await sleep(between.most);
  } finally {
    isOver = true;
    await all;
  }
  return answered;
}

/** Each link is confirmed by many at once, while something is killed; and once more afterwards, as a reader would who got no answer. */
async function confirmUnder(
  { chaos, project, problems }: Scene,
  count: number,
  random: Random,
  appSecret: string,
): Promise<Blow[]> {
  const api = chaos.stack.urls.api;
  const secrets = createSecrets(appSecret);
  const requests: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { email: `asker${index}@people.test`, topics: ['news'] };
    const answer = await ask(api, '/subscription-requests', { body, key: project.secretKey });
    const { request } = JSON.parse(answer?.text ?? '{}') as { request?: { id: string } | null };
    if (!request) throw new Error(`The request was not stored: ${answer?.text}`);
    requests.push(request.id);
  }
  const blows: Blow[] = [];
  for (const [index, id] of requests.entries()) {
    // The worker has no part in a confirmation.
    const blow: Blow = index % 2 === 0 ? 'kill -9 of the api' : 'kill -9 and restart of PostgreSQL';
    const path = `/s/${encodeConfirmLink(secrets, id)}`;
    const confirm = () => ask(api, path, { form: { answer: 'confirm' } });
    await untilAnswering(chaos);
    const clicks = Array.from({ length: clicksAtOnce }, confirm);
    await sleep(random.whole(0, 30));
    await killed[blow](chaos);
    blows.push(blow);
    await Promise.all(clicks);
    await untilAnswering(chaos);
    problems.push(...(await confirmedRequests(chaos.db, [id])).flatMap(halfOf));
    const last = await confirm();
    if (last?.status !== 200) problems.push(`confirming ${id} afterwards answered ${last?.status}`);
    const [done] = await confirmedRequests(chaos.db, [id]);
    if (done?.status !== 'CONFIRMED' || done.acts !== 1 || done.events !== 1)
      problems.push(`the request ${id} is not confirmed once: ${JSON.stringify(done)}`);
  }
  return blows;
}

function halfOf(given: Confirmed): string[] {
  const wanted = given.status === 'CONFIRMED' ? 1 : 0;
  const isWhole = given.acts === wanted && given.events === wanted && given.subscribed === (wanted === 1);
  return isWhole ? [] : [`the request ${given.id} is confirmed by half: ${JSON.stringify(given)}`];
}

/** Contacts that are not what their acts say. */
export async function differences({ chaos, project }: Scene): Promise<string[]> {
  const database = openDatabase(chaos.stack.urls.database, { connections: 2 });
  const found: string[] = [];
  try {
    for await (const { id, stored, folded } of verifyConsent({ database }, project.id))
      found.push(`the contact ${id} is ${stored}, and its acts say ${folded}`);
  } finally {
    await database.close();
  }
  return found;
}

/** Promises about the log: those about what was said, and that the database keeps it as it is. */
async function broken(scene: Scene): Promise<string[]> {
  const taken = (await takenStatements(scene.chaos.db, scene.project.id)).map(
    (name) => `the database took a statement that ${name}`,
  );
  return [...(await brokenByWords(scene)), ...taken];
}

/** The log has all that recipients said, and no bulk change ended the opt-out of one. */
export async function brokenByWords({ chaos: { db }, project, people }: Scene): Promise<string[]> {
  const stored = await actsOfRecipients(db, project.id);
  const lost = people.flatMap(({ id, email, answered }) => {
    const count = stored.get(id) ?? 0;
    return count < Math.min(answered, storedWithoutEffect)
      ? [`${email} was answered ${answered} times, and the log has ${count} acts`]
      : [];
  });
  const own = new Map<string, boolean>();
  const lifted = (await turnsOf(db, project.id)).flatMap(({ contactId, action, source, optOutBy }) => {
    const wasOwn = own.get(contactId) ?? false;
    own.set(contactId, action === 'snooze' || (action === 'unsubscribe' && optOutBy === 'recipient'));
    return wasOwn && source === 'bulk' && action === 'subscribe'
      ? [`a bulk change ended the opt-out of the recipient ${contactId}`]
      : [];
  });
  return [...lost, ...lifted];
}
