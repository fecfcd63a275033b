import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteContact, updateContact, upsertContact } from '../../../audience/contacts/index.ts';
import { trackEvent } from '../../../audience/events/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { createWorkflow, deleteWorkflow, updateWorkflow } from '../index.ts';
import { findDue } from '../runtime/due.store.ts';
import { enterDueBatch, noteDates } from './enter-due.ts';

let test: TestServices;
let project: TestProject;
let id: string;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
  ({ id } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' }));
});

const prisma = () => test.services.database.prisma;
const unit = () => ({ projectId: project.id, workflowId: id });
type Update = Parameters<typeof updateWorkflow.run>[1];
const change = (given: Omit<Update, 'id'>) => updateWorkflow.run(project.ctx, { id, ...given });
const contact = async (data: Record<string, unknown> = {}): Promise<string> =>
  (await upsertContact.run(project.ctx, { email: `${newId()}@people.test`, data: data as never })).id;
const set = (contactId: string, data: Record<string, unknown>) =>
  updateContact.run(project.ctx, { id: contactId, data: data as never });
const waiting = () => prisma().workflowDue.findMany({ where: { workflowId: id }, orderBy: { at: 'asc' } });
/** Passes over all contacts, and lets those enter whose time has come, as runners do. */
async function run(): Promise<void> {
  while ((await noteDates(test.services, unit())) > 0);
  while ((await enterDueBatch(test.services, unit())) > 0);
}
const executions = () =>
  prisma().workflowExecution.findMany({ where: { workflowId: id }, orderBy: { createdAt: 'asc' } });
const entered = async () => (await executions()).map(({ contactId, context }) => ({ contactId, context }));
/** Time passes: everything that was noted is due so much sooner, and what is known of the future is less. */
const pass = async (hours: number): Promise<void> => {
  const by = `${hours} hours`;
  await prisma()
    .$executeRaw`UPDATE "WorkflowDue" SET "at" = "at" - ${by}::interval WHERE "workflowId" = ${id}::uuid`;
  await prisma().$executeRaw`
    UPDATE "Workflow" SET "datesTo" = "datesTo" - ${by}::interval, "triggersSince" = "triggersSince" - ${by}::interval WHERE "id" = ${id}::uuid`;
};
const hour = 3_600_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 16);
const today = (): string => dayOf(Date.now());
/** A birthday whose time of the day comes in so many minutes, in UTC. */
const minutesAhead = (minutes: number) => {
  const at = Date.now() + minutes * 60_000;
  return { birthday: `1990${dayOf(at).slice(4)}`, at: timeOf(at), day: dayOf(at) };
};
const daily = (at: string, more: object = {}) => ({
  triggerType: 'DATE' as const,
  triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', at, ...more } as never,
});

