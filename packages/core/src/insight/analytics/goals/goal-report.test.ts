import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGoal } from '../../../automation/goals/index.ts';
import { createWorkflow, updateWorkflow } from '../../../automation/workflows/index.ts';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import { getWorkflowFigures } from '../get-workflow-figures.ts';
import { getGoalReport } from './get-goal-report.ts';
import { liftOf } from './lift.rules.ts';

let test: TestServices;
let project: TestProject;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());
beforeEach(async () => {
  project = await createTestProject(test.services);
});

const prisma = () => test.services.database.prisma;
const at = (text: string) => new Date(text);
const march = { from: at('2026-03-01'), to: at('2026-04-01') };

const goalOf = (given: object = {}) =>
  createGoal.runRaw(project.ctx, { name: 'Purchase', eventName: 'order.paid', ...given }) as ReturnType<
    typeof createGoal.run
  >;
const converts = (goalId: string, given: object) =>
  prisma().conversion.create({
    data: { id: newId(), projectId: project.id, goalId, eventId: newId(), at: at('2026-03-05'), ...given },
  });
const reportOf = (id: string, given: object = march) => getGoalReport.run(project.ctx, { id, ...given });

describe('the report of a goal', () => {
  it('counts conversions and their values by day, and what is credited', async () => {
    const goal = await goalOf({ value: { property: 'amount', currency: 'EUR' } });
    await converts(goal.id, { value: 0.1 });
    await converts(goal.id, { value: 0.2, emailId: newId() });
    await converts(goal.id, { at: at('2026-03-31T23:59:59.999Z'), emailId: newId() });
    await converts(goal.id, { at: march.to, value: 100 });
    await converts(newId(), { value: 100 });
    const report = await reportOf(goal.id);
    expect(report).toMatchObject({
      goal: { id: goal.id },
      granularity: 'day',
      totals: { conversions: 3, value: 0.3, credited: 2, creditedValue: 0.2 },
    });
    expect(report.data).toHaveLength(31);
    expect(report.data.filter(({ conversions }) => conversions > 0)).toEqual([
      { bucket: '2026-03-05', conversions: 2, value: 0.3, credited: 1, creditedValue: 0.2 },
      { bucket: '2026-03-31', conversions: 1, value: 0, credited: 1, creditedValue: 0 },
    ]);
  });

  it('has days of the zone of the reader, and hours for up to two days', async () => {
    const goal = await goalOf();
    await converts(goal.id, { at: at('2026-03-05T23:30:00Z') });
    const inTokyo = await reportOf(goal.id, { ...march, tz: 'Asia/Tokyo' });
    expect(inTokyo.data.find(({ conversions }) => conversions > 0)).toMatchObject({ bucket: '2026-03-06' });
    const short = await reportOf(goal.id, { from: at('2026-03-05'), to: at('2026-03-06') });
    expect(short.granularity).toBe('hour');
    expect(short.data.find(({ conversions }) => conversions > 0)).toEqual({
      ...{ bucket: '2026-03-05T23:00', conversions: 1, value: null, credited: 0, creditedValue: null },
    });
  });

  it('shows sums that no double holds as the largest one', async () => {
    const goal = await goalOf({ value: { property: 'amount', currency: 'EUR' } });
    for (let n = 0; n < 3; n += 1) await converts(goal.id, { value: 1e308 });
    expect((await reportOf(goal.id)).totals.value).toBe(Number.MAX_VALUE);
  });

  it('lists campaigns by what is credited to them, none of another project', async () => {
    const goal = await goalOf();
    const campaignOf = async (name: string, projectId = project.id) =>
      (
        await prisma().campaign.create({
          data: {
            ...{ id: newId(), projectId, name, subject: 'S', body: 'B', from: 'a@b.test', type: 'MARKETING' },
            audienceType: 'ALL',
          },
        })
      ).id;
    const [few, many] = [await campaignOf('Few'), await campaignOf('Many')];
    const theirs = await campaignOf('Theirs', (await createTestProject(test.services)).id);
    for (const campaignId of [few, many, many, theirs])
      await converts(goal.id, { campaignId, emailId: newId() });
    expect((await reportOf(goal.id)).campaigns).toEqual([
      { id: many, name: 'Many', credited: 2, creditedValue: null },
      { id: few, name: 'Few', credited: 1, creditedValue: null },
    ]);
  });

  it('compares the executions of a workflow that were held out with those that went on', async () => {
    const goal = await goalOf();
    const { id: workflowId } = await createWorkflow.run(project.ctx, { name: 'W', eventName: 'signup' });
    await updateWorkflow.runRaw(project.ctx, {
      id: workflowId,
      goals: [{ goalId: goal.id }],
      enabled: true,
    });
    const execute = async (heldOut: boolean | null, converted: boolean, createdAt = at('2026-03-02')) => {
      const { id } = await prisma().workflowExecution.create({
        data: {
          ...{ id: newId(), projectId: project.id, workflowId, contactId: newId(), status: 'COMPLETED' },
          ...{ dueAt: null, heldOut: heldOut ?? false, drawnShare: heldOut === null ? null : 0.8 },
          ...{ createdAt, startedAt: createdAt, completedAt: createdAt },
        },
      });
      if (converted)
        await prisma().executionConversion.create({
          data: {
            ...{ goalId: goal.id, executionId: id, projectId: project.id, workflowId, eventId: newId() },
            ...{ at: createdAt, value: 2 },
          },
        });
    };
    for (let n = 0; n < 16; n += 1) await execute(false, n < 8);
    for (let n = 0; n < 4; n += 1) await execute(true, n < 1);
    await execute(null, true);
    await execute(false, true, at('2026-04-02'));
    const [row] = (await reportOf(goal.id)).workflows;
    expect(row).toMatchObject({
      id: workflowId,
      name: 'W',
      credited: 0,
      entered: 21,
      converted: 10,
      rate: 47.62,
    });
    expect(row?.lift).toMatchObject({
      ...{ recipients: 16, heldOut: 4, rate: 50, heldOutRate: 25, ratio: 2, proven: false },
    });
    const figures = await getWorkflowFigures.run(project.ctx, { id: workflowId, ...march });
    expect(figures.goals).toEqual([
      { goalId: goal.id, name: 'Purchase', converted: 10, rate: 47.62, value: 20 },
    ]);
  });

  it('of another project is unknown', async () => {
    const goal = await goalOf();
    const other = await createTestProject(test.services);
    await expect(getGoalReport.run(other.ctx, { id: goal.id })).rejects.toMatchObject({
      code: 'RESOURCE_NOT_FOUND',
    });
  });
});

