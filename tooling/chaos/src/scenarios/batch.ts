import { setTimeout as sleep } from 'node:timers/promises';
import { type ChaosStack, connectionsPerProcess } from '@postrider/harness/chaos-stack';
import { mailProcessesOf } from '@postrider/harness/process-tree';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { signal } from '@postrider/local/processes';
import type { Service } from '@postrider/local/service';
import { countEmails, emailsByAddress } from '../harness/batch.store.ts';
import { untilSettled } from '../harness/until-settled.ts';
import { compareLedgerWithSink } from '../ledger/compare-ledger-with-sink.ts';
import { describeReport } from './describe-report.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from './scenario.ts';
import { withStack } from './with-stack.ts';

interface Plan {
  /** what disturbs the run, one after the other */
  moments(random: Random): DisturbanceName[];
  /** at least this long between the end of one and the next */
  pauseMs: number;
}

const clientCount = 3;
const itemsOfBatch = 20;
/** Between two batches of a client, so that what is sent stays deliverable on a small machine. */
const betweenMs = 250;
/** In so many batches, one item is refused: the others are stored all the same. */
const refusedEvery = 5;
const refusedAt = 7;
/** Some requests are given up before their answer can come, as by a client with too little patience. */
const impatientEvery = 10;
const impatientMs = 30;
const requestTimeoutMs = 10_000;
const patienceMs = 180_000;
const retryMs = 100;
const stallMs = 120_000;

export const batch: Scenario = {
  name: 'batch',
  summary:
    'batches with keys, repeated until they are answered, while api, worker, delivery processes and PostgreSQL are killed or stopped at 40 moments: each whole, each email once, and every repetition names the same',
  recipients: 4_000,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) => runBatch(options, { moments: (random) => manyMoments(random, 40), pauseMs: 400 }),
};

export const batchSmall: Scenario = {
  name: 'batch-small',
  summary: 'the short form of `batch` that is part of the tests',
  recipients: 400,
  mostSeeds: Number.POSITIVE_INFINITY,
  run: (options) =>
    runBatch(options, {
      moments: (random) =>
        random.shuffle([
          'kill -9 of the api',
          'SIGSTOP and SIGCONT of the api',
          'kill -9 of one delivery process',
          'kill -9 and restart of PostgreSQL',
        ]),
      pauseMs: 200,
    }),
};

type Disturbance = (chaos: ChaosStack, random: Random) => Promise<void>;

const mailProcesses = async ({ stack }: ChaosStack): Promise<number[]> => {
  const { pid } = stack.processes.worker;
  return pid === undefined ? [] : mailProcessesOf(pid);
};

const pause = async (pid: number | undefined, ms: number): Promise<void> => {
  if (pid === undefined) return;
  signal(pid, 'SIGSTOP');
  await sleep(ms);
  signal(pid, 'SIGCONT');
};

/** Without the growing pauses of a supervisor, which would take most of the run. */
export const killAndStart = async (service: Service): Promise<void> => {
  await service.kill();
  await service.stop();
  await service.start();
};

const disturbances = {
  async 'kill -9 of the api'({ stack }) {
    await killAndStart(stack.processes.api);
  },
  async 'SIGSTOP and SIGCONT of the api'({ stack }, random) {
    await pause(stack.processes.api.pid, random.whole(200, 1_500));
  },
  async 'kill -9 of one delivery process'(chaos, random) {
    const [pid] = random.shuffle(await mailProcesses(chaos));
    if (pid !== undefined) signal(pid, 'SIGKILL');
  },
  async 'kill -9 of the worker with its delivery processes'({ stack }) {
    await killAndStart(stack.processes.worker);
  },
  async 'SIGSTOP and SIGCONT of a delivery process, beyond its lease'(chaos, random) {
    const [pid] = random.shuffle(await mailProcesses(chaos));
    await pause(pid, random.whole(4_500, 6_000));
  },
  async 'kill -9 and restart of PostgreSQL'({ stack }) {
    const { postgres } = stack.processes;
    if (!postgres) throw new Error('This run needs a PostgreSQL of its own.');
    await postgres.kill();
    await postgres.start();
  },
  async 'immediate stop of PostgreSQL'({ stack }) {
    const { postgres } = stack.processes;
    if (!postgres) throw new Error('This run needs a PostgreSQL of its own.');
    // SIGQUIT: its processes end without a checkpoint, and the next start recovers from the log.
    signal(postgres.pid, 'SIGQUIT');
    await postgres.ended;
    await postgres.start();
  },
} as const satisfies Record<string, Disturbance>;

