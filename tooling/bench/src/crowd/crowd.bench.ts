import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '@postrider/harness/call-api';
import { openHttpConnection } from '@postrider/harness/http-connection';
import { createProject, insertContacts, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import type { Bench, BenchOptions, BenchResult, Series } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { buildOnboarding, signupOf } from '../workflows/onboarding.ts';
import { emailsOfOthers, makeAllDue, readCrowd } from './crowd.store.ts';

const pollMs = 500;
const readsEach = 20;
/** Welcome emails of each kind, one after another. */
const welcomes = 40;
const welcomePauseMs = 500;
const settleMs = 60_000;
const stallMs = 120_000;
const pageMs = 300;
const replyMs = 1_000;
const laterMs = 500;

export const crowdBench: Bench = {
  name: 'crowd',
  summary:
    'a workflow with --executions people inside: its pages, a publish that moves all, all due at once beside welcome emails, cancelling all',
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

interface Scene {
  stack: BenchStack;
  project: TestProject;
  neighbour: TestProject;
  crowdId: string;
}

async function measure(stack: BenchStack, { executions, log }: BenchOptions): Promise<BenchResult> {
  const api = stack.stack.urls.api;
  const keys = { appSecret: stack.stack.env.APP_SECRET ?? '', signed: false };
  const project = await createProject(stack.db, keys);
  const neighbour = await createProject(stack.db, { ...keys, domain: 'neighbour.test' });
  for (const each of [project, neighbour]) await buildOnboarding(api, each);
  const crowdId = await buildCrowd(stack, project);
  const scene: Scene = { stack, project, neighbour, crowdId };
  await insertContacts(stack.db, project.id, executions);
  log(`${executions} contacts; they enter`);
  const begun = performance.now();
  await enterAll(scene, executions, log);
  const entering = performance.now() - begun;
  log(`all wait after ${(entering / 1_000).toFixed(0)} s`);
  const series: Series[] = [
    {
      label: 'entries of a job that reached their wait',
      unit: 'executions/s',
      rounds: [executions / (entering / 1_000)],
    },
  ];
  await stack.db.query('CHECKPOINT');
  series.push(...(await readPages(scene)));
  const idle = await welcomeBoth(scene, 'idle');
  series.push(...(await publishForAll(scene)));
  await makeAllDue(stack.db, crowdId);
  log('all are due');
  const crowded = await welcomeBoth(scene, 'crowded');
  for (const [at, whose] of ['of the project', 'of another project'].entries())
    for (const percent of [50, 95]) {
      const alone = percentile(idle[at] ?? [], percent);
      const beside = percentile(crowded[at] ?? [], percent);
      const label = `welcome email ${whose}, p${percent}`;
      series.push({ label: `${label}, nothing due`, unit: 'ms', rounds: [alone] });
      series.push({ label: `${label}, all due`, unit: 'ms', rounds: [beside] });
      if (percent === 95)
        series.push({
          label: `${label}, later by`,
          unit: 'ms',
          rounds: [beside - alone],
          goal: { below: laterMs },
        });
    }
  series.push(...(await cancelAll(scene)));
  return {
    series,
    notes: [
      `${executions} contacts enter by one job and wait for an event; then the time of all is over at once and each gets an email, until those that are left are cancelled.`,
      `Welcome emails: ${welcomes} by another workflow of the same project and of another project, one each ${welcomePauseMs} ms, from the reply of /v1/track to the sink.`,
    ],
  };
}

/** TRIGGER → a wait of a day → email → EXIT */
async function buildCrowd({ stack }: BenchStack, project: TestProject): Promise<string> {
  const api = stack.urls.api;
  const templateId = await createTemplate(api, project, { name: 'Reminder', type: 'MARKETING' });
  const workflow = await createWorkflow(api, project, { name: 'Crowd', eventName: 'joined' });
  const wait = await workflow.add('WAIT_FOR_EVENT', 'A day', { eventName: 'never tracked', timeout: 86_400 });
  const mail = await workflow.add('SEND_EMAIL', 'Reminder', {}, templateId);
  const exit = await workflow.add('EXIT', 'Done', {});
  await workflow.join(workflow.triggerId, wait);
  await workflow.join(wait, mail);
  await workflow.join(mail, exit);
  await workflow.enable();
  return workflow.id;
}

async function enterAll(
  { stack, project, crowdId }: Scene,
  executions: number,
  log: BenchOptions['log'],
): Promise<void> {
  await callApi(stack.stack.urls.api, project.secretKey, `/workflows/${crowdId}/entries`, {
    filter: {
      logic: 'AND',
      groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }],
    },
  });
  let [seen, movedAt, told] = [-1, Date.now(), 0];
  for (;;) {
    const { waiting } = await readCrowd(stack.db, crowdId);
    if (waiting >= executions) return;
    if (waiting !== seen) [seen, movedAt] = [waiting, Date.now()];
    if (waiting - told >= executions / 5) {
      told = waiting;
      log(`${waiting} wait`);
    }
    if (Date.now() - movedAt > stallMs) throw new Error(`Only ${waiting} of ${executions} wait.`);
    await sleep(pollMs * 4);
  }
}

