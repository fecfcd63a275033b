import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trackEvent } from '../../../audience/events/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { postgresVersions } from '../../../testing/test-database.ts';
import { triggerFromNowOn } from '../workflows.store.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { enterScheduleBatch } from './enter-schedule.ts';
import { advanceExecution, buildContact, buildWorkflow, storeEvent } from './runtime.fixture.ts';

describe.each(await postgresVersions())('entries (PostgreSQL %s)', (postgres) => {
  let test: TestServices;
  let project: TestProject;

  beforeAll(async () => {
    const made = await createTestServices({ postgres });
    // No Temporal server runs here; signals to it may be lost.
    test = {
      ...made,
      services: {
        ...made.services,
        workflows: { ...made.services.workflows, signal: async () => true },
      },
    };
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    project = await createTestProject(test.services);
  });

  const dispatch = async () => (await dispatchBatch(test.services, project.id)).taken;
  const executionsOf = (workflowId: string) =>
    test.services.database.prisma.workflowExecution.findMany({
      where: { workflowId },
      orderBy: { id: 'asc' },
    });
  const waitingEvents = () =>
    test.services.database.prisma.eventDispatch.count({ where: { projectId: project.id } });

  describe('by events', () => {
    it('50 concurrent events of one contact start one execution, in any number of dispatches', async () => {
      const workflow = await buildWorkflow(test.services, project.id, {});
      await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          trackEvent.run(project.publicCtx, { email: 'ann@people.test', event: 'signup', data: { n } }),
        ),
      );
      expect(await waitingEvents()).toBe(50);
      await Promise.all(Array.from({ length: 8 }, dispatch));
      expect(await waitingEvents()).toBe(0);
      expect(await executionsOf(workflow.id)).toHaveLength(1);
    });

    it('the execution refers to its event and has its data', async () => {
      const workflow = await buildWorkflow(test.services, project.id, {});
      const contact = await buildContact(test.services, project.id);
      const eventId = await storeEvent(test.services, {
        projectId: project.id,
        contactId: contact.id,
        name: 'signup',
        data: { plan: 'pro' },
      });
      const other = await buildContact(test.services, project.id);
      await storeEvent(test.services, { projectId: project.id, contactId: other.id, name: 'signup' });
      expect(await dispatch()).toBe(2);
      expect(await executionsOf(workflow.id)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            contactId: contact.id,
            sourceEventId: eventId,
            context: { plan: 'pro' },
            status: 'RUNNING',
            anchorEventId: eventId,
            currentStepId: workflow.step('trigger'),
          }),
          expect.objectContaining({ contactId: other.id, context: {} }),
        ]),
      );
    });

    it('without re-entry an earlier execution of any status blocks, even one from a time with re-entry', async () => {
      const workflow = await buildWorkflow(test.services, project.id, {});
      const contact = await buildContact(test.services, project.id);
      await test.services.database.prisma.workflowExecution.create({
        data: {
          id: newId(),
          projectId: project.id,
          workflowId: workflow.id,
          contactId: contact.id,
          status: 'CANCELLED',
        },
      });
      await storeEvent(test.services, { projectId: project.id, contactId: contact.id, name: 'signup' });
      await dispatch();
      expect(await executionsOf(workflow.id)).toHaveLength(1);
    });

    it('with re-entry only an active one blocks', async () => {
      const workflow = await buildWorkflow(test.services, project.id, {}, { allowReentry: true });
      const contact = await buildContact(test.services, project.id);
      const event = { projectId: project.id, contactId: contact.id, name: 'signup' };
      for (let n = 0; n < 2; n += 1) await storeEvent(test.services, event);
      await dispatch();
      const [first] = await executionsOf(workflow.id);
      expect(await executionsOf(workflow.id)).toHaveLength(1);
      await advanceExecution(test.services, first?.id ?? '', async () => Date.now());
      await storeEvent(test.services, event);
      await dispatch();
      expect((await executionsOf(workflow.id)).map(({ status }) => status)).toEqual(['COMPLETED', 'RUNNING']);
    });

    it.each([
      ['a disabled workflow', { enabled: false }],
      ['a workflow that starts by hand', { triggerType: 'MANUAL' as const }],
    ])('nobody enters %s', async (_case, fields) => {
      const workflow = await buildWorkflow(test.services, project.id, {}, fields);
      const contact = await buildContact(test.services, project.id);
      await storeEvent(test.services, { projectId: project.id, contactId: contact.id, name: 'signup' });
      expect(await dispatch()).toBe(1);
      expect(await executionsOf(workflow.id)).toEqual([]);
    });

    it('no contact enters by another project’s event or while the project is disabled', async () => {
      const stranger = await createTestProject(test.services);
      const theirs = await buildWorkflow(test.services, stranger.id, {});
      const ours = await buildWorkflow(test.services, project.id, {});
      const contact = await buildContact(test.services, project.id);
      await test.services.database.prisma.project.update({
        where: { id: project.id },
        data: { disabled: true },
      });
      await storeEvent(test.services, { projectId: project.id, contactId: contact.id, name: 'signup' });
      expect(await dispatch()).toBe(1);
      expect([...(await executionsOf(theirs.id)), ...(await executionsOf(ours.id))]).toEqual([]);
    });

    it('a wait ends with one event, whose data is merged and recorded, and continues along its outcome', async () => {
      const workflow = await buildWorkflow(
        test.services,
        project.id,
        {
          wait: { type: 'WAIT_FOR_EVENT', config: { eventName: 'paid', timeout: 3_600 } },
          paid: { type: 'EXIT', config: { reason: 'paid' } },
          late: { type: 'EXIT', config: { reason: 'late' } },
        },
        {
          transitions: [
            { from: 'trigger', to: 'wait' },
            { from: 'wait', to: 'paid', waitOutcome: 'EVENT' },
            { from: 'wait', to: 'late', waitOutcome: 'TIMEOUT' },
          ],
        },
      );
      const contact = await buildContact(test.services, project.id);
      const of = { projectId: project.id, contactId: contact.id };
      await storeEvent(test.services, { ...of, name: 'signup', data: { a: 1, b: 1 } });
      await dispatch();
      const [execution] = await executionsOf(workflow.id);
      const turn = () => advanceExecution(test.services, execution?.id ?? '', async () => Date.now());
      expect(await turn()).toMatchObject({ kind: 'wait' });
      await new Promise((resolve) => setTimeout(resolve, 5));
      const eventId = await storeEvent(test.services, { ...of, name: 'paid', data: { b: 2 } });
      await storeEvent(test.services, { ...of, name: 'paid', data: { b: 3 } });
      await dispatch();
      const [woken] = await executionsOf(workflow.id);
      expect(woken).toMatchObject({ status: 'WAITING', currentStepId: workflow.step('wait') });
      expect(woken?.dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
      expect(await turn()).toEqual({ kind: 'end' });
      expect(await executionsOf(workflow.id)).toMatchObject([
        { status: 'EXITED', exitReason: 'paid', context: { a: 1, b: 2 }, dueAt: null },
      ]);
      const step = await test.services.database.prisma.workflowStepExecution.findFirstOrThrow({
        where: { executionId: execution?.id ?? '', stepId: workflow.step('wait') },
      });
      const event = await test.services.database.prisma.event.findUniqueOrThrow({ where: { id: eventId } });
      expect(step).toMatchObject({
        status: 'COMPLETED',
        eventId,
        output: {
          waitOutcome: 'EVENT',
          eventName: 'paid',
          eventData: { b: 2 },
          receivedAt: event.createdAt.toISOString(),
        },
      });
    });
  });

  describe('after the clock was set back by an hour', () => {
    it('events start executions of a workflow that was enabled before, and end waits that began before; earlier events do not', async () => {
      const { durable } = test.services.database;
      const wait = { type: 'WAIT_FOR_EVENT' as const, config: { eventName: 'paid', timeout: 36_000 } };
      const workflow = await buildWorkflow(test.services, project.id, { wait });
      const [early, late] = await Promise.all([1, 2].map(() => buildContact(test.services, project.id)));
      const store = (name: string, contactId = '') =>
        storeEvent(test.services, { projectId: project.id, contactId, name });
      await store('signup', early?.id);
      await triggerFromNowOn(test.services.database.prisma, workflow.id);
      await durable.query(
        `UPDATE "Workflow" SET "triggersSince" = now() + interval '1 hour' WHERE "id" = $1`,
        [workflow.id],
      );
      await store('signup', late?.id);
      await dispatch();
      const [execution, ...others] = await executionsOf(workflow.id);
      expect(others).toEqual([]);
      expect(execution?.contactId).toBe(late?.id);

      await store('paid', early?.id);
      const turn = () => advanceExecution(test.services, execution?.id ?? '', async () => Date.now());
      expect(await turn()).toMatchObject({ kind: 'wait' });
      await durable.query(
        `UPDATE "WorkflowStepExecution" SET "startedAt" = now() + interval '1 hour' WHERE "executionId" = $1 AND "status" = 'WAITING'`,
        [execution?.id],
      );
      await durable.query(
        `UPDATE "WorkflowExecution" SET "anchorAt" = now() + interval '1 hour' WHERE "id" = $1`,
        [execution?.id],
      );
      await dispatch();
      expect(await turn()).toMatchObject({ kind: 'wait' });
      await store('paid', late?.id);
      await dispatch();
      expect(await turn()).toEqual({ kind: 'end' });
      expect(await executionsOf(workflow.id)).toMatchObject([{ status: 'COMPLETED' }]);
    });
  });

  describe('by schedule', () => {
    const schedule = {
      triggerType: 'SCHEDULE' as const,
      triggerConfig: { cron: '0 9 * * *', timezone: 'UTC' },
    };

    it('every subscribed contact enters, once per tick', async () => {
      const workflow = await buildWorkflow(
        test.services,
        project.id,
        {},
        { ...schedule, allowReentry: true },
      );
      const contacts = await Promise.all(
        [true, true, false].map((subscribed) => buildContact(test.services, project.id, { subscribed })),
      );
      const tick = Date.now();
      const batch = await enterScheduleBatch(test.services, workflow.id, tick, null);
      expect(batch.started).toBe(2);
      expect(batch.next).toBeNull();
      const started = await executionsOf(workflow.id);
      expect(new Set(started.map(({ contactId }) => contactId))).toEqual(
        new Set(contacts.slice(0, 2).map(({ id }) => id)),
      );
      // The ids are of version 7 and of the tick's time.
      for (const { id } of started)
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-/);
      // Repeated after a crash: no contact enters again, not even one whose execution has ended.
      expect((await enterScheduleBatch(test.services, workflow.id, tick, null)).started).toBe(0);
      await test.services.database.prisma.workflowExecution.updateMany({
        where: { workflowId: workflow.id },
        data: { status: 'COMPLETED' },
      });
      expect((await enterScheduleBatch(test.services, workflow.id, tick, null)).started).toBe(0);
      expect((await enterScheduleBatch(test.services, workflow.id, tick + 60_000, null)).started).toBe(2);
    });

    it('of a segment: its members enter, subscribed or not', async () => {
      const { prisma } = test.services.database;
      const segmentId = newId();
      await prisma.segment.create({
        data: { id: segmentId, projectId: project.id, name: 'S', slug: 's', type: 'STATIC' },
      });
      const member = await buildContact(test.services, project.id, { subscribed: false });
      const former = await buildContact(test.services, project.id);
      await buildContact(test.services, project.id);
      await prisma.segmentMembership.createMany({
        data: [
          { projectId: project.id, segmentId, contactId: member.id },
          { projectId: project.id, segmentId, contactId: former.id, exitedAt: new Date() },
        ],
      });
      const triggerConfig = { ...schedule.triggerConfig, segmentId };
      const workflow = await buildWorkflow(test.services, project.id, {}, { ...schedule, triggerConfig });
      await enterScheduleBatch(test.services, workflow.id, Date.now(), null);
      expect(await executionsOf(workflow.id)).toMatchObject([{ contactId: member.id, context: {} }]);
    });

    it('no contact enters a disabled or deleted workflow, which has no schedule', async () => {
      await buildContact(test.services, project.id);
      const workflow = await buildWorkflow(test.services, project.id, {}, { ...schedule, enabled: false });
      for (const id of [workflow.id, newId()]) {
        expect(await enterScheduleBatch(test.services, id, Date.now(), null)).toEqual({
          started: 0,
          next: null,
          isScheduled: false,
        });
      }
    });
  });
});
