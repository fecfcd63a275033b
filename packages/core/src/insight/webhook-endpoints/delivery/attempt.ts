import type { Services } from '../../../base/kernel/index.ts';
import { countWebhookAttempt, observeWebhookDelay } from '../../../base/kernel/metrics.ts';
import { rootSpan } from '../../../base/kernel/traces.ts';
import { storable } from '../../../base/lib/index.ts';
import { bodyInFormat, headersInFormat } from '../formats/request-of.ts';
import type { ClaimedDelivery } from './claim.store.ts';
import { attemptTimeoutMs, judge, keptResponseBytes } from './retry.rules.ts';
import type { Settled } from './settle.store.ts';
import { signatureOf } from './sign.ts';

/** Sends one request. Whatever goes wrong with it is a result, so that it is recorded and repeated. */
export function attemptDelivery(
  services: Pick<Services, 'http' | 'secrets'>,
  delivery: ClaimedDelivery,
): Promise<Settled> {
  const attributes = { 'postrider.endpoint_id': delivery.endpointId };
  return rootSpan('webhook.attempt', attributes, { kind: 'client' }, async (span) => {
    const settled = await send(services, delivery);
    const { delivered, gone, attempt } = settled;
    span?.set({
      'postrider.outcome': delivered ? 'delivered' : gone ? 'gone' : 'failed',
      'http.response.status_code': attempt.statusCode ?? undefined,
    });
    return settled;
  });
}

async function send(
  { http, secrets }: Pick<Services, 'http' | 'secrets'>,
  delivery: ClaimedDelivery,
): Promise<Settled> {
  const { id, token, endpointId, url, format, secretCipher, previousSecretCipher } = delivery;
  if (delivery.isFirstAttempt) observeWebhookDelay(delivery.lateMs);
  const secret = secrets.decrypt(secretCipher, 'WebhookEndpoint.secretCipher', endpointId);
  const keys = [secret];
  if (previousSecretCipher !== null)
    keys.push(secrets.decrypt(previousSecretCipher, 'WebhookEndpoint.previousSecretCipher', endpointId));
  const at = new Date();
  const begun = performance.now();
  const signed = { secret, seconds: Math.floor(Date.now() / 1_000) };
  const answer = await http.send({
    method: 'POST',
    url,
    body: bodyInFormat(format, delivery, signed),
    timeoutMs: attemptTimeoutMs,
    maxResponseLength: keptResponseBytes,
    maxRedirects: 0,
    keepAlive: true,
    headersFor(_method, body) {
      const { seconds } = signed;
      const standard = {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(keys, { id, seconds, body }),
      };
      return {
        'Content-Type': 'application/json',
        'User-Agent': 'Postrider/1',
        ...standard,
        ...headersInFormat(format, body, signed, standard),
      };
    },
  });
  const { delivered, gone, statusCode, error } = judge(answer);
  countWebhookAttempt(delivered ? 'delivered' : gone ? 'gone' : 'failed');
  return {
    id,
    token,
    endpointId,
    delivered,
    gone,
    attempt: {
      at: at.toISOString(),
      statusCode,
      error,
      ms: Math.round(performance.now() - begun),
      response: answer.kind === 'answer' ? firstBytes(storable(answer.body), keptResponseBytes) : null,
    },
  };
}

/** The longest beginning of a text that has at most `limit` bytes in UTF-8. */
function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= limit) return text;
  let end = limit;
  // A byte 10xxxxxx continues a character (RFC 3629).
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}
