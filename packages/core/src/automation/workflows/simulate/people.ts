import { CronExpressionParser } from 'cron-parser';
import { Prisma, type SqlDb } from '../../../base/db/index.ts';
import { takenEvents } from '../runtime/dispatch.store.ts';
import type { TriggerConfig } from '../triggers/trigger.rules.ts';
import { textIn } from '../triggers/trigger.rules.ts';
import { type TriggerType, triggerDefinition } from '../triggers/triggers.schema.ts';
import type { Entry, Person } from './runs.ts';
import {
  drawContacts,
  drawStarted,
  drawTriggered,
  enteredBefore,
  entriesByEvents,
  entriesByStarts,
  type PersonRow,
  readPeople,
  readSlots,
  type Span,
  type WorkflowOf,
} from './simulate.store.ts';

/** People of one piece of a simulation. */
const atOnce = 500;

/** Entries of one contact, and times of a schedule, that are looked at: the first ones. */
const mostEntries = 100;

/** Whom a simulation is of, in pieces that fit into memory. */
export interface Crowd {
  ids: string[];
  /** others match as well */
  isPart: boolean;
  /** who enters when; those without an entry are not simulated */
  entriesOf(contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly Entry[]>>;
  /** entries before this time count, and slots that were taken before it */
  since: Date;
  /** whether earlier executions keep contacts out */
  knowsEarlier: boolean;
}

type Draw = Parameters<typeof drawContacts>[3];

/** Draws one more than wanted, to know whether there are more. */
async function drawUpTo(
  { seed, limit }: Draw,
  draw: (of: Draw) => Promise<string[]>,
): Promise<{ ids: string[]; isPart: boolean }> {
  const ids = await draw({ seed, limit: limit + 1 });
  return { ids: ids.slice(0, limit), isPart: ids.length > limit };
}

/** Contacts that all begin at the same time. */
export async function crowdOfSample(
  db: SqlDb,
  projectId: string,
  { matches, startAt, ...draw }: Draw & { matches: Parameters<typeof drawContacts>[2]; startAt: Date },
): Promise<Crowd> {
  const entries = [{ at: startAt, eventId: null, context: {} }];
  return {
    ...(await drawUpTo(draw, (of) => drawContacts(db, projectId, matches, of))),
    entriesOf: async (ids) => new Map(ids.map((id) => [id, entries])),
    since: startAt,
    knowsEarlier: false,
  };
}

export interface Trigger {
  type: TriggerType;
  config: TriggerConfig;
  /** who may enter at all, as they are now */
  filter: Prisma.Sql;
  /** whom a schedule enters */
  matches: Parameters<typeof drawContacts>[2];
}

/** Contacts that the trigger would have entered, each at its times. Of a trigger that does nothing by itself, those that were started. */
export async function crowdOfReplay(
  db: SqlDb,
  of: WorkflowOf,
  trigger: Trigger,
  span: Span,
  draw: Draw,
): Promise<Crowd> {
  const { projectId } = of;
  const names = triggerDefinition(trigger.type).events(trigger.config);
  const taken = await takenEvents(db, projectId, trigger.config);
  const wanted = { ...taken, filter: trigger.filter };
  const rest = { since: span.from, knowsEarlier: true };
  if (names.length > 0)
    return {
      ...(await drawUpTo(draw, (each) => drawTriggered(db, projectId, { ...wanted, names }, span, each))),
      entriesOf: async (ids) =>
        byContact(await entriesByEvents(db, projectId, ids, { ...taken, names }, span, mostEntries)),
      ...rest,
    };
  const cron = textIn(trigger.config, 'cron');
  if (cron !== undefined) {
    const ticks = ticksOf(cron, textIn(trigger.config, 'timezone') ?? 'UTC', span);
    const entries = ticks.map((at) => ({ at, eventId: null, context: {} }));
    return {
      ...(await drawUpTo(draw, (each) =>
        drawContacts(db, projectId, Prisma.sql`(${trigger.matches}) AND (${trigger.filter})`, each),
      )),
      entriesOf: async (ids) => new Map(ids.map((id) => [id, entries])),
      ...rest,
    };
  }
  return {
    ...(await drawUpTo(draw, (each) => drawStarted(db, of, span, each))),
    entriesOf: async (ids) => byContact(await entriesByStarts(db, of, ids, span, mostEntries)),
    ...rest,
  };
}

function byContact(rows: readonly (Entry & { contactId: string })[]): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const { contactId, ...entry } of rows) {
    const those = entries.get(contactId);
    if (those) those.push(entry);
    else entries.set(contactId, [entry]);
  }
  return entries;
}

/** The times of a schedule, the first ones. */
function ticksOf(cron: string, tz: string, { from, to }: Span): Date[] {
  const times = CronExpressionParser.parse(cron, { tz, currentDate: from, endDate: to });
  const ticks: Date[] = [];
  while (ticks.length < mostEntries && times.hasNext()) ticks.push(times.next().toDate());
  return ticks;
}

/** The next people of a crowd. @returns also how many ids were passed */
export async function readPiece(
  db: SqlDb,
  of: WorkflowOf,
  crowd: Crowd,
  from: number,
  hasCaps: boolean,
): Promise<{ people: Person[]; passed: number }> {
  const wanted = crowd.ids.slice(from, from + atOnce);
  const { people: rows, passed } = await readPeople(db, of.projectId, wanted);
  const ids = rows.map(({ id }) => id);
  const entries = await crowd.entriesOf(ids);
  const earlier = crowd.knowsEarlier ? await enteredBefore(db, of, ids, crowd.since) : [];
  const earlierOf = new Map(earlier.map((each) => [each.contactId, each]));
  const slots = hasCaps ? await readSlots(db, of.projectId, ids, crowd.since) : new Map<string, number[]>();
  const people = rows.map((row): Person => {
    const person = personOf(row, entries.get(row.id) ?? [], slots.get(row.id) ?? []);
    const last = earlierOf.get(row.id);
    if (!last) return person;
    const { count: before, until, startedAt } = last;
    return {
      ...person,
      hasEntered: true,
      before,
      lastAt: startedAt.getTime(),
      insideUntil: until?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  });
  return { people, passed };
}

export const personOf = (
  { isSnoozed, isOwn, createdAt, updatedAt, ...contact }: PersonRow,
  entries: readonly Entry[],
  slots: readonly number[],
): Person => ({
  contact: { ...contact, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
  storedAt: updatedAt,
  isSnoozed,
  isOwn,
  entries,
  events: [],
  insideUntil: 0,
  hasEntered: false,
  before: 0,
  entered: 0,
  lastAt: null,
  slots,
  emails: [],
});
