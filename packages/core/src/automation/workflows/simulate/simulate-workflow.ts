import { randomInt } from 'node:crypto';
import type { z } from 'zod';
import { findContactId, settledData } from '../../../audience/contacts/index.ts';
import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { assertFilterTree, audienceSql, segmentExists } from '../../../audience/segments/index.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import {
  AppError,
  type Context,
  type FieldError,
  invalid,
  projectIdOf,
  query,
} from '../../../base/kernel/index.ts';
import { countBySteps } from '../counts.store.ts';
import type { WorkflowDefinition } from '../definitions/definition.rules.ts';
import { conditionExits, isEventExit } from '../definitions/ends.rules.ts';
import type { RunStep } from '../definitions/read-definitions.store.ts';
import { workflowNotFound } from '../not-found.ts';
import { readSetting } from '../runtime/set.store.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import { filterOfTrigger } from '../triggers/schedule.trigger.ts';
import { textIn } from '../triggers/trigger.rules.ts';
import { findWorkflow, type WorkflowRow } from '../workflows.store.ts';
import type { WebhookAnswer } from './answer-request.ts';
import { type Crowd, crowdOfReplay, crowdOfSample, personOf, readPiece } from './people.ts';
import { presentRun, subjectsOf } from './present-run.ts';
import { Late, readingOnly } from './read-only.store.ts';
import { idFrom, type Person, type Run } from './runs.ts';
import { mostSimulated, simulateInput, simulation } from './simulate.schema.ts';
import {
  everything,
  holdSimulation,
  readLastAnswers,
  readLimits,
  readPeople,
  readSlots,
  subscribers,
} from './simulate.store.ts';
import { readSimulated, runnable, type SimulatedDefinition } from './simulated-definition.ts';
import { Simulation, type SimulationSpec } from './simulation.ts';
import { Tally } from './tally.ts';
import { alreadySimulated, inTurn } from './turns.ts';
import { warningsOf } from './warnings.rules.ts';

type Given = z.output<typeof simulateInput>;

/** The longest simulation; it is stopped then, with what is known. */
const longestMs = 20_000;
const defaultSample = 1_000;
const defaultDays = 30;
const defaultShare = 50;
/** Days before now whose waits say how often their event comes. */
const shareDays = 90;
const dayMs = 86_400_000;

