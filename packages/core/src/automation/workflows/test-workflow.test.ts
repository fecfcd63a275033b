import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { readLive, writeDraft } from './definitions/definitions.store.ts';
import { withChangedStep } from './definitions/edits.rules.ts';
import { testWorkflow } from './index.ts';
import { buildContact, buildTemplate, buildWorkflow } from './runtime/runtime.fixture.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
});

const run = (input: {
  id: string;
  contactId: string;
  context?: Record<string, unknown>;
  waits?: 'EVENT' | 'TIMEOUT';
  definition?: 'live' | 'draft';
}) => testWorkflow.run(project.ctx, input);
const namesOf = ({ stepExecutions }: Awaited<ReturnType<typeof run>>) =>
  stepExecutions.map(({ step }) => step?.name);

/** The number of rows of everything that a workflow writes. */
async function written(): Promise<number[]> {
  const { prisma } = test.services.database;
  const where = { projectId: project.id };
  return Promise.all([
    prisma.workflowExecution.count({ where }),
    prisma.workflowStepExecution.count({ where }),
    prisma.email.count({ where }),
    prisma.event.count({ where }),
  ]);
}

/** Every type of step: what the contact is asked after the update decides about the email. */
const everyStep = async (waits: object = { eventName: 'paid', timeout: 3_600 }) => {
  const templateId = await buildTemplate(test.services, project.id, {
    subject: 'Hi {{name}}, {{event.total}}',
  });
  return buildWorkflow(
    test.services,
    project.id,
    {
      update: {
        type: 'UPDATE_CONTACT',
        config: { data: { plan: '{{event.plan}}' }, subscriptionAction: 'none' },
      },
      pause: { type: 'DELAY', config: { amount: 2, unit: 'days' } },
      ask: { type: 'CONDITION', config: { field: 'data.plan', operator: 'equals', value: 'pro' } },
      mail: { type: 'SEND_EMAIL', templateId },
      call: {
        type: 'WEBHOOK',
        config: { url: 'https://hooks.example.com/{{plan}}', body: { total: '{{event.total}}' } },
      },
      wait: { type: 'WAIT_FOR_EVENT', config: waits },
      paid: { type: 'EXIT', config: { reason: 'paid' } },
      late: { type: 'EXIT', config: {} },
      other: { type: 'EXIT', config: { reason: 'no pro' } },
    },
    {
      enabled: false,
      transitions: [
        { from: 'trigger', to: 'update' },
        { from: 'update', to: 'pause' },
        { from: 'pause', to: 'ask' },
        { from: 'ask', to: 'mail', branch: 'yes' },
        { from: 'ask', to: 'other', branch: 'no' },
        { from: 'mail', to: 'call' },
        { from: 'call', to: 'wait' },
        { from: 'wait', to: 'paid', waitOutcome: 'EVENT' },
        { from: 'wait', to: 'late', waitOutcome: 'TIMEOUT' },
      ],
    },
  );
};

