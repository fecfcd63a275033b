import { openHttpConnection } from '@postrider/harness/http-connection';
import { percentile } from '@postrider/harness/statistics';
import type { Bench, BenchOptions, BenchResult } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { copyUser } from './login.store.ts';

const samples = 100;
const kinds = ['known', 'unknown'] as const;

export const loginBench: Bench = {
  name: 'login',
  summary:
    'wrong passwords for known and unknown addresses: the time of the answer must not say which are known',
  async run(options) {
    // Each request has an address of its own, so that the limits of sign-ins do not end the run.
    const stack = await startBenchStack(options, { TRUST_PROXY: '127.0.0.1,::1' });
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, log }: BenchOptions): Promise<BenchResult> {
  const api = stack.stack.urls.api.replace('localhost', '127.0.0.1');
  const first = { email: 'first@people.test', password: 'a long enough password' };
  await signUp(api, first);
  await copyUser(stack.db, first.email, rounds * samples);
  const found: Record<(typeof kinds)[number], number[][]> = { known: [], unknown: [] };
  let user = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const times: Record<(typeof kinds)[number], number[]> = { known: [], unknown: [] };
    for (let sample = 0; sample < samples; sample += 1) {
      user += 1;
      for (const kind of kinds) times[kind].push(await failedLogin(api, `${kind}${user}@people.test`, user));
    }
    for (const kind of kinds) {
      found[kind].push(times[kind]);
      log(`round ${round}, ${kind}: median ${percentile(times[kind], 50).toFixed(1)} ms`);
    }
  }
  const series = [50, 95].flatMap((percent) =>
    kinds.map((kind) => ({
      label: `${kind} address, p${percent}`,
      unit: 'ms',
      digits: 1,
      rounds: found[kind].map((times) => percentile(times, percent)),
      ...(kind === 'known' && { against: `unknown address, p${percent}` }),
    })),
  );
  return {
    series,
    notes: [`${samples} wrong passwords of each kind and round, one request at a time, by turns.`],
  };
}

async function signUp(api: string, user: { email: string; password: string }): Promise<void> {
  const answer = await fetch(new URL('/auth/signup', api), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  if (!answer.ok) throw new Error(`Sign-up answered ${answer.status}: ${await answer.text()}`);
}

/** @returns how long the refusal took, in milliseconds */
async function failedLogin(api: string, email: string, client: number): Promise<number> {
  const from = `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;
  const connection = await openHttpConnection(api, null, { 'X-Forwarded-For': from });
  try {
    const { status, body, ms } = await connection.post(
      '/auth/login',
      JSON.stringify({ email, password: 'a wrong password' }),
    );
    if (status !== 401) throw new Error(`The answer is ${status}: ${body.slice(0, 300)}`);
    return ms;
  } finally {
    connection.close();
  }
}
