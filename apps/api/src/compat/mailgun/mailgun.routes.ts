import { upsertContact } from '@postrider/core/audience/contacts';
import { addSegmentMembers, listContacts, listSegments } from '@postrider/core/audience/segments';
import {
  AppError,
  conflict,
  missingAuth,
  normalizeSender,
  projectIdOf,
  suggestions,
} from '@postrider/core/base/kernel';
import { Breath, readMailbox } from '@postrider/core/base/lib';
import { sendEmail } from '@postrider/core/mail/sending';
import { readOnThread, submitMessage } from '@postrider/core/mail/submission';
import { requireVerifiedSender } from '@postrider/core/people/domains';
import { type Answer, type Call, type CompatService, offer } from '../door.ts';
import { Complaints } from '../fields.rules.ts';
import { formOf, readForms } from '../form.ts';
import { refuseMarks } from '../marks.rules.ts';
import { type Made, onceByKey, sendAll, sendOne } from '../sends.ts';
import { allWithTemplates, targetOf } from '../source-targets.ts';
import { mailgunFailure } from './mailgun.failures.ts';
import { mailInput, memberInput, mimeInput } from './mailgun.rules.ts';

export const mailgun: CompatService = {
  name: 'mailgun',
  title: 'Mailgun',
  scheme: 'Basic',
  keyOf({ headers }) {
    if (!headers.authorization) throw missingAuth();
    return passwordOf(headers.authorization);
  },
  failureOf: mailgunFailure,
  elsewhere: {
    domains: 'the operations of /domains',
    webhooks: 'the operations of /webhook-endpoints',
    bounces: 'the operations of /suppressions',
    unsubscribes: 'the operations of /contacts',
    complaints: 'the operations of /suppressions',
    events: 'GET /emails',
    stats: 'GET /analytics/timeseries',
    analytics: 'GET /analytics/timeseries',
    templates: 'the operations of /templates',
    routes: 'a mailbox of your own: nothing is received',
    lists: 'the operations of /segments',
    validate: 'POST /v1/verify',
    messages: 'POST /v1/send',
  },
  readBodies: readForms,
  mount(door) {
    offer(door, 'post', '/v3/lists/:list/members', { operation: upsertContact, handle: addMember });
    offer(door, 'post', '/v3/:domain/messages', { operation: sendEmail, keyed: 200, handle: sendMail });
    offer(door, 'post', '/v3/:domain/messages.mime', {
      operation: submitMessage,
      keyed: 200,
      handle: sendMime,
    });
  },
};

const basic = /^basic +([A-Za-z0-9+/=_-]+)$/i;

/** The key is the password; the user name is ignored. @throws AppError INVALID_API_KEY */
function passwordOf(authorization: string): string {
  const encoded = basic.exec(authorization.trim())?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString();
  const colon = decoded.indexOf(':');
  if (colon >= 0) return decoded.slice(colon + 1);
  throw new AppError(
    'INVALID_API_KEY',
    'The Authorization header must be Basic, with the API key as the password',
  );
}

async function sendMail(call: Call): Promise<Answer> {
  const form = formOf(call.request);
  const complaints = new Complaints();
  const breath = new Breath();
  const { messages: translated, isTest } = await mailInput(form, complaints, () => breath.take());
  const from = form.fields.get('from')?.[0];
  if (from === undefined) complaints.add('from', 'required', 'Required');
  complaints.throwIfAny();
  const domain = await senderDomain(call, from ?? '');
  const messages = await allWithTemplates(call, 'mailgun', translated);
  if (isTest) call.rehearse();
  const [only, second] = messages;
  const emails =
    only && !second
      ? (await sendOne(call, only)).emails
      : (
          await sendAll(call, messages, (index, field) => (field === 'to' ? `to.${index}` : field))
        ).items.flat();
  return queued(emails, domain);
}

const queued = (emails: readonly Pick<Made, 'email'>[], domain: string): Answer => ({
  status: 200,
  body: { id: `<${emails[0]?.email ?? ''}@${domain}>`, message: 'Queued. Thank you.' },
});

/** The domain of the sender; that of the path is it, or another verified one of the project. @throws AppError RESOURCE_NOT_FOUND */
async function senderDomain(call: Call, from: string): Promise<string> {
  const mailbox = readMailbox(from, normalizeSender);
  const domain = typeof mailbox === 'string' ? '' : mailbox.email.slice(mailbox.email.lastIndexOf('@') + 1);
  const named = call.param('domain').toLowerCase();
  if (named !== domain) await assertOwnDomain(call, named);
  return domain;
}

async function assertOwnDomain(call: Call, domain: string): Promise<void> {
  const address = normalizeSender(`postmaster@${domain}`);
  try {
    if (address === null) throw unknownDomain(domain);
    await requireVerifiedSender(call.ctx, address);
  } catch (error) {
    throw error instanceof AppError ? unknownDomain(domain) : error;
  }
}

const unknownDomain = (domain: string): AppError =>
  new AppError('RESOURCE_NOT_FOUND', `Domain not found: ${domain.slice(0, 255)}`, {
    suggestion: 'Name the domain of the sender, or another verified one of the project',
  });

async function sendMime(call: Call): Promise<Answer> {
  const complaints = new Complaints();
  const { to, message, isTest } = mimeInput(formOf(call.request), complaints);
  complaints.throwIfAny();
  const submission = await readOnThread(call.services, projectIdOf(call.ctx), message);
  const { subject, html, text } = submission;
  refuseMarks(
    [subject, html, text].map((each) => ['message', each]),
    complaints,
  );
  complaints.throwIfAny();
  const domain = await senderDomain(call, submission.from.email);
  if (isTest) call.rehearse();
  const { items } = await onceByKey(call, async () => {
    const { emails } = await call.run(submitMessage, { submission, recipients: to });
    return { at: new Date(), items: [emails.map((email) => ({ email }))] };
  });
  return queued(items.flat(), domain);
}

async function addMember(call: Call): Promise<Answer> {
  const complaints = new Complaints();
  const { input, name, vars, isUpsert } = memberInput(formOf(call.request), complaints);
  complaints.throwIfAny();
  const id = await listOf(call);
  if (!isUpsert) {
    const { data } = await listContacts.runRaw(call.ctx, { segmentId: id, email: input['email'], limit: 1 });
    if (data.length > 0)
      throw conflict('Address already exists: it is a member of the list', {
        suggestion: suggestions.CONFLICT.addressTaken,
      });
  }
  const contact = await call.run(upsertContact, input);
  await call.run(addSegmentMembers, { id, emails: [contact.email] });
  const member = { address: contact.email, name, subscribed: contact.subscribed, vars };
  return { status: 200, body: { member, message: 'Mailing list member has been created' } };
}

/** The segment of a list: what its address became here, or the static segment that is named like it. @throws AppError SEGMENT_NOT_FOUND */
async function listOf(call: Call): Promise<string> {
  const address = call.param('list').toLowerCase();
  const target = await targetOf(call, 'mailgun', 'SEGMENT', address);
  if (target !== address) return target;
  const segments = await listSegments.runRaw(call.ctx, {});
  const segment = segments.find((each) => each.name.toLowerCase() === address && each.type === 'STATIC');
  if (segment) return segment.id;
  throw new AppError('SEGMENT_NOT_FOUND', `No static segment is named ${address.slice(0, 255)}`, {
    suggestion: 'Create a static segment with this name, or state which one it is by PUT /source-refs',
  });
}
