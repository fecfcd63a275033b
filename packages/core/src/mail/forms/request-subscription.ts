import { type Saying, writeConsent } from '../../audience/consent/index.ts';
import { recallFormerSpellings } from '../../audience/contacts/index.ts';
import type { TopicRow } from '../../audience/topics/index.ts';
import { type AttemptLimit, takeAttempts } from '../../base/attempts/index.ts';
import type { SqlDb } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type MailLanguage, newId } from '../../base/lib/index.ts';
import { type ConfirmationSender, type ShownProject, systemProjectId } from '../../people/projects/index.ts';
import { selectLanguage } from '../sending/index.ts';
import { addressLimits, optedOutDays } from './forms.rules.ts';
import { writeRequestMail } from './request-mail.ts';
import {
  type Asked,
  insertAskedContact,
  insertRequest,
  readAsked,
  tellOfRequests,
} from './requests.store.ts';
import type { RequestOutcome } from './subscription-requests.schema.ts';

export interface WantedSubscription {
  projectId: string;
  project: ShownProject;
  projectLanguage: string;
  sender: ConfirmationSender;
  /** in its normal form */
  email: string;
  topics: readonly Pick<TopicRow, 'number' | 'default'>[];
  data: Record<string, unknown> | null;
  /** null: that of the contact, else of the project */
  language: MailLanguage | null;
  wordingId: string | null;
  form: { id: string; version: number } | null;
  page: string | null;
  ip: string | null;
  userAgent: string | null;
  /** who asks: a visitor of a form, or a program */
  saying: Saying;
}

export interface RequestedSubscription {
  outcome: RequestOutcome;
  /** null unless somebody is asked */
  requestId: string | null;
  /** an email was written, of which the delivery processes are to be told after the commit */
  hasMail: boolean;
}

type Sent = Pick<Services, 'config' | 'secrets'>;

/**
 * Asks the owner of an address whether it is to be subscribed, in the caller's transaction: stores the request, the contact if it is new,
 * the act, the event and the email. Of the reasons not to ask, the first in the order of `requestOutcome` counts (behaviour B12.5).
 */
export async function requestSubscription(
  services: Sent,
  db: SqlDb,
  wanted: WantedSubscription,
): Promise<RequestedSubscription> {
  const { projectId, email } = wanted;
  await recallFormerSpellings(db, services.secrets, projectId, [email]);
  const asked = await readAsked(db, projectId, email, wanted.topics);
  const { contact } = asked;
  const reason = reasonAgainst(asked);
  if (reason === 'suppressed' || reason === 'declined') {
    await recordRefusal(db, wanted, contact?.id, reason === 'suppressed' ? 'suppressed' : 'opted_out');
    return { outcome: reason, requestId: null, hasMail: false };
  }
  const isFree = await takeMail(services, db, wanted, contact?.isOptedOut === true);
  if (reason === 'already_subscribed' && contact) {
    await writeConsent(db, projectId, sayingOf(wanted), { contact: contact.id, kind: 'request' });
    const hasMail =
      isFree &&
      (await writeRequestMail(services, db, {
        ...wanted,
        id: newId(),
        kind: 'known',
        contactId: contact.id,
        to: email,
        language: languageFor(wanted, contact),
      }));
    return { outcome: reason, requestId: null, hasMail };
  }
  if (!isFree) {
    await recordRefusal(db, wanted, contact?.id, 'limited');
    return { outcome: 'limited', requestId: null, hasMail: false };
  }
  return ask(services, db, wanted, contact);
}

async function ask(
  services: Sent,
  db: SqlDb,
  wanted: WantedSubscription,
  contact: Asked['contact'],
): Promise<RequestedSubscription> {
  const { projectId, email } = wanted;
  const made = contact ? null : await insertAskedContact(db, projectId, newId(), email);
  // Somebody has created the contact since it was looked for: now it is locked, and all that decides is read again.
  const known = contact ?? (made ? null : (await readAsked(db, projectId, email, wanted.topics)).contact);
  const contactId = made ?? known?.id;
  if (contactId === undefined) throw new Error('the contact of a request is neither new nor known');
  const id = newId();
  const language = languageFor(wanted, known);
  const expiresAt = await insertRequest(db, {
    ...wanted,
    id,
    contactId,
    topics: wanted.topics.map(({ number }) => number),
    language,
    madeContact: made !== null,
  });
  await writeConsent(db, projectId, sayingOf(wanted), {
    contact: contactId,
    kind: 'request',
    requestId: id,
    until: expiresAt,
  });
  await tellOfRequests(db, 'contact.subscription.requested', projectId, [id]);
  const hasMail = await writeRequestMail(services, db, {
    ...wanted,
    id,
    kind: 'confirm',
    contactId,
    to: email,
    language,
  });
  return { outcome: 'sent', requestId: id, hasMail };
}

function reasonAgainst({ suppressed, declined, contact }: Asked): RequestOutcome | null {
  if (suppressed) return 'suppressed';
  if (declined) return 'declined';
  return contact?.subscribed && contact.receivesAll ? 'already_subscribed' : null;
}

const languageFor = (
  { language, projectLanguage }: WantedSubscription,
  contact: Pick<NonNullable<Asked['contact']>, 'locale'> | null,
): MailLanguage => language ?? selectLanguage(contact?.locale, projectLanguage);

const sayingOf = (wanted: WantedSubscription): Saying => ({
  ...wanted.saying,
  // A request changes no subscription of which an event would tell.
  reason: null,
  always: true,
  wordingId: wanted.wordingId,
  formId: wanted.form?.id ?? null,
  formVersion: wanted.form?.version ?? null,
  page: wanted.page,
  ip: wanted.ip,
  userAgent: wanted.userAgent,
});

/** That nobody was asked, and why; of an address without a contact there is nobody to record it of. */
async function recordRefusal(
  db: SqlDb,
  wanted: WantedSubscription,
  contactId: string | undefined,
  refusal: 'suppressed' | 'opted_out' | 'limited',
): Promise<void> {
  if (contactId === undefined) return;
  await writeConsent(db, wanted.projectId, sayingOf(wanted), {
    contact: contactId,
    kind: 'request',
    refusal,
  });
}

/** Counts an email to the address. @returns whether it is within all limits (behaviour B12.6) */
async function takeMail(
  { secrets }: Pick<Services, 'secrets'>,
  db: SqlDb,
  { projectId, email, form }: WantedSubscription,
  isOptedOut: boolean,
): Promise<boolean> {
  const ofProject = secrets.addressHash(projectId, email).toString('hex');
  const ofAll = secrets.addressHash(systemProjectId, email).toString('hex');
  const { hour, day, installation } = addressLimits;
  const limits: AttemptLimit[] = [
    { scope: 'mail_hour', key: ofProject, project: projectId, ...hour },
    { scope: 'mail_day', key: ofProject, project: projectId, ...day },
    ...(isOptedOut && form === null
      ? [
          {
            scope: 'mail_opted_out',
            key: ofProject,
            project: projectId,
            most: 1,
            seconds: optedOutDays * 86_400,
          },
        ]
      : []),
    { scope: 'mail_all', key: ofAll, project: null, ...installation },
  ];
  return (await takeAttempts(db, limits)).over === null;
}
