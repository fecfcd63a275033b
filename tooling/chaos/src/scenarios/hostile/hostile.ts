import { freePort } from '@postrider/local/ports';
import { callApi } from '../../harness/call-api.ts';
import type { ChaosStack } from '../../harness/chaos-stack.ts';
import { receiveBounces } from '../../harness/news.store.ts';
import { startPaced } from '../../harness/paced.ts';
import { probe } from '../../harness/probe.ts';
import { createProject, type TestProject } from '../../harness/project.store.ts';
import { percentile } from '../../harness/statistics.ts';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import type { Attack, Target } from './attack.ts';
import { attacks } from './attacks.ts';

const sendsPerSecond = 20;
const patienceMs = 10_000;
const mostHealthMs = 50;
const arrivalMs = 30_000;

const summary =
  'strangers and one customer attack by every door while another project sends 20 emails a second';

/** `recipients` is how often each attack is tried. */
export const hostile: Scenario = {
  name: 'hostile',
  summary: `${summary}: each attempt is answered, no process ends, and health is answered within 50 ms`,
  recipients: 100,
  mostSeeds: 1,
  run: (options) => run(options, mostHealthMs),
};

export const hostileSmall: Scenario = {
  name: 'hostile-small',
  summary: `${summary}: each attempt is answered, and no process ends`,
  recipients: 16,
  mostSeeds: 1,
  run: (options) => run(options, null),
};

async function run(options: ScenarioOptions, mostMs: number | null): Promise<ScenarioResult> {
  const [submissionPort, bouncePort] = [await freePort(), await freePort()];
  const env = {
    SUBMISSION_PORT: String(submissionPort),
    BOUNCE_PORT: String(bouncePort),
    AUTO_PROJECT_DISABLE: 'false',
  };
  return withStack(options, { env }, async (chaos) => {
    const appSecret = chaos.stack.env.APP_SECRET ?? '';
    const neighbour = await createProject(chaos.db, { appSecret, signed: true });
    const attacker = await createProject(chaos.db, { appSecret, signed: true, domain: 'attacker.test' });
    await receiveBounces(chaos.db, neighbour.id);
    const returnPath = await gotMail(chaos, neighbour);
    const target: Target = { chaos, submissionPort, bouncePort, attacker, returnPath };
    const problems: string[] = [];
    const notes: string[] = [];
    for (const attack of attacks) {
      const felt = await underAttack(attack, target, neighbour, options.recipients);
      options.log(felt.note);
      notes.push(felt.note);
      problems.push(...felt.problems);
      if (mostMs !== null && felt.healthMs > mostMs)
        problems.push(
          `${attack.name}: health took ${Math.round(felt.healthMs)} ms, at most ${mostMs} are allowed`,
        );
    }
    const { api, worker } = chaos.stack.processes;
    for (const { name, restarts } of [api, worker])
      if (restarts > 0) problems.push(`the ${name} ended ${restarts} times`);
    return { reports: [], problems, notes };
  });
}

/** @returns the envelope sender of an email that has arrived */
async function gotMail(chaos: ChaosStack, project: TestProject): Promise<string> {
  await send(chaos, project, 'attacker@people.test');
  const until = Date.now() + arrivalMs;
  while (Date.now() < until) {
    const found = (await chaos.sink.messages()).find(({ to }) => to[0] === 'attacker@people.test');
    if (found) return found.from;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('The first email has not arrived.');
}

const send = (chaos: ChaosStack, project: TestProject, to: string): Promise<unknown> =>
  callApi(chaos.stack.urls.api, project.secretKey, '/v1/send', {
    to,
    from: project.from,
    subject: 'Hello',
    body: '<p>Hello</p>',
  });

async function underAttack(
  { name, run: attack }: Attack,
  target: Target,
  neighbour: TestProject,
  times: number,
): Promise<{ problems: string[]; note: string; healthMs: number }> {
  const { chaos } = target;
  const health = probe(new URL('/health/live', chaos.stack.urls.api), { patienceMs });
  const sending = startPaced(sendsPerSecond, async (index) => {
    await send(chaos, neighbour, `${name.replaceAll(' ', '-')}-${index}@people.test`);
  });
  const problems = await attack(target, times);
  const sent = await sending.stop();
  const { latencies, failures } = await health.stop();
  const healthMs = percentile(latencies, 95);
  return {
    problems: [...problems, ...failures.map((failure) => `${name}: health ${failure}`)],
    note: `${name}: ${times} attempts, ${sent} emails of the neighbour, health p95 ${Math.round(healthMs)} ms`,
    healthMs,
  };
}
