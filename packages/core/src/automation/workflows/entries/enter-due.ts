import { zoneOfContact } from '../../../audience/contacts/index.ts';
import { byKeys, plainTransaction, retryConflicts, type SqlDb } from '../../../base/db/index.ts';
import { notifyExecutions } from '../../../base/follow-ups/index.ts';
import type { Services } from '../../../base/kernel/index.ts';
import { contactTriggerSources } from '../triggers/contact.trigger.ts';
import {
  type DatedContact,
  type DatePass,
  type DueEntry,
  type EntryWorkflow,
  holdEntryWorkflow,
  lateHours,
  type NewDueEntry,
  readDated,
  readDatedPart,
  refillHours,
  saveDatePass,
  takeDueEntries,
  writeDueEntries,
} from './due-entries.store.ts';
import { enterContacts, type NewEntry } from './enter-contacts.store.ts';
import {
  type DateTrigger,
  datesWithin,
  dateTriggerOf,
  keyOfDate,
  nextOccurrence,
  occurrenceAt,
} from './occurrence.rules.ts';

interface Unit {
  projectId: string;
  workflowId: string;
}

const dueAtOnce = 500;
const hourMs = 3_600_000;
/** Occurrences are noted for this long ahead, which is a little more than a day. */
const aheadMs = 26 * hourMs;
/** Contacts that one transaction of a pass looks at. */
const passAtOnce = 20_000;

/**
 * Lets the next contacts enter whose time has come: new ones, and those with an occurrence. What has changed since an occurrence was noted decides: it
 * enters by the date and the zone that its contact has now.
 *
 * @returns how many were taken
 */
export async function enterDueBatch(services: Services, unit: Unit): Promise<number> {
  const { taken, started } = await retryConflicts(() =>
    plainTransaction(services.database.asyncCommit, (db) => enterDue(db, unit), byKeys),
  );
  if (started > 0) {
    notifyExecutions(services, unit.projectId);
    services.scheduleFollowUps(unit.projectId);
  }
  return taken;
}

async function enterDue(db: SqlDb, unit: Unit): Promise<{ taken: number; started: number }> {
  const due = await takeDueEntries(db, unit, dueAtOnce);
  const workflow = due.length === 0 ? null : await holdEntryWorkflow(db, unit, 'enter');
  if (!workflow?.enabled || workflow.projectStopped) return { taken: due.length, started: 0 };
  const entries =
    workflow.triggerType === 'CONTACT'
      ? newContacts(workflow, due)
      : workflow.triggerType === 'DATE'
        ? await occurrences(db, unit, workflow, due)
        : [];
  if (entries.length === 0) return { taken: due.length, started: 0 };
  const { started } = await enterContacts(db, workflow, entries, { counts: true });
  return { taken: due.length, started };
}

const newContacts = ({ triggerConfig }: EntryWorkflow, due: readonly DueEntry[]): NewEntry[] => {
  const sources: readonly string[] = contactTriggerSources(triggerConfig);
  return due.flatMap(({ contactId, source, at }) =>
    source === null || !sources.includes(source) ? [] : [{ contactId, at, day: null, context: { source } }],
  );
};

/** The contacts that enter by an occurrence. For the others the next one is noted. */
async function occurrences(
  db: SqlDb,
  unit: Unit,
  workflow: EntryWorkflow,
  due: readonly DueEntry[],
): Promise<NewEntry[]> {
  const trigger = dateTriggerOf(workflow.triggerConfig);
  if (trigger === null) return [];
  const ids = due.map(({ contactId }) => contactId);
  const contacts = new Map(
    (await readDated(db, unit.projectId, keyOfDate(trigger), ids)).map((contact) => [contact.id, contact]),
  );
  const entries: NewEntry[] = [];
  const later: NewDueEntry[] = [];
  for (const { contactId, at, day } of due) {
    const contact = contacts.get(contactId);
    if (!contact) continue;
    const found = day === null ? null : enteringOn(trigger, workflow, contact, day);
    if (found !== null && found.at <= workflow.now.getTime()) {
      if (isInTime(found.at, workflow)) entries.push(entryOn(trigger, contact, found));
      continue;
    }
    const next = found ?? nextOf(trigger, workflow, contact, at.getTime());
    if (next !== null && next.at <= horizonOf(workflow))
      later.push({ contactId, ...next, updatedAt: contact.updatedAt });
  }
  await writeDueEntries(db, unit, later);
  return entries;
}

