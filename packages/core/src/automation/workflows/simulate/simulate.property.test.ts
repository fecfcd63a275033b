import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../../base/lib/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestProject,
  type TestServices,
  verifiedDomain,
} from '../../../testing/index.ts';
import { dispatchBatch } from '../runtime/dispatch-events.ts';
import { type Person as ModelPerson, randomScene, type Scene } from '../runtime/interpreter.fixture.ts';
import {
  type BuiltWorkflow,
  buildTemplate,
  buildWorkflow,
  publishBuilt,
} from '../runtime/runtime.fixture.ts';
import { takeSet } from '../runtime/take-set.ts';
import { findWorkflow } from '../workflows.store.ts';
import type { Run } from './runs.ts';
import { type SimulationRequest, simulate } from './simulate-workflow.ts';
import { readSimulated } from './simulated-definition.ts';

/**
 * What a simulation says of people is what became of them: their executions run in sets, by a clock of their own, and then are simulated, once as a
 * REPLAY of the time and once each as a CONTACT with the same events.
 */
let test: TestServices;

beforeAll(async () => {
  test = await createTestServices();
});
afterAll(() => test.close());

const rounds = Number(process.env['PROPERTY_ROUNDS'] ?? 5);
const people = 40;

interface Ran {
  project: TestProject;
  workflow: BuiltWorkflow;
  contacts: { id: string; person: ModelPerson }[];
  end: Date;
  outcomes: Map<string, Outcome>;
}

interface Outcome {
  status: string;
  exitReason: string | null;
  at: string | null;
  context: object;
  dueAt: Date | null;
  steps: Record<string, string>;
  skipped: (string | null)[];
  data: object;
  subscribed: boolean;
}

it(`${rounds * people} executions that ran are replayed and tried without a difference`, async () => {
  let compared = 0;
  let ended = 0;
  for (let seed = 1; seed <= rounds; seed += 1) {
    const scene = randomScene(seed, people);
    const ran = await runInSets(scene);
    await asTheyWere(ran, scene.begin);
    const { runs } = await simulated(ran, { mode: 'REPLAY', startAt: ran.end, days: 1 });
    expect(runs.length, `seed ${seed}`).toBe(people);
    for (const run of runs) {
      compared += 1;
      expect(outcomeOf(run, ran.workflow), `seed ${seed}`).toEqual(ran.outcomes.get(run.member.contact.id));
    }
    for (const { id, person } of ran.contacts) {
      const real = ran.outcomes.get(id);
      if (!real || real.status === 'WAITING') continue;
      ended += 1;
      const events = scene.happenings.flatMap((each) =>
        each.kind === 'event' && scene.people[each.person] === person
          ? [{ eventName: each.name, data: each.data, at: each.at.toISOString() }]
          : [],
      );
      const one = await simulated(ran, {
        mode: 'CONTACT',
        startAt: scene.begin,
        contactId: { by: 'id', value: id },
        context: person.context,
        events,
      });
      expect(
        one.runs.map((run) => outcomeOf(run, ran.workflow)),
        `seed ${seed}`,
      ).toEqual([real]);
    }
  }
  expect(compared).toBeGreaterThanOrEqual(rounds * people);
  expect(ended).toBeGreaterThan((rounds * people) / 3);
}, 600_000);

it('who has changed since is told, and nobody else comes out differently', async () => {
  let told = 0;
  for (let seed = 1; seed <= Math.ceil(rounds / 3); seed += 1) {
    const scene = randomScene(seed, people);
    const ran = await runInSets(scene);
    const { tally, runs, warnings } = await simulated(ran, { mode: 'REPLAY', startAt: ran.end, days: 1 });
    const changed = new Set(
      runs.filter(({ person, entry }) => person.storedAt > entry.at).map(({ person }) => person),
    );
    for (const run of runs)
      if (!changed.has(run.person))
        expect(outcomeOf(run, ran.workflow)).toEqual(ran.outcomes.get(run.member.contact.id));
    expect(tally.changedPeople).toBe(changed.size);
    told += warnings.find(({ code }) => code === 'fields_of_today')?.count ?? 0;
  }
  expect(told).toBeGreaterThan(0);
}, 300_000);

async function simulated(
  { project, workflow }: Ran,
  given: Omit<SimulationRequest, 'seed'>,
): ReturnType<typeof simulate> {
  const row = await findWorkflow(test.services.database.prisma, project.id, workflow.id);
  if (!row) throw new Error('no workflow');
  return simulate(
    project.ctx,
    row,
    await readSimulated(project.ctx, row, 'live'),
    { ...given, seed: 1 },
    { shown: people },
  );
}

function outcomeOf(run: Run, workflow: BuiltWorkflow): Outcome {
  const { data, subscribed } = run.person.contact;
  return {
    status: run.status,
    exitReason: run.exitReason,
    at: workflow.nameOf(run.at),
    context: run.member.context,
    dueAt: run.status === 'WAITING' ? timeoutOf(run) : null,
    steps: Object.fromEntries(
      [...run.steps.values()].map(({ step, status, output }) => [
        workflow.nameOf(step.id),
        wordsOf(status, output),
      ]),
    ),
    // No process has claimed one, so that all of an execution are withdrawn.
    skipped: run.person.emails
      .map(({ reason, withdrawnAt }) => reason ?? (withdrawnAt === null ? null : 'exited'))
      .sort(),
    ...{ data, subscribed },
  };
}

