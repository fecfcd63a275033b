import {
  type ContactReference,
  findPerson,
  type Person,
  readAddressFacts,
} from '../../audience/contacts/index.ts';
import { findNewestEvents } from '../../audience/events/index.ts';
import type { Db } from '../../base/db/index.ts';
import { AppError, type Context, projectIdOf } from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findRoutePause } from '../../mail/ledger/index.ts';
import { emailNotFound, findEmail, newestInteractions, waitingOf } from '../../mail/sending/index.ts';
import { findAuditOf, presentActor } from '../../people/audit/index.ts';
import type { AuditFact, EmailFacts, PersonFacts, ProjectFacts } from './checks/facts.rules.ts';
import {
  readCampaign,
  readSender,
  readStepOfEmail,
  readTopicOfEmail,
  readUncertainty,
} from './explain.store.ts';

/** How much of each kind is read: a chain has at most 100 links. */
const most = { acts: 10, interactions: 60, audit: 10 };

/** What every question reads from: one project at one moment. */
export interface Reading {
  ctx: Context;
  db: Db;
  projectId: string;
  project: ProjectFacts;
}

/** The audit log of some records. */
export async function readAudit(
  { db, projectId }: Reading,
  ids: readonly (string | null)[],
): Promise<AuditFact[]> {
  const known = ids.filter((id): id is string => id !== null);
  const rows = await findAuditOf(db, projectId, known, most.audit);
  return rows.map(({ operation, targetId, changed, createdAt: at, ...row }) => ({
    operation,
    targetId,
    changed,
    at,
    actor: presentActor(row),
  }));
}

/** What is known of a contact, and of an address, which may be another one. */
export async function readPerson(
  { ctx, db, projectId }: Reading,
  contact: Person | null,
  address: string,
  until?: Date,
): Promise<PersonFacts> {
  const known = await readAddressFacts(db, ctx.services.secrets, projectId, address);
  const events = contact
    ? await findNewestEvents(
        db,
        { projectId, contactId: contact.id },
        ['contact.subscribed', 'contact.unsubscribed'],
        most.acts,
        until,
      )
    : [];
  const acts = events.map(({ name, data, emailId, createdAt: at }) => ({
    subscribed: name === 'contact.subscribed',
    reason: textOf(data?.reason),
    snoozedUntil: textOf(data?.snoozedUntil),
    emailId,
    at,
  }));
  return { address, contact, acts, ...known };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * The contact that is asked about; null for an address that no contact has.
 *
 * @throws AppError CONTACT_NOT_FOUND for any other reference that names none
 */
export async function requirePerson(
  { db, projectId }: Reading,
  reference: ContactReference,
): Promise<Person | null> {
  const contact = await findPerson(db, projectId, reference);
  if (!contact && reference.by !== 'email') throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
  return contact;
}

/** @throws AppError RESOURCE_NOT_FOUND */
export async function readEmail(reading: Reading, id: string): Promise<EmailFacts> {
  const { ctx, db, projectId, project } = reading;
  const route = routeId(ctx.services.config);
  const row = await findEmail(db, projectId, id, route);
  if (!row) throw emailNotFound();
  const { contactId, campaignId, workflowExecutionId: executionId, workflowStepExecutionId } = row;
  const uncertainty = await readUncertainty(db, projectId, id);
  const contact = await contactOf(reading, row);
  const campaign = campaignId === null ? null : await readCampaign(db, projectId, campaignId);
  const { heldBy, estimatedSendAt } = await waitingOf(ctx.services, db, row);
  return {
    project,
    email: { ...row, ...uncertainty, executionId },
    topic: row.reason === 'topic' ? await readTopicOfEmail(db, projectId, row) : null,
    heldBy,
    estimatedSendAt,
    interactions: await newestInteractions(db, projectId, id, most.interactions),
    person:
      row.to === ''
        ? null
        : await readPerson(reading, contact, row.to, row.status === 'SKIPPED' ? row.updatedAt : undefined),
    campaign,
    step:
      executionId === null
        ? null
        : await readStepOfEmail(db, projectId, executionId, workflowStepExecutionId),
    audit: await readAudit(reading, [
      id,
      campaignId,
      executionId,
      row.sharedMessageId === id ? null : row.sharedMessageId,
      row.status === 'SKIPPED' ? contactId : null,
    ]),
    route: heldBy === 'route' ? await findRoutePause(db, route) : null,
    ...(await readSender(db, projectId, row.from, route)),
  };
}

/** Whose wishes count for an email: its contact's, or, of one to another person, those of that address. */
const contactOf = (
  { db, projectId }: Reading,
  { contactId, to, toOther }: { contactId: string | null; to: string; toOther: boolean },
): Promise<Person | null> | null => {
  if (toOther) return findPerson(db, projectId, { by: 'email', value: to });
  return contactId === null ? null : findPerson(db, projectId, { by: 'id', value: contactId });
};

export const readingOf = (ctx: Context, db: Db, project: ProjectFacts): Reading => ({
  ctx,
  db,
  projectId: projectIdOf(ctx),
  project,
});
