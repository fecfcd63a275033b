import { createHmac } from 'node:crypto';
import type { WebhookConfig } from '../../steps.schema.ts';
import { beginAlone } from '../begin-alone.ts';
import { fillInUrl } from '../fill-in-url.ts';
import type { Step, StepContext } from '../step-result.ts';
import { fillIn, variablesOf } from '../variables.ts';
import {
  attemptTimeoutMs,
  judge,
  mapStrings,
  maxResponseLength,
  mergeHeaders,
  recordedResponse,
} from '../webhook.rules.ts';

/**
 * One attempt per turn. The row exists before the request leaves, so that every attempt carries its id; what came of an attempt
 * and when the next one is due stand in the row too.
 */
export const webhookStep: Step = {
  touches: 'request',
  async prepare(context) {
    const { services, standing, now } = context;
    const dueAt = standing.stepExecution?.scheduledFor ?? null;
    if (dueAt !== null && now < dueAt.getTime()) {
      return async () => ({ kind: 'parked', stepStatus: 'RUNNING', status: 'RUNNING', until: dueAt });
    }
    const begun = await beginAlone(services, standing);
    if (!begun) return null;
    const { url, method, headers, body } = requestOf(context);
    const before = begun.output?.['attempts'];
    const attempts = (typeof before === 'number' ? before : 0) + 1;
    const secret =
      standing.webhookSecretCipher === null ? '' : services.secrets.decrypt(standing.webhookSecretCipher);
    const sentAt = performance.now();
    const answer = await services.http.send({
      url,
      method,
      body,
      timeoutMs: attemptTimeoutMs,
      maxResponseLength,
      headersFor: (_method, sent) =>
        mergeHeaders(headers, {
          'X-Postrider-Delivery': begun.id,
          'X-Postrider-Signature': sign(secret, sent, Math.floor(Date.now() / 1_000)),
        }),
    });
    const answeredAt = now + Math.round(performance.now() - sentAt);
    const verdict = judge(answer, attempts);
    const output = {
      url,
      method,
      statusCode: answer.kind === 'answer' ? answer.status : null,
      success: verdict.kind === 'done' && verdict.success,
      response: recordedResponse(answer),
      attempts,
    };
    return async () => {
      switch (verdict.kind) {
        case 'done':
          return { kind: 'completed', output };
        case 'failed':
          return { kind: 'failed', error: verdict.error, output };
        case 'retry':
          return {
            kind: 'parked',
            stepStatus: 'RUNNING',
            status: 'RUNNING',
            until: new Date(answeredAt + verdict.afterMs),
            output,
          };
      }
    };
  },
};

const sign = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

function requestOf(context: StepContext): {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
} {
  const { standing } = context;
  const config = standing.step.config as WebhookConfig;
  const variables = variablesOf(context);
  const fill = (text: string): string => fillIn(text, variables);
  const method = config.method ?? 'POST';
  const headers = Object.entries(config.headers ?? {}).map(
    ([name, value]) => [name, fill(value).replace(/[\r\n]/g, '')] as const,
  );
  return {
    url: fillInUrl(config.url, variables).trim(),
    method,
    headers: Object.fromEntries(headers),
    body: method === 'GET' ? null : JSON.stringify(bodyOf(context, config.body, fill)),
  };
}

function bodyOf({ standing }: StepContext, body: unknown, fill: (text: string) => string): unknown {
  if (body !== undefined && body !== null) return mapStrings(body, fill);
  const { id, email, subscribed, data } = standing.contact;
  return {
    contact: { id, email, subscribed, data },
    workflow: { id: standing.workflowId, name: standing.workflowName },
    execution: { id: standing.id, startedAt: standing.startedAt.toISOString() },
    event: standing.context,
  };
}
