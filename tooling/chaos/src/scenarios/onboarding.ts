import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { TestProject } from '@postrider/harness/project.store';
import type { Random } from '@postrider/harness/random';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';
import { type ExecutionRecord, shortenDelays } from '@postrider/harness/workflow.store';

/** The workflow of the `workflows` runs, and the expected path of each contact through it. */
export const entryEvent = 'signed up';
export const awaitedEvent = 'confirmed';

const paces = 5;
const slowestPaceSeconds = 8;
const neverSeconds = 3;
const longWaitSeconds = 86_400;

export interface Person {
  email: string;
  /** the data of the entry event */
  data: {
    code: string;
    pace: string;
    waits: 'event' | 'timeout' | 'not';
    ends: 'exit' | 'open';
  };
  /** whether the first request of the webhook gets a 503 */
  webhookFails: boolean;
}

export function choosePeople(count: number, random: Random): Person[] {
  return Array.from({ length: count }, (_none, index) => {
    const waits = random.next();
    return {
      email: `person${index}@people.test`,
      data: {
        code: `C${index}`,
        pace: `pace${random.whole(0, paces)}`,
        waits: waits < 0.3 ? 'event' : waits < 0.6 ? 'timeout' : 'not',
        ends: random.next() < 0.7 ? 'exit' : 'open',
      },
      webhookFails: random.next() < 0.1,
    };
  });
}

export interface Onboarding {
  id: string;
  /** the step that waits for `awaitedEvent` until it comes */
  awaitStepId: string;
  webhookStepId: string;
  /** ids of the steps that a contact must take, each once */
  wayOf(person: Person): string[];
}

/** trigger → email → pace → DELAY → CONDITION → (wait for an event | wait until the timeout | nothing) → WEBHOOK → email → EXIT or end. */
export async function buildOnboarding(
  { stack, db }: ChaosStack,
  project: TestProject,
  random: Random,
  webhookUrl: string,
): Promise<Onboarding> {
  const api = stack.urls.api;
  const hello = await createTemplate(api, project, { name: 'Hello', type: 'TRANSACTIONAL' });
  const bye = await createTemplate(api, project, { name: 'Until soon', type: 'MARKETING' });
  const workflow = await createWorkflow(api, project, { name: 'Onboarding', eventName: entryEvent });
  const { add, join } = workflow;

  const helloStep = await add('SEND_EMAIL', 'Hello', {}, hello);
  const names = Array.from({ length: paces }, (_none, index) => `pace${index}`);
  const pace = await add('CONDITION', 'How fast?', choice('event.pace', names));
  const waits = await add('CONDITION', 'Waits for what?', choice('event.waits', ['event', 'timeout']));
  const awaited = await add('WAIT_FOR_EVENT', 'Until confirmed', {
    eventName: awaitedEvent,
    timeout: longWaitSeconds,
  });
  const inVain = await add('WAIT_FOR_EVENT', 'In vain', { eventName: awaitedEvent, timeout: neverSeconds });
  const note = await add('UPDATE_CONTACT', 'Note it', { data: { confirmed: '{{event.answer}}' } });
  const webhook = await add('WEBHOOK', 'Tell the shop', { url: webhookUrl });
  const byeStep = await add('SEND_EMAIL', 'Until soon', {}, bye);
  const ends = await add('CONDITION', 'How does it end?', {
    field: 'event.ends',
    operator: 'equals',
    value: 'exit',
  });
  const exit = await add('EXIT', 'Done', { reason: 'onboarded' });

  await join(workflow.triggerId, helloStep);
  await join(helloStep, pace);
  const delays = new Map<string, string>();
  const lengths = new Map<string, number>();
  for (const name of names) {
    const delay = await add('DELAY', name, { amount: 1, unit: 'minutes' });
    lengths.set(delay, 1 + random.next() * (slowestPaceSeconds - 1));
    await join(pace, delay, { branch: name });
    await join(delay, waits);
    delays.set(name, delay);
  }
  await join(waits, awaited, { branch: 'event' });
  await join(waits, inVain, { branch: 'timeout' });
  await join(waits, webhook, { branch: 'default' });
  await join(awaited, note, { waitOutcome: 'EVENT' });
  await join(note, webhook);
  await join(inVain, webhook, { waitOutcome: 'TIMEOUT' });
  await join(webhook, byeStep);
  await join(byeStep, ends);
  await join(ends, exit, { branch: 'yes' });
  await workflow.enable();
  await shortenDelays(db, workflow.id, lengths);

  const between = { event: [awaited, note], timeout: [inVain], not: [] } as const;
  return {
    id: workflow.id,
    awaitStepId: awaited,
    webhookStepId: webhook,
    wayOf: ({ data }) => [
      workflow.triggerId,
      helloStep,
      pace,
      delays.get(data.pace) ?? '',
      waits,
      ...between[data.waits],
      webhook,
      byeStep,
      ends,
      ...(data.ends === 'exit' ? [exit] : []),
    ],
  };
}

const choice = (field: string, values: readonly string[]) => ({
  mode: 'multi',
  field,
  branches: values.map((value) => ({ id: value, name: value, operator: 'equals', value })),
});

const emailsEach = 2;

/** The ways in which an execution violates the promise "each step once". */
export function executionProblems(
  execution: ExecutionRecord,
  person: Person,
  { wayOf }: Pick<Onboarding, 'wayOf'>,
): string[] {
  const name = `the execution of ${person.email}`;
  const { status, exitReason, context, open, steps } = execution;
  const wanted = person.data.ends === 'exit' ? 'EXITED onboarded' : 'COMPLETED null';
  const way = wayOf(person).toSorted();
  const taken = steps.map(({ stepId }) => stepId).toSorted();
  const emails = steps.filter((step) => step.emails > 0);
  const waited = person.data.waits === 'event' ? person.data.code : undefined;
  return [
    ...(`${status} ${exitReason}` === wanted ? [] : [`${name} is ${status} ${exitReason}, not ${wanted}`]),
    ...(open ? [`${name} is ${status} and still waits to be looked at`] : []),
    ...(taken.join() === way.join()
      ? []
      : [`${name} took ${taken.length} steps, not the ${way.length} of its way`]),
    ...steps
      .filter((step) => step.status !== 'COMPLETED')
      .map((step) => `a step of ${name} is ${step.status}: ${step.error}`),
    ...(emails.length === emailsEach && emails.every((step) => step.emails === 1)
      ? []
      : [`${name} wrote ${steps.reduce((sum, step) => sum + step.emails, 0)} emails, not ${emailsEach}`]),
    ...(context['answer'] === waited
      ? []
      : [`${name} has the answer ${String(context['answer'])}, not ${String(waited)}`]),
  ];
}
