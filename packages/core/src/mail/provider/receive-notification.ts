import { z } from 'zod';
import { badRequest, direct, type Services } from '../../base/kernel/index.ts';
import { applyNotification } from './apply-notification.ts';
import { parseSesNotification } from './ses-notification.rules.ts';
import { isSnsAddress } from './sns-address.rules.ts';
import { parseSnsMessage } from './sns-message.rules.ts';
import { verifySnsMessage } from './verify-sns-message.ts';

const confirmationTimeoutMs = 10_000;

export const notificationOutput = z.object({
  success: z.boolean().meta({
    description: 'False for a message that is neither a notification nor the confirmation of a subscription.',
    examples: [true],
  }),
});

export const receiveNotification = direct({
  name: 'provider.receive',
  summary: 'Applies a notification of the mail provider, which Amazon SNS signs',
  permission: 'internal',
  risk: 'closed',
  internal: true,
  allowDisabled: true,
  errors: ['FORBIDDEN', 'BAD_REQUEST', 'RESOURCE_NOT_FOUND'],
  input: z.object({ body: z.string().describe('Body of the request, as it was sent.') }),
  output: notificationOutput,
  async handler({ services }, { body }) {
    const message = parseSnsMessage(body);
    if (!message) throw badRequest('The body is not a message of Amazon SNS');
    await verifySnsMessage(services, message);
    if (!message.MessageId) throw badRequest('The message has no MessageId');
    if (message.Type === 'SubscriptionConfirmation') {
      await confirm(services, message.SubscribeURL);
      return { success: true };
    }
    if (message.Type !== 'Notification') return { success: false };
    const notification = parseSesNotification(message.Message ?? '');
    if (!notification) throw badRequest('The notification is unreadable, or has no message id');
    await applyNotification(services, `sns:${message.MessageId}`, notification);
    return { success: true };
  },
});

/** Visits the address by which a topic learns that its subscriber exists. @throws Error when it does not answer, so that SNS repeats */
async function confirm({ http, log }: Services, url: string | undefined): Promise<void> {
  if (!url || !isSnsAddress(url)) throw badRequest('The SubscribeURL is not an address of Amazon SNS');
  const answer = await http.send({
    method: 'GET',
    url,
    body: null,
    headersFor: () => ({}),
    timeoutMs: confirmationTimeoutMs,
    maxResponseLength: 1_000,
    maxRedirects: 0,
  });
  if (answer.kind !== 'answer') throw new Error(`the subscription was not confirmed: ${answer.reason}`);
  if (answer.status >= 300) throw new Error(`the subscription was not confirmed: status ${answer.status}`);
  log.info('confirmed the subscription of provider notifications');
}
