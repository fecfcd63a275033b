import { readAddressFacts } from '../../audience/contacts/index.ts';
import type { Context } from '../../base/kernel/index.ts';
import { listEmails, previewEmail } from '../../mail/sending/index.ts';
import {
  type RecordPage,
  readActs,
  readContact,
  readDeliveries,
  readEvents,
  readExecutions,
  readInteractions,
  readMemberships,
  readRequests,
  type Whom,
} from './person.store.ts';

/** A list of the document, which is read in pages. */
export interface Section {
  name: string;
  page(ctx: Context, whom: Whom, after: string | null): Promise<RecordPage>;
}

const recordsAtOnce = 500;
/** The texts of each are rendered. */
const emailsAtOnce = 50;

type Reader = (db: Context['db'], whom: Whom, after: string | null, limit: number) => Promise<RecordPage>;

const section = (name: string, read: Reader): Section => ({
  name,
  page: (ctx, whom, after) => read(ctx.db, whom, after, recordsAtOnce),
});

/** Emails of the contact, or of those that went to the address without it. */
const emails = (name: string, isContacts: boolean): Section => ({
  name,
  async page(ctx, whom, after) {
    const { contactId, address, projectId } = whom;
    if (isContacts && contactId === null) return { records: [], after: null };
    const filter = isContacts ? { contactId } : { recipient: address };
    const page = await listEmails.runRaw(ctx, { limit: emailsAtOnce, cursor: after, ...filter });
    const own = isContacts ? page.data : page.data.filter((email) => email.contactId !== contactId);
    const ids = own.map(({ id }) => id);
    const interactions = await readInteractions(ctx.db, projectId, ids);
    const records: Record<string, unknown>[] = [];
    for (const email of own) {
      const { html, text } = await previewEmail.run(ctx, { id: email.id });
      const what = interactions.get(email.id) ?? [];
      records.push({ ...email, html, text, interactions: what.map(({ emailId: _, ...each }) => each) });
    }
    return { records, after: page.cursor };
  },
});

export const sections: readonly Section[] = [
  section('consentActs', readActs),
  section('subscriptionRequests', readRequests),
  emails('emails', true),
  emails('emailsToTheAddress', false),
  section('events', readEvents),
  section('segments', readMemberships),
  section('executions', readExecutions),
  section('webhookDeliveries', readDeliveries),
];

/** What stands before the lists. */
export async function headOf(ctx: Context, whom: Whom): Promise<Record<string, unknown>> {
  const { db, services, project } = ctx;
  const { suppression, optOut } = await readAddressFacts(db, services.secrets, whom.projectId, whom.address);
  return {
    exportedAt: new Date(),
    project: { id: whom.projectId, name: project?.name ?? null },
    person: { email: whom.address, contactId: whom.contactId },
    contact: await readContact(db, whom),
    suppression,
    optOut,
  };
}
