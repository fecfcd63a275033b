import type { Services } from '@postrider/core/base/kernel';
import {
  findReportedEmails,
  findReturnedEmail,
  isOfFeedbackService,
  isReportTo,
  keepLetter,
  type ReportClass,
  type RoleMailbox,
  readReceived,
} from '@postrider/core/mail/news';

/** Whom a message is for: an email, by the id in its envelope sender, or a postmaster, abuse or feedback address. */
export type Recipient = string | RoleMailbox;

type Read = Awaited<ReturnType<typeof readReceived>>;

/** What a message says about one email. */
export interface EmailReport {
  email: { id: string; to: string };
  result: ReportClass | null;
  /** a service that collects complaints has signed it: nothing else has to prove it */
  isOfService: boolean;
}

const returnedByService: ReportClass = { kind: 'complaint', detail: 'Returned by a feedback service' };

/**
 * Reads a message for its recipients, and keeps it as a note where it is no report (behaviour B11.7). Of a loop nothing is kept.
 *
 * @param envelopeFrom '' for the null sender
 * @throws Error when the database is unavailable
 */
export async function reportsOf(
  services: Services,
  raw: Buffer,
  envelopeFrom: string,
  recipients: readonly Recipient[],
): Promise<{ read: Read; reports: EmailReport[] }> {
  const { durable } = services.database;
  const emails = await findReportedEmails(
    durable,
    recipients.filter((recipient) => typeof recipient === 'string'),
  );
  const readFor = (about: typeof emails): Promise<Read> =>
    readReceived(
      services,
      raw,
      envelopeFrom,
      about.map(({ to }) => to),
    );
  const read = await readFor(emails);
  if (read.isLoop) return { read, reports: [] };
  const returned = await findReturnedEmail(services, read);
  const isOfService =
    !read.isFormal && returned !== null && (await isOfFeedbackService(services, raw, read.signatures));
  const reports = emails.map((email, index): EmailReport => {
    const ofService = isOfService && email.id === returned.emailId;
    return {
      email,
      result: ofService ? returnedByService : (read.results[index] ?? null),
      isOfService: ofService,
    };
  });
  const mailboxes = recipients.filter((recipient) => typeof recipient !== 'string');
  // Which email a message to the postmaster or a feedback address is about is known only now, and so is the recipient to read it for.
  const about = returned === null || mailboxes.length === 0 ? [] : await findReportedEmails(durable, [returned.emailId]);
  const [email] = about;
  const [result = null] = isOfService ? [returnedByService] : email ? (await readFor(about)).results : [];
  let isReport = false;
  for (const mailbox of mailboxes)
    if (email && isReportTo(mailbox, returned, result)) isReport = true;
    else await keepLetter(services, mailbox, read);
  if (email && isReport && !emails.some(({ id }) => id === email.id)) reports.push({ email, result, isOfService });
  return { read, reports };
}
