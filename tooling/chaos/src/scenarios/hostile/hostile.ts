import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { freePort } from '@postrider/local/ports';
import { createAccount } from '../../harness/accounts.store.ts';
import { receiveBounces } from '../../harness/news.store.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import type { Target } from './attack.ts';
import { attacks } from './attacks.ts';
import { withBusyCores } from './busy-cores.ts';
import { describeFelt, exceeded, feel, slowerOf } from './neighbour.ts';

const arrivalMs = 30_000;
const warmUpMs = 15_000;
const idleMs = 30_000;
const whole = 100;

const summary =
  'strangers and customers attack by every door (messages, reports, files, forged reports, streams, bodies, invitations, the sandbox, storage) while another project sends 20 emails a second and imports: each attempt is answered, each limit holds, and no process ends';

/** `recipients` is the size of the attacks in hundredths of their full size, at which times and memory are judged too. */
export const hostile: Scenario = {
  name: 'hostile',
  summary: `${summary}; the other project waits at most 1.5 to 2 times as long, and health is answered within 50 ms`,
  recipients: whole,
  mostSeeds: 1,
  run,
};

export const hostileSmall: Scenario = {
  name: 'hostile-small',
  summary,
  recipients: 16,
  mostSeeds: 1,
  run,
};

async function run(options: ScenarioOptions): Promise<ScenarioResult> {
  const isJudged = options.recipients >= whole;
  const size = (large: number): number => Math.ceil((large * options.recipients) / whole);
  const [submissionPort, bouncePort] = [await freePort(), await freePort()];
  const env = {
    SUBMISSION_PORT: String(submissionPort),
    BOUNCE_PORT: String(bouncePort),
    AUTO_PROJECT_DISABLE: 'false',
  };
  return withStack(options, { env, sink: { keepRaw: true } }, async (chaos) => {
    const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: true };
    const neighbour = await createProject(chaos.db, key);
    const attacker = await createProject(chaos.db, { ...key, domain: 'attacker.test' });
    for (const [name, project] of Object.entries({ neighbour, attacker }))
      await createAccount(chaos.db, { email: `${name}@people.test`, proven: true, projects: [project] });
    await receiveBounces(chaos.db, neighbour.id);
    const returnPath = await gotMail(chaos, neighbour);
    const target: Target = { chaos, submissionPort, bouncePort, attacker, neighbour, returnPath };
    if (isJudged) await feel(chaos, neighbour, () => sleep(warmUpMs));
    const { felt: idle } = await feel(chaos, neighbour, () => sleep(isJudged ? idleMs : 1_000));
    const { felt: busy } = await feel(chaos, neighbour, () =>
      withBusyCores(() => sleep(isJudged ? idleMs : 1_000)),
    );
    const problems = [...idle.failures, ...busy.failures].map((failure) => `without attack: ${failure}`);
    const notes: string[] = [];
    const note = (line: string): void => {
      options.log(line);
      notes.push(line);
    };
    note(`without attack: ${describeFelt(idle)}`);
    note(`beside an empty loop on each core, without attack: ${describeFelt(busy)}`);
    const usual = slowerOf(idle, busy);
    for (const { name, bounds, run: attack } of attacks) {
      const begun = performance.now();
      const { value: outcome, felt } = await feel(chaos, neighbour, () => attack(target, size));
      const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
      note(`${name} (${seconds} s): ${describeFelt(felt)}`);
      for (const line of outcome.notes ?? []) note(`${name}: ${line}`);
      const broken = [
        ...outcome.problems,
        ...felt.failures,
        ...(isJudged ? [...(outcome.figures ?? []), ...exceeded(bounds, usual, felt)] : []),
      ];
      for (const problem of broken) options.log(`broken: ${name}: ${problem}`);
      problems.push(...broken.map((problem) => `${name}: ${problem}`));
    }
    const { api, worker } = chaos.stack.processes;
    for (const { name, restarts } of [api, worker])
      if (restarts > 0) problems.push(`the ${name} ended ${restarts} times`);
    return { reports: [], problems, notes };
  });
}

/** @returns the envelope sender of an email that has arrived */
async function gotMail(chaos: ChaosStack, project: TestProject): Promise<string> {
  const to = 'attacker@elsewhere.test';
  const email = { to, from: project.from, subject: 'Hello', body: '<p>Hello</p>' };
  await callApi(chaos.stack.urls.api, project.secretKey, '/v1/send', email);
  for (const until = Date.now() + arrivalMs; Date.now() < until; await sleep(50)) {
    const found = (await chaos.sink.messages()).find((message) => message.to[0] === to);
    if (found) return found.from;
  }
  throw new Error('The first email has not arrived.');
}
