import { touchContacts } from '../../../audience/segments/index.ts';
import {
  byKeys,
  inSavepoint,
  plainTransaction,
  retryConflicts,
  type SqlDb,
  wasCanceled,
} from '../../../base/db/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { type CountedConversion, countConversions } from '../../goals/index.ts';
import { endKeys } from '../definitions/ends.rules.ts';
import { entryOf } from '../entries/entry.rules.ts';
import { whereOf } from '../triggers/event.trigger.ts';
import { triggerDefinition } from '../triggers/triggers.schema.ts';
import {
  contactsForSegments,
  enterByEvents,
  type InterestedWorkflow,
  interestedWorkflows,
  limitStatements,
  type TakenEvent,
  takeEvents,
  wakeExecutions,
} from './dispatch.store.ts';
import { joinTraces } from './join-traces.ts';
import { concernedWorkflows, type EndingEvent, measureConversions, wakeForEnds } from './measures.store.ts';

export const eventsPerBatch = 500;

export interface Dispatched {
  /** events; 0 when none is queued, or another dispatcher has locked them */
  taken: number;
  /** workflows that executions entered, or in which some were woken */
  touched: string[];
}

type ContactEvent = TakenEvent & { contactId: string };

/**
 * Dispatches one batch of a project's queued events in one transaction: each event is dispatched exactly once, despite crashes. It starts
 * executions and makes those due that wait for such an event; what that means for them, their sets decide.
 */
export async function dispatchBatch(services: Services, projectId: string): Promise<Dispatched> {
  const { forSegments, ...dispatched } = await retryConflicts(() =>
    plainTransaction(services.database.asyncCommit, (db) => inTransaction(db, projectId), byKeys),
  );
  if (forSegments) services.scheduleFollowUps(projectId);
  return dispatched;
}

async function inTransaction(db: SqlDb, projectId: string): Promise<Dispatched & { forSegments: boolean }> {
  const taken = await takeEvents(db, projectId, eventsPerBatch);
  await joinTraces(db, projectId, () => taken.map(({ id }) => id));
  const events = taken.filter((event): event is ContactEvent => event.contactId !== null);
  const touched: string[] = [];
  if (events.length === 0) return { taken: taken.length, touched, forSegments: false };
  const names = [...new Set(events.map(({ name }) => name))];
  const workflows = await interestedWorkflows(db, projectId, names);
  const conversions = await countConversions(db, projectId, events, new Date());
  const ending = await endingOf(db, projectId, events, conversions);
  // Executions before entries: a set that holds an execution may want its entry, so nobody waits for it while holding entries.
  const woken = new Set<string>();
  const awaited = new Map(workflows.map(({ id, awaits }) => [id, awaits]));
  // In one order, so that two dispatchers do not wait for each other.
  for (const id of [...new Set([...awaited.keys(), ...ending.workflows.keys()])].toSorted()) {
    const waking = events.filter(({ name }) => awaited.get(id)?.includes(name) ?? false);
    if (waking.length > 0 && (await wakeExecutions(db, projectId, id, waking)) > 0) woken.add(id);
    const keys = ending.workflows.get(id);
    const concerning = keys ? ending.events.filter((each) => each.keys.some((key) => keys.has(key))) : [];
    if (concerning.length > 0 && (await wakeForEnds(db, projectId, id, concerning)) > 0) woken.add(id);
  }
  for (const workflow of workflows) {
    const entered = await enter(db, projectId, workflow, events);
    if (entered > 0) woken.add(workflow.id);
  }
  touched.push(...woken);
  // After the entries: what has just begun is measured too.
  if (ending.isMeasured) await measureConversions(db, projectId, conversions);
  const contacts = await contactsForSegments(db, projectId, events);
  await touchContacts(db, projectId, contacts);
  return { taken: taken.length, touched, forSegments: contacts.length > 0 };
}

interface EndingEvents {
  /** with the keys of events that concern each */
  workflows: ReadonlyMap<string, ReadonlySet<string>>;
  events: EndingEvent[];
  /** some workflow has one of the goals */
  isMeasured: boolean;
}

/** The events that may end executions, by exit rules or as goals, and the workflows that they concern. */
async function endingOf(
  db: SqlDb,
  projectId: string,
  events: readonly ContactEvent[],
  conversions: readonly CountedConversion[],
): Promise<EndingEvents> {
  const goals = Map.groupBy(conversions, ({ eventId }) => eventId);
  const ending = events.map(({ id, name, contactId }) => ({
    contactId,
    keys: [endKeys.event(name), ...(goals.get(id) ?? []).map(({ goalId }) => endKeys.effect(goalId))],
  }));
  const measured = [...new Set(conversions.map(({ goalId }) => endKeys.goal(goalId)))];
  const all = [...new Set([...ending.flatMap(({ keys }) => keys), ...measured])];
  const workflows = await concernedWorkflows(db, projectId, all);
  const isMeasured = [...workflows.values()].some((keys) => measured.some((key) => keys.has(key)));
  return { workflows, events: ending, isMeasured };
}

/**
 * An event that was stored before the workflow was enabled, and queued for another reason, does not start an execution: by its time and by its
 * place in the queue, as the clock may have been set back in between.
 */
async function enter(
  db: SqlDb,
  projectId: string,
  workflow: InterestedWorkflow,
  events: readonly ContactEvent[],
): Promise<number> {
  const { enabled, triggerType, triggerConfig, triggersSince, triggersAfter, projectStopped } = workflow;
  if (!enabled || projectStopped) return 0;
  const names = new Set(triggerDefinition(triggerType).events(triggerConfig));
  const triggering = events.filter(
    ({ name, storedAt, seq }) =>
      names.has(name) &&
      (triggersSince === null ||
        storedAt >= triggersSince ||
        (triggersAfter !== null && seq > triggersAfter)),
  );
  if (triggering.length === 0) return 0;
  const eventIds = triggering.map(({ id }) => id);
  return isJudged(workflow)
    ? enterWithin(db, projectId, workflow, eventIds, { until: performance.now() + judgingMs })
    : enterByEvents(db, projectId, workflow, eventIds);
}

/** Whether conditions of a customer are evaluated before a contact enters. */
const isJudged = ({ entry, triggerConfig }: InterestedWorkflow): boolean =>
  entryOf(entry).filter !== null || whereOf(triggerConfig).length > 0;

/** The longest time of one statement that evaluates conditions, and of all for the events of a batch. */
const statementMs = 5_000;
const judgingMs = 15_000;

/**
 * Conditions that take too long must not keep the events of a project waiting: they are evaluated for fewer contacts at a time, and a contact
 * for whom they still take too long does not enter.
 */
async function enterWithin(
  db: SqlDb,
  projectId: string,
  workflow: InterestedWorkflow,
  eventIds: readonly string[],
  { until }: { until: number },
): Promise<number> {
  const isLate = performance.now() > until;
  try {
    return await inSavepoint(db, async () => {
      await limitStatements(db, statementMs);
      const entered = await enterByEvents(db, projectId, workflow, eventIds, { matchesNobody: isLate });
      await limitStatements(db, null);
      return entered;
    });
  } catch (error) {
    if (!wasCanceled(error) || isLate) throw error;
    if (eventIds.length === 1) return enterWithin(db, projectId, workflow, eventIds, { until: 0 });
    const half = Math.ceil(eventIds.length / 2);
    let entered = 0;
    for (const part of [eventIds.slice(0, half), eventIds.slice(half)])
      entered += await enterWithin(db, projectId, workflow, part, { until });
    return entered;
  }
}
