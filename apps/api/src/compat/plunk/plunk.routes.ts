import { recordEvent, trackEvent } from '@postrider/core/audience/events';
import { sendEmail } from '@postrider/core/mail/sending';
import { type Answer, bearerKeyOf, type Call, type CompatService, offer } from '../door.ts';
import { textOf } from '../failures.rules.ts';
import { Complaints } from '../fields.rules.ts';
import { sendOne } from '../sends.ts';
import { messageLimit } from '../sizes.ts';

/**
 * Plunk's older client has one key, and reads `message` and what is in `data` at the top; fields are those of `/v1`.
 * Other clients take the host as their base, and add `/v1` themselves.
 */
export const plunk: CompatService = {
  name: 'plunk',
  title: 'the older Plunk',
  scheme: 'Bearer',
  keyOf: bearerKeyOf,
  failureOf(failure, requestId, envelope) {
    return {
      status: failure.status,
      body: { ...envelope(failure, requestId), code: failure.status, message: textOf(failure, {}) },
    };
  },
  elsewhere: {
    contacts: 'the operations of /contacts',
    campaigns: 'the operations of /campaigns',
    events: 'POST /v1/track',
  },
  mount(door) {
    for (const base of ['', '/v1']) {
      offer(door, 'post', `${base}/send`, {
        operation: sendEmail,
        keyed: 200,
        bodyLimit: messageLimit(door.services.config),
        handle: send,
      });
      offer(door, 'post', `${base}/track`, {
        operation: recordEvent,
        publicOperation: trackEvent,
        handle: track,
      });
    }
  },
};

const both = (data: object): Answer => ({ status: 200, body: { ...data, success: true, data } });

async function send(call: Call): Promise<Answer> {
  const { body } = call;
  const complaints = new Complaints();
  if (body['type'] === 'markdown')
    complaints.refuse('type', 'Markdown is not read: make it HTML, and leave type out or give html');
  const isAbsent = body['from'] === undefined || body['from'] === null;
  const isTemplated = body['template'] !== undefined && body['template'] !== null;
  if (isAbsent && !isTemplated)
    complaints.add(
      'from',
      'required',
      'Add "from", an address of a verified domain: there is no default sender',
    );
  if (!isTemplated && (body['subject'] === undefined || body['subject'] === null))
    complaints.add('subject', 'required', 'Required');
  complaints.throwIfAny();
  const { at, emails } = await sendOne(call, body);
  return both({ emails, timestamp: at.toISOString() });
}

async function track(call: Call): Promise<Answer> {
  const { actor } = call.ctx;
  if (actor.type === 'key' && actor.key === 'public') return both(await call.run(trackEvent, call.body));
  const complaints = new Complaints();
  for (const field of ['email', 'event'])
    if (call.body[field] === undefined || call.body[field] === null)
      complaints.add(field, 'required', 'Required');
  complaints.throwIfAny();
  const { contactId, id, createdAt } = await call.run(recordEvent, call.body);
  return both({ contact: contactId, event: id, timestamp: createdAt });
}
