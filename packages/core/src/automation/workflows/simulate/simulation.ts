import { setTimeout } from 'node:timers/promises';
import { filtersOf, isStepActivity, readField } from '../../../audience/segments/filters.rules.ts';
import type { SqlDb } from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { Breath } from '../../../base/lib/breath.ts';
import { awaitedEvents } from '../definitions/definition.rules.ts';
import type { ConditionExit } from '../definitions/ends.rules.ts';
import { type Plan, planOf } from '../definitions/plan.rules.ts';
import type { RunStep, RunTransition } from '../definitions/read-definitions.store.ts';
import { type EntryRules, intervalMs } from '../entries/entry.rules.ts';
import type { EndRule } from '../runtime/end-search.store.ts';
import type { FillInInput } from '../runtime/fill-in.task.ts';
import { fillInFirst } from '../runtime/fill-in.ts';
import type { SetProject, SetWorkflow } from '../runtime/member.ts';
import { StepError } from '../runtime/step-error.ts';
import { reasonOf } from '../runtime/take-set.ts';
import { type Walked, walk } from '../runtime/walk.ts';
import { isTreeCondition, treesOf } from '../steps/condition.step.ts';
import { drawOf } from '../steps/draw.ts';
import { stepDefinition } from '../steps/steps.schema.ts';
import { answerRequest, type WebhookAnswer } from './answer-request.ts';
import { Late } from './read-only.store.ts';
import {
  beginRun,
  type Entry,
  idFrom,
  isActive,
  keepProgress,
  keepRecord,
  type Person,
  type Run,
  type VirtualEmail,
} from './runs.ts';
import { readContexts } from './simulate.store.ts';
import { Together } from './together.ts';
import { VirtualEnds } from './virtual-ends.ts';
import { type Known, type Questions, questionsOf, type VirtualSet, virtualSet } from './virtual-set.ts';

type Json = Record<string, unknown>;

/** What is simulated, apart from whom. */
export interface SimulationSpec {
  workflow: SetWorkflow;
  project: SetProject;
  steps: RunStep[];
  transitions: RunTransition[];
  /** whose definition it is; null for a draft or a document */
  version: number | null;
  allowReentry: boolean;
  entry: Pick<EntryRules, 'limit' | 'every'>;
  /** exit rules by a condition */
  exits: ConditionExit[];
  /** exit rules by an event, and goals with an effect, in the order in which they count */
  ends: readonly EndRule[];
  seed: number;
  /** no execution goes on after it; null: each goes on to its end */
  end: Date | null;
  /** waits find what is stored; without it only what the simulation makes happen */
  hasStoredEvents: boolean;
  /** percent of the executions at a wait that its event comes for, by the ids of steps; null: events are given or stored */
  shares: ReadonlyMap<string, number> | null;
  /** how WEBHOOK steps are answered, by the ids of steps */
  answers: ReadonlyMap<string, WebhookAnswer>;
  /** what they answered last, by the ids of step and contact */
  lastAnswers: (people: readonly Person[]) => Promise<ReadonlyMap<string, Json>>;
}

/** A wait that an event ends without a timeout ends within this time. */
const eventWithinMs = 86_400_000;

/** Texts of one simulation that are filled in at a time. */
const textsAtOnce = 4;

/** Receives each execution when it has ended, or goes on no further. */
export type Observe = (run: Run) => void;

/** Runs executions in memory by the code of the sets, each by a clock of its own. */
export class Simulation {
  readonly #spec: SimulationSpec;
  readonly #plan: Plan;
  readonly #known: Known;
  readonly #questions: Questions;
  readonly #ends: VirtualEnds;
  readonly #together = new Together();
  readonly #breath = new Breath();
  /** by `performance.now()` */
  readonly #deadline: number;
  readonly #observe: Observe;
  /** the conditions that look at what became of emails, by their ids */
  readonly #asksOfEmails: ReadonlySet<string>;
  requests = 0;
  /** requests whose answer was assumed */
  assumed = 0;
  /** waits whose end was drawn */
  drawn = 0;
  /** waits, conditions, goals and exit rules for what emails cause, of which nothing is stored */
  unstored = 0;
  /** It was stopped before the end. */
  stopped = false;