async function readPages({ stack, project, crowdId }: Scene): Promise<Series[]> {
  const connection = await openHttpConnection(stack.stack.urls.api, `Bearer ${project.secretKey}`);
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const pages = [
    '/workflows?pageSize=20',
    `/workflows/${crowdId}`,
    `/workflows/${crowdId}/versions`,
    `/workflows/${crowdId}/executions`,
    `/workflows/${crowdId}/executions?status=WAITING`,
    `/workflows/${crowdId}/figures?from=${since}`,
  ];
  const series: Series[] = [];
  try {
    for (const path of pages) {
      const ms: number[] = [];
      for (let turn = 0; turn < readsEach; turn += 1) {
        const answer = await connection.get(path);
        if (answer.status !== 200)
          throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
        ms.push(answer.ms);
      }
      const label = `GET ${path.replace(crowdId, ':id').replace(since, '…')}, slowest`;
      series.push({ label, unit: 'ms', rounds: [Math.max(...ms)], goal: { below: pageMs } });
    }
  } finally {
    connection.close();
  }
  return series;
}

/** An edit behind everybody, so that nobody is at a step that changes. */
async function publishForAll({ stack, project, crowdId }: Scene): Promise<Series[]> {
  const call = <Answer>(path: string, body: object): Promise<Answer> =>
    callApi(stack.stack.urls.api, project.secretKey, `/workflows/${crowdId}${path}`, body);
  await call('/steps', {
    type: 'UPDATE_CONTACT',
    name: 'Note',
    config: { data: { reminded: true } },
    position: { x: 0, y: 0 },
    autoConnect: false,
    publish: false,
  });
  const begun = performance.now();
  await call('/publish', { move: 'ALL' });
  const ms = performance.now() - begun;
  return [{ label: 'publish that moves all, reply', unit: 'ms', rounds: [ms], goal: { below: replyMs } }];
}

/** @returns times of the project's own other workflow, and of another project's */
async function welcomeBoth({ stack, project, neighbour, crowdId }: Scene, name: string): Promise<number[][]> {
  const { sink, db } = stack;
  const lanes = await Promise.all(
    [project, neighbour].map(({ publicKey }) =>
      openHttpConnection(stack.stack.urls.api, `Bearer ${publicKey}`),
    ),
  );
  const answered = lanes.map(() => new Map<string, number>());
  try {
    for (let turn = 0; turn < welcomes; turn += 1) {
      for (const [at, lane] of lanes.entries()) {
        const email = `${name}.${at}.${turn}@welcome.test`;
        const { status, body, at: repliedAt } = await lane.post('/v1/track', signupOf(email));
        if (status !== 200) throw new Error(`/v1/track answered ${status}: ${body.slice(0, 300)}`);
        answered[at]?.set(email, repliedAt);
      }
      await sleep(welcomePauseMs);
    }
  } finally {
    for (const lane of lanes) lane.close();
  }
  const deadline = Date.now() + settleMs;
  for (;;) {
    const mails = await emailsOfOthers(db, crowdId);
    const address = new Map(mails.map(({ id, to }) => [id, to]));
    const arrived = await sink.find([...address.keys()]);
    const times = answered.map((each) =>
      arrived.flatMap(({ emailId, at }) => {
        const since = each.get(address.get(emailId) ?? '');
        return since === undefined ? [] : [at - since];
      }),
    );
    if (times.every(({ length }) => length === welcomes)) return times;
    if (Date.now() > deadline)
      throw new Error(
        `${times.map(({ length }) => length).join(' and ')} of ${welcomes} welcome emails came.`,
      );
    await sleep(pollMs);
  }
}

async function cancelAll({ stack, project, crowdId }: Scene): Promise<Series[]> {
  const before = await readCrowd(stack.db, crowdId);
  const begun = performance.now();
  const { cancelled } = await callApi<{ cancelled: number }>(
    stack.stack.urls.api,
    project.secretKey,
    `/workflows/${crowdId}/executions/cancel-all`,
    {},
  );
  const replied = performance.now() - begun;
  for (let active = before.active; active > 0; await sleep(pollMs))
    active = (await readCrowd(stack.db, crowdId)).active;
  const all = performance.now() - begun;
  return [
    { label: `cancelling ${cancelled}, reply`, unit: 'ms', rounds: [replied], goal: { below: replyMs } },
    { label: 'until each of them has its end', unit: 's', rounds: [all / 1_000], digits: 1 },
  ];
}
