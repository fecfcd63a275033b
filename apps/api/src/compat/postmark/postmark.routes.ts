import { AppError, invalid, missingAuth } from '@postrider/core/base/kernel';
import { getEmail, sendBatch, sendEmail } from '@postrider/core/mail/sending';
import type { FastifyRequest } from 'fastify';
import { type Answer, bearerKeyOf, type Call, type CompatDoor, type CompatService, offer } from '../door.ts';
import { Complaints, type Given, isObject } from '../fields.rules.ts';
import { sendEach, sendOne } from '../sends.ts';
import { messageLimit } from '../sizes.ts';
import { allWithTemplates, withTemplates } from '../source-targets.ts';
import { postmarkError, postmarkFailure } from './postmark.failures.ts';
import { detailsReply, messageInput, messageReply } from './postmark.rules.ts';

const tokenHeader = 'x-postmark-server-token';
/** The token of the service that only tries: here it names no project, so a key has to stand beside it. */
const testToken = 'POSTMARK_API_TEST';

export const postmark: CompatService = {
  name: 'postmark',
  title: 'Postmark',
  scheme: null,
  keyOf(request) {
    const token = tokenOf(request);
    if (!token) throw missingAuth();
    return token === testToken ? bearerKeyOf(request) : token;
  },
  failureOf: postmarkFailure,
  elsewhere: {
    bulk: 'POST /campaigns and POST /campaigns/:id/send',
    bounces: 'GET /emails?status=BOUNCED',
    templates: 'the operations of /templates',
    server: 'the settings of the dashboard',
    inbound: 'a mailbox of your own: nothing is received',
    inboundrules: 'a mailbox of your own: nothing is received',
    opens: 'GET /emails/:id',
    clicks: 'GET /emails/:id',
    messages: 'GET /emails',
    stats: 'GET /analytics/timeseries',
    webhooks: 'the operations of /webhook-endpoints',
    suppressions: 'the operations of /suppressions',
    'message-streams': 'segments',
    domains: 'the operations of /domains',
    email: 'POST /v1/send',
  },
  mount(door) {
    mountMessages(door, false);
    mountMessages(door, true);
    offer(door, 'get', '/messages/outbound/:id/details', {
      operation: getEmail,
      handle: async (call) => ({
        status: 200,
        body: detailsReply(await call.run(getEmail, { id: call.param('id') })),
      }),
    });
  },
};

const tokenOf = ({ headers }: FastifyRequest): string => String(headers[tokenHeader] ?? '').trim();

function mountMessages(door: CompatDoor, isTemplated: boolean): void {
  const bodyLimit = messageLimit(door.services.config);
  offer(door, 'post', isTemplated ? '/email/withTemplate' : '/email', {
    operation: sendEmail,
    keyed: 200,
    bodyLimit,
    async handle(call) {
      const okay = begin(call);
      const complaints = new Complaints();
      const input = messageInput(call.body, complaints, isTemplated);
      complaints.throwIfAny();
      const [message = input] = await allWithTemplates(call, 'postmark', [input]);
      return messageReply(call.body, await sendOne(call, message), okay);
    },
  });
  offer(door, 'post', isTemplated ? '/email/batchWithTemplates' : '/email/batch', {
    operation: sendBatch,
    keyed: 200,
    bodyLimit,
    handle: (call) => sendSeveral(call, isTemplated),
  });
}

/** @returns what the service says of an accepted message */
function begin(call: Call): string {
  if (tokenOf(call.request) !== testToken) return 'OK';
  call.rehearse();
  return 'Test job accepted';
}

const mostOfBatch = 500;

async function sendSeveral(call: Call, isTemplated: boolean): Promise<Answer> {
  const okay = begin(call);
  const list = messagesOf(call, isTemplated);
  if (list.length > mostOfBatch)
    throw invalid([{ field: 'Messages', code: 'too_big', message: `At most ${mostOfBatch} messages` }]);
  const messages = list.map((given): object | AppError => {
    const complaints = new Complaints();
    if (!isObject(given)) return new AppError('INVALID_REQUEST_BODY', 'A message must be a JSON object');
    const input = messageInput(given, complaints, isTemplated);
    return complaints.error ?? input;
  });
  const { at, outcomes } = await sendEach(call, await withTemplates(call, 'postmark', messages));
  const body = outcomes.map((outcome, index) => {
    const given = list[index];
    if ('emails' in outcome) {
      const { emails } = outcome;
      return messageReply(isObject(given) ? given : {}, { at, emails }, okay).body;
    }
    if (outcome.failure) return postmarkError(outcome.failure);
    return { ErrorCode: 300, Message: 'Refused by the first request' };
  });
  return { status: 200, body };
}

function messagesOf(call: Call, isTemplated: boolean): readonly unknown[] {
  if (!isTemplated) return call.list;
  const complaints = new Complaints();
  const body: Given = call.body;
  complaints.sort(body, { taken: ['Messages'] });
  if (!Array.isArray(body['Messages'])) complaints.add('Messages', 'required', 'Expected an array');
  complaints.throwIfAny();
  return body['Messages'] as unknown[];
}
