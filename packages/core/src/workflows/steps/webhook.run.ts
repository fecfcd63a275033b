import { createHmac } from 'node:crypto';
import { beginAttempt } from '../runtime/begin-attempt.ts';
import { fillInUrl } from '../runtime/fill-in-url.ts';
import type { StepRun, StepVisit } from '../runtime/step-result.ts';
import { fillIn, variablesOf } from '../runtime/variables.ts';
import {
  attemptTimeoutMs,
  judge,
  mapStrings,
  maxResponseLength,
  mergeHeaders,
  mostAttempts,
  recordedResponse,
} from '../runtime/webhook.rules.ts';

import type { StepConfigs } from './steps.schema.ts';

/**
 * One attempt per tick. The row exists before the request is sent, so that every attempt carries its id, and counts the attempt, so
 * that an answer that ends the worker is not asked for endlessly; it also stores the result of an attempt and the time of the next one.
 */
export const webhookRun: StepRun<StepConfigs['WEBHOOK']> = {
  async request(step) {
    const { services, state, now } = step;
    const dueAt = state.stepExecution?.scheduledFor ?? null;
    if (dueAt !== null && now < dueAt.getTime()) {
      return { kind: 'parked', stepStatus: 'RUNNING', status: 'RUNNING', until: dueAt };
    }
    const begun = await beginAttempt(services, state);
    if (!begun) return null;
    const { attempts } = begun;
    if (attempts > mostAttempts) {
      return {
        kind: 'failed',
        error: `The webhook failed after ${mostAttempts} attempts: none of them ended`,
      };
    }
    const { url, method, headers, body } = requestOf(step);
    const secret =
      state.webhookSecretCipher === null ? '' : services.secrets.decrypt(state.webhookSecretCipher);
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
  },
};

const sign = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

type WebhookVisit = StepVisit<StepConfigs['WEBHOOK']>;

function requestOf(step: WebhookVisit): {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
} {
  const { config } = step;
  const variables = variablesOf(step);
  const fill = (text: string): string => fillIn(text, variables);
  const method = config.method ?? 'POST';
  const headers = Object.entries(config.headers ?? {}).map(
    ([name, value]) => [name, fill(value).replace(/[\r\n]/g, '')] as const,
  );
  return {
    url: fillInUrl(config.url, variables).trim(),
    method,
    headers: Object.fromEntries(headers),
    body: method === 'GET' ? null : JSON.stringify(bodyOf(step, fill)),
  };
}

function bodyOf({ state, config: { body } }: WebhookVisit, fill: (text: string) => string): unknown {
  if (body !== undefined && body !== null) return mapStrings(body, fill);
  const { id, email, subscribed, data } = state.contact;
  return {
    contact: { id, email, subscribed, data },
    workflow: { id: state.workflowId, name: state.workflowName },
    execution: { id: state.id, startedAt: state.startedAt.toISOString() },
    event: state.context,
  };
}
