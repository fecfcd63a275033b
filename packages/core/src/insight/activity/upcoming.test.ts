import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addStep,
  createWorkflow,
  publishWorkflow,
  startExecution,
  updateStep,
  updateWorkflow,
} from '../../automation/workflows/index.ts';
import {
  advanceExecution,
  buildContact,
  buildTemplate,
} from '../../automation/workflows/runtime/runtime.fixture.ts';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { listUpcomingActivity } from './index.ts';

let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

it('the next email of an execution is that of the version that it runs', async () => {
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  const [old, other] = [
    await buildTemplate(test.services, project.id, { subject: 'Old' }),
    await buildTemplate(test.services, project.id, { subject: 'Other' }),
  ];
  const { id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
  const position = { x: 0, y: 0 };
  const config = { amount: 1, unit: 'hours' };
  await addStep.run(project.ctx, { id, type: 'DELAY', name: 'Pause', position, config });
  const mail = await addStep.run(project.ctx, {
    ...{ id, type: 'SEND_EMAIL', name: 'Hello', position, config: {} },
    templateId: old,
  });
  await updateWorkflow.run(project.ctx, { id, enabled: true });
  const enter = async () => {
    const contact = await buildContact(test.services, project.id);
    const execution = await startExecution.run(project.ctx, { id, contactId: contact.id });
    await advanceExecution(test.services, execution.id);
  };
  const upcoming = async () => {
    const { activities } = await listUpcomingActivity.run(project.ctx, { limit: 10, daysAhead: 1 });
    return activities.map(({ metadata }) => [metadata?.['stepName'], metadata?.['subject']]);
  };
  await enter();
  await updateStep.run(project.ctx, { id, stepId: mail.id, name: 'Goodbye', templateId: other });
  await enter();
  expect(await upcoming()).toEqual([
    ['Hello', 'Old'],
    ['Goodbye', 'Other'],
  ]);
  await publishWorkflow.run(project.ctx, { id, version: 2, move: 'ALL' });
  expect(await upcoming()).toEqual([
    ['Goodbye', 'Other'],
    ['Goodbye', 'Other'],
  ]);
});