export const simulateWorkflow = query({
  name: 'workflows.simulate',
  summary:
    'Shows what a definition of a workflow would do with contacts. Nothing is stored, sent or requested',
  permission: 'data:read',
  errors: ['BAD_REQUEST', 'CONTACT_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'WORKFLOW_NOT_FOUND', 'CONFLICT'],
  input: simulateInput,
  output: simulation,
  async handler(ctx, given) {
    const projectId = projectIdOf(ctx);
    const workflow = await findWorkflow(ctx.db, projectId, given.id);
    if (!workflow) throw workflowNotFound();
    const simulated = await readSimulated(ctx, workflow, given.definition);
    const seed = given.seed ?? randomInt(2 ** 31);
    const startAt = given.startAt === undefined ? new Date() : new Date(given.startAt);
    const result = await simulate(ctx, workflow, simulated, { ...given, seed, startAt });
    const { tally, runs } = result;
    const subjects =
      given.mode === 'CONTACT' ? await subjectsOf(ctx.services, result.project, runs) : new Map();
    return {
      mode: given.mode,
      definition: simulated.name,
      people: tally.people,
      executions: runs.map((run) => presentRun(workflow, run, subjects)),
      steps: tally.steps,
      ended: tally.ended,
      emails: tally.emails,
      requests: result.requests,
      warnings: result.warnings,
      seed,
      startAt,
      stopped: result.stopped,
    };
  },
});

/** A request whose defaults are settled. */
export type SimulationRequest = Partial<Omit<Given, 'mode' | 'seed' | 'startAt'>> &
  Pick<Given, 'mode'> & { seed: number; startAt: Date };

export interface Simulated {
  project: SimulationSpec['project'];
  tally: Tally;
  /** that are shown */
  runs: Run[];
  requests: number;
  warnings: ReturnType<typeof warningsOf>;
  stopped: boolean;
}

export interface SimulationOptions {
  /** how many executions are kept */
  shown?: number;
  /** the longest that it may take, in milliseconds */
  limitMs?: number;
}

/** Runs a simulation when it is its turn. */
export async function simulate(
  ctx: Context,
  workflow: WorkflowRow,
  { definition, version }: SimulatedDefinition,
  given: SimulationRequest,
  { shown, limitMs = longestMs }: SimulationOptions = {},
): Promise<Simulated> {
  const { services } = ctx;
  const projectId = projectIdOf(ctx);
  const of = { projectId, workflowId: workflow.id };
  const steps = definition.steps;
  const read = {
    matches: await matchesOf(ctx, definition, given),
    filter: await treeSql(ctx, definition.entry.filter),
    shares: given.mode === 'SAMPLE' ? await sharesOf(ctx, workflow.id, steps, given.waits) : null,
    answers: answersOf(steps, given.webhooks),
    contactId: await contactOf(ctx, given),
    data: given.contact ? await settledData(ctx, given.contact.data, 'strict') : null,
  };
  return inTurn(services, of, () => {
    const deadline = performance.now() + limitMs;
    return readingOnly(services, deadline, async (db) => {
      if (!(await holdSimulation(db, workflow.id))) throw alreadySimulated();
      const setting = await readSetting(db, projectId, workflow.id);
      if (!setting) throw workflowNotFound();
      const { project } = setting;
      const limits = await readLimits(db, projectId);
      const tally = new Tally({
        steps,
        limits,
        timeZone: project.timeZone,
        ...(shown !== undefined && { shown }),
      });
      const { mode, seed, startAt } = given;
      const asksLast = [...read.answers].flatMap(([id, answer]) => (answer === 'LAST' ? [id] : []));
      const spec: SimulationSpec = {
        workflow: { id: workflow.id, name: workflow.name, timeZone: definition.timeZone },
        project,
        ...runnable(definition),
        version,
        allowReentry: definition.allowReentry,
        entry: definition.entry,
        exits: conditionExits(definition),
        seed,
        end: mode === 'REPLAY' ? startAt : null,
        hasStoredEvents: mode === 'REPLAY',
        shares: read.shares,
        answers: read.answers,
        lastAnswers: (people) =>
          readLastAnswers(
            db,
            of,
            asksLast,
            people.map(({ contact }) => contact.id),
          ),
      };
      const simulation = new Simulation(services, db, spec, deadline, (run) => tally.add(run));
      let isPart = false;
      try {
        if (mode === 'CONTACT') await runPiece(simulation, tally, [await oneOf(db, projectId, given, read)]);
        else {
          const crowd = await crowdOf(db, of, definition, given, read);
          isPart = crowd.isPart;
          const hasCaps = limits !== null && limits.caps.length > 0;
          for (let from = 0; from < crowd.ids.length && !simulation.stopped; ) {
            const { people, passed } = await readPiece(db, of, crowd, from, hasCaps);
            from += passed;
            await runPiece(simulation, tally, people);
          }
        }
      } catch (error) {
        if (!(error instanceof Late)) throw error;
        simulation.stopped = true;
      }
      const { requests, stopped } = simulation;
      const { changedPeople, changedEmails, people } = tally;
      const { unstored, assumed, drawn } = simulation;
      const eventEnds =
        definition.goals.filter(({ effect }) => effect !== 'MEASURE').length +
        definition.exits.filter(isEventExit).length;
      const unknown = { changedPeople, unstored, assumed, changedEmails, drawn, eventEnds, people, isPart };
      const warnings = warningsOf(unknown);
      return { project, tally, runs: tally.shown, requests, warnings, stopped };
    });
  });
}

async function runPiece(simulation: Simulation, tally: Tally, people: readonly Person[]): Promise<void> {
  await simulation.run(people);
  // Those who are kept out take part in nothing.
  for (const person of people) if (person.entered > 0) tally.close(person);
}

type Matches = Awaited<ReturnType<typeof audienceSql>>;

/** Whom a sample is drawn from, or a schedule enters, as a condition. */
async function matchesOf(
  ctx: Context,
  { triggerConfig }: WorkflowDefinition,
  given: SimulationRequest,
): Promise<Matches | null> {
  const projectId = projectIdOf(ctx);
  if (given.mode === 'SAMPLE') {
    const { segmentId = null, filter } = given;
    if (segmentId !== null && !(await segmentExists(ctx.db, projectId, segmentId)))
      throw invalid([
        {
          field: 'segmentId',
          code: 'unknown_segment',
          message: 'No such segment in this project',
          received: segmentId,
        },
      ]);
    if (filter !== undefined) await assertFilterTree(ctx.db, projectId, filter, 'filter');
    const audienceType = segmentId !== null ? 'SEGMENT' : filter !== undefined ? 'FILTERED' : 'ALL';
    return audienceSql(ctx.db, projectId, { audienceType, segmentId, audienceCondition: filter });
  }
  if (given.mode === 'CONTACT') return null;
  const segmentId = textIn(triggerConfig, 'segmentId') ?? null;
  if (segmentId !== null) return audienceSql(ctx.db, projectId, { audienceType: 'SEGMENT', segmentId });
  return treeSql(ctx, filterOfTrigger(triggerConfig));
}

/** A filter of the definition as a condition; null for anybody. */
const treeSql = async (ctx: Context, filter: FilterTree | null): Promise<Matches | null> =>
  filter === null
    ? null
    : audienceSql(ctx.db, projectIdOf(ctx), {
        audienceType: 'FILTERED',
        segmentId: null,
        audienceCondition: filter,
      });

async function crowdOf(
  db: SqlDb,
  of: { projectId: string; workflowId: string },
  { triggerType: type, triggerConfig: config }: WorkflowDefinition,
  { mode, seed, startAt, sample = defaultSample, days = defaultDays }: SimulationRequest,
  { matches, filter }: { matches: Matches | null; filter: Matches | null },
): Promise<Crowd> {
  if (mode === 'SAMPLE')
    return crowdOfSample(db, of.projectId, { matches: matches ?? everything, startAt, seed, limit: sample });
  const span = { from: new Date(startAt.getTime() - days * dayMs), to: startAt };
  return crowdOfReplay(
    db,
    of,
    { type, config, matches: matches ?? subscribers, filter: filter ?? everything },
    span,
    { seed, limit: mostSimulated },
  );
}

/** The id of the contact of a CONTACT; null for an invented one. */
async function contactOf(ctx: Context, { contactId: reference }: SimulationRequest): Promise<string | null> {
  if (reference === undefined) return null;
  const id = await findContactId(ctx.db, projectIdOf(ctx), reference);
  if (id === null) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return id;
}

/** The one person of a CONTACT, with what happens to it. */
async function oneOf(
  db: SqlDb,
  projectId: string,
  { seed, startAt, context = {}, events = [], contact }: SimulationRequest,
  { contactId, data }: { contactId: string | null; data: Awaited<ReturnType<typeof settledData>> | null },
): Promise<Person> {
  const entries = [{ at: startAt, eventId: null, context }];
  const happening = events.map(({ eventName: name, data: given = {}, at }, index) => ({
    ...{ id: idFrom(`${seed}:${index}`), name, data: given, createdAt: new Date(at), isDrawn: false },
  }));
  const stored = contactId === null ? null : (await readPeople(db, projectId, [contactId])).people[0];
  if (contactId !== null && !stored) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  const row = stored ?? {
    id: idFrom(`${projectId}:${contact?.email}`),
    email: contact?.email ?? '',
    subscribed: contact?.subscribed ?? true,
    isSnoozed: false,
    isOwn: false,
    data: { ...data?.set },
    createdAt: startAt,
    updatedAt: startAt,
  };
  const slots =
    contactId === null ? new Map<string, number[]>() : await readSlots(db, projectId, [contactId], startAt);
  return { ...personOf(row, entries, slots.get(row.id) ?? []), events: happening };
}

/** The steps that keys name. @throws AppError VALIDATION_ERROR for one that is no step of this type */
function stepsByKey<Value>(
  steps: readonly RunStep[],
  field: 'waits' | 'webhooks',
  given: Readonly<Record<string, Value>> | undefined,
  isOne: (step: RunStep) => boolean,
): Map<string, Value> {
  const byKey = new Map(steps.filter(isOne).map((step) => [step.key, step.id]));
  const problems: FieldError[] = [];
  const found = new Map<string, Value>();
  for (const [key, value] of Object.entries(given ?? {})) {
    const id = byKey.get(key);
    if (id !== undefined) found.set(id, value);
    else
      problems.push({
        field: `${field}.${key}`,
        code: 'unknown_reference',
        message: `The definition has no ${field === 'waits' ? 'WAIT_FOR_EVENT' : 'WEBHOOK'} step with this key`,
        received: key,
      });
  }
  if (problems.length > 0) throw invalid(problems);
  return found;
}

const isWait = ({ type }: RunStep): boolean => stepDefinition(type).waysOut.kind === 'outcomes';

const answersOf = (steps: readonly RunStep[], given: Given['webhooks']): Map<string, WebhookAnswer> =>
  stepsByKey(steps, 'webhooks', given, ({ type }) => type === 'WEBHOOK');

/** For what percentage the event of each wait comes. */
async function sharesOf(
  ctx: Context,
  workflowId: string,
  steps: readonly RunStep[],
  given: Given['waits'],
): Promise<Map<string, number>> {
  const shares = stepsByKey(steps, 'waits', given, isWait);
  const open = steps.filter((step) => isWait(step) && !shares.has(step.id));
  if (open.length === 0) return shares;
  const { ways } = await countBySteps(ctx.db, projectIdOf(ctx), workflowId, shareDays);
  for (const { id } of open) {
    const taken = (outcome: string): number =>
      ways.reduce((sum, way) => sum + (way.stepId === id && way.waitOutcome === outcome ? way.taken : 0), 0);
    const [met, late] = [taken('EVENT'), taken('TIMEOUT')];
    shares.set(id, met + late === 0 ? defaultShare : (100 * met) / (met + late));
  }
  return shares;
}
