import { zoneOfContact } from '../../../audience/contacts/index.ts';
import { clockOf } from '../../../base/lib/time-zones.rules.ts';
import { holdByLimits } from '../../../mail/sending/hold-by-limits.rules.ts';
import type { ContactLimits } from '../../../people/projects/contact-limits.schema.ts';
import type { RunStep } from '../definitions/read-definitions.store.ts';
import { branchesOf, outcomesOf } from '../workflows.rules.ts';
import { isActive, type Person, type Run, type VirtualEmail } from './runs.ts';

/** Executions that are shown. */
const mostShown = 20;

export interface StepFigures {
  stepKey: string;
  name: string;
  type: RunStep['type'];
  entered: number;
  left: number;
  failed: number;
  here: number;
  medianSeconds: number | null;
  branches: { branch: string; taken: number; share: number }[];
}

interface StepCount {
  entered: number;
  left: number;
  failed: number;
  here: number;
  /** milliseconds that it took */
  times: number[];
  ways: Map<string, number>;
}

interface Of {
  steps: readonly RunStep[];
  /** that hold for marketing email; null for none */
  limits: ContactLimits | null;
  /** of the project */
  timeZone: string;
  /** how many executions are kept to be shown, for tests */
  shown?: number;
}

/** What a simulation comes to. */
export class Tally {
  readonly #of: Of;
  readonly #steps: Map<string, StepCount>;
  readonly #shown: number;
  /** the first execution of each way through the steps */
  readonly #ways = new Map<string, Run>();
  readonly #first: Run[] = [];
  readonly #perDay = new Map<string, number>();
  readonly #perPerson: number[] = [];
  readonly #skipped = new Map<string, number>();
  readonly ended = { completed: 0, exited: 0, failed: 0, cancelled: 0 };
  executions = 0;
  written = 0;
  capped = 0;
  quiet = 0;
  /** people who changed after they entered, as they are stored */
  changedPeople = 0;
  /** emails whose template was changed after them */
  changedEmails = 0;

  constructor(of: Of) {
    this.#of = of;
    this.#shown = of.shown ?? mostShown;
    this.#steps = new Map(
      of.steps.map(({ id }) => [
        id,
        { entered: 0, left: 0, failed: 0, here: 0, times: [], ways: new Map<string, number>() },
      ]),
    );
  }

  get people(): number {
    return this.#perPerson.length;
  }

  /** An execution that has ended, or goes on no further. */
  add(run: Run): void {
    this.executions += 1;
    for (const [stepId, { status, startedAt, completedAt, output }] of run.steps) {
      const count = this.#steps.get(stepId);
      if (!count) continue;
      count.entered += 1;
      if (status === 'FAILED') count.failed += 1;
      if (status !== 'COMPLETED' || !completedAt) continue;
      count.left += 1;
      count.times.push(completedAt.getTime() - startedAt.getTime());
      const way = output?.['branch'] ?? output?.['waitOutcome'];
      if (typeof way === 'string') count.ways.set(way, (count.ways.get(way) ?? 0) + 1);
    }
    if (isActive(run)) {
      const count = run.at === null ? undefined : this.#steps.get(run.at);
      if (count) count.here += 1;
    } else if (run.status === 'COMPLETED') this.ended.completed += 1;
    else if (run.status === 'EXITED') this.ended.exited += 1;
    else this.ended.failed += 1;
    if (this.#first.length < this.#shown) this.#first.push(run);
    const way = [run.status, ...run.steps.keys()].join(' ');
    if (this.#ways.size < this.#shown && !this.#ways.has(way)) this.#ways.set(way, run);
  }

  /** Somebody of whom no further execution comes. */
  close(person: Person): void {
    const { limits, timeZone } = this.#of;
    const [entry] = person.entries;
    if (entry && person.storedAt > entry.at) this.changedPeople += 1;
    const emails = person.emails.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    this.written += emails.length;
    const going: number[] = [];
    const limited: VirtualEmail[] = [];
    for (const email of emails) {
      const { at, reason, withdrawnAt } = email;
      if (email.isChanged) this.changedEmails += 1;
      if (reason !== null) this.#skip(reason);
      else if (limits && email.isLimited) limited.push(email);
      // It goes at once, unless what ends its execution has happened by then.
      else if (withdrawnAt !== null && withdrawnAt <= at) this.#skip('exited');
      else going.push(at.getTime());
    }
    if (limits && limited.length > 0) {
      const zone = zoneOfContact(person.contact.data['timezone'], timeZone);
      const due = limited.map(({ at }) => at.getTime());
      const withdrawn = limited.map(({ withdrawnAt }) => withdrawnAt?.getTime() ?? null);
      for (const { at, heldBy, skipped } of holdByLimits(limits, zone, due, person.slots, withdrawn)) {
        if (heldBy === 'cap') this.capped += 1;
        if (heldBy === 'quiet_hours') this.quiet += 1;
        if (at === null) this.#skip(skipped === 'withdrawn' ? 'exited' : 'capped');
        else going.push(at);
      }
    }
    const { dayAt } = clockOf(timeZone);
    for (const at of going) this.#perDay.set(dayAt(at), (this.#perDay.get(dayAt(at)) ?? 0) + 1);
    this.#perPerson.push(going.length);
  }

  #skip(reason: string): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  /** One execution of each way through the steps, and others up to the number that is shown. */
  get shown(): Run[] {
    return [...new Set([...this.#ways.values(), ...this.#first])].slice(0, this.#shown);
  }

  get steps(): StepFigures[] {
    return this.#of.steps.map((step) => {
      const { times, ways, ...counts } = this.#steps.get(step.id) ?? noCount;
      const known = branchesOf(step)?.map(({ id }) => id) ?? outcomesOf(step) ?? [];
      return {
        ...{ stepKey: step.key, name: step.name, type: step.type },
        ...counts,
        medianSeconds: times.length === 0 ? null : Math.round(quantile(times, 0.5) / 1_000),
        branches: known.map((branch) => {
          const taken = ways.get(branch) ?? 0;
          return { branch, taken, share: percent(taken, counts.left) };
        }),
      };
    });
  }

  get emails() {
    const { written, capped, quiet } = this;
    const sent = this.#perPerson;
    return {
      ...{ written, capped, quiet },
      perDay: [...this.#perDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, count]) => ({ day, count })),
      perPerson: {
        median: quantile(sent, 0.5),
        p95: quantile(sent, 0.95),
        max: sent.reduce((most, each) => Math.max(most, each), 0),
      },
      skipped: Object.fromEntries([...this.#skipped].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}

const noCount: StepCount = { entered: 0, left: 0, failed: 0, here: 0, times: [], ways: new Map() };

/** The smallest value that at least this share of the values does not exceed; 0 of none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** In percent, with at most two decimals. */
const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((10_000 * part) / whole) / 100;