  constructor(services: Services, db: SqlDb, spec: SimulationSpec, deadline: number, observe: Observe) {
    this.#spec = spec;
    this.#plan = planOf(spec);
    this.#asksOfEmails = new Set(spec.steps.filter(asksOfEmails).map(({ id }) => id));
    this.#deadline = deadline;
    this.#observe = observe;
    this.#known = {
      ...{ services, db, project: spec.project },
      eventsUntil: spec.hasStoredEvents ? spec.end : null,
      ...{ templates: new Map(), definitions: null, topics: null, filled: new Map() },
    };
    this.#questions = questionsOf(this.#known);
    this.#ends = new VirtualEnds(db, {
      ...{ projectId: spec.project.id, timeZone: spec.project.timeZone },
      ...{ rules: spec.ends, until: this.#known.eventsUntil },
    });
  }

  get isLate(): boolean {
    return performance.now() >= this.#deadline;
  }

  /** Runs all executions of these people, as far as they get. */
  async run(people: readonly Person[]): Promise<void> {
    const last = await this.#spec.lastAnswers(people);
    const cursors = new Map(people.map((person) => [person, 0]));
    let going = await this.#begin(people, cursors);
    try {
      while (going.length > 0) {
        await this.#wave(going, last);
        const free: Person[] = [];
        const next = going.filter((run) => {
          if (isActive(run) && this.#goesOn(run)) return true;
          if (this.#missesNews(run)) this.unstored += 1;
          this.#observe(run);
          if (!isActive(run)) free.push(this.#left(run));
          return false;
        });
        going = next;
        going = [...next, ...(await this.#begin(free, cursors))];
      }
    } catch (error) {
      if (!(causeOf(error) instanceof Late)) throw error;
      this.stopped = true;
      for (const run of going) this.#observe(run);
    }
  }

  /** Whether what its emails cause might have ended it. */
  #missesNews({ person, member }: Run): boolean {
    const { ends, shares } = this.#spec;
    return (
      shares === null &&
      ends.some(({ eventName }) => isOfEmail(eventName)) &&
      person.emails.some(({ executionId, reason }) => executionId === member.id && reason === null)
    );
  }

  /** Whoever has left may enter again. */
  #left({ person, completedAt }: Run): Person {
    person.insideUntil = completedAt?.getTime() ?? person.insideUntil;
    return person;
  }

  /** The next execution of each that may enter. */
  async #begin(people: readonly Person[], cursors: Map<Person, number>): Promise<Run[]> {
    const entering: { person: Person; entry: Entry }[] = [];
    for (const person of people) {
      let at = cursors.get(person) ?? 0;
      let entry = person.entries[at];
      while (entry && !this.#admits(person, entry)) {
        at += 1;
        entry = person.entries[at];
      }
      cursors.set(person, at + 1);
      if (entry) entering.push({ person, entry });
    }
    const contexts = await readContexts(
      this.#known.db,
      this.#spec.project.id,
      entering.flatMap(({ entry: { context, eventId } }) => (context === null && eventId ? eventId : [])),
    );
    const runs = entering.map(({ person, entry }) =>
      beginRun(person, entry, entry.context ?? contexts.get(entry.eventId ?? '') ?? {}, this.#spec.seed),
    );
    await this.#ends.begin(runs);
    return runs;
  }

  /** The rules of entries, but for their filter (behaviour B14.5). */
  #admits(person: Person, { at }: Entry): boolean {
    const { allowReentry, entry } = this.#spec;
    if (at.getTime() < person.insideUntil) return false;
    if (!person.hasEntered) return true;
    if (!allowReentry) return false;
    if (entry.limit !== null && person.before + person.entered >= entry.limit) return false;
    return entry.every === null || at.getTime() - (person.lastAt ?? 0) >= intervalMs(entry.every);
  }

  /** Whether an execution goes on, and then when. */
  #goesOn(run: Run): boolean {
    const { end } = this.#spec;
    if (run.dueAt === null) return false;
    // A step that takes no time is not the past of the one before.
    const at = run.dueAt > run.now ? run.dueAt : run.now;
    if (end !== null && at > end) return false;
    run.now = at;
    return true;
  }

  /** Takes the steps of executions that are due, each at its time. */
  async #wave(runs: readonly Run[], last: ReadonlyMap<string, Json>): Promise<void> {
    if (this.isLate) throw new Late();
    this.#ends.apply(runs);
    let groups: Group[] = [...Map.groupBy(runs, ({ now }) => now.getTime()).values()].map((together) => ({
      runs: together,
    }));
    const needed: FillInInput[] = [];
    while (groups.length > 0) {
      const before = groups.map(({ runs: those }) => those.map(stateOf));
      const results = await this.#together.run(
        groups.map((group) => () => this.#walk(group)),
        () => this.#breath.take(),
      );
      const again: Group[] = [];
      for (const [index, result] of results.entries()) {
        const group = groups[index];
        if (!group) continue;
        if (result.status === 'fulfilled') needed.push(...this.#keep(group.runs, result.value, last));
        else {
          for (const restore of before[index] ?? []) restore();
          again.push(...afterFailure(group, result.reason));
        }
        if (this.#breath.isDue) await this.#breath.take();
      }
      groups = again;
    }
    await this.#ends.lookAhead(runs);
    this.#known.filled.clear();
    await this.#fill(needed);
  }

  async #walk({ runs, failing }: Group): Promise<Taken> {
    const now = runs[0]?.now ?? new Date(0);
    const { workflow, project, version, exits } = this.#spec;
    const set = virtualSet(this.#known, this.#together, this.#questions, runs, now);
    const walked = await walk(
      runs.map(({ member, at, exit }) => ({ member, from: at, joined: {}, ...(exit && { exit }) })),
      {
        ...{ plan: this.#plan, version, project, workflow, now, exits },
        services: this.#known.services,
        tools: set.tools,
        ...(failing && { failing }),
      },
    );
    return { set, walked, emails: await set.judgeEmails() };
  }

  /** Applies to the runs what a set would write. @returns the texts that some of them need first */
  #keep(
    runs: readonly Run[],
    { set, walked, emails }: Taken,
    last: ReadonlyMap<string, Json>,
  ): FillInInput[] {
    const byId = new Map(runs.map((run) => [run.member.id, run]));
    for (const record of walked.records) {
      const run = byId.get(record.executionId);
      const step = this.#plan.step(record.stepId);
      if (run && step) keepRecord(run, record, step);
      if (this.#asksOfEmails.has(record.stepId)) this.unstored += 1;
    }
    for (const progress of walked.progress) {
      const run = byId.get(progress.id);
      if (run) keepProgress(run, progress);
    }
    for (const { run, event } of set.events) run.person.events.push({ ...event, isDrawn: false });
    for (const run of set.awake) run.person.isSnoozed = false;
    for (const { run, email } of emails) run.person.emails.push(email);
    for (const id of walked.exited) {
      const run = byId.get(id);
      for (const email of run?.person.emails ?? [])
        if (email.executionId === id) email.withdrawnAt = run?.now ?? null;
    }
    for (const request of set.requests) {
      const run = byId.get(request.executionId);
      if (run) this.#answer(run, request.request, last);
    }
    for (const run of runs) {
      run.ahead = set.ahead.get(run.member.id) ?? null;
      if (run.status === 'WAITING') this.#lookAhead(run);
      // Left for its texts: they are filled in before the next wave, at the same moment.
      else if (set.needed.has(run.member.id)) run.dueAt = run.now;
    }
    return [...set.needed.values()];
  }

  /** An event that comes before the time of a wait ends it. */
  #lookAhead(run: Run): void {
    const step = this.#plan.step(run.at);
    if (!step || stepDefinition(step.type).waysOut.kind !== 'outcomes') return;
    const { shares, seed } = this.#spec;
    if (
      shares !== null &&
      !run.person.events.some(({ isDrawn, createdAt }) => isDrawn && createdAt > run.now)
    ) {
      const { id: contactId } = run.member.contact;
      const share = shares.get(step.id) ?? 0;
      this.drawn += 1;
      if (100 * drawOf(`${seed}:${step.id}`, contactId) < share) {
        const within = run.dueAt === null ? eventWithinMs : run.dueAt.getTime() - run.now.getTime();
        const after = Math.floor(drawOf(`${seed}:when:${step.id}`, contactId) * within);
        run.ahead = new Date(run.now.getTime() + after);
        run.person.events.push(drawnEvent(run, step, run.ahead));
      }
    }
    if (shares === null && run.ahead === null && awaitedEvents(step).some(isOfEmail)) this.unstored += 1;
    if (run.ahead !== null && (run.dueAt === null || run.ahead <= run.dueAt)) run.dueAt = run.ahead;
  }

  /** Ends the wait of a WEBHOOK step as its answer would. */
  #answer(run: Run, { url, method }: { url: string; method: string }, last: ReadonlyMap<string, Json>): void {
    const step = this.#plan.step(run.at);
    const row = step && run.rows.get(step.id);
    if (!step || !row) return;
    this.requests += 1;
    const given = this.#spec.answers.get(step.id);
    const recorded = last.get(`${step.id}/${run.member.contact.id}`);
    if (given === undefined || (given === 'LAST' && !recorded)) this.assumed += 1;
    const { status, output, error } = answerRequest({ url, method }, given, recorded);
    keepRecord(
      run,
      {
        ...{ id: row.id, executionId: run.member.id, stepId: step.id, status, output, error },
        ...{ scheduledFor: null, eventId: null, version: this.#spec.version },
      },
      step,
    );
    run.member.outputs ??= new Map();
    run.member.outputs.set(step.key, output);
    run.dueAt = run.now;
  }

  async #fill(needed: readonly FillInInput[]): Promise<void> {
    const { services, project, filled } = this.#known;
    for (let from = 0; from < needed.length; from += textsAtOnce)
      await before(
        this.#deadline,
        fillInFirst(services, project.id, needed.slice(from, from + textsAtOnce), filled),
      );
  }
}

