import { callApi } from '@postrider/harness/call-api';
import { createProject, type TestProject } from '@postrider/harness/project.store';
import { percentile } from '@postrider/harness/statistics';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import type { Bench, BenchOptions, BenchResult } from '../harness/bench.ts';
import { type BenchStack, startBenchStack } from '../harness/bench-stack.ts';
import { fillPeople } from './simulate.store.ts';

const longestSeconds = 10;
const people = 10_000;
/** Between two requests to `/v1/send` while a simulation runs. */
const betweenMs = 20;

export const simulateBench: Bench = {
  name: 'simulate',
  summary: `simulations of ${people} contacts through nine steps, a replay through conditions on times, and /v1/send meanwhile`,
  async run(options) {
    const stack = await startBenchStack(options);
    try {
      return await measure(stack, options);
    } finally {
      await stack.stop();
    }
  },
};

async function measure(stack: BenchStack, { rounds, log }: BenchOptions): Promise<BenchResult> {
  const api = stack.stack.urls.api.replace('localhost', '127.0.0.1');
  const project = await createProject(stack.db, {
    appSecret: stack.stack.env.APP_SECRET ?? '',
    signed: false,
  });
  const reminders = await buildReminders(api, project);
  const renewals = await buildRenewals(api, project);
  await fillPeople(stack.db, project.id, people);
  log('filled');
  const cases = [
    { label: `SAMPLE of ${people}`, id: reminders, mode: 'SAMPLE' },
    { label: `REPLAY of ${people}`, id: reminders, mode: 'REPLAY' },
    { label: `REPLAY of ${people} through conditions on times`, id: renewals, mode: 'REPLAY' },
  ].map((each) => ({ ...each, seconds: [] as number[] }));
  const sends = { alone: [] as number[], meanwhile: [] as number[] };
  await send(api, project, 0);
  for (let round = 1; round <= rounds; round += 1) {
    sends.alone.push(await sendsUntil(api, project, new Promise((resolve) => setTimeout(resolve, 3_000))));
    for (const { label, id, mode, seconds } of cases) {
      const begin = performance.now();
      const simulating = simulate(api, project, id, mode);
      sends.meanwhile.push(await sendsUntil(api, project, simulating));
      const reply = await simulating;
      if (reply.people !== people || reply.stopped)
        throw new Error(`${label}: ${reply.people} people, ${reply.stopped ? 'stopped' : 'to the end'}`);
      const took = (performance.now() - begin) / 1_000;
      seconds.push(took);
      log(`${label} ${took.toFixed(1)} s, ${reply.emails.written} emails`);
    }
  }
  return {
    series: [
      ...cases.map(({ label, seconds }) => ({
        label,
        unit: 's',
        rounds: seconds,
        digits: 1,
        goal: { below: longestSeconds },
      })),
      {
        label: '/v1/send meanwhile, p95',
        unit: 'ms',
        rounds: sends.meanwhile,
        digits: 1,
        goal: { below: 100 },
      },
      { label: '/v1/send alone, p95', unit: 'ms', rounds: sends.alone, digits: 1 },
    ],
    notes: [
      'An update, two delays, a condition, a wait, a request and three emails; requests to /v1/send one after another.',
      'Conditions on times: of a date of the contact, of events in a window and of an email before, a wait for an event with a condition, and an exit rule by one.',
    ],
  };
}

interface Reply {
  people: number;
  stopped: boolean;
  emails: { written: number };
}

