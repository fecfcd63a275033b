import { deleteContact, getContact, updateContact, upsertContact } from '@postrider/core/audience/contacts';
import {
  addSegmentMembers,
  getSegment,
  listContacts,
  listSegments,
  removeSegmentMembers,
} from '@postrider/core/audience/segments';
import { AppError, cursorsOf, isPermitted } from '@postrider/core/base/kernel';
import {
  cancelEmail,
  getEmail,
  listEmails,
  rescheduleEmail,
  sendBatch,
  sendEmail,
} from '@postrider/core/mail/sending';
import { bearerKeyOf, type Call, type CompatDoor, type CompatService, offer } from '../door.ts';
import { textOf } from '../failures.rules.ts';
import { Complaints, type FieldTable } from '../fields.rules.ts';
import { sendAll, sendEach, sendOne } from '../sends.ts';
import { messageLimit } from '../sizes.ts';
import { allWithTemplates, targetOf, targetsOf, withTemplates } from '../source-targets.ts';
import { resendFailure } from './resend.failures.ts';
import {
  batchInput,
  contactInput,
  contactReply,
  emailInput,
  emailReply,
  idOf,
  listInput,
  propertiesOf,
  resendFields,
  sendTimeOf,
} from './resend.rules.ts';

export const resend: CompatService = {
  name: 'resend',
  title: 'Resend',
  scheme: 'Bearer',
  keyOf: bearerKeyOf,
  failureOf: resendFailure,
  elsewhere: {
    domains: 'the operations of /domains',
    'api-keys': 'the API keys of the dashboard',
    broadcasts: 'POST /campaigns and POST /campaigns/:id/send',
    templates: 'the operations of /templates',
    webhooks: 'the operations of /webhook-endpoints',
    'contact-properties': 'PUT /contacts/fields/:field',
    imports: 'POST /contacts/import',
    automations: 'the operations of /workflows',
    events: 'POST /v1/track',
    metrics: 'GET /analytics/timeseries',
    logs: 'GET /requests',
    segments: 'the operations of /segments',
    audiences: 'the operations of /segments',
    emails: 'GET /emails/:id',
    contacts: 'the operations of /contacts',
  },
  mount(door) {
    mountEmails(door);
    mountContacts(door);
    mountSegments(door);
  },
};

function mountEmails(door: CompatDoor): void {
  const bodyLimit = messageLimit(door.services.config);
  offer(door, 'post', '/emails', {
    operation: sendEmail,
    keyed: 200,
    bodyLimit,
    async handle(call) {
      const complaints = new Complaints();
      const input = emailInput(call.body, complaints, new Date());
      complaints.throwIfAny();
      const [message = input] = await allWithTemplates(call, 'resend', [input]);
      const { emails } = await sendOne(call, message);
      return { status: 200, body: { id: idOf(emails) } };
    },
  });
  offer(door, 'post', '/emails/batch', { operation: sendBatch, keyed: 200, bodyLimit, handle: sendSeveral });
  offer(door, 'get', '/emails', {
    operation: listEmails,
    async handle(call) {
      const { limit, after } = listInput(call.query);
      const { data, hasMore } = await call.run(listEmails, {
        limit,
        ...(await cursorAfter(call, after, limit)),
      });
      const rows = data.map((row) => {
        const { html: _html, text: _text, tags: _tags, object: _object, ...rest } = emailReply(row, [row]);
        return rest;
      });
      return { status: 200, body: { object: 'list', has_more: hasMore, data: rows } };
    },
  });
  offer(door, 'get', '/emails/:id', {
    operation: getEmail,
    async handle(call) {
      const row = await call.run(getEmail, { id: call.param('id') });
      const { sharedMessageId } = row;
      const isShown = sharedMessageId !== null && isPermitted(call.ctx.actor, 'data:read');
      const all = isShown ? (await listEmails.run(call.ctx, { sharedMessageId, limit: 100 })).data : [row];
      return { status: 200, body: emailReply(row, all.toReversed()) };
    },
  });
  offer(door, 'patch', '/emails/:id', {
    operation: rescheduleEmail,
    async handle(call) {
      const complaints = new Complaints();
      complaints.sort(call.body, { taken: ['scheduled_at'] });
      const scheduledAt = sendTimeOf(call.body['scheduled_at'], complaints, new Date());
      complaints.throwIfAny();
      const { id } = await call.run(rescheduleEmail, { id: call.param('id'), scheduledAt });
      return { status: 200, body: { object: 'email', id } };
    },
  });
  offer(door, 'post', '/emails/:id/cancel', {
    operation: cancelEmail,
    async handle(call) {
      const { id } = await call.run(cancelEmail, { id: call.param('id') });
      return { status: 200, body: { object: 'email', id } };
    },
  });
}