describe('a date of a contact', () => {
  it('enters at the time of its day, once, with what it followed from', async () => {
    const { birthday, at, day } = minutesAhead(90);
    const ann = await contact({ birthday });
    for (const other of ['1990-02-30', '15.06.1990', 19900615, null, '1990-01-01T'])
      await contact({ birthday: other });
    await change({ ...daily(at), allowReentry: true, enabled: true });
    await run();
    expect(await entered()).toEqual([]);
    expect(await waiting()).toMatchObject([{ contactId: ann, day: new Date(`${day}T00:00:00.000Z`) }]);
    await prisma().workflowDue.updateMany({
      where: { workflowId: id },
      data: { at: new Date(Date.now() - 1_000) },
    });
    // Not yet: the row is only where to look.
    await run();
    expect(await entered()).toEqual([]);
    expect((await waiting())[0]?.at.toISOString().slice(11, 16)).toBe(at);
  });

  it('whose time has come enters', async () => {
    const ann = await contact();
    const past = new Date(Date.now() - 60_000);
    await change({ ...daily(timeOf(past.getTime())), enabled: true });
    const birthday = `1990${dayOf(past.getTime()).slice(4)}`;
    await run();
    await prisma().contact.update({ where: { id: ann }, data: { data: { birthday } } });
    await run();
    // What has passed when the field is set does not enter.
    expect(await entered()).toEqual([]);
    const day = dayOf(past.getTime());
    await prisma().workflow.update({ where: { id }, data: { triggersSince: new Date(Date.now() - hour) } });
    await prisma().workflowDue.create({
      data: {
        workflowId: id,
        contactId: ann,
        projectId: project.id,
        at: past,
        day: new Date(`${day}T00:00:00.000Z`),
      },
    });
    await run();
    expect(await entered()).toEqual([
      { contactId: ann, context: { field: 'data.birthday', date: birthday, occurrence: day } },
    ]);
  });

  it('a service that was down enters what it has missed, up to a day', async () => {
    const soon = Date.now() - 2 * hour;
    const birthdayOf = (hoursAgo: number) => `1990${dayOf(Date.now() - hoursAgo * hour).slice(4)}`;
    const at = timeOf(soon);
    const missed = await contact({ birthday: birthdayOf(2) });
    await contact({ birthday: birthdayOf(2 + 24) });
    await contact({ birthday: birthdayOf(2 + 48) });
    await change({ ...daily(at), enabled: true });
    await prisma().workflow.update({
      where: { id },
      data: {
        triggersSince: new Date(Date.now() - 80 * hour),
        datesTo: new Date(Date.now() - 70 * hour),
        datesAfter: {} === null ? undefined : undefined,
      },
    });
    await run();
    expect((await entered()).map(({ contactId }) => contactId)).toEqual([missed]);
    await run();
    expect(await entered()).toHaveLength(1);
  });

  it('a changed date or zone is noted anew, and an occurrence enters once', async () => {
    const { birthday, at } = minutesAhead(120);
    const ann = await contact({ birthday });
    await change({ ...daily(at), allowReentry: true, enabled: true });
    await run();
    const [before] = await waiting();
    // Two hours to the east it would have come by now, one hour to the west it comes an hour later.
    await set(ann, { timezone: 'Etc/GMT+1' });
    await run();
    const [moved] = await waiting();
    expect(Number(moved?.at) - Number(before?.at)).toBe(hour);
    await set(ann, { birthday: null });
    await run();
    expect(await waiting()).toEqual([]);
    await set(ann, { birthday, timezone: null });
    await run();
    expect(await waiting()).toMatchObject([{ at: before?.at }]);
    // An unrelated change leaves it alone, also what is overdue.
    await set(ann, { name: 'Ann' });
    expect(await waiting()).toMatchObject([{ at: before?.at, day: before?.day }]);
    const day = before?.day ?? new Date();
    await prisma().workflowEntry.create({
      data: {
        workflowId: id,
        contactId: ann,
        projectId: project.id,
        entries: 1,
        lastAt: new Date(),
        occurrence: day,
        active: false,
      },
    });
    await change({
      triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', at: timeOf(Date.now() - 60_000) } as never,
    });
    await prisma().workflow.update({ where: { id }, data: { triggersSince: new Date(0) } });
    await prisma().workflowDue.deleteMany({ where: { workflowId: id } });
    await prisma().workflowDue.create({
      data: { workflowId: id, contactId: ann, projectId: project.id, at: new Date(), day },
    });
    if (dayOf(day.getTime()) === today()) {
      await run();
      expect(await entered()).toEqual([]);
      expect(await prisma().workflowEntryBlocked.count({ where: { workflowId: id } })).toBe(0);
    }
  });

  it('the zone of the workflow holds for contacts without one, and another is followed', async () => {
    const { birthday, at } = minutesAhead(300);
    await contact({ birthday });
    await contact({ birthday, timezone: 'UTC' });
    await change({ ...daily(at), enabled: true });
    await run();
    const before = (await waiting()).map((row) => row.at.getTime());
    await change({ timeZone: 'Etc/GMT+2' });
    await run();
    expect((await waiting()).map((row) => row.at.getTime() - (before[0] ?? 0))).toEqual([0, 2 * hour]);
  });

  it('nobody enters a workflow that is disabled by then, and what had passed does not enter when it is enabled again', async () => {
    const { birthday, at } = minutesAhead(60);
    await contact({ birthday });
    await change({ ...daily(at), enabled: true });
    await run();
    await change({ enabled: false });
    await pass(2);
    await change({ enabled: true });
    await run();
    expect(await entered()).toEqual([]);
  });

  it('a pass is made once a day, goes on where it was, and is found by those that run', async () => {
    await change({ ...daily('09:00'), enabled: true });
    const kinds = async () =>
      (await findDue(test.services.database.durable, project.id)).map(({ kind, inMs }) => [kind, inMs <= 0]);
    expect(await kinds()).toEqual([['dates', true]]);
    expect(await noteDates(test.services, unit())).toBe(1);
    expect(await noteDates(test.services, unit())).toBe(0);
    expect(await kinds()).toEqual([['dates', false]]);
    await pass(25);
    expect(await kinds()).toEqual([['dates', true]]);
    const [row] = (await findDue(test.services.database.durable, null)).filter(
      ({ workflowId }) => workflowId === id,
    );
    expect(row).toMatchObject({ kind: 'dates', projectId: project.id });
  });

  it('goes with its contact and its workflow', async () => {
    const { birthday, at } = minutesAhead(60);
    const [ann] = [await contact({ birthday }), await contact({ birthday })];
    await change({ ...daily(at), enabled: true });
    await run();
    expect(await waiting()).toHaveLength(2);
    await deleteContact.run(project.ctx, { id: ann });
    expect(await waiting()).toHaveLength(1);
    await deleteWorkflow.run(project.ctx, { id });
    expect(await waiting()).toEqual([]);
  });

  it.each([
    [
      'a field that is none of a contact',
      { field: 'birthday', repeat: 'ONCE' },
      'triggerConfig.field',
      'unsupported_field',
    ],
    ['no repeat', { field: 'data.birthday' }, 'triggerConfig.repeat', 'required'],
    [
      'too far an offset',
      { field: 'data.birthday', repeat: 'ONCE', offsetDays: 366 },
      'triggerConfig.offsetDays',
      'too_big',
    ],
    [
      'no time',
      { field: 'data.birthday', repeat: 'ONCE', at: '24:00' },
      'triggerConfig.at',
      'invalid_string',
    ],
    ['no field', { repeat: 'ONCE' }, 'triggerConfig.field', 'required'],
  ])('is refused: %s', async (_case, triggerConfig, field, code) => {
    await expect(
      change({ triggerType: 'DATE', triggerConfig: triggerConfig as never }),
    ).rejects.toMatchObject({
      errors: [{ field, code }],
    });
  });
});

