import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { startAnswering } from '@postrider/harness/answering-process';
import type { ChaosStack } from '@postrider/harness/chaos-stack';
import { createProject } from '@postrider/harness/project.store';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import type { Scenario, ScenarioOptions, ScenarioResult } from '../scenario.ts';
import { withStack } from '../with-stack.ts';
import type { AttackOrder } from './attack-main.ts';
import { type AttackerAccess, createAccess } from './attacker.ts';
import { attacks } from './attacks.ts';
import { type Experience, experience, type Neighbour } from './neighbour.ts';

/** The neighbour's `/v1/send` may have this multiple of its 99th percentile without attacks. */
const mostSlower = 1.5;
const mostHealthMs = 100;
const warmUpSeconds = 15;
const idleSeconds = 30;
const attackSeconds = 30;

export const tenant: Scenario = {
  name: 'tenant',
  summary:
    'one project attacks the processor with its templates: the /v1/send of another one stays within 1.5 times its idle p99, health within 100 ms',
  recipients: 1,
  mostSeeds: 1,
  run: (options) =>
    // The limit of requests as in production: it is part of the defence.
    withStack(options, { env: { DELIVERY_LEASE_SECONDS: '60', RATE_LIMIT_PER_MINUTE: '3000' } }, (chaos) =>
      runTenant(chaos, options),
    ),
};

async function runTenant(chaos: ChaosStack, { log }: ScenarioOptions): Promise<ScenarioResult> {
  const neighbour = await createNeighbour(chaos);
  const access = await createAccess(chaos);
  await experience(chaos, neighbour, 'warm', warmUpSeconds);
  const idle = await experience(chaos, neighbour, 'idle', idleSeconds);
  log(describe('without attack', idle));
  const notes = [await scheduling(), describe('without attack', idle)];
  const problems: string[] = [];
  for (const [index, { name }] of attacks.entries()) {
    const { felt, rounds } = await underAttack(access, index, () =>
      experience(chaos, neighbour, `attack${index}`, attackSeconds),
    );
    const line = describe(`${name} (${rounds} requests)`, felt);
    log(line);
    notes.push(line);
    problems.push(...judge(name, idle, felt));
  }
  return { reports: [], problems, notes };
}

/** @returns what the neighbour felt, and how often the attack was started */
async function underAttack(
  access: AttackerAccess,
  index: number,
  feel: () => Promise<Experience>,
): Promise<{ felt: Experience; rounds: number }> {
  const attack = await startAnswering(new URL('./attack-main.ts', import.meta.url));
  try {
    await attack.ask<void>({ begin: { index, access } } satisfies AttackOrder);
    const felt = await feel();
    return { felt, rounds: await attack.ask<number>('end' satisfies AttackOrder) };
  } finally {
    await attack.stop();
  }
}

/** Whether the lower priority of the threads that render counts between processes (sched(7), autogroup). */
async function scheduling(): Promise<string> {
  const file = '/proc/sys/kernel/sched_autogroup_enabled';
  const enabled = existsSync(file) && (await readFile(file, 'utf8')).trim() === '1';
  return enabled
    ? 'kernel.sched_autogroup_enabled=1: priorities of threads count within one process only'
    : 'priorities of threads count between processes';
}

async function createNeighbour({ db, stack }: ChaosStack): Promise<Neighbour> {
  const key = { appSecret: stack.env.APP_SECRET ?? '', signed: false, domain: 'neighbour.test' };
  const project = await createProject(db, key);
  const event = 'signed up';
  const template = await createTemplate(stack.urls.api, project, { name: 'Welcome', type: 'MARKETING' });
  const workflow = await createWorkflow(stack.urls.api, project, { name: 'Welcome', eventName: event });
  const mail = await workflow.add('SEND_EMAIL', 'Welcome', {}, template);
  await workflow.join(workflow.triggerId, mail);
  await workflow.enable();
  return { project, event };
}

function judge(name: string, idle: Experience, felt: Experience): string[] {
  const problems: string[] = [];
  const slower = felt.sendP99 / idle.sendP99;
  if (slower > mostSlower)
    problems.push(
      `${name}: the p99 of another project's /v1/send was ${slower.toFixed(1)} times its idle value`,
    );
  if (felt.slowestHealth > mostHealthMs)
    problems.push(`${name}: /health/live took up to ${felt.slowestHealth.toFixed(0)} ms`);
  if (felt.failures > 0) problems.push(`${name}: ${felt.failures} requests of another project failed`);
  return problems;
}

function describe(name: string, felt: Experience): string {
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  return (
    `${name}: /v1/send p50 ${ms(felt.sendP50)} ms, p99 ${ms(felt.sendP99)} ms; health at most ${ms(felt.slowestHealth)} ms; ` +
    `to the sink p95 ${ms(felt.toSinkP95)} ms; through a workflow p95 ${ms(felt.workflowP95)} ms`
  );
}