/** Executions at the same moment, which walk together. */
interface Group {
  runs: readonly Run[];
  /** the step that can never succeed, of one that was found to fail alone */
  failing?: ReadonlyMap<string, { stepId: string; reason: string }>;
}

interface Taken {
  set: VirtualSet;
  walked: Walked;
  emails: { run: Run; email: VirtualEmail }[];
}

/** Events that an email causes. */
const isOfEmail = (name: string): boolean => name.startsWith('email.');

/** Whether a condition asks for what is known only when an email is sent; whether one is skipped is known. */
function asksOfEmails({ type, config }: RunStep): boolean {
  if (type !== 'CONDITION' || !isTreeCondition(config)) return false;
  return treesOf(config)
    .flatMap(({ tree }) => filtersOf(tree))
    .some(({ field }) => {
      const ref = readField(field);
      return (
        typeof ref !== 'string' && ref.kind === 'step' && isStepActivity(ref.path) && ref.path !== 'skipped'
      );
    });
}

const causeOf = (error: unknown): unknown => (error instanceof StepError ? error.cause : error);

/** @throws Late when it takes longer, which a busy thread may; then nobody waits for it */
async function before(deadline: number, work: Promise<void>): Promise<void> {
  const end = new AbortController();
  const late = setTimeout(Math.max(0, deadline - performance.now()), true, { signal: end.signal }).catch(
    () => false,
  );
  const isLate = await Promise.race([work.then(() => false), late]).finally(() => end.abort());
  if (!isLate) return;
  work.catch(() => undefined);
  throw new Late();
}

/** What a walk changes before it is known to succeed. @returns what undoes it */
function stateOf({ member }: Run): () => void {
  const { contact, context, anchor } = member;
  return () => Object.assign(member, { contact, context, anchor });
}

/** A group that a statement refuses is halved until the execution is found that fails alone, as a set is. @throws what is no fault of an execution */
function afterFailure({ runs, failing }: Group, error: unknown): Group[] {
  const reason = reasonOf(error);
  const stepId = error instanceof StepError ? error.stepId : null;
  if (reason === null || stepId === null) throw error;
  const [only, ...others] = runs;
  if (!only) return [];
  if (others.length === 0) {
    if (failing?.get(only.member.id)?.stepId === stepId) throw error;
    return [{ runs, failing: new Map([[only.member.id, { stepId, reason }]]) }];
  }
  const half = Math.ceil(runs.length / 2);
  return [{ runs: runs.slice(0, half) }, { runs: runs.slice(half) }];
}

const drawnEvent = (run: Run, step: RunStep, createdAt: Date) => ({
  id: idFrom(`${run.member.id}:drawn:${step.id}`),
  name: awaitedEvents(step)[0] ?? '',
  data: {},
  createdAt,
  isDrawn: true,
});
