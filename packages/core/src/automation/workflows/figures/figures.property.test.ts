import { afterAll, beforeAll, expect, it } from 'vitest';
import { quarterMs } from '../../../base/figures/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
} from '../../../testing/index.ts';
import {
  addStep,
  cancelAllExecutions,
  cancelExecution,
  createWorkflow,
  deleteStep,
  dispatchBatch,
  getWorkflow,
  moveExecutionsBatch,
  publishWorkflow,
  startExecution,
  updateStep,
  updateWorkflow,
} from '../index.ts';
import { runSet } from '../runtime/run-set.ts';
import { buildContact, storeEvent } from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { told } from './figures.fixture.ts';
import { foldStepFigures } from './fold-step-figures.ts';
import { type StepSums, sumStepFigures } from './step-figures.store.ts';

/**
 * Figures equal counting the rows, whatever happens to executions: sets, some of them lost before their commit, events, moves with removed steps
 * and new times, cancellations, retries, and adding up at any moment.
 */
let test: TestServices;
beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const rounds = Number(process.env['PROPERTY_ROUNDS'] ?? 4);
const position = { x: 0, y: 0 };

it('figures equal counting the rows after random histories', async () => {
  for (let seed = 1; seed <= rounds; seed += 1) {
    const project = await createTestProject(test.services);
    const history = new History(project, randomOf(seed));
    await history.begin();
    for (let n = 0; n < 30; n += 1) await history.step();
    await history.compare(`seed ${seed}`);
    await foldStepFigures(test.services);
    await history.compare(`seed ${seed}, added up`);
  }
}, 300_000);

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class History {
  readonly #project: TestProject;
  readonly #random: () => number;
  #id = '';
  #now = Date.now();
  #names = 0;

  constructor(project: TestProject, random: () => number) {
    this.#project = project;
    this.#random = random;
  }

  #below(most: number): number {
    return Math.floor(this.#random() * most);
  }

  async begin(): Promise<void> {
    const { ctx } = this.#project;
    const { id } = await createWorkflow.run(ctx, { name: 'W', eventName: 'signup', allowReentry: true });
    this.#id = id;
    const add = (name: string, type: string, config: object) =>
      addStep.runRaw(ctx, { id, name, type, config, position });
    await add('pause', 'DELAY', { amount: 20, unit: 'minutes' });
    await add('wait', 'WAIT_FOR_EVENT', { eventName: 'paid', timeout: 3_600 });
    await add('ask', 'CONDITION', {
      mode: 'multi',
      field: 'data.plan',
      branches: [
        { id: 'free', name: 'Free', operator: 'equals', value: 'free' },
        { id: 'pro', name: 'Pro', operator: 'equals', value: 'pro' },
      ],
    });
    await add('rest', 'DELAY', { amount: 3, unit: 'hours' });
    await add('end', 'EXIT', { reason: 'done' });
    await updateWorkflow.run(ctx, { id, enabled: true });
    for (let n = 0; n < 6; n += 1) await this.#enter();
  }

  async step(): Promise<void> {
    const { services } = test;
    const { ctx, id: projectId } = this.#project;
    const id = this.#id;
    const unit = { projectId, workflowId: id };
    const sets = async () => {
      while ((await takeSet(services, unit, { limit: 3, now: new Date(this.#now) })).taken > 0);
    };
    switch (this.#below(11)) {
      case 0:
      case 1:
        await this.#enter();
        break;
      case 2:
      case 3:
        await sets();
        break;
      case 4:
        // The process ends after its last statement and before the commit.
        await expect(
          runSet(losingCommits(services), unit, { limit: 3, now: new Date(this.#now) }),
        ).rejects.toThrow('lost');
        break;
      case 5:
        this.#now += (1 + this.#below(120)) * 60_000;
        await sets();
        break;
      case 6: {
        const row = await this.#anyActive();
        if (row) await storeEvent(services, { projectId, contactId: row.contactId, name: 'paid' });
        while ((await dispatchBatch(services, projectId)).taken > 0);
        break;
      }
      case 7: {
        const row = await this.#anyActive();
        if (row) await cancelExecution.run(ctx, { id, executionId: row.id });
        if (this.#random() < 0.1) await cancelAllExecutions.run(ctx, { id });
        break;
      }
      case 8:
        await this.#publish();
        break;
      case 9:
        await this.#retry();
        break;
      default:
        await foldStepFigures(services);
    }
  }

  async #enter(): Promise<void> {
    const plan = ['free', 'pro', 'team'][this.#below(3)];
    const contact = await buildContact(test.services, this.#project.id, { data: { plan } });
    await startExecution.run(this.#project.ctx, { id: this.#id, contactId: contact.id });
  }

  #anyActive() {
    const { prisma } = test.services.database;
    return prisma.workflowExecution.findFirst({
      where: { workflowId: this.#id, status: { in: ['RUNNING', 'WAITING'] } },
      orderBy: { id: 'asc' },
      skip: this.#below(4),
    });
  }

  /** Other times, a step more or a step less, for new executions or for all. */
  async #publish(): Promise<void> {
    const { ctx } = this.#project;
    const id = this.#id;
    const { steps } = await getWorkflow.run(ctx, { id });
    const pauses = steps.filter(({ type }) => type === 'DELAY');
    const one = pauses[this.#below(Math.max(1, pauses.length))];
    const kind = this.#below(3);
    this.#names += 1;
    if (kind === 0 || !one)
      await addStep.runRaw(ctx, {
        ...{ id, name: `more ${this.#names}`, type: 'DELAY', position, publish: false },
        config: { amount: 1 + this.#below(50), unit: 'minutes' },
      });
    else if (kind === 1)
      await updateStep.runRaw(ctx, {
        ...{ id, stepId: one.id, publish: false },
        config: { amount: 1 + this.#below(200), unit: 'minutes' },
      });
    else await deleteStep.run(ctx, { id, stepId: one.id, splice: true, publish: false });
    const { jobId } = await publishWorkflow.run(ctx, {
      id,
      move: this.#random() < 0.7 ? 'ALL' : 'NEW',
      timers: this.#random() < 0.5 ? 'KEEP' : 'RECOMPUTE',
      ...(kind === 2 && one ? { removed: { [one.key]: 'EXIT' } } : {}),
    });
    if (jobId !== null && this.#random() < 0.7) while (await moveExecutionsBatch(test.services, jobId));
  }

  /** What a retry does to the rows: the failed step runs once more. */
  async #retry(): Promise<void> {
    const { prisma } = test.services.database;
    const row = await this.#anyActive();
    if (!row?.currentStepId) return;
    const fail = this.#random() < 0.5;
    const at = { executionId_stepId: { executionId: row.id, stepId: row.currentStepId } };
    const step = await prisma.workflowStepExecution.findUnique({ where: at });
    if (!step || step.status === 'COMPLETED') return;
    await prisma.workflowStepExecution.update({
      where: at,
      data: { status: 'FAILED', completedAt: new Date(this.#now) },
    });
    if (fail)
      await prisma.workflowExecution.update({
        where: { id: row.id },
        data: { status: 'FAILED', completedAt: new Date(this.#now), dueAt: null },
      });
    else
      await prisma.workflowStepExecution.update({
        where: at,
        data: { status: step.status, completedAt: null },
      });
  }

  async compare(hint: string): Promise<void> {
    const { prisma } = test.services.database;
    const { id: projectId } = this.#project;
    const executions = await prisma.workflowExecution.findMany({ where: { workflowId: this.#id } });
    const steps = await prisma.workflowStepExecution.findMany({ where: { projectId } });
    const first = Math.min(...executions.map(({ startedAt }) => startedAt.getTime()));
    const quarter = (at: number) => Math.floor(at / quarterMs) * quarterMs;
    const begin = quarter(first);
    const end = quarter(this.#now) + 96 * quarterMs;
    const versions = [null, ...new Set(executions.map(({ version }) => version))];
    for (const version of versions) {
      const scope = { projectId, workflowId: this.#id, version };
      const ofVersion = <Row extends { version: number | null }>(rows: readonly Row[]) =>
        version === null ? rows : rows.filter((row) => row.version === version);
      for (const period of [
        null,
        { from: new Date(begin), to: new Date(end) },
        {
          from: new Date(begin + this.#below(40) * quarterMs),
          to: new Date(end - this.#below(40) * quarterMs),
        },
      ]) {
        const expected = told(this.#id, ofVersion(executions), ofVersion(steps), period);
        expect(
          inOrder(await sumStepFigures(test.services.database.prisma, scope, period)),
          `${hint}, version ${version}`,
        ).toEqual(inOrder(expected));
      }
    }
  }
}

const inOrder = (rows: readonly StepSums[]): StepSums[] =>
  rows
    .filter(({ entered, left, failed }) => entered !== 0 || left !== 0 || failed !== 0)
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
const keyOf = ({ scopeId, outcome, spent }: StepSums): string => `${scopeId} ${outcome} ${spent}`;

/** Services whose sets end before their commit. */
function losingCommits(services: Services): Services {
  const { asyncCommit } = services.database;
  const losing = new Proxy(asyncCommit, {
    get(pool, name) {
      if (name !== 'connect') return Reflect.get(pool, name, pool) as unknown;
      return async () => {
        const client = await pool.connect();
        return new Proxy(client, {
          get(inner, key) {
            const value = Reflect.get(inner, key, inner) as unknown;
            if (key === 'query')
              return (query: unknown, ...rest: unknown[]) => {
                if (query === 'COMMIT') throw new Error('lost');
                return (inner.query as (...given: unknown[]) => unknown)(query, ...rest);
              };
            return typeof value === 'function' ? value.bind(inner) : value;
          },
        });
      };
    },
  });
  return { ...services, database: { ...services.database, asyncCommit: losing } };
}
