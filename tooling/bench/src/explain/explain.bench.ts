import { createProject, type TestProject } from '@postrider/harness/project.store';
import { createRandom, type Random } from '@postrider/harness/random';
import { median, percentile } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import {
  type ExplainData,
  fillExplained,
  idOf,
  modulus,
  records,
  remainders,
  waitingIn,
} from './explain.store.ts';

/** Questions of each kind in a round; each is about another record, so that no page is warm by the one before. */
const questionsEach = 50;
const longestMs = 150;
/** The project that the large one is compared with has next to nothing. */
const small = { contacts: 400, emails: 2_000 };

export const explainBench: Bench = {
  name: 'explain',
  summary:
    'explanations by each verdict in a project with --contacts (20000) and --emails (100000), beside one with next to nothing',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

type Filled = ExplainData & { project: TestProject };

async function measure(
  stack: BenchStack,
  { contacts = 20_000, emails = 100_000, rounds, log }: BenchOptions,
): Promise<BenchResult> {
  // What waits stays, and nothing else runs.
  await stack.stack.processes.worker.stop();
  const fill = async (number: number, domain: string, size: typeof small): Promise<Filled> => {
    const project = await createProject(stack.db, {
      appSecret: stack.stack.env.APP_SECRET ?? '',
      signed: false,
      domain,
    });
    const given = { projectId: project.id, from: project.from, number, ...size, log };
    await fillExplained(stack.db, given);
    return { ...given, project };
  };
  const other = await fill(1, 'small.test', small);
  const large = await fill(2, 'large.test', { contacts, emails });
  await stack.db.query('CHECKPOINT');
  log('written');
  // What cannot be answered as expected is found before anything is measured.
  for (const question of questions)
    for (const filled of [other, large]) await ask(stack, filled, question, createRandom(1));
  const series: Series[] = [];
  for (const question of questions) {
    const [label] = question;
    const times: Record<string, number[]> = {};
    for (let round = 0; round < rounds; round += 1)
      for (const [where, filled] of [
        ['', large],
        [', almost empty', other],
      ] as const) {
        const random = createRandom(round + 7);
        const ms: number[] = [];
        for (let turn = 0; turn < questionsEach; turn += 1)
          ms.push(await ask(stack, filled, question, random));
        for (const percent of [50, 95]) {
          const name = `${label}, p${percent}${where}`;
          times[name] = [...(times[name] ?? []), percentile(ms, percent)];
        }
      }
    for (const [name, ms] of Object.entries(times)) {
      const goal = name === `${label}, p95` ? { goal: { below: longestMs } } : {};
      series.push({ label: name, unit: 'ms', rounds: ms, digits: 1, ...goal });
    }
    log(
      Object.entries(times)
        .map(([name, ms]) => `${name} ${median(ms).toFixed(1)} ms`)
        .join('; '),
    );
  }
  return {
    series,
    notes: [
      `${contacts} contacts and ${emails} emails in one project, ${small.contacts} and ${small.emails} in the other; ${rounds} rounds of ${questionsEach} questions of each kind, one after another, about records all over the project.`,
    ],
  };
}

type Question = (filled: Filled, n: number) => Record<string, string>;

/** An email of the status that its number has. */
const emailOf =
  (remainder: number): Question =>
  ({ number, emails }, n) => ({
    email: idOf('email', number, (n % Math.floor(emails / modulus)) * modulus + remainder),
  });

/** A contact whose number leaves a remainder. */
const contactOf = ({ number, contacts }: Filled, n: number, every: number, remainder: number): string =>
  idOf('contact', number, (n % Math.floor(contacts / every)) * every + remainder);

const recordOf = ({ number }: Filled, name: keyof typeof records): string =>
  idOf('record', number, records[name]);

type Kind = [label: string, verdict: string, question: Question];

const questions: Kind[] = [
  ['DELIVERED', 'DELIVERED', emailOf(50)],
  ['SENT', 'SENT', emailOf(remainders.sent)],
  ['SKIPPED suppressed', 'SKIPPED', emailOf(remainders.skipped)],
  ['SKIPPED unsubscribed', 'SKIPPED', emailOf(remainders.unsubscribed)],
  ['FAILED no_mailbox', 'FAILED', emailOf(remainders.failed)],
  ['FAILED gave_up', 'FAILED', emailOf(remainders.gaveUp)],
  ['BOUNCED', 'BOUNCED', emailOf(remainders.bounced)],
  ['UNCERTAIN', 'UNCERTAIN', emailOf(remainders.uncertain)],
  [
    'WAITING schedule',
    'WAITING',
    (filled, n) => ({ email: idOf('email', filled.number, filled.emails + 2 * (n % waitingIn(filled))) }),
  ],
  [
    'WAITING queue',
    'WAITING',
    (filled, n) => ({ email: idOf('email', filled.number, filled.emails + 2 * (n % waitingIn(filled)) + 1) }),
  ],
  ['REACHABLE', 'REACHABLE', (filled, n) => ({ contact: contactOf(filled, n, 20, 1) })],
  ['PARTLY', 'PARTLY', (filled, n) => ({ contact: contactOf(filled, n, 20, 0) })],
  ['UNREACHABLE', 'UNREACHABLE', (filled, n) => ({ contact: contactOf(filled, n, 50, 7) })],
  ['an address without a contact', 'REACHABLE', (_filled, n) => ({ contact: `nobody${n}@people.test` })],
  [
    'with a campaign',
    'DELIVERED',
    (filled, n) => {
      const email = (n % Math.floor(filled.emails / modulus)) * modulus + 50;
      return {
        contact: idOf('contact', filled.number, email % filled.contacts),
        campaign: idOf('campaign', filled.number, Math.floor(email / filled.contacts)),
      };
    },
  ],
  [
    'NOT_CREATED',
    'NOT_CREATED',
    (filled, n) => ({ contact: contactOf(filled, n, 20, 1), campaign: recordOf(filled, 'late') }),
  ],
  [
    'ENTERED',
    'ENTERED',
    (filled, n) => ({ contact: contactOf(filled, n, 2, 0), workflow: recordOf(filled, 'workflow') }),
  ],
  [
    'NOT_ENTERED',
    'NOT_ENTERED',
    (filled, n) => ({ contact: contactOf(filled, n, 2, 1), workflow: recordOf(filled, 'workflow') }),
  ],
  [
    'MEMBER',
    'MEMBER',
    (filled, n) => ({ contact: contactOf(filled, n, 2, 0), segment: recordOf(filled, 'list') }),
  ],
  [
    'NOT_MEMBER',
    'NOT_MEMBER',
    (filled, n) => ({ contact: contactOf(filled, n, 2, 1), segment: recordOf(filled, 'segment') }),
  ],
];

/** @returns how long the answer took, in milliseconds */
async function ask(
  { stack }: BenchStack,
  filled: Filled,
  [, verdict, question]: Kind,
  random: Random,
): Promise<number> {
  const query = new URLSearchParams(question(filled, random.whole(0, 1_000_000_000)));
  const api = stack.urls.api.replace('localhost', '127.0.0.1');
  const begun = performance.now();
  const answer = await fetch(new URL(`/explain?${query}`, api), {
    headers: { authorization: `Bearer ${filled.project.secretKey}` },
  });
  const text = await answer.text();
  const ms = performance.now() - begun;
  if (!answer.ok || !text.includes(`"verdict":"${verdict}"`))
    throw new Error(`/explain?${query} answered ${answer.status}, not ${verdict}: ${text.slice(0, 500)}`);
  return ms;
}
