import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import type { Bench, BenchOptions, BenchResult } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';

/** With which the large audience is compared. */
const few = 10_000;
/** The part of the audience that gets the variants first, in percent. */
const sample = 5;
/** Each round freezes the audience again, which takes minutes for the large one. */
const largeRounds = 2;
const patienceMs = 600_000;

export const restBench: Bench = {
  name: 'rest',
  summary: `time from the decision of a test to the first message of the rest, of --rows (1000000) contacts beside ${few}`,
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rows, rounds, log }: BenchOptions): Promise<BenchResult> {
  const appSecret = stack.stack.env.APP_SECRET ?? '';
  const decide = async (domain: string, contacts: number, times: number): Promise<number[]> => {
    const project = await createProject(stack.db, { appSecret, signed: false, domain });
    await insertContacts(stack.db, project.id, contacts);
    const waits: number[] = [];
    for (let round = 0; round < times; round += 1) {
      waits.push(await decideOnce(stack, project));
      log(`${contacts} contacts: the first message came ${waits.at(-1)?.toFixed(0)} ms after the decision`);
    }
    return waits;
  };
  const small = await decide('small.test', few, rounds);
  const large = await decide('large.test', rows, Math.min(rounds, largeRounds));
  return {
    series: [
      {
        label: `rest of ${rows}`,
        unit: 'ms',
        rounds: large,
        against: `rest of ${few}`,
        goal: { below: 2 },
      },
      { label: `rest of ${few}`, unit: 'ms', rounds: small },
    ],
    notes: [`From the request that decides to the first message at the mail server; sample ${sample} %.`],
  };
}

/** @returns milliseconds from the request that decides to the first message of the rest */
async function decideOnce({ stack, sink }: BenchStack, project: TestProject): Promise<number> {
  const { api } = stack.urls;
  const ask = <Answer>(path: string, body?: unknown, method?: 'GET') =>
    callApi<Answer>(api, project.secretKey, path, body, method);
  const made = await ask<{ data: { id: string } }>('/campaigns', {
    ...{ name: 'Test', subject: 'News', from: project.from, audienceType: 'ALL' },
    body: '<p>News</p><p><a href="{{unsubscribeUrl}}">Unsubscribe</a></p>',
    test: { variants: [{ subject: 'More news' }], sample, hours: 1, decide: 'MANUAL' },
  });
  const campaign = `/campaigns/${made.data.id}`;
  await ask(`${campaign}/send`, {});
  const deadline = Date.now() + patienceMs;
  // The time of a test begins when no attempt of its sample waits.
  for (;;) {
    const { test } = await ask<{ test: { startedAt: string | null } }>(campaign, undefined, 'GET');
    if (test.startedAt !== null) break;
    if (Date.now() > deadline) throw new Error(`The test has not begun after ${patienceMs / 1_000} s.`);
    await sleep(250);
  }
  const before = await sink.count();
  const begun = performance.now();
  await ask(`${campaign}/test/decide`, { winner: 'B' });
  while ((await sink.count()) === before) await sleep(5);
  const waited = performance.now() - begun;
  await ask(`${campaign}/cancel`, {});
  return waited;
}
