import type { SqlDb } from '../../../base/db/index.ts';
import { type EndRule, type FoundEnd, findEnds } from '../runtime/end-search.store.ts';
import { meaningOf } from '../runtime/find-ends.ts';
import { meetConditions } from '../runtime/find-events.store.ts';
import { isActive, leaveOpenStep, type Run, type VirtualEvent } from './runs.ts';

interface Of {
  projectId: string;
  timeZone: string;
  /** goals with an effect and exit rules, in the order in which they count */
  rules: readonly EndRule[];
  /** stored events count up to this time; null: only what the simulation makes happen */
  until: Date | null;
}

/** Goals and exit rules by events in a simulation, found as a set finds them (behaviour B14.6). Only the first event of each counts. */
export class VirtualEnds {
  readonly #db: SqlDb;
  readonly #of: Of;
  /** what is stored of each execution, by its rules */
  readonly #stored = new WeakMap<Run, readonly FoundEnd[]>();
  /** the rules that an event meets which is stored nowhere */
  readonly #met = new WeakMap<VirtualEvent, ReadonlySet<EndRule>>();

  constructor(db: SqlDb, of: Of) {
    this.#db = db;
    this.#of = of;
  }

  /** Looks for what is stored of executions that begin, in one statement. */
  async begin(runs: readonly Run[]): Promise<void> {
    const { projectId, timeZone, rules, until } = this.#of;
    const [first] = runs;
    if (!first || rules.length === 0) return;
    await this.#judge(runs);
    if (until === null) return;
    const found = await findEnds(
      this.#db,
      projectId,
      rules,
      runs.map(({ member, entry }) => ({
        contactId: member.contact.id,
        since: rules.map(() => entry.at),
        notThis: entry.eventId,
        until,
      })),
      { now: first.now, timeZone },
    );
    for (const [index, run] of runs.entries()) this.#stored.set(run, found[index] ?? []);
  }

  /** Before executions take their steps: what has happened by their time ends them, or has them go on elsewhere. */
  apply(runs: readonly Run[]): void {
    for (const run of runs) {
      run.exit = null;
      const found = this.#foundOf(run).filter(({ at }) => at <= run.now);
      if (found.length === 0) continue;
      const open = run.at === null ? undefined : run.rows.get(run.at);
      const meaning = meaningOf(found, { at: run.at, open, hasReached: (id) => run.rows.has(id) });
      if (meaning.kind === 'exits') {
        const { exit, afterOpenStep } = meaning;
        run.exit = { ...exit, afterOpenStep };
        if (!afterOpenStep) leaveOpenStep(run);
      } else if (meaning.kind === 'jumps') {
        const { stepId, to } = meaning;
        leaveOpenStep(run);
        run.at = stepId;
        run.status = 'RUNNING';
        run.member.anchor = { at: to.at, eventId: to.eventId };
      }
    }
  }

  /** After it: executions that wait for longer are due when something happens that may end them. */
  async lookAhead(runs: readonly Run[]): Promise<void> {
    if (this.#of.rules.length === 0) return;
    const active = runs.filter(isActive);
    const isNew = await this.#judge(active);
    for (const run of active) {
      if (run.dueAt !== null && run.dueAt <= run.now) continue;
      // What the execution itself has made happen is found at once.
      const next = run.person.events.some((event) => isNew.has(event) && event.createdAt <= run.now)
        ? run.now
        : this.#foundOf(run)
            .map(({ at }) => at)
            .filter((at) => at > run.now)
            .reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
      if (next !== null && (run.dueAt === null || next < run.dueAt)) run.dueAt = next;
    }
  }

  /** Finds the rules that events meet of which it is not known yet. @returns those events that meet some */
  async #judge(runs: readonly Run[]): Promise<ReadonlySet<VirtualEvent>> {
    const { rules, timeZone } = this.#of;
    const events = new Set(
      runs.flatMap(({ person }) => person.events).filter((each) => !this.#met.has(each)),
    );
    const met = new Map<VirtualEvent, Set<EndRule>>([...events].map((event) => [event, new Set()]));
    for (const rule of events.size === 0 ? [] : rules) {
      const { eventName, where } = rule;
      const named = [...events].filter(({ name }) => name === eventName);
      const meets =
        where.length === 0
          ? named.map(() => true)
          : await meetConditions(
              this.#db,
              named.map(({ name, data, createdAt: at }) => ({ name, data, at })),
              { events: [{ eventName, where }], clock: { now: new Date(0), timeZone } },
            );
      for (const [index, event] of named.entries()) if (meets[index]) met.get(event)?.add(rule);
    }
    for (const [event, those] of met) this.#met.set(event, those);
    return new Set([...met].flatMap(([event, those]) => (those.size > 0 ? [event] : [])));
  }

  /** The first event of each rule, in the order of the rules. */
  #foundOf(run: Run): FoundEnd[] {
    const { person, entry } = run;
    const stored = this.#stored.get(run) ?? [];
    return this.#of.rules.flatMap((rule) => {
      const happening = person.events.flatMap((event): FoundEnd[] => {
        const { id: eventId, createdAt: at } = event;
        const counts = this.#met.get(event)?.has(rule) && at >= entry.at && eventId !== entry.eventId;
        return counts ? [{ rule, eventId, at, value: null }] : [];
      });
      return [...stored.filter((each) => each.rule === rule), ...happening].toSorted(inTime).slice(0, 1);
    });
  }
}

/** By their times, then by their ids, as they are found where they are stored. */
const inTime = (one: FoundEnd, other: FoundEnd): number =>
  one.at.getTime() - other.at.getTime() || (one.eventId < other.eventId ? -1 : 1);
