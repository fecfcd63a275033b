import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { dispatchBatch } from './dispatch-events.ts';
import { type Model, type Outcome, randomScene, type Scene } from './interpreter.fixture.ts';
import { buildTemplate, buildWorkflow, publishBuilt } from './runtime.fixture.ts';
import { takeSet } from './take-set.ts';

/**
 * Executions of random graphs end as an interpreter says that runs one of them alone, whatever the size of the sets: the same steps with the
 * same outcomes, in the same place, the same context, contact and emails.
 */
let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const rounds = Number(process.env['PROPERTY_ROUNDS'] ?? 6);
const people = 40;

it.each([1, 7, 500])(
  'sets of %s do what an interpreter for single executions does',
  async (size) => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const scene = randomScene(seed, people);
      const found = await runInSets(scene, size);
      expect(found, `seed ${seed}`).toEqual(scene.people.map((person) => scene.interpret(person)));
    }
  },
  300_000,
);

/** Runs a scene: its people enter, its events happen and its time passes, with all that is due done after each. */
async function runInSets({ model, people, happenings, begin }: Scene, size: number): Promise<Outcome[]> {
  const { prisma, durable } = test.services.database;
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'mail.test');
  const templateId = await buildTemplate(test.services, project.id, { type: 'MARKETING' });
  const steps = Object.fromEntries(
    Object.entries(model.steps).map(([name, step]) => [
      name,
      step.type === 'SEND_EMAIL' ? { ...step, templateId } : step,
    ]),
  );
  const workflow = await buildWorkflow(test.services, project.id, steps, { transitions: model.transitions });
  await publishBuilt(test.services, workflow, model);
  const contacts = people.map((person) => ({ id: newId(), ...person }));
  await prisma.contact.createMany({
    data: contacts.map(({ id, email, data, subscribed }) => ({
      id,
      projectId: project.id,
      email,
      data: data as object,
      subscribed,
    })),
  });
  const store = (name: string, index: number, data: object, at: Date) =>
    prisma.event.create({
      data: {
        id: newId(),
        projectId: project.id,
        contactId: contacts[index]?.id ?? '',
        name,
        data,
        createdAt: at,
      },
    });
  for (const [index, { context }] of people.entries()) await store('signup', index, context, begin);
  let now = begin;
  const settle = async (): Promise<void> => {
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
    // Entries and wakes are due by the clock of the database, and the scene has its own.
    await durable.query(
      `UPDATE "WorkflowExecution" SET "dueAt" = $2 WHERE "projectId" = $1 AND "dueAt" BETWEEN now() - interval '1 minute' AND now() + interval '1 minute'`,
      [project.id, now],
    );
    const unit = { projectId: project.id, workflowId: workflow.id };
    while ((await takeSet(test.services, unit, { limit: size, now })).taken > 0);
  };
  await settle();
  for (const happening of happenings) {
    now = happening.at;
    if (happening.kind === 'event')
      await store(happening.name, happening.person, happening.data, happening.at);
    await settle();
  }
  const rows = await prisma.workflowExecution.findMany({ where: { projectId: project.id } });
  const taken = await prisma.workflowStepExecution.findMany({ where: { projectId: project.id } });
  const emails = await prisma.email.findMany({ where: { projectId: project.id } });
  const after = await prisma.contact.findMany({ where: { projectId: project.id } });
  return contacts.map(({ id }) => {
    const [row, ...others] = rows.filter(({ contactId }) => contactId === id);
    if (!row || others.length > 0) throw new Error('a contact has one execution');
    const contact = after.find((each) => each.id === id);
    return {
      status: row.status,
      exitReason: row.exitReason,
      at: workflow.nameOf(row.currentStepId),
      context: row.context as object,
      dueAt: row.dueAt,
      steps: Object.fromEntries(
        taken
          .filter(({ executionId }) => executionId === row.id)
          .map(({ stepId, status, output }) => {
            const { branch, waitOutcome, skipped } = (output ?? {}) as Record<string, unknown>;
            return [workflow.nameOf(stepId), outcomeOf(status, branch ?? waitOutcome ?? skipped)];
          }),
      ),
      emails: emails
        .filter(({ contactId }) => contactId === id)
        .map(({ status }) => status)
        .sort(),
      contact: { data: contact?.data as object, subscribed: contact?.subscribed ?? false },
    };
  });
}

const outcomeOf = (status: string, outcome: unknown): string =>
  outcome === undefined || outcome === null ? status : `${status} ${String(outcome)}`;

it('a step that does something else is found', async () => {
  const scenes = Array.from({ length: rounds }, (_, seed) => randomScene(seed + 1, people));
  const scene = scenes.find((each) =>
    each.people.some((person) => /^left/.test(each.interpret(person).exitReason ?? '')),
  );
  if (!scene) throw new Error('nobody exits');
  const wrong: Model = {
    ...scene.model,
    steps: Object.fromEntries(
      Object.entries(scene.model.steps).map(([name, step]) => [
        name,
        step.type === 'EXIT' ? { ...step, config: { reason: 'another' } } : step,
      ]),
    ),
  };
  const found = await runInSets({ ...scene, model: wrong }, 500);
  expect(found).not.toEqual(scene.people.map((person) => scene.interpret(person)));
});

it('scenes have people whom exit rules and goals end or move, and sets without these are found', async () => {
  const scenes = Array.from({ length: rounds }, (_, seed) => randomScene(seed + 1, people));
  const outcomes = scenes.map((scene) => scene.people.map((person) => scene.interpret(person)));
  const count = (isOne: (outcome: Outcome) => boolean): number => outcomes.flat().filter(isOne).length;
  expect(count(({ exitReason }) => /^exit/.test(exitReason ?? ''))).toBeGreaterThan(0);
  expect(count(({ exitReason }) => /^Goal/.test(exitReason ?? ''))).toBeGreaterThan(0);
  const isMoved = ({ steps, exitReason }: Outcome): boolean =>
    Object.values(steps).includes('SKIPPED') && !/^(?:exit|Goal)/.test(exitReason ?? '');
  expect(count(isMoved)).toBeGreaterThan(0);
  const scene = scenes.find((_, index) => outcomes[index]?.some(isMoved));
  if (!scene) throw new Error('nobody is moved');
  const without = { ...scene.model, exits: [], goals: [] };
  expect(await runInSets({ ...scene, model: without }, 500)).not.toEqual(outcomes[scenes.indexOf(scene)]);
});