describe('a new contact', () => {
  const sources = async () =>
    (await executions()).map(({ context }) => (context as { source: string }).source);

  it('enters by whatever way it is created, and one that exists does not', async () => {
    await change({ triggerType: 'CONTACT', triggerConfig: {}, enabled: true });
    const ann = await contact({ a: 1 });
    await set(ann, { a: 2 });
    await trackEvent.run(project.publicCtx, { email: 'bob@people.test', event: 'e' });
    await trackEvent.run(project.publicCtx, { email: 'bob@people.test', event: 'e' });
    await prisma().contact.createMany({
      data: Array.from({ length: 600 }, (_, n) => ({
        id: newId(),
        projectId: project.id,
        email: `c${n}@people.test`,
      })),
    });
    const other = await createTestProject(test.services);
    await upsertContact.run(other.ctx, { email: 'x@people.test' });
    await run();
    expect((await sources()).toSorted()).toEqual([...Array(601).fill('api'), 'track']);
    await run();
    expect(await executions()).toHaveLength(602);
  });

  it('only of the sources that the trigger names, by the entry rules', async () => {
    await change({
      triggerType: 'CONTACT',
      triggerConfig: { sources: ['track'] },
      entry: {
        filter: {
          logic: 'AND',
          groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
        },
      },
      enabled: true,
    });
    await contact({ plan: 'pro' });
    const track = (email: string, plan: string) =>
      trackEvent.run(project.publicCtx, { email, event: 'e', contactData: { plan } } as never);
    await trackEvent.run(project.publicCtx, { email: 'free@people.test', event: 'e' });
    await track('pro@people.test', 'pro').catch(() => undefined);
    await run();
    expect((await sources()).every((source) => source === 'track')).toBe(true);
    expect(await prisma().workflowEntryBlocked.findFirst({ where: { workflowId: id } })).toMatchObject({
      reason: 'filter',
    });
  });

  it('nobody enters while it is disabled, or after it has another trigger', async () => {
    await contact();
    await change({ triggerType: 'CONTACT', triggerConfig: {}, enabled: true });
    await contact();
    await change({ triggerType: 'MANUAL', triggerConfig: {} });
    await contact();
    await run();
    expect(await executions()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });
});
