import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import { openTestLedger, type TestLedger } from '../../../mail/ledger/ledger.fixture.ts';
import { verifiedDomain } from '../../../testing/index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { advanceExecution, buildContact, buildTemplate, buildWorkflow } from './runtime.fixture.ts';

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await openTestLedger();
  const { workflows } = ledger.test.services;
  Object.assign(workflows, { signal: async () => undefined, signalDebounced: () => undefined });
});
afterAll(() => ledger.close());
afterEach(() => {
  vi.useRealTimers();
});

/** An execution that sends an email and waits for `email.sent`. */
async function sendAndWait() {
  const { services } = ledger.test;
  const project = await ledger.newProject();
  await verifiedDomain(services, project.id, 'mail.test');
  const templateId = await buildTemplate(services, project.id);
  const workflow = await buildWorkflow(services, project.id, {
    mail: { type: 'SEND_EMAIL', templateId },
    wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'email.sent' } },
    out: { type: 'EXIT', config: { reason: 'sent' } },
  });
  const contact = await buildContact(services, project.id);
  const id = newId();
  await services.database.prisma.workflowExecution.create({
    data: { id, projectId: project.id, workflowId: workflow.id, contactId: contact.id },
  });
  return { id, projectId: project.id };
}

describe('a wait for the email that the step before it sends', () => {
  it.each([
    ['an hour behind', -3_600_000],
    ['right', 0],
    ['an hour ahead', 3_600_000],
  ])('ends when the email is sent by a process whose clock is %s', async (_clock, differenceMs) => {
    const { services } = ledger.test;
    const { id, projectId } = await sendAndWait();
    expect(await advanceExecution(services, id, async () => Date.now())).toEqual({
      kind: 'wait',
      until: null,
    });

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + differenceMs });
    const [held] = await ledger.take(projectId);
    await held?.settle({ outcome: 'sent' });
    vi.useRealTimers();

    expect((await dispatchBatch(services, projectId)).taken).toBeGreaterThan(0);
    expect(await advanceExecution(services, id, async () => Date.now())).toEqual({ kind: 'end' });
    expect(
      await services.database.prisma.workflowExecution.findUniqueOrThrow({ where: { id } }),
    ).toMatchObject({
      status: 'EXITED',
      exitReason: 'sent',
    });
  });
});
