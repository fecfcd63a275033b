import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, createProjects, type TestProject } from '@postrider/harness/project.store';
import { createRandom } from '@postrider/harness/random';
import { percentile } from '@postrider/harness/statistics';
import { measureWakeLatency, randomPause } from '@postrider/harness/wake-latency';
import { giveToOwners } from '../harness/owners.store.ts';
import type { Scenario, ScenarioResult } from './scenario.ts';
import { slowTemplate } from './tenant/attacks.ts';
import { withStack } from './with-stack.ts';

const attackers = 100;
/** What an attack may add to the wait of another owner's transactional email (behaviour B8.6). */
const mostMoreMs = 1_000;
const idleSamples = 60;
/** With their pauses, the samples under attack take two minutes. */
const attackSamples = 170;

const attacks = [
  { name: 'one person with 100 projects', accounts: 'one', proven: true },
  { name: '100 people without a proven address', accounts: 'each', proven: false },
] as const;

export const owners: Scenario = {
  name: 'owners',
  summary:
    'one person with 100 projects, and then 100 unproven accounts, send templates that render for seconds: the email of another owner waits at most a second more',
  recipients: 1,
  mostSeeds: 1,
  run: (options) =>
    withStack(
      options,
      { env: { DELIVERY_LEASE_SECONDS: '60', RATE_LIMIT_PER_MINUTE: '3000', MAIL_WORKERS: '1' } },
      async (chaos): Promise<ScenarioResult> => {
        const random = createRandom(options.seed);
        const key = { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: false };
        const neighbour = await createProject(chaos.db, { ...key, domain: 'neighbour.test' });
        await giveToOwners(chaos.db, [neighbour], { accounts: 'one', proven: true });
        const measure = (samples: number): Promise<number[]> =>
          measureWakeLatency(chaos, neighbour, { samples, before: () => randomPause(random, 400, 900) });
        await measure(5);
        const idle = await measure(idleSamples);
        const notes = [describe('without attack', idle)];
        const problems: string[] = [];
        let from = 0;
        for (const { name, ...by } of attacks) {
          const projects = await createProjects(chaos.db, attackers, { ...key, from });
          from += attackers;
          await giveToOwners(chaos.db, projects, by);
          options.log(`attack by ${name}`);
          const attack = startAttack(chaos, projects);
          const felt = await measure(attackSamples);
          notes.push(`${describe(name, felt)}; ${await attack.stop()} slow emails were accepted`);
          const more = percentile(felt, 95) - percentile(idle, 95);
          if (more > mostMoreMs)
            problems.push(`${name}: the email of another owner waited ${more.toFixed(0)} ms more`);
        }
        return { reports: [], problems, notes };
      },
    ),
};

/** Each project sends one email after another, each with a content of its own. */
function startAttack({ stack }: ChaosStack, projects: readonly TestProject[]) {
  const over = new AbortController();
  let accepted = 0;
  const attack = async (project: TestProject, offset: number): Promise<void> => {
    await sleep(offset, undefined, { signal: over.signal }).catch(() => undefined);
    const connection = await openHttpConnection(stack.urls.api, `Bearer ${project.secretKey}`);
    for (let n = 0; !over.signal.aborted; n += 1) {
      const email = { to: `victim${n}@people.test`, from: project.from, subject: `Slow ${n}` };
      const { status } = await connection.post(
        '/v1/send',
        JSON.stringify({ ...email, body: slowTemplate(200) }),
      );
      if (status === 200) accepted += 1;
      await sleep(2_000, undefined, { signal: over.signal }).catch(() => undefined);
    }
    connection.close();
  };
  const running = Promise.all(projects.map((project, index) => attack(project, index * 20)));
  return {
    async stop(): Promise<number> {
      over.abort();
      await running;
      return accepted;
    },
  };
}

const describe = (name: string, ms: readonly number[]): string =>
  `${name}: answer of /v1/send to sink p50 ${percentile(ms, 50).toFixed(0)} ms, p95 ${percentile(ms, 95).toFixed(0)} ms, max ${percentile(ms, 100).toFixed(0)} ms (${ms.length} emails)`;