type DisturbanceName = keyof typeof disturbances;

const names = Object.keys(disturbances) as DisturbanceName[];
/** The api and the database decide whether a batch is whole: they are disturbed most. */
const order: readonly DisturbanceName[] = [
  'kill -9 of the api',
  'kill -9 and restart of PostgreSQL',
  ...names,
  'kill -9 of the api',
  'immediate stop of PostgreSQL',
  'SIGSTOP and SIGCONT of the api',
];
/** All of them again and again, in another order each time. */
function manyMoments(random: Random, count: number): DisturbanceName[] {
  const moments: DisturbanceName[] = [];
  while (moments.length < count) moments.push(...random.shuffle(order));
  return moments.slice(0, count);
}

const killedBy: Partial<Record<DisturbanceName, number>> = {
  'kill -9 of one delivery process': 1,
  'kill -9 of the worker with its delivery processes': 2,
  'SIGSTOP and SIGCONT of a delivery process, beyond its lease': 1,
};

/** What the answer to a batch names. */
interface Outcome {
  /** the ids of its emails in the order of the items; null for a refused one */
  ids: (string | null)[];
  /** whether an earlier request had stored it */
  repeated: boolean;
}

interface Sent {
  key: string;
  body: string;
  to: (string | null)[];
  outcome: Outcome;
  requests: number;
}

function runBatch(options: ScenarioOptions, plan: Plan): Promise<ScenarioResult> {
  const { seed, log } = options;
  return withStack(options, {}, async (chaos) => {
    const random = createRandom(seed);
    const project = await createProject(chaos.db, {
      appSecret: chaos.stack.env.APP_SECRET ?? '',
      signed: false,
    });
    const template = await marketingTemplate(chaos, project);
    const least = Math.ceil(options.recipients / itemsOfBatch);
    const run = `b${seed}`;
    const sent: Sent[] = [];
    let begun = 0;
    let isDisturbed = true;
    const client = async (): Promise<void> => {
      while (isDisturbed || begun < least) {
        begun += 1;
        const number = begun;
        sent.push(await sendUntilAnswered(chaos, project, batchOf(run, number, template), number));
        await sleep(betweenMs);
      }
    };
    const clients = Promise.all(Array.from({ length: clientCount }, client));
    const moments = plan.moments(random);
    try {
      for (const [index, name] of moments.entries()) {
        await untilAnswering(chaos);
        await sleep(plan.pauseMs + random.whole(0, 300));
        log(`${sent.length} batches answered; ${index + 1} of ${moments.length}: ${name}`);
        await disturbances[name](chaos, random);
      }
    } finally {
      isDisturbed = false;
    }
    await clients;
    log('waiting until all of it is settled');
    await untilSettled(chaos, { stallMs });
    const report = await compareLedgerWithSink(chaos.db, chaos.sink);
    const problems = [...(await wholeness(chaos, run, sent)), ...(await repetitions(chaos, project, sent))];
    const kills = moments.reduce((sum, name) => sum + (killedBy[name] ?? 0), 0);
    const counts = Object.entries(Object.groupBy(moments, (name) => name));
    const repeated = sent.filter(({ outcome }) => outcome.repeated).length;
    return {
      reports: [report],
      problems,
      notes: [
        ...describeReport(report),
        `${sent.length} batches of ${itemsOfBatch} by ${sent.reduce((sum, each) => sum + each.requests, 0)} requests; the answer of ${repeated} was lost, and came with the repetition`,
        `${moments.length} moments: ${counts.map(([name, all]) => `${all?.length ?? 0} ${name}`).join(', ')}`,
      ],
      kills,
      uncertain: { samples: [report.uncertain.length], most: kills * connectionsPerProcess },
    };
  });
}

/** Emails of type MARKETING: one that is UNCERTAIN is not sent once more, so that no doubled one hides behind it. */
async function marketingTemplate({ stack }: ChaosStack, project: TestProject): Promise<string> {
  const { body } = await ask(stack.urls.api, project, '/templates', {
    body: JSON.stringify({
      name: 'Offer',
      subject: 'An offer',
      body: '<p>Only today.</p>',
      from: project.from,
      type: 'MARKETING',
    }),
  });
  const { id } = body as { id?: string };
  if (id === undefined) throw new Error(`The template was not stored: ${JSON.stringify(body)}`);
  return id;
}

