import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  deleteContact,
  startContactImport,
  updateContact,
  upsertContact,
} from '../../../audience/contacts/index.ts';
import { trackEvent } from '../../../audience/events/index.ts';
import { runContactImport } from '../../../audience/segments/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { removedBehind } from '../bulk/removed-behind.fixture.ts';
import { createWorkflow, deleteWorkflow, ExecutionRunners, enterWorkflow, updateWorkflow } from '../index.ts';
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
const hour = 3_600_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const timeOf = (at: number): string => new Date(at).toISOString().slice(11, 16);
const birthdayOn = (at: number): string => `1990${dayOf(at).slice(4)}`;
const minuteOf = (at: number): Date => new Date(Math.floor(at / 60_000) * 60_000);
/** As if it had been enabled so long ago, and nobody had looked at dates since. */
const enabledAgo = (hours: number) =>
  prisma().workflow.update({
    where: { id },
    data: {
      triggersSince: new Date(Date.now() - hours * hour),
      datesTo: new Date(Date.now() - hours * hour),
    },
  });
/** Notes an occurrence of a contact, as a pass does. */
const note = (contactId: string, at: number) =>
  prisma().workflowDue.create({
    data: {
      workflowId: id,
      contactId,
      projectId: project.id,
      at: new Date(at),
      day: new Date(`${dayOf(at)}T00:00:00.000Z`),
    },
  });
/** Ends its executions, as their steps would. */
const end = () =>
  prisma().workflowExecution.updateMany({
    where: { workflowId: id },
    data: { status: 'COMPLETED', dueAt: null },
  });
const daily = (at: string, more: object = {}) => ({
  triggerType: 'DATE' as const,
  triggerConfig: { field: 'data.birthday', repeat: 'YEARLY', at, ...more } as never,
});

