import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, type TestProject } from '@postrider/core/testing';
import fc from 'fast-check';
import { everyCall } from '../every-call.ts';
import type { TestApp } from '../harness.ts';
import { serveApi } from '../served-api.ts';
import { type World, worldOf } from '../world.ts';
import { type FuzzedRequest, fuzzedRequest, type Records, type Sender } from './fuzzed-request.ts';
import { type Answered, RequestSender } from './send-request.ts';
import { ServerVitals } from './server-vitals.ts';

export interface FuzzOptions {
  requests: number;
  seed: number;
  log(line: string): void;
}

export interface FuzzReport {
  /** how often each status was answered */
  statuses: Record<string, number>;
  /** what must not happen, each with what is needed to repeat it */
  problems: string[];
  /** memory and handles of the process, for the record */
  vitals: string;
}

/** Requests that are generated from one seed; their number in the run is the block and the place in it. */
const blockSize = 500;
const inFlight = 16;
/** In milliseconds. */
const longest = 2_000;
/** Part of every text of a project that no answer may contain. */
const marker = 'text-of-the-other-project';

/**
 * Sends random requests through every door of a real api process. A problem is an answer of 500 or above, one that takes longer than
 * two seconds three times in a row, text of another project, and memory or handles that keep growing.
 */
export async function runFuzz(test: TestApp, { requests, seed, log }: FuzzOptions): Promise<FuzzReport> {
  await worldOf(test, await createTestProject(test.services, { name: marker }), marker);
  const api = await serveApi(
    test.services,
    { RATE_LIMIT_PER_MINUTE: '100000000', LOG_LEVEL: 'error', SIGNUPS_DISABLED: 'false' },
    // A leak of a few hundred megabytes ends the process instead of staying unnoticed.
    ['--max-old-space-size=512'],
  );
  const errors: string[] = [];
  api.process.stdout?.setEncoding('utf8').on('data', (text: string) => errors.push(...text.split('\n')));
  const sender = new RequestSender(api.url);
  const vitals = new ServerVitals(api.url);
  const calls = everyCall(test.services);
  const report: FuzzReport = { statuses: {}, problems: [], vitals: '' };
  const slow: Sent[] = [];
  try {
    for (let block = 0; block * blockSize < requests; block++) {
      if (api.process.exitCode !== null || api.process.signalCode !== null) {
        report.problems.push(`the process ended in block ${block}: ${errors.slice(-20).join('\n')}`);
        break;
      }
      // A project of its own: requests delete records, and reach the limits of what a project may have.
      const project = await createTestProject(test.services);
      const records = recordsOf(await worldOf(test, project, `own-${block}`));
      const credentials = await credentialsOf(test, project);
      const count = Math.min(blockSize, requests - block * blockSize);
      const made = fc.sample(fuzzedRequest(calls, records), { seed: seed + block, numRuns: count });
      await eachOf(made, async (request, index) => {
        const place = `seed ${seed}, request ${block * blockSize + index}`;
        const sent = { place, request, credential: credentials[request.sender] };
        const answer = await answerOf(sender, sent);
        report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
        if (answer.status >= 500)
          report.problems.push(`${place}: ${answer.status} ${describe(request, answer)}`);
        if (answer.text.includes(marker))
          report.problems.push(`${place}: other project ${describe(request, answer)}`);
        if (answer.ms > longest) slow.push(sent);
      });
      await vitals.note();
      if (block % 10 === 9)
        log(`${(block + 1) * blockSize} requests, ${report.problems.length} problems, ${vitals.latest()}`);
    }
    report.problems.push(...(await stillSlow(sender, slow)), ...vitals.growth());
    report.problems.push(
      ...errors
        .filter((line) => line.includes('"level":"error"') || line.includes('"level":50'))
        .slice(0, 20)
        .map((line) => `logged: ${line.slice(0, 1_500)}`),
    );
    report.vitals = vitals.summary();
  } finally {
    sender.close();
    await api.stop();
  }
  return report;
}

interface Sent {
  place: string;
  request: FuzzedRequest;
  credential: Record<string, string>;
}

async function answerOf(sender: RequestSender, { request, credential }: Sent): Promise<Answered> {
  try {
    return await sender.send(request, credential);
  } catch (error) {
    return { status: 599, text: String(error), ms: 0 };
  }
}

async function credentialsOf(
  { services }: TestApp,
  { id, ownerId, secretKey, publicKey }: TestProject,
): Promise<Record<Sender, Record<string, string>>> {
  return {
    secret: { authorization: `Bearer ${secretKey}` },
    public: { authorization: `Bearer ${publicKey}` },
    session: {
      cookie: `${sessionCookie}=${await issueSession(services, { id: ownerId })}`,
      'x-project-id': id,
      'sec-fetch-site': 'same-origin',
    },
    nobody: {},
  };
}

/** Own records by the fields that name them. */
const recordsOf = (world: World): Records => ({
  from: world.from,
  id: world.template,
  template: world.template,
  templateId: world.template,
  contactId: world.contact,
  campaignId: world.campaign,
  segmentId: world.segment,
  stepId: world.step,
  fromStepId: world.step,
  toStepId: world.secondStep,
  transitionId: world.transition,
  executionId: world.execution,
  deliveryId: world.delivery,
  jobId: world.bulk,
  projectId: world.project,
});

async function eachOf<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      const item = items[index];
      if (item !== undefined) await work(item, index);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** Slow requests sent again, one at a time: a busy machine delays any of them. */
async function stillSlow(sender: RequestSender, slow: readonly Sent[]): Promise<string[]> {
  const problems = [];
  for (const sent of slow.slice(0, 50)) {
    const times = [];
    for (let round = 0; round < 3; round++) times.push((await answerOf(sender, sent)).ms);
    if (Math.min(...times) > longest)
      problems.push(`${sent.place}: ${times.map(Math.round).join(', ')} ms ${describe(sent.request)}`);
  }
  return problems;
}

const describe = ({ sender, method, url, headers, body }: FuzzedRequest, answer?: Answered): string =>
  [
    `${sender}: ${method} ${url.slice(0, 500)} ${JSON.stringify(headers)}`,
    body === null ? '' : body.slice(0, 2_000),
    answer ? `→ ${answer.text.slice(0, 400)}` : '',
  ].join('\n  ');
