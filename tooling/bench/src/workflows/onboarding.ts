import type { TestProject } from '@postrider/harness/project.store';
import { createTemplate, createWorkflow } from '@postrider/harness/workflow';

/** The steps and emails of every execution in these runs. */
export const onboarding = { steps: 4, mails: 1, eventName: 'signup' } as const;

/**
 * Builds and enables TRIGGER → SEND_EMAIL → CONDITION → EXIT through the public API. The condition is true for every
 * contact tracked with `signupOf`.
 *
 * @returns its id
 */
export async function buildOnboarding(api: string, project: TestProject): Promise<string> {
  const templateId = await createTemplate(api, project, { name: 'Welcome', type: 'TRANSACTIONAL' });
  const workflow = await createWorkflow(api, project, {
    name: 'Onboarding',
    eventName: onboarding.eventName,
  });
  const welcome = await workflow.add('SEND_EMAIL', 'Welcome', { recipient: { type: 'CONTACT' } }, templateId);
  const isPro = await workflow.add('CONDITION', 'On the plan pro?', {
    field: 'event.plan',
    operator: 'equals',
    value: 'pro',
  });
  const exit = await workflow.add('EXIT', 'Done', { reason: 'onboarded' });
  await workflow.join(workflow.triggerId, welcome);
  await workflow.join(welcome, isPro);
  await workflow.join(isPro, exit, { branch: 'yes' });
  await workflow.enable();
  return workflow.id;
}

/** The body of the `/v1/track` request with which a new contact enters. */
export const signupOf = (email: string): string =>
  JSON.stringify({
    email,
    event: onboarding.eventName,
    data: { plan: 'pro', code: 'A-1', source: 'web' },
  });