/** When it goes on without an event. */
const timeoutOf = ({ at, steps }: Run): Date | null =>
  at === null ? null : (steps.get(at)?.scheduledFor ?? null);

const wordsOf = (status: string, output: unknown): string => {
  const { branch, waitOutcome, skipped } = (output ?? {}) as Record<string, unknown>;
  const outcome = branch ?? waitOutcome ?? skipped;
  return outcome === undefined || outcome === null ? status : `${status} ${String(outcome)}`;
};

/** Runs a scene: its people enter, its events happen and its time passes, with all that is due done after each. */
async function runInSets({ model, people: persons, happenings, begin }: Scene): Promise<Ran> {
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
  const contacts = persons.map((person) => ({ id: newId(), person }));
  await prisma.contact.createMany({
    data: contacts.map(({ id, person: { email, data, subscribed } }) => ({
      ...{ id, projectId: project.id, email, data: data as object, subscribed },
      ...{ createdAt: begin, updatedAt: begin },
    })),
  });
  const store = (name: string, contactId: string, data: object, at: Date) =>
    prisma.event.create({
      data: { id: newId(), projectId: project.id, contactId, name, data, createdAt: at },
    });
  for (const { id, person } of contacts) await store('signup', id, person.context, begin);
  let now = begin;
  const settle = async (): Promise<void> => {
    while ((await dispatchBatch(test.services, project.id)).taken > 0);
    // Entries and wakes are due by the clock of the database, and the scene has its own.
    await durable.query(
      `UPDATE "WorkflowExecution" SET "dueAt" = $2 WHERE "projectId" = $1 AND "dueAt" BETWEEN now() - interval '1 minute' AND now() + interval '1 minute'`,
      [project.id, now],
    );
    const unit = { projectId: project.id, workflowId: workflow.id };
    while ((await takeSet(test.services, unit, { limit: 500, now })).taken > 0);
  };
  /** Goes on with everything at the moment when it is due, as a service that is not late does. */
  const pass = async (until: Date): Promise<void> => {
    for (;;) {
      const { rows } = await durable.query<{ at: Date | null }>(
        `SELECT min("dueAt") AS "at" FROM "WorkflowExecution" WHERE "projectId" = $1 AND "dueAt" > $2 AND "dueAt" <= $3`,
        [project.id, now, until],
      );
      const at = rows[0]?.at;
      if (!at) return;
      now = at;
      await settle();
    }
  };
  await settle();
  for (const happening of happenings) {
    // What is due at the moment of an event is taken with it: a set that is a moment faster does not know it.
    await pass(new Date(happening.at.getTime() - 1));
    now = happening.at;
    const contact = happening.kind === 'event' ? contacts[happening.person] : undefined;
    if (happening.kind === 'event' && contact)
      await store(happening.name, contact.id, happening.data, happening.at);
    await settle();
  }
  // What the clock of the database says was at the time of the scene.
  await durable.query(
    `UPDATE "WorkflowExecution" SET "createdAt" = $2, "startedAt" = $2 WHERE "projectId" = $1`,
    [project.id, begin],
  );
  await durable.query(`UPDATE "Contact" SET "updatedAt" = $2 WHERE "projectId" = $1 AND "updatedAt" <> $3`, [
    project.id,
    now,
    begin,
  ]);
  const rows = await prisma.workflowExecution.findMany({ where: { projectId: project.id } });
  const taken = await prisma.workflowStepExecution.findMany({ where: { projectId: project.id } });
  const emails = await prisma.email.findMany({ where: { projectId: project.id } });
  const after = new Map(
    (await prisma.contact.findMany({ where: { projectId: project.id } })).map((contact) => [
      contact.id,
      contact,
    ]),
  );
  const outcomes = new Map(
    rows.map((row): [string, Outcome] => [
      row.contactId,
      {
        status: row.status,
        exitReason: row.exitReason,
        at: workflow.nameOf(row.currentStepId),
        context: row.context as object,
        dueAt: row.dueAt,
        steps: Object.fromEntries(
          taken
            .filter(({ executionId }) => executionId === row.id)
            .map(({ stepId, status, output }) => [workflow.nameOf(stepId), wordsOf(status, output)]),
        ),
        skipped: emails
          .filter(({ contactId }) => contactId === row.contactId)
          .map(({ reason }) => reason)
          .sort(),
        data: (after.get(row.contactId)?.data ?? {}) as object,
        subscribed: after.get(row.contactId)?.subscribed ?? false,
      },
    ]),
  );
  return { project, workflow, contacts, end: now, outcomes };
}

/** A simulation reads contacts as they are now: they become what they were. */
async function asTheyWere({ contacts }: Ran, begin: Date): Promise<void> {
  const { prisma } = test.services.database;
  for (const { id, person } of contacts)
    await prisma.contact.update({
      where: { id },
      data: {
        ...{ data: person.data as object, subscribed: person.subscribed, updatedAt: begin },
        // As if by an act.
        consentSeq: { increment: 1 },
      },
    });
}
