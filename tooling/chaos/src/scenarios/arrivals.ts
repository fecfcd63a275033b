import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { type HttpConnection, openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import {
  type ArrivalRecord,
  insertDatedContacts,
  notedOccurrences,
  readArrivals,
} from '../harness/arrivals.store.ts';
import { blows } from './blows.ts';
import { importFile } from './hostile/import-file.ts';
import type { Scenario, ScenarioOptions } from './scenario.ts';
import { withStack } from './with-stack.ts';

/** Entries may begin so long after their time. */
const latestMs = 60_000;
/** What is changed a minute before the time is known by then. */
const changesBeforeMs = 60_000;
const minuteMs = 60_000;
const connections = 12;
const patienceMs = 180_000;
/** Nothing more arrives when nothing has for so long. */
const settledMs = 10_000;
const killWorker = 'kill -9 of the worker with its delivery processes';
/** Half of the people of the dates are created by the doors. */
const createdShare = 0.5;
/** Addresses of one request of a batch. */
const perBatch = 50;
const importedPeople = 2_000;

/**
 * One person in a hundred of each kind is changed a minute before the time: the date or the zone, so that the time becomes theirs or is no
 * longer.
 */
const kinds = ['date becomes', 'date was', 'zone becomes', 'zone was'] as const;
type Kind = (typeof kinds)[number] | 'unchanged';
const kindEvery = 100;

export const arrivals: Scenario = {
  name: 'arrivals',
  summary:
    'birthdays of many contacts at one time while the worker is killed and dates and zones change a minute before, and contacts created by six doors at once: each enters once, within a minute, or not at all',
  recipients: 100_000,
  mostSeeds: 1,
  run: (options) =>
    withStack(options, {}, async (chaos) => {
      const random = createRandom(options.seed);
      const project = await createProject(chaos.db, {
        appSecret: chaos.stack.env.APP_SECRET ?? '',
        signed: false,
      });
      const birthdays = await celebrate(chaos, project, options, random);
      const created = await create(chaos, project, options);
      return {
        reports: [],
        problems: [...birthdays.problems, ...created.problems],
        notes: [...birthdays.notes, ...created.notes],
      };
    }),
};

interface Found {
  problems: string[];
  notes: string[];
}

/** A workflow whose people leave it at once. */
async function buildWorkflow(
  { stack }: ChaosStack,
  { secretKey }: TestProject,
  name: string,
  fields: object,
): Promise<string> {
  const call = <Answer>(path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
    callApi<Answer>(stack.urls.api, secretKey, path, body, method);
  const { id } = await call<{ id: string }>('/workflows', { name, eventName: 'none' });
  await call(`/workflows/${id}/steps`, {
    ...{ type: 'EXIT', name: 'Done', config: {}, position: { x: 0, y: 0 }, autoConnect: true },
  });
  await call(`/workflows/${id}`, { ...fields, enabled: true }, 'PATCH');
  return id;
}

async function celebrate(
  chaos: ChaosStack,
  project: TestProject,
  { recipients, log }: ScenarioOptions,
  random: Random,
): Promise<Found> {
  const { db, stack } = chaos;
  const kindOf = (n: number): Kind => kinds[n % kindEvery] ?? 'unchanged';
  const time = new Date(Math.ceil((Date.now() + 3.5 * minuteMs) / minuteMs) * minuteMs);
  const day = time.toISOString().slice(0, 10);
  const tomorrow = new Date(time.getTime() + 86_400_000).toISOString().slice(0, 10);
  const born = (on: string) => `1984-${on.slice('2000-'.length)}`;
  const elsewhere = 'Etc/GMT-5';
  const before: Record<Kind, object> = {
    unchanged: { birthday: born(day) },
    'date becomes': { birthday: born(tomorrow) },
    'date was': { birthday: born(day) },
    'zone becomes': { birthday: born(day), timezone: elsewhere },
    'zone was': { birthday: born(day), timezone: 'UTC' },
  };
  const after: Record<(typeof kinds)[number], object> = {
    'date becomes': { birthday: born(day) },
    'date was': { birthday: born(tomorrow) },
    'zone becomes': { timezone: 'UTC' },
    'zone was': { timezone: elsewhere },
  };
  await insertDatedContacts(
    db,
    project.id,
    Array.from({ length: recipients }, (_, n) => before[kindOf(n)]),
  );
  const id = await buildWorkflow(chaos, project, 'Birthdays', {
    ...{ triggerType: 'DATE', timeZone: 'UTC' },
    triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', at: time.toISOString().slice(11, 16) },
  });
  log(`${recipients} birthdays are at ${time.toISOString()}`);
  await until(async () => (await notedOccurrences(db, id)) >= 0.9 * recipients);
  log(`their times are noted ${((time.getTime() - Date.now()) / 1_000).toFixed(0)} s before`);
  await untilTime(time.getTime() - changesBeforeMs - 10_000);

  const changed = Array.from({ length: recipients }, (_, n) => n).filter((n) => kindOf(n) !== 'unchanged');
  const lanes = await openLanes(stack.urls.api, project.secretKey);
  const refused: string[] = [];
  await inLanes(lanes, changed, async (lane, n) => {
    const kind = kindOf(n);
    if (kind === 'unchanged') return;
    const answer = await lane.post(
      '/contacts',
      JSON.stringify({ email: `b${n}@people.test`, data: after[kind] }),
    );
    if (answer.status !== 200) refused.push(`POST /contacts answered ${answer.status}: ${answer.body}`);
  });
  for (const lane of lanes) lane.close();
  const changedAt = time.getTime() - Date.now();
  log(`${changed.length} were changed ${(changedAt / 1_000).toFixed(0)} s before`);

  for (const ms of [500, 4_000, 9_000]) {
    await untilTime(time.getTime() + ms + random.next() * 1_000);
    log(killWorker);
    await blows[killWorker](chaos);
  }
  const enters = (n: number): boolean => !['date was', 'zone was'].includes(kindOf(n));
  const wanted = new Set(
    Array.from({ length: recipients }, (_, n) => n).flatMap((n) => (enters(n) ? [`b${n}@people.test`] : [])),
  );
  const found = await untilSettled(() => readArrivals(db, id), wanted.size);
  const late = found.map(({ startedAt }) => startedAt.getTime() - time.getTime());
  return {
    problems: [
      ...refused,
      ...(changedAt > 0 ? [] : ['the changes were not made before the time']),
      ...once('birthdays', found, wanted),
      ...(late.some((ms) => ms < 0) ? ['someone entered before the time'] : []),
      ...(late.some((ms) => ms > latestMs)
        ? [`someone entered ${(Math.max(...late) / 1_000).toFixed(0)} s late`]
        : []),
    ],
    notes: [
      `${found.length} of ${recipients} birthdays entered, ${recipients - wanted.size} had another date or zone by then; p50 ${seconds(late, 50)}, p99 ${seconds(late, 99)}, last ${seconds(late, 100)} after the time, the worker killed three times`,
    ],
  };
}

async function create(
  chaos: ChaosStack,
  project: TestProject,
  { recipients, log }: ScenarioOptions,
): Promise<Found> {
  const { db, stack } = chaos;
  const count = Math.round(recipients * createdShare);
  const id = await buildWorkflow(chaos, project, 'Newcomers', {
    ...{ triggerType: 'CONTACT', triggerConfig: {} },
  });
  log(`${count} contacts are created, each by two of six doors at once, beside an import`);
  const emailOf = (n: number) => `n${n}@people.test`;
  const message = { from: project.from, subject: 'Welcome', body: '<p>Welcome</p>' };
  const { secretKey, publicKey } = project;
  const batch = (those: readonly string[]) => ({ emails: those.map((to) => ({ to, ...message })) });
  const doors: { path: string; key?: string; perRequest?: number; body(emails: string[]): object }[] = [
    { path: '/contacts', body: ([email]) => ({ email }) },
    { path: '/v1/track', key: publicKey, body: ([email]) => ({ email, event: 'seen' }) },
    { path: '/events/track', body: ([email]) => ({ email, event: 'seen' }) },
    { path: '/v1/send', body: ([to]) => ({ to, ...message }) },
    {
      path: '/graphql',
      body: ([email]) => ({
        query: 'mutation ($email: String!) { upsertContact(input: {email: $email}) { __typename } }',
        variables: { email },
      }),
    },
    { path: '/v1/send/batch', perRequest: perBatch, body: batch },
  ];
  const refused: string[] = [];
  const numbers = Array.from({ length: count }, (_, n) => n);
  /** Each contact comes by two doors, which reach it at about the same time. */
  const comesBy = (n: number, door: number): boolean =>
    n % doors.length === door || (n + 1 + (n % 4)) % doors.length === door;
  const enter = async (door: (typeof doors)[number], index: number): Promise<void> => {
    const lanes = await openLanes(stack.urls.api, door.key ?? secretKey);
    const emails = numbers.filter((n) => comesBy(n, index)).map(emailOf);
    const size = door.perRequest ?? 1;
    const requests = Array.from({ length: Math.ceil(emails.length / size) }, (_, at) =>
      emails.slice(at * size, (at + 1) * size),
    );
    await inLanes(lanes, requests, async (lane, those) => {
      const answer = await lane.post(door.path, JSON.stringify(door.body(those)));
      if (answer.status >= 300 || answer.body.includes('"errors":['))
        refused.push(`${door.path} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    });
    for (const lane of lanes) lane.close();
  };
  const killing = (async () => {
    for (const ms of [3_000, 8_000]) {
      await sleep(ms);
      log(killWorker);
      await blows[killWorker](chaos);
    }
  })();
  const header = 'email\n';
  const file = header + Array.from({ length: importedPeople }, (_, n) => `i${n}@people.test\n`).join('');
  const [imported] = await Promise.all([
    importFile(stack.urls.api, secretKey, file),
    killing,
    ...doors.map(enter),
  ]);
  const wanted = new Set(numbers.map(emailOf));
  const found = await untilSettled(() => readArrivals(db, id), wanted.size);
  return {
    problems: [
      ...refused.slice(0, 20),
      ...(imported.state === 'completed' ? [] : [`the import ended as ${imported.state}: ${imported.body}`]),
      ...once('new contacts', found, wanted),
    ],
    notes: [
      `${found.length} contacts, each created by two of six doors at once, entered once each; ${importedPeople} imported ones did not`,
    ],
  };
}

/** Each of the wanted once, and no other; none failed. */
function once(what: string, found: readonly ArrivalRecord[], wanted: ReadonlySet<string>): string[] {
  const times = Map.groupBy(found, ({ email }) => email);
  const missing = [...wanted].filter((email) => !times.has(email));
  const others = [...times.keys()].filter((email) => !wanted.has(email));
  const twice = [...times].filter(([, those]) => those.length > 1).map(([email]) => email);
  const failed = found.filter(({ status }) => status !== 'EXITED').map(({ email }) => email);
  const tell = (emails: readonly string[], words: string): string[] =>
    emails.length === 0
      ? []
      : [`${what}: ${emails.length} ${words}, such as ${emails.slice(0, 3).join(', ')}`];
  return [
    ...tell(missing, 'did not enter'),
    ...tell(others, 'should not have entered'),
    ...tell(twice, 'entered more than once'),
    ...tell(failed, 'did not come to the end'),
  ];
}

const seconds = (ms: readonly number[], percent: number): string =>
  `${(percentile([...ms], percent) / 1_000).toFixed(1)} s`;

const openLanes = (api: string, key: string): Promise<HttpConnection[]> =>
  Promise.all(Array.from({ length: connections }, () => openHttpConnection(api, `Bearer ${key}`)));

/** Does the work for each in turn, over all connections. */
async function inLanes<Each>(
  lanes: readonly HttpConnection[],
  all: readonly Each[],
  work: (lane: HttpConnection, one: Each) => Promise<void>,
): Promise<void> {
  const left = all.values();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of left) await work(lane, one);
    }),
  );
}

const untilTime = (at: number): Promise<void> => sleep(Math.max(0, at - Date.now()));

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`It did not come within ${patienceMs / 1_000} s.`);
    await sleep(200);
  }
}

/** Until all are there that should be and have ended, and for a while no other comes; or until nothing comes for long. */
async function untilSettled(read: () => Promise<ArrivalRecord[]>, wanted: number): Promise<ArrivalRecord[]> {
  let [found, changedAt, seen] = [await read(), Date.now(), ''];
  for (;;) {
    const active = found.filter(({ status }) => status === 'RUNNING' || status === 'WAITING').length;
    const state = `${found.length} ${active}`;
    if (state !== seen) [seen, changedAt] = [state, Date.now()];
    const quietMs = Date.now() - changedAt;
    if (quietMs > (found.length >= wanted && active === 0 ? settledMs : patienceMs)) return found;
    await sleep(1_000);
    found = await read();
  }
}