function batchOf(run: string, number: number, template: string): Pick<Sent, 'key' | 'body' | 'to'> {
  const to = Array.from({ length: itemsOfBatch }, (_, index) =>
    number % refusedEvery === 0 && index === refusedAt ? null : `${run}-${number}-${index}@people.test`,
  );
  return {
    key: `${run}-${number}`,
    to,
    body: JSON.stringify({
      emails: to.map((address) => ({ to: address ?? 'nobody', template, subscribed: true })),
    }),
  };
}

async function sendUntilAnswered(
  { stack }: ChaosStack,
  project: TestProject,
  given: Pick<Sent, 'key' | 'body' | 'to'>,
  number: number,
): Promise<Sent> {
  const deadline = Date.now() + patienceMs;
  for (let requests = 1; ; requests += 1) {
    const timeoutMs = requests === 1 && number % impatientEvery === 0 ? impatientMs : requestTimeoutMs;
    const outcome = await sendOnce(stack.urls.api, project, given, timeoutMs);
    if (outcome) return { ...given, outcome, requests };
    if (Date.now() > deadline) throw new Error(`The batch ${given.key} is not answered.`);
    await sleep(retryMs);
  }
}

/** @returns null when the service could not answer */
async function sendOnce(
  api: string,
  project: TestProject,
  { key, body }: Pick<Sent, 'key' | 'body'>,
  timeoutMs = requestTimeoutMs,
): Promise<Outcome | null> {
  const answer = await ask(api, project, '/v1/send/batch', { key, body, timeoutMs }).catch(() => null);
  if (!answer || answer.status >= 500) return null;
  const { data, error } = answer.body as {
    data?: { results: Result[] };
    error?: { code: string; details?: { results?: Result[] } };
  };
  const isRepeated = answer.status === 409 && error?.code === 'IDEMPOTENCY_KEY_REUSED';
  const results = isRepeated ? error.details?.results : data?.results;
  if (!results || (answer.status !== 200 && !isRepeated))
    throw new Error(`The batch ${key} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  const ids = results.map(({ status, emails }) =>
    status === 'ACCEPTED' ? (emails?.[0]?.email ?? '') : null,
  );
  return { ids, repeated: isRepeated };
}

interface Result {
  status: 'ACCEPTED' | 'REFUSED';
  emails?: { email: string }[];
}

async function ask(
  api: string,
  { secretKey }: TestProject,
  path: string,
  { key, body, timeoutMs = requestTimeoutMs }: { key?: string; body: string; timeoutMs?: number },
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(new URL(path, api), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, body: await answer.json() };
}

/** A blow to what is already down would be no moment of its own. */
export async function untilAnswering({ stack }: ChaosStack): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const isReady = await fetch(new URL('/health/ready', stack.urls.api), {
      signal: AbortSignal.timeout(1_000),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error('The api does not answer.');
}

/** Every accepted item has one email, every refused one none, and the answers name just these emails. */
async function wholeness({ db }: ChaosStack, run: string, sent: readonly Sent[]): Promise<string[]> {
  const stored = await emailsByAddress(db, `${run}-`);
  const problems: string[] = [];
  const expected = new Map<string, string>();
  for (const { key, to, outcome } of sent) {
    const parts = to.map((address, index) => {
      const id = outcome.ids[index] ?? null;
      if (address !== null && id !== null) expected.set(address, id);
      return (address === null) === (id === null);
    });
    if (outcome.ids.length !== to.length || parts.includes(false))
      problems.push(`the answer to the batch ${key} does not accept and refuse what it should`);
    const found = to.filter((address) => address !== null && stored.has(address)).length;
    const wanted = to.filter((address) => address !== null).length;
    if (found !== wanted) problems.push(`of the ${wanted} emails of the batch ${key}, ${found} are stored`);
  }
  for (const [address, { count, id }] of stored) {
    if (count !== 1) problems.push(`${address} has ${count} emails`);
    if (expected.get(address) !== id)
      problems.push(`the email to ${address} is ${id}, and the answer named ${expected.get(address)}`);
  }
  return problems;
}

/** Every key once more, now that nothing disturbs: the answer names the emails of the first one. */
async function repetitions(
  { stack, db }: ChaosStack,
  project: TestProject,
  sent: readonly Sent[],
): Promise<string[]> {
  const before = await countEmails(db);
  const problems: string[] = [];
  for (const each of sent) {
    const again = await sendOnce(stack.urls.api, project, each);
    if (!again?.repeated) problems.push(`the key ${each.key} could be used once more`);
    else if (again.ids.join() !== each.outcome.ids.join())
      problems.push(`the key ${each.key} names other emails when it is repeated`);
  }
  const after = await countEmails(db);
  if (after !== before) problems.push(`repeating the keys stored ${after - before} emails`);
  return problems;
}