const mostOfBatch = 100;

async function sendSeveral(call: Call) {
  const { list } = call;
  const validation = call.header('x-batch-validation')?.toLowerCase() ?? 'strict';
  const complaints = new Complaints();
  if (validation !== 'strict' && validation !== 'permissive')
    complaints.add('x-batch-validation', 'invalid_enum_value', 'Expected strict or permissive');
  if (list.length < 1 || list.length > mostOfBatch)
    complaints.add('emails', list.length < 1 ? 'too_small' : 'too_big', `1 to ${mostOfBatch} emails`);
  complaints.throwIfAny();
  const now = new Date();
  if (validation === 'strict') {
    const messages = await withTemplates(
      call,
      'resend',
      list.map((item, index) => batchInput(item, now, `${index}.`)),
    );
    for (const message of messages) if (message instanceof AppError) throw message;
    const { items } = await sendAll(call, messages, (index, field) => `${index}.${field}`);
    return { status: 200, body: { data: items.map((emails) => ({ id: idOf(emails) })) } };
  }
  const translated = list.map((item) => batchInput(item, now, ''));
  const { outcomes } = await sendEach(call, await withTemplates(call, 'resend', translated));
  const data = outcomes.flatMap((outcome) => ('emails' in outcome ? [{ id: idOf(outcome.emails) }] : []));
  const errors = outcomes.flatMap((outcome, index) => {
    if ('emails' in outcome) return [];
    const { failure } = outcome;
    return [{ index, message: failure ? textOf(failure, resendFields) : 'Refused by the first request' }];
  });
  return { status: 200, body: { data, errors } };
}

/** The cursor of the page after a record: the service continues a list by the id of its last record. */
async function cursorAfter(call: Call, after: string | null, limit: unknown): Promise<{ cursor?: string }> {
  if (after === null) return {};
  const { id, createdAt } = await getEmail.runRaw(call.ctx, { id: after });
  const cursors = cursorsOf(listEmails.name, listEmails.input.parse({ limit }));
  return { cursor: cursors.encode({ value: new Date(createdAt).toISOString(), id }) };
}

function mountContacts(door: CompatDoor): void {
  for (const below of ['', '/audiences/:audienceId']) {
    offer(door, 'post', `${below}/contacts`, { operation: upsertContact, handle: createContact });
    offer(door, 'get', `${below}/contacts/:contact`, {
      operation: getContact,
      async handle(call) {
        const row = await call.run(getContact, { id: call.param('contact') });
        return {
          status: 200,
          body: { object: 'contact', ...contactReply(row), properties: propertiesOf(row) },
        };
      },
    });
    offer(door, 'patch', `${below}/contacts/:contact`, {
      operation: updateContact,
      async handle(call) {
        const complaints = new Complaints();
        const { input } = contactInput(call.body, complaints, 'update');
        complaints.throwIfAny();
        const { id } = await call.run(updateContact, { ...input, id: call.param('contact') });
        return { status: 200, body: { object: 'contact', id } };
      },
    });
    offer(door, 'delete', `${below}/contacts/:contact`, {
      operation: deleteContact,
      async handle(call) {
        const { id } = await getContact.runRaw(call.ctx, { id: call.param('contact') });
        await call.run(deleteContact, { id });
        return { status: 200, body: { object: 'contact', contact: id, deleted: true } };
      },
    });
  }
  for (const path of ['/contacts', '/segments/:segmentId/contacts', '/audiences/:segmentId/contacts'])
    offer(door, 'get', path, { operation: listContacts, handle: readContacts });
}

