import type { TestProject } from '@postrider/harness/project.store';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';

export interface Welcome {
  id: string;
  /** with which contacts enter it */
  eventName: string;
}

const waitSeconds = 8;

/** A workflow of two emails with a wait between them that outlasts the start of a process. */
export async function buildWelcome(api: string, project: TestProject): Promise<Welcome> {
  const eventName = 'signed up';
  const template = await createTemplate(api, project, { name: 'Welcome', type: 'MARKETING' });
  const { id, triggerId, add, join, enable } = await createWorkflow(api, project, {
    name: 'Welcome',
    eventName,
  });
  const first = await add('SEND_EMAIL', 'Welcome', {}, template);
  const wait = await add('WAIT_FOR_EVENT', 'A while', { eventName: 'never tracked', timeout: waitSeconds });
  const second = await add('SEND_EMAIL', 'How is it?', {}, template);
  await join(triggerId, first);
  await join(first, wait);
  await join(wait, second, { waitOutcome: 'TIMEOUT' });
  await enable();
  return { id, eventName };
}

export const emailsOfWelcome = 2;
/** with its trigger */
export const stepsOfWelcome = 4;