describe('a date of a contact', () => {
  it('enters at the time of its day, once, with what it followed from', async () => {
    const past = Date.now() - 60_000;
    const birthday = birthdayOn(past);
    const ann = await contact({ birthday });
    for (const other of ['1990-02-30', '15.06.1990', 19900615, true, birthdayOn(past + 48 * hour)])
      await contact({ birthday: other });
    await change({ ...daily(timeOf(past)), allowReentry: true, enabled: true });
    await enabledAgo(1);
    await run();
    const context = { field: 'data.birthday', date: birthday, occurrence: dayOf(past) };
    expect(await entered()).toEqual([{ contactId: ann, context }]);
    await end();
    // The same period once more, and a row that another pass has noted.
    await enabledAgo(1);
    await note(ann, past);
    await run();
    expect(await entered()).toHaveLength(1);
    expect(await prisma().stepFigureEntry.count({ where: { workflowId: id, blocked: { gt: 0 } } })).toBe(0);
    expect(await prisma().workflowEntry.findFirst({ where: { contactId: ann } })).toMatchObject({
      entries: 1,
    });
  });

  it('is one entry, whoever looks at the same time', async () => {
    const past = Date.now() - 60_000;
    await contact({ birthday: birthdayOn(past) });
    await change({ ...daily(timeOf(past)), allowReentry: true, enabled: true });
    await enabledAgo(1);
    const turns = Array.from({ length: 12 }, (_, n) =>
      n % 2 === 0 ? noteDates(test.services, unit()) : enterDueBatch(test.services, unit()),
    );
    await Promise.all(turns);
    await Promise.all(Array.from({ length: 12 }, () => enterDueBatch(test.services, unit())));
    expect(await entered()).toHaveLength(1);
  });

  it('that has passed when the field is set does not enter', async () => {
    const past = Date.now() - 60_000;
    const ann = await contact();
    await change({ ...daily(timeOf(past)), enabled: true });
    await enabledAgo(1);
    await run();
    await set(ann, { birthday: birthdayOn(past) });
    await contact({ birthday: birthdayOn(past) });
    await run();
    expect(await entered()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('enters late after an outage, up to a day', async () => {
    const past = Date.now() - 2 * hour;
    const missed = await contact({ birthday: birthdayOn(past) });
    for (const days of [1, 2]) await contact({ birthday: birthdayOn(past - days * 24 * hour) });
    await change({ ...daily(timeOf(past)), enabled: true });
    await enabledAgo(70);
    await run();
    expect((await entered()).map(({ contactId }) => contactId)).toEqual([missed]);
  });

  it('that was changed, or is to come by another zone, is noted anew; other changes leave it alone', async () => {
    const ahead = Date.now() + 2 * hour;
    const birthday = birthdayOn(ahead);
    const ann = await contact({ birthday });
    await change({ ...daily(timeOf(ahead)), enabled: true });
    await run();
    const [before] = await waiting();
    expect(before).toMatchObject({ contactId: ann, day: new Date(`${dayOf(ahead)}T00:00:00.000Z`) });
    await set(ann, { timezone: 'Etc/GMT+1' });
    await run();
    expect(Number((await waiting())[0]?.at) - Number(before?.at)).toBe(hour);
    await set(ann, { birthday: null });
    await run();
    expect(await waiting()).toEqual([]);
    await set(ann, { birthday, timezone: null });
    await run();
    await set(ann, { name: 'Ann' });
    await run();
    expect(await waiting()).toEqual([before]);
    // What is due already stays as it is.
    const due = { ...before, at: minuteOf(Date.now() - 60_000) };
    await prisma().workflowDue.updateMany({ where: { workflowId: id }, data: { at: due.at } });
    await set(ann, { name: 'Bob' });
    expect(await waiting()).toEqual([due]);
  });

  it('that is noted as it was before is looked up again when its time has come', async () => {
    const past = Date.now() - 60_000;
    const [later, never] = [
      await contact({ birthday: birthdayOn(past), timezone: 'Etc/GMT+1' }),
      await contact({ birthday: birthdayOn(past + 100 * 24 * hour) }),
    ];
    await change({ ...daily(timeOf(past)), enabled: true });
    await run();
    await prisma().workflowDue.deleteMany({ where: { workflowId: id } });
    await note(later, past);
    await note(never, past);
    await run();
    expect(await entered()).toEqual([]);
    // By the zone of the contact it comes an hour later.
    expect(await waiting()).toMatchObject([{ contactId: later, at: minuteOf(past + hour) }]);
  });

  it('the zone of the workflow holds for contacts without one, and another is followed', async () => {
    const ahead = Date.now() + 5 * hour;
    const birthday = birthdayOn(ahead);
    await contact({ birthday });
    await contact({ birthday, timezone: 'UTC' });
    await change({ ...daily(timeOf(ahead)), enabled: true });
    await run();
    const before = (await waiting()).map((row) => row.at.getTime());
    await change({ timeZone: 'Etc/GMT+2' });
    await run();
    expect((await waiting()).map((row) => row.at.getTime() - (before[0] ?? 0))).toEqual([0, 2 * hour]);
  });

  it('nobody enters a workflow that is disabled by then, and what had passed does not enter when it is enabled again', async () => {
    const past = Date.now() - 60_000;
    const ann = await contact({ birthday: birthdayOn(past) });
    await change({ ...daily(timeOf(past)), enabled: true });
    await enabledAgo(1);
    await note(ann, past);
    await change({ enabled: false });
    await enterDueBatch(test.services, unit());
    expect(await waiting()).toEqual([]);
    await note(ann, past);
    await change({ enabled: true });
    await run();
    expect(await entered()).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('a pass is made once a day, goes on where it was, and is found by those that run', async () => {
    await change({ ...daily('09:00'), enabled: true });
    const kinds = async () =>
      (await findDue(test.services.database.durable, project.id)).map(({ kind, inMs }) => [kind, inMs <= 0]);
    expect(await kinds()).toEqual([['dates', true]]);
    expect(await noteDates(test.services, unit())).toBe(1);
    expect(await noteDates(test.services, unit())).toBe(0);
    expect(await kinds()).toEqual([['dates', false]]);
    await enabledAgo(-1);
    expect(await kinds()).toEqual([['dates', true]]);
    const [row] = (await findDue(test.services.database.durable, null)).filter(
      ({ workflowId }) => workflowId === id,
    );
    expect(row).toMatchObject({ kind: 'dates', projectId: project.id });
  });

  it('goes with its contact and its workflow', async () => {
    const ahead = Date.now() + hour;
    const birthday = birthdayOn(ahead);
    const [ann] = [await contact({ birthday }), await contact({ birthday })];
    await change({ ...daily(timeOf(ahead)), enabled: true });
    await run();
    expect(await waiting()).toHaveLength(2);
    await deleteContact.run(project.ctx, { id: ann });
    expect(await waiting()).toHaveLength(1);
    await deleteWorkflow.run(project.ctx, { id });
    await removedBehind(test.services, project.id);
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

it('runners note dates, let contacts enter by dates, by their creation and by jobs', async () => {
  const past = Date.now() - 60_000;
  await contact({ birthday: birthdayOn(past) });
  await change({ ...daily(timeOf(past)), enabled: true });
  await enabledAgo(1);
  const other = await createWorkflow.run(project.ctx, { name: 'New', eventName: 'signup' });
  await updateWorkflow.run(project.ctx, {
    ...{ id: other.id, triggerType: 'CONTACT', triggerConfig: {} },
    ...{ enabled: true, allowReentry: true },
  });
  const contactId = await contact();
  const third = await createWorkflow.run(project.ctx, { name: 'Many', eventName: 'signup' });
  await updateWorkflow.run(project.ctx, { id: third.id, enabled: true });
  await enterWorkflow.run(project.ctx, { id: third.id, contacts: [contactId] });
  const runners = new ExecutionRunners(test.services, { drivesAll: true });
  const ended = async () =>
    (await prisma().workflowExecution.findMany({ where: { projectId: project.id, status: 'COMPLETED' } }))
      .map(({ workflowId }) => workflowId)
      .sort();
  try {
    await expect.poll(ended, { timeout: 60_000 }).toEqual([id, other.id, third.id].sort());
  } finally {
    await runners.stop();
  }
}, 180_000);

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
    await trackEvent.run(project.publicCtx, { email: 'free@people.test', event: 'e' });
    await trackEvent.run(project.publicCtx, { email: 'pro@people.test', event: 'e', data: { plan: 'pro' } });
    await run();
    const { id: pro } = await prisma().contact.findFirstOrThrow({
      where: { projectId: project.id, email: 'pro@people.test' },
    });
    expect(await entered()).toEqual([{ contactId: pro, context: { source: 'track' } }]);
    expect(
      await prisma().stepFigureEntry.findMany({ where: { workflowId: id, blocked: { gt: 0 } } }),
    ).toMatchObject([{ outcome: 'filter', blocked: 1 }]);
  });

  it('an import starts nothing unless the trigger names it', async () => {
    const start = async (csv: string): Promise<void> => {
      const { jobId } = await startContactImport.run(project.ctx, { csv });
      await runContactImport(test.services, jobId);
    };
    await change({ triggerType: 'CONTACT', triggerConfig: {}, enabled: true });
    await start('email\nann@a.test\n');
    await run();
    expect(await executions()).toEqual([]);
    await change({ triggerConfig: { sources: ['import'] } });
    await start('email\nann@a.test\nbob@a.test\n');
    await contact();
    await run();
    expect(await sources()).toEqual(['import']);
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
