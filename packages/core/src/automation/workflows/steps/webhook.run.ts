import { createHmac } from 'node:crypto';
import { beginAttempt } from '../runtime/begin-attempt.ts';
import { fillIn, StepTextError } from '../runtime/fill-in.ts';
import { nextTry, takeHostSlot } from '../runtime/host-slots.ts';
import type { StepRun, StepVisit } from '../runtime/step-result.ts';
import {
  attemptTimeoutMs,
  judge,
  maxResponseLength,
  mergeHeaders,
  mostAttempts,
  recordedResponse,
} from '../runtime/webhook.rules.ts';

import type { StepConfigs } from './steps.schema.ts';
import { webhookBodyLimit } from './webhook.step.ts';

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
    const { url, method, headers, body } = await requestOf(step);
    if (body !== null && Buffer.byteLength(body) > webhookBodyLimit) {
      return {
        kind: 'failed',
        error: `The body of the webhook has more than ${webhookBodyLimit / 1_024} KiB`,
      };
    }
    const secret =
      state.webhookSecretCipher === null
        ? ''
        : services.secrets.decrypt(state.webhookSecretCipher, 'Project.webhookSecretCipher', state.projectId);
    const freeSlot = takeHostSlot(url);
    if (!freeSlot) {
      const output = { ...state.stepExecution?.output, attempts: attempts - 1 };
      return { kind: 'parked', stepStatus: 'RUNNING', status: 'RUNNING', until: nextTry(now), output };
    }
    const sentAt = performance.now();
    const sending = services.http.send({
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
    const answer = await sending.finally(freeSlot);
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
  async rehearsed(step: WebhookVisit) {
    const { url, method, body } = await requestOf(step);
    return { url, method, body: body === null ? null : JSON.parse(body) };
  },
};

const sign = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

/** Characters of URL, headers and body together. */
const textLimit = 4 * webhookBodyLimit;

type WebhookVisit = StepVisit<StepConfigs['WEBHOOK']>;

async function requestOf(step: WebhookVisit): Promise<{
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}> {
  const { config } = step;
  const { url: given, headers = {}, body = null } = config;
  const method = config.method ?? 'POST';
  const texts = await fillIn(step, { url: given, values: { headers, body } }, textLimit);
  const filled = texts.values as { headers: Record<string, string>; body: unknown };
  return {
    url: (texts.url ?? '').trim(),
    method,
    headers: Object.fromEntries(
      Object.entries(filled.headers).map(([name, value]) => [name, value.replace(/[\r\n]/g, '')]),
    ),
    body: method === 'GET' ? null : bodyOf(step, filled.body),
  };
}

/** @throws StepTextError */
function bodyOf(step: WebhookVisit, filled: unknown): string {
  if (filled === null) return JSON.stringify(defaultBody(step));
  const body = JSON.stringify(filled);
  if (Buffer.byteLength(body) <= webhookBodyLimit) return body;
  throw new StepTextError(`The filled-in body of the webhook has more than ${webhookBodyLimit / 1_024} KiB`);
}

function defaultBody({ state }: WebhookVisit): unknown {
  const { id, email, subscribed, data } = state.contact;
  return {
    contact: { id, email, subscribed, data },
    workflow: { id: state.workflowId, name: state.workflowName },
    execution: { id: state.id, startedAt: state.startedAt.toISOString() },
    event: state.context,
  };
}
