import { createProject, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { findIds, forgetFigures, joinProject, loadRooms } from './rooms-data.store.ts';
import { type RoomRequest, roomChanges, roomRequests } from './rooms-requests.ts';

const requestsEach = 20;
const changesEach = 3;
const longestMs = 300;
/** Contacts written per second while requests are measured again. */
const writesPerSecond = 20;

export const roomsBench: Bench = {
  name: 'rooms',
  summary:
    'first and p95 of every request of the pages about contacts, with a million of them (--rows): after a restart, and while contacts are written',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rows, log }: BenchOptions): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const project = await createProject(stack.db, { appSecret, signed: false });
  await loadRooms(stack.db, { projectId: project.id, contacts: rows, log });
  const ask = await signIn(stack, project);
  const ids = await findIds(stack.db, project.id);
  const requests = roomRequests(ids);
  const series: Series[] = [];
  const note = (request: RoomRequest, when: string, ms: readonly number[]) => {
    const p95 = percentile(ms, 95);
    log(`${request.label}${when}: first ${(ms[0] ?? 0).toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
    for (const [what, value] of [
      ['first', ms[0] ?? 0],
      ['p95', p95],
    ] as const) {
      const label = `${request.label}${when}, ${what}`;
      series.push({ label, unit: 'ms', rounds: [value], goal: { below: longestMs } });
    }
  };

  // Nothing is known of the project in this process, nor in the cache of figures.
  await stack.stack.processes.api.stop();
  await stack.stack.processes.api.start();
  await forgetFigures(stack.db, project.id);
  for (const request of requests) note(request, '', await latencies(ask, request));

  const writing = writeContacts(stack, project);
  try {
    for (const request of requests) note(request, ' during writes', await latencies(ask, request));
  } finally {
    await writing.stop();
  }
  for (const change of roomChanges(ids)) note(change, '', await latencies(ask, change, changesEach));
  return {
    series,
    notes: [
      `${rows} contacts with 15 to 17 fields, ${2 * rows} events and 300 segments in one project. p95 of ${requestsEach} requests, one after another, the first one included; of ${changesEach} changes. ` +
        `First: after a restart of the API, without cached figures. During writes: ${writesPerSecond} contacts per second are created or changed.`,
    ],
  };
}

type Ask = (request: RoomRequest) => Promise<void>;

/** The session of a user who owns the project. */
async function signIn({ stack, db }: BenchStack, { id }: TestProject): Promise<Ask> {
  const api = stack.urls.api.replace('localhost', '127.0.0.1');
  const user = { email: 'first@people.test', password: 'a long enough password' };
  const send = (path: string): Promise<Response> =>
    fetch(new URL(path, api), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    });
  await send('/auth/signup');
  await joinProject(db, id, user.email);
  const cookie = (await send('/auth/login')).headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return async ({ procedure, input, isMutation }) => {
    const query = input && !isMutation ? `?${new URLSearchParams({ input: JSON.stringify(input) })}` : '';
    const answer = await fetch(new URL(`/trpc/${procedure}${query}`, api), {
      headers: { cookie, 'x-project-id': id, 'content-type': 'application/json', origin: stack.urls.api },
      ...(isMutation && { method: 'POST', body: JSON.stringify(input) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}: ${text.slice(0, 300)}`);
  };
}

async function latencies(ask: Ask, request: RoomRequest, times = requestsEach): Promise<number[]> {
  const ms: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const begun = performance.now();
    await ask(request);
    ms.push(performance.now() - begun);
  }
  return ms;
}

/** Creates and changes contacts until it is stopped. */
function writeContacts({ stack }: BenchStack, { secretKey }: TestProject): { stop(): Promise<void> } {
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const begun = performance.now();
      const answer = await fetch(new URL('/contacts', stack.urls.api), {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `written${n % 200}@people.test`, data: { plan: 'pro', score: n } }),
      });
      if (!answer.ok) throw new Error(`A contact was answered with ${answer.status}`);
      await answer.arrayBuffer();
      const rest = 1_000 / writesPerSecond - (performance.now() - begun);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await writing;
    },
  };
}