const zoneOf = ({ timeZone }: EntryWorkflow, { timezone }: DatedContact): string =>
  zoneOfContact(timezone, timeZone);

const enteringOn = (trigger: DateTrigger, workflow: EntryWorkflow, contact: DatedContact, day: string) =>
  occurrenceAt(trigger, contact.value, zoneOf(workflow, contact), day);

const nextOf = (trigger: DateTrigger, workflow: EntryWorkflow, contact: DatedContact, after: number) =>
  nextOccurrence(trigger, contact.value, zoneOf(workflow, contact), after);

const entryOn = (
  { field }: DateTrigger,
  { id: contactId, value: date }: DatedContact,
  { day, at }: { day: string; at: number },
): NewEntry => ({ contactId, at: new Date(at), day, context: { field, date, occurrence: day } });

/** What had passed when the workflow was enabled does not enter, nor what comes a day late. */
const isInTime = (at: number, { triggersSince, now }: EntryWorkflow): boolean =>
  at >= (triggersSince?.getTime() ?? 0) && at >= now.getTime() - lateHours * hourMs;

/** To when occurrences are noted: a pass that runs may have gone past the contact. */
const horizonOf = ({ datesTo, datesAfter }: EntryWorkflow): number =>
  Math.max(datesTo?.getTime() ?? 0, datesAfter?.to ?? 0);

/**
 * Notes the occurrences of the next contacts, in a pass over all contacts of the project that begins once a day, when the workflow is
 * enabled, and when another zone applies. Its position is written with them.
 *
 * @returns whether it has looked at some: 0 when another process makes the pass, or there is none to make
 */
export async function noteDates(services: Services, unit: Unit): Promise<number> {
  return retryConflicts(() =>
    plainTransaction(services.database.asyncCommit, (db) => notePart(db, unit), { statement_timeout: '60s' }),
  );
}

async function notePart(db: SqlDb, unit: Unit): Promise<number> {
  const workflow = await holdEntryWorkflow(db, unit, 'pass');
  const trigger = workflow === null ? null : dateTriggerOf(workflow.triggerConfig);
  if (!workflow?.enabled || workflow.triggerType !== 'DATE' || trigger === null) return 0;
  const pass = passOf(workflow);
  if (pass === null) return 0;
  const { createdAt, id, from, to } = pass;
  const { contacts, next } = await readDatedPart(db, unit.projectId, {
    key: keyOfDate(trigger),
    yearly: trigger.repeat === 'YEARLY',
    beginnings: datesWithin(trigger, from, to),
    after: createdAt === null || id === null ? null : { createdAt, id },
    limit: passAtOnce,
  });
  const noted = contacts.flatMap((contact): NewDueEntry[] => {
    const found = nextOf(trigger, workflow, contact, from);
    return found === null || found.at > to
      ? []
      : [{ contactId: contact.id, ...found, updatedAt: contact.updatedAt }];
  });
  await writeDueEntries(db, unit, noted);
  await saveDatePass(db, unit.workflowId, {
    datesTo: next === null ? new Date(to) : null,
    datesAfter: next === null ? null : { from, to, ...next },
    datesZone: workflow.timeZone,
  });
  return 1;
}

/** The pass that runs, or the one that is to begin. */
function passOf({ datesTo, datesAfter, datesZone, timeZone, now: at }: EntryWorkflow): DatePass | null {
  const now = at.getTime();
  const begins = (from: number): DatePass => ({ from, to: now + aheadMs, createdAt: null, id: null });
  if (datesZone !== null && datesZone !== timeZone) return begins(now);
  if (datesAfter !== null) return datesAfter;
  const known = datesTo?.getTime() ?? now;
  return known > now + refillHours * hourMs ? null : begins(Math.max(known, now - lateHours * hourMs));
}
