import { plainTransaction, type SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { newId } from '../../../base/lib/index.ts';
import { awaitedEvents } from '../definitions/definition.rules.ts';
import { type Plan, planOf } from '../definitions/plan.rules.ts';
import { type Definition, type RunStep, readDefinition } from '../definitions/read-definitions.store.ts';
import type { WaitOutcome } from '../steps/step.rules.ts';
import { stepRun } from '../steps/step-runs.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import type { FillInInput } from './fill-in.task.ts';
import { type FilledTexts, fillInFirst } from './fill-in.ts';
import type { Member, MemberContact, SetWorkflow, StepRow, Visit } from './member.ts';
import { readPerson } from './person.store.ts';
import { readSetting, type Setting } from './set.store.ts';
import { setTools } from './set-tools.ts';
import { StepError } from './step-error.ts';
import type { StepResult } from './step-run.ts';
import { reasonOf } from './take-set.ts';
import { walk } from './walk.ts';

type Json = Record<string, unknown>;
type Ended = Extract<StepResult, { kind: 'completed' | 'exited' | 'failed' }>;

/** Of whom a test run is, and where it begins. */
export interface Rehearsal {
  projectId: string;
  workflowId: string;
  contactId: string;
  context: Json;
  /** what it runs; by default the rows of the steps */
  definition?: Pick<Definition, 'steps' | 'transitions'> & { timeZone?: string | null };
}

/** A step that a test run took. */
export interface RehearsedStep {
  step: RunStep;
  /** when it began and ended, as if its waits had passed */
  startedAt: Date;
  completedAt: Date;
  result: Ended;
}

export interface RehearsalResult {
  steps: RehearsedStep[];
  /** The test took too long, and was stopped before the end. */
  stopped: boolean;
}

/** The longest test run: its transaction holds locks of the contact. */
const longestMs = 10_000;

/**
 * Runs a workflow for a contact by the code of the steps themselves, as a set of one in a transaction that is rolled back: nothing is written,
 * sent or requested. Delays and timeouts pass at once; requests of WEBHOOK steps are taken for successful.
 *
 * @param waits how waits with a timeout end
 */
export async function rehearse(
  services: Services,
  start: Rehearsal,
  waits: WaitOutcome,
): Promise<RehearsalResult> {
  const filled: FilledTexts = new Map();
  for (const begin = performance.now(); ; ) {
    try {
      return await plainTransaction(services.database.durable, async (db): Promise<never> => {
        throw new RolledBack(await rehearseIn(services, db, { start, waits, filled, begin }));
      });
    } catch (error) {
      if (error instanceof RolledBack) return error.result;
      if (!(error instanceof TextsNeeded)) throw error;
      await fillInFirst(services, start.projectId, error.inputs, filled);
    }
  }
}

/** Ends the transaction of a test run, with its result. */
class RolledBack extends Error {
  readonly result: RehearsalResult;

  constructor(result: RehearsalResult) {
    super('a test run is rolled back');
    this.name = 'RolledBack';
    this.result = result;
  }
}

/** Ends it because texts need a thread, which must not keep it waiting. */
class TextsNeeded extends Error {
  readonly inputs: FillInInput[];

  constructor(inputs: FillInInput[]) {
    super('the texts of a step are needed before its transaction');
    this.name = 'TextsNeeded';
    this.inputs = inputs;
  }
}

interface Run {
  start: Rehearsal;
  waits: WaitOutcome;
  filled: FilledTexts;
  /** by `performance.now()` */
  begin: number;
}

/** Where a test run is. */
interface Position {
  member: Member;
  /** the step that is next; null: the trigger */
  from: string | null;
  now: Date;
  startedAt: Date;
}

async function rehearseIn(
  services: Services,
  db: SqlDb,
  { start, waits, filled, begin }: Run,
): Promise<RehearsalResult> {
  const setting = await readSetting(db, start.projectId, start.workflowId);
  const contact = await readPerson(db, start.projectId, start.contactId);
  const definition =
    start.definition ?? (await readDefinition(db, { workflowId: start.workflowId, version: null }))?.runs;
  if (setting === null || contact === null || !definition) return { steps: [], stopped: false };
  const plan = planOf(definition);
  const { timeZone = null } = definition;
  const steps: RehearsedStep[] = [];
  const now = new Date();
  let at: Position | null = {
    member: memberOf(start, contact, now),
    from: null,
    now,
    startedAt: now,
  };
  while (at !== null) {
    if (performance.now() - begin > longestMs) return { steps, stopped: true };
    at = await advance(services, db, at, { setting, timeZone, plan, waits, filled, steps, ...start });
  }
  return { steps, stopped: false };
}

const memberOf = ({ context }: Rehearsal, contact: MemberContact, now: Date): Member => ({
  id: newId(),
  startedAt: now,
  status: 'RUNNING',
  context,
  anchor: { at: now, eventId: null },
  contact,
  rows: new Map(),
  outputs: new Map(),
});

/** A step that has to wait. */
interface Parked {
  visit: Visit;
  step: RunStep;
  until: Date | null;
  /** what it has recorded until then */
  output: Json;
}

interface On extends Rehearsal {
  setting: Setting;
  /** of the workflow */
  timeZone: string | null;
  plan: Plan;
  waits: WaitOutcome;
  filled: FilledTexts;
  steps: RehearsedStep[];
}

/** Takes steps until one has to wait, whose wait passes. @returns null at the end */
async function advance(services: Services, db: SqlDb, at: Position, on: On): Promise<Position | null> {
  const { setting, plan, steps, filled, workflowId } = on;
  const { project } = setting;
  const workflow = { id: workflowId, name: setting.workflowName ?? '', timeZone: on.timeZone };
  const { tools, gathered } = setTools(services, db, project, workflow, filled);
  const parked: Parked[] = [];
  const taken: { visit: Visit; taken: RehearsedStep }[] = [];
  const record = (visit: Visit, step: RunStep, result: Ended): void => {
    const startedAt = step.id === at.from ? at.startedAt : at.now;
    taken.push({ visit, taken: { step, startedAt, completedAt: at.now, result } });
  };
  try {
    await walk([{ member: at.member, from: at.from, joined: {} }], {
      plan,
      version: null,
      project,
      workflow,
      services,
      now: at.now,
      // As if the time had passed: the events of the contact until now are not those that a step waits for.
      tools: { ...tools, search: async (searches) => searches.map(() => null) },
      onResult(visit, step, result) {
        if (result.kind === 'parked')
          parked.push({ visit, step, until: result.until, output: result.output ?? {} });
        else if (result.kind !== 'left' && result.kind !== 'gone') record(visit, step, result);
      },
    });
    if (gathered.needed.size > 0) throw new TextsNeeded([...gathered.needed.values()]);
    await gathered.writeEmails();
  } catch (error) {
    const reason = reasonOf(error);
    const step = error instanceof StepError ? plan.step(error.stepId) : undefined;
    if (reason === null || !step) throw error;
    steps.push(...taken.map((each) => each.taken));
    steps.push({ step, startedAt: at.now, completedAt: at.now, result: { kind: 'failed', error: reason } });
    return null;
  }
  for (const { visit, taken: each } of taken)
    steps.push(
      await describe(services, db, visit, each, { setting, workflow, now: at.now, stepIdOf: plan.stepIdOf }),
    );
  const [open] = parked;
  return open ? pass(at, open, on, gathered.requests[0]?.request) : null;
}

/** The step as it is shown: with what a test run can tell of its effect. */
async function describe(
  services: Services,
  db: SqlDb,
  visit: Visit,
  taken: RehearsedStep,
  {
    setting: { project },
    workflow,
    now,
    stepIdOf,
  }: {
    setting: Setting;
    workflow: SetWorkflow;
    now: Date;
    stepIdOf: Plan['stepIdOf'];
  },
): Promise<RehearsedStep> {
  const { step, result } = taken;
  const run = stepRun(step.type);
  if (result.kind !== 'completed' || !run.rehearsed) return taken;
  const at = { step, config: step.config, project, workflow, services, now, stepIdOf };
  const added = await run.rehearsed(visit, at, db);
  return { ...taken, result: { ...result, output: { ...result.output, ...added } } };
}

/** Lets the wait of a step pass. */
function pass(
  at: Position,
  { visit, step, until, output }: Parked,
  { plan, waits, steps }: On,
  request: { url: string; method: string; body: string | null } | undefined,
): Position | null {
  const end = until ?? at.now;
  const complete = (output: Json, outcome: { waitOutcome?: WaitOutcome }): Position | null => {
    const result = { kind: 'completed' as const, output, outcome };
    steps.push({ step, startedAt: at.now, completedAt: at.now, result });
    at.member.outputs?.set(step.key, output);
    const next = plan.next(step.id, outcome);
    return next === null ? null : { ...at, from: next, startedAt: at.now };
  };
  if (request) {
    const { url, method, body } = request;
    return complete({ url, method, body: body === null ? null : JSON.parse(body) }, {});
  }
  if (stepDefinition(step.type).waysOut.kind === 'outcomes' && (waits === 'EVENT' || until === null)) {
    const outcome = { waitOutcome: 'EVENT' } as const;
    return complete({ ...outcome, eventName: awaitedEvents(step)[0] ?? null }, outcome);
  }
  const row: StepRow = {
    id: visit.stepExecutionId,
    status: 'WAITING',
    scheduledFor: end,
    error: null,
    outcome: {},
    parked: output,
  };
  if (step.id === at.from && at.now >= end)
    throw new Error(`a step of type ${step.type} goes on waiting after its time`);
  return {
    member: { ...at.member, rows: new Map([[step.id, row]]) },
    from: step.id,
    now: end,
    startedAt: at.now,
  };
}