async function createContact(call: Call) {
  const complaints = new Complaints();
  const { input, segments } = contactInput(call.body, complaints, 'create');
  complaints.throwIfAny();
  const audience = call.param('audienceId');
  const named = audience === '' ? segments : [audience, ...segments];
  const ids = await targetsOf(call, 'resend', 'SEGMENT', named);
  // Nothing is stored when one of them is unknown.
  for (const id of ids) await getSegment.runRaw(call.ctx, { id });
  const { id, email } = await call.run(upsertContact, input);
  for (const segment of ids) await call.run(addSegmentMembers, { id: segment, emails: [email] });
  return { status: 201, body: { object: 'contact', id } };
}

async function readContacts(call: Call) {
  const { limit, after } = listInput(call.query);
  const segmentId = await segmentOf(call);
  const filter = { limit, ...(segmentId !== '' && { segmentId }) };
  const cursor = after === null ? {} : await cursorOfContact(call, after, filter);
  const { data, hasMore } = await call.run(listContacts, { ...filter, ...cursor });
  return { status: 200, body: { object: 'list', has_more: hasMore, data: data.map(contactReply) } };
}

async function cursorOfContact(call: Call, after: string, filter: object): Promise<{ cursor: string }> {
  const { id, createdAt } = await getContact.runRaw(call.ctx, { id: after });
  const cursors = cursorsOf(listContacts.name, listContacts.input.parse(filter));
  return { cursor: cursors.encode({ value: new Date(createdAt).toISOString(), id }) };
}

/** The segment of a path; '' for a path without one. */
async function segmentOf(call: Call): Promise<string> {
  const named = call.param('segmentId');
  return named === '' ? '' : targetOf(call, 'resend', 'SEGMENT', named);
}

const noQuery: FieldTable = { taken: [] };

function mountSegments(door: CompatDoor): void {
  for (const path of ['/segments', '/audiences']) {
    offer(door, 'get', path, {
      operation: listSegments,
      async handle(call) {
        const { limit, after } = listInput(call.query);
        const all = await call.run(listSegments, {});
        const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
        const most = Math.min(100, Math.max(1, Math.trunc(Number(limit)) || 20));
        const page = all.slice(from, from + most);
        const data = page.map(({ id, name, createdAt }) => ({
          id,
          name,
          created_at: new Date(createdAt).toISOString(),
        }));
        return {
          status: 200,
          body: { object: 'list', has_more: from + most < all.length, data },
        };
      },
    });
  }
  offer(door, 'post', '/contacts/:contact/segments/:segmentId', {
    operation: addSegmentMembers,
    async handle(call) {
      const { email } = await getContact.runRaw(call.ctx, { id: call.param('contact') });
      const id = await segmentOf(call);
      const { notFound } = await call.run(addSegmentMembers, { id, emails: [email] });
      if (notFound.length > 0) throw new AppError('CONTACT_NOT_FOUND', 'Contact not found');
      return { status: 200, body: { id } };
    },
  });
  offer(door, 'delete', '/contacts/:contact/segments/:segmentId', {
    operation: removeSegmentMembers,
    async handle(call) {
      const complaints = new Complaints();
      complaints.sort(call.query, noQuery);
      complaints.throwIfAny();
      const { email } = await getContact.runRaw(call.ctx, { id: call.param('contact') });
      const id = await segmentOf(call);
      await call.run(removeSegmentMembers, { id, emails: [email] });
      return { status: 200, body: { id, audienceId: id, deleted: true } };
    },
  });
}