describe('a test run', () => {
  it('shows every step that the contact would take, with its email and its request, and writes nothing', async () => {
    const { id } = await everyStep();
    const contact = await buildContact(test.services, project.id, { data: { name: 'Ada', plan: 'free' } });
    const before = await written();
    const result = await run({ id, contactId: contact.id, context: { plan: 'pro', total: 80 } });

    expect(namesOf(result)).toEqual(['trigger', 'update', 'pause', 'ask', 'mail', 'call', 'wait', 'paid']);
    expect(result).toMatchObject({ status: 'EXITED', exitReason: 'paid' });
    const outputs = Object.fromEntries(result.stepExecutions.map(({ step, output }) => [step?.name, output]));
    expect(outputs['ask']).toMatchObject({ actualValue: 'pro', branch: 'yes' });
    expect(outputs['mail']).toMatchObject({
      recipientEmail: contact.email,
      subject: 'Hi Ada, 80',
      skipped: null,
      emailId: null,
    });
    expect(outputs['call']).toEqual({
      url: 'https://hooks.example.com/pro',
      method: 'POST',
      body: { total: '80' },
    });
    expect(await written()).toEqual(before);
    const { data } = await test.services.database.prisma.contact.findUniqueOrThrow({
      where: { id: contact.id },
    });
    expect(data).toEqual({ name: 'Ada', plan: 'free' });
  });

  it('takes the branch of the contact and of the event', async () => {
    const { id } = await everyStep();
    const contact = await buildContact(test.services, project.id);
    const result = await run({ id, contactId: contact.id, context: { plan: 'free' } });
    expect(namesOf(result)).toEqual(['trigger', 'update', 'pause', 'ask', 'other']);
    expect(result.exitReason).toBe('no pro');
  });

  it('lets waits pass: a delay takes its time, and a wait ends as chosen', async () => {
    const { id } = await everyStep();
    const contact = await buildContact(test.services, project.id, { data: { plan: 'pro' } });
    const given = { id, contactId: contact.id, context: { plan: 'pro' } };
    const late = await run({ ...given, waits: 'TIMEOUT' });
    expect(namesOf(late).at(-1)).toBe('late');
    const took = (name: string) => {
      const step = late.stepExecutions.find((each) => each.step?.name === name);
      return Date.parse(String(step?.completedAt)) - Date.parse(String(step?.startedAt));
    };
    expect(took('pause')).toBe(2 * 86_400_000);
    expect(took('wait')).toBe(3_600_000);
    const forever = await everyStep({ eventName: 'paid' });
    const met = await run({ ...given, id: forever.id, waits: 'TIMEOUT' });
    expect(namesOf(met).at(-1)).toBe('paid');
  });

  it('says that an email would be skipped, and which step would fail', async () => {
    const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
    const unverified = await buildTemplate(test.services, project.id, { from: 'us@other.test' });
    const { id } = await buildWorkflow(test.services, project.id, {
      first: { type: 'SEND_EMAIL', templateId },
      second: { type: 'SEND_EMAIL', templateId: unverified },
      third: { type: 'EXIT' },
    });
    const contact = await buildContact(test.services, project.id, { subscribed: false });
    const result = await run({ id, contactId: contact.id });
    expect(namesOf(result)).toEqual(['trigger', 'first', 'second']);
    expect(result.stepExecutions[1]?.output).toMatchObject({ skipped: 'unsubscribed' });
    expect(result).toMatchObject({
      status: 'FAILED',
      exitReason: 'The sender domain other.test is not verified',
    });
  });

  it('is possible for a contact who is in the workflow', async () => {
    const { id, step } = await everyStep();
    const contact = await buildContact(test.services, project.id);
    await test.services.database.prisma.workflowExecution.create({
      data: {
        id: newId(),
        projectId: project.id,
        workflowId: id,
        contactId: contact.id,
        status: 'WAITING',
        currentStepId: step('pause'),
      },
    });
    expect(namesOf(await run({ id, contactId: contact.id }))).toContain('other');
  });

  it('runs the draft where it is asked for', async () => {
    const { id, step } = await everyStep();
    const contact = await buildContact(test.services, project.id);
    const { prisma } = test.services.database;
    const row = await prisma.workflow.findUniqueOrThrow({ where: { id }, include: { draft: true } });
    const given = { id, contactId: contact.id, context: { plan: 'free' } };
    await expect(run({ ...given, definition: 'draft' })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
    const live = await readLive(prisma, row);
    const config = { reason: 'drafted' };
    const draft = withChangedStep(live, step('other'), { config }, new Date());
    await writeDraft(prisma, row, { actorType: 'system', actorId: null, keyName: null }, draft, 1);
    expect((await run({ ...given, definition: 'draft' })).exitReason).toBe('drafted');
    expect((await run(given)).exitReason).toBe('no pro');
  });

  it('needs a workflow and a contact of the project', async () => {
    const { id } = await everyStep();
    const foreign = await createTestProject(test.services);
    const contact = await buildContact(test.services, foreign.id);
    await expect(run({ id, contactId: contact.id })).rejects.toMatchObject({ code: 'CONTACT_NOT_FOUND' });
    await expect(testWorkflow.run(foreign.ctx, { id, contactId: contact.id })).rejects.toMatchObject({
      code: 'WORKFLOW_NOT_FOUND',
    });
  });
});