async function simulate(api: string, project: TestProject, id: string, mode: string): Promise<Reply> {
  const reply = await fetch(`${api}/workflows/${id}/simulate`, {
    method: 'POST',
    headers: headersOf(project),
    body: JSON.stringify({ mode, ...(mode === 'SAMPLE' && { sample: people }) }),
  });
  if (!reply.ok) throw new Error(`${mode}: ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Reply;
}

const headersOf = ({ secretKey }: TestProject) => ({
  authorization: `Bearer ${secretKey}`,
  'content-type': 'application/json',
});

async function send(api: string, project: TestProject, n: number): Promise<number> {
  const begin = performance.now();
  const reply = await fetch(`${api}/v1/send`, {
    method: 'POST',
    headers: headersOf(project),
    body: JSON.stringify({
      to: `s${n}@people.test`,
      from: project.from,
      subject: 'Receipt',
      body: '<p>Thanks</p>',
    }),
  });
  await reply.arrayBuffer();
  if (!reply.ok) throw new Error(`/v1/send: ${reply.status}`);
  return performance.now() - begin;
}

/** @returns the 95th percentile of requests that are made until then */
async function sendsUntil(api: string, project: TestProject, end: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  const ms: number[] = [];
  while (!isOver) {
    ms.push(await send(api, project, ms.length));
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
  await over;
  return percentile(ms, 95);
}

/** An update, emails, delays, a condition, a wait and a request, which everybody enters by an event. */
async function buildReminders(api: string, project: TestProject): Promise<string> {
  const templateId = await createTemplate(api, project, { name: 'Reminder', type: 'MARKETING' });
  const workflow = await createWorkflow(api, project, { name: 'Reminders', eventName: 'signup' });
  const mail = (name: string) =>
    workflow.add('SEND_EMAIL', name, { recipient: { type: 'CONTACT' } }, templateId);
  const update = await workflow.add('UPDATE_CONTACT', 'Stage', { data: { stage: '{{event.plan}}' } });
  const welcome = await mail('Welcome');
  const pause = await workflow.add('DELAY', 'A day', { amount: 1, unit: 'days' });
  const ask = await workflow.add('CONDITION', 'Pro?', {
    field: 'data.plan',
    operator: 'equals',
    value: 'pro',
  });
  const wait = await workflow.add('WAIT_FOR_EVENT', 'Paid', { eventName: 'paid', timeout: 259_200 });
  const remind = await mail('Remind');
  const call = await workflow.add('WEBHOOK', 'Call', { url: 'https://example.com/{{plan}}' });
  const longer = await workflow.add('DELAY', 'Two days', { amount: 2, unit: 'days' });
  const last = await mail('Last');
  await workflow.join(workflow.triggerId, update);
  await workflow.join(update, welcome);
  await workflow.join(welcome, pause);
  await workflow.join(pause, ask);
  await workflow.join(ask, wait, { branch: 'yes' });
  await workflow.join(ask, longer, { branch: 'no' });
  await workflow.join(wait, call, { waitOutcome: 'EVENT' });
  await workflow.join(wait, remind, { waitOutcome: 'TIMEOUT' });
  await workflow.join(call, longer);
  await workflow.join(remind, longer);
  await workflow.join(longer, last);
  return workflow.id;
}

/** Whether a date of the contact is near and what has happened lately decide, each by the clock of its execution. */
async function buildRenewals(api: string, project: TestProject): Promise<string> {
  const templateId = await createTemplate(api, project, { name: 'Renewal', type: 'MARKETING' });
  const workflow = await createWorkflow(api, project, { name: 'Renewals', eventName: 'signup' });
  const mail = (name: string) =>
    workflow.add('SEND_EMAIL', name, { recipient: { type: 'CONTACT' } }, templateId);
  const welcome = await mail('Hello');
  const pause = await workflow.add('DELAY', 'A day', { amount: 1, unit: 'days' });
  const isNear = await workflow.add('CONDITION', 'Renews soon?', {
    condition: {
      logic: 'AND',
      groups: [
        {
          filters: [
            { field: 'data.renews', operator: 'withinNext', value: 14, unit: 'days' },
            { field: 'event.paid', operator: 'triggeredWithin', value: 30, unit: 'days' },
          ],
        },
      ],
    },
  });
  const wait = await workflow.add('WAIT_FOR_EVENT', 'Large order', {
    events: [{ eventName: 'paid', where: [{ property: 'total', operator: 'greaterThan', value: 50 }] }],
    timeout: 259_200,
  });
  const wasSkipped = await workflow.add('CONDITION', 'Reached?', {
    condition: {
      logic: 'OR',
      groups: [
        { filters: [{ field: 'step.hello.skipped', operator: 'notOccurred' }] },
        { filters: [{ field: 'data.renews', operator: 'lessThan', value: '2030-01-01' }] },
      ],
    },
  });
  const last = await mail('Renew');
  await workflow.join(workflow.triggerId, welcome);
  await workflow.join(welcome, pause);
  await workflow.join(pause, isNear);
  await workflow.join(isNear, wait, { branch: 'yes' });
  await workflow.join(isNear, wasSkipped, { branch: 'no' });
  await workflow.join(wait, wasSkipped);
  await workflow.join(wasSkipped, last, { branch: 'yes' });
  await callApi(
    api,
    project.secretKey,
    `/workflows/${workflow.id}`,
    {
      exits: [
        {
          name: 'Paid much',
          eventName: 'paid',
          where: [{ property: 'total', operator: 'greaterThan', value: 90 }],
        },
      ],
    },
    'PATCH',
  );
  return workflow.id;
}
