import { upsertContact } from '@postrider/core/audience/contacts';
import { addSegmentMembers, getSegment } from '@postrider/core/audience/segments';
import { AppError, parseRequest } from '@postrider/core/base/kernel';
import { Breath, newId } from '@postrider/core/base/lib';
import { sendBatch } from '@postrider/core/mail/sending';
import { type Answer, bearerKeyOf, type Call, type CompatService, offer } from '../door.ts';
import { Complaints } from '../fields.rules.ts';
import { sendAll, sendOne } from '../sends.ts';
import { messageLimit } from '../sizes.ts';
import { allWithTemplates, targetsOf } from '../source-targets.ts';
import { sendgridFailure } from './sendgrid.failures.ts';
import { contactsInput, mailInput, placeInMail } from './sendgrid.rules.ts';

export const sendgrid: CompatService = {
  name: 'sendgrid',
  title: 'SendGrid',
  scheme: 'Bearer',
  keyOf: bearerKeyOf,
  failureOf: sendgridFailure,
  elsewhere: {
    contacts: 'the operations of /contacts',
    lists: 'the operations of /segments',
    segments: 'the operations of /segments',
    field_definitions: 'PUT /contacts/fields/:field',
    singlesends: 'POST /campaigns and POST /campaigns/:id/send',
    templates: 'the operations of /templates',
    suppression: 'the operations of /suppressions',
    suppressions: 'the operations of /suppressions',
    asm: 'the operations of /suppressions',
    stats: 'GET /analytics/timeseries',
    messages: 'GET /emails',
    batch: 'POST /emails/:id/cancel',
    scheduled_sends: 'POST /emails/:id/cancel',
    whitelabel: 'the operations of /domains',
    webhooks: 'the operations of /webhook-endpoints',
    api_keys: 'the API keys of the dashboard',
    mail: 'POST /v1/send',
  },
  mount(door) {
    offer(door, 'post', '/v3/mail/send', {
      operation: sendBatch,
      keyed: 202,
      bodyLimit: messageLimit(door.services.config),
      handle: sendMail,
    });
    offer(door, 'put', '/v3/marketing/contacts', { operation: upsertContact, handle: storeContacts });
  },
};

async function sendMail(call: Call): Promise<Answer> {
  const complaints = new Complaints();
  const breath = new Breath();
  const { messages: translated, isSandbox } = await mailInput(call.body, complaints, () => breath.take());
  complaints.throwIfAny();
  const messages = await allWithTemplates(call, 'sendgrid', translated);
  if (isSandbox) call.rehearse();
  const [only, second] = messages;
  const emails =
    only && !second
      ? (await sendOne(call, only, (field) => placeInMail(0, field))).emails
      : (await sendAll(call, messages, placeInMail)).items.flat();
  return isSandbox ? { status: 200 } : { status: 202, headers: { 'x-message-id': emails[0]?.email ?? '' } };
}

async function storeContacts(call: Call): Promise<Answer> {
  const complaints = new Complaints();
  const { lists: named, inputs } = contactsInput(call.body, complaints);
  complaints.throwIfAny();
  // Nothing is stored when one of them is wrong.
  for (const [index, input] of inputs.entries()) checkContact(input, index);
  const lists = await targetsOf(call, 'sendgrid', 'SEGMENT', named);
  for (const id of lists) await getSegment.runRaw(call.ctx, { id });
  await call.charge(inputs.length + lists.length - 1);
  const emails: string[] = [];
  for (const input of inputs) emails.push((await upsertContact.runRaw(call.ctx, input)).email);
  for (const id of lists) await addSegmentMembers.runRaw(call.ctx, { id, emails });
  return { status: 202, body: { job_id: newId() } };
}

function checkContact(input: object, index: number): void {
  try {
    parseRequest(upsertContact.input, input);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, kind, message, errors = [] } = error;
    throw new AppError(code, message, {
      kind,
      errors: errors.map((each) => ({ ...each, field: `contacts.${index}.${each.field}` })),
    });
  }
}