describe('the lift', () => {
  const groups = (recipientsConverted: number, heldOutConverted: number, share: number | null = 0.9) => ({
    ...{ recipients: 9_000, heldOut: 1_000, recipientsConverted, heldOutConverted, share },
  });

  it('is none without a holdout, or where nobody was held out or all were', () => {
    for (const share of [null, 0, 1]) expect(liftOf(groups(10, 1, share))).toBeNull();
  });

  it('is proven by a large difference, and not by chance', () => {
    expect(liftOf(groups(900, 20))).toMatchObject({ proven: true, ratio: 5 });
    expect(liftOf(groups(900, 100))).toMatchObject({ proven: false, ratio: 1 });
  });

  it('of 500 workflows without a difference is wrongly proven in at most 2 of 100', () => {
    let state = 7;
    const draw = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
      return state / 4_294_967_296;
    };
    let proven = 0;
    for (let n = 0; n < 500; n += 1) {
      let [a, b, isProven] = [0, 0, false];
      // Looked at after each of 300 conversions.
      for (let conversion = 0; conversion < 300; conversion += 1) {
        if (draw() < 0.9) a += 1;
        else b += 1;
        isProven ||= liftOf(groups(a, b))?.proven ?? false;
      }
      if (isProven) proven += 1;
    }
    expect(proven).toBeLessThanOrEqual(10);
  });
});
