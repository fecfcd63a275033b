import { createHmac } from 'node:crypto';
import type { Services } from '../../../base/kernel/index.ts';
import {
  attemptTimeoutMs,
  judge,
  maxResponseLength,
  mergeHeaders,
  mostAttempts,
  recordedResponse,
} from '../runtime/webhook.rules.ts';
import type { ClaimedRequest, RequestResult } from './requests.store.ts';

/** What an attempt came to, for its record and for the limit of its host. */
export interface Attempted {
  result: RequestResult;
  answered: { statusCode: number | null; ms: number };
}

/** Makes one attempt of a request. Whatever goes wrong with it is a result, so that it is recorded and repeated. */
export async function attemptRequest(
  { http, secrets }: Pick<Services, 'http' | 'secrets'>,
  { stepExecutionId, executionId, projectId, token, request, attempt, secretCipher }: ClaimedRequest,
): Promise<Attempted> {
  const { url, method, headers, body } = request;
  const made = { stepExecutionId, executionId, token };
  if (attempt > mostAttempts) {
    const error = `The webhook failed after ${mostAttempts} attempts: none of them ended`;
    const output = { url, method, statusCode: null, success: false, response: null, attempts: mostAttempts };
    return {
      result: { ...made, status: 'FAILED', inMs: null, output, error },
      answered: { statusCode: null, ms: 0 },
    };
  }
  const secret =
    secretCipher === null ? '' : secrets.decrypt(secretCipher, 'Project.webhookSecretCipher', projectId);
  const begun = performance.now();
  const answer = await http.send({
    url,
    method,
    body,
    timeoutMs: attemptTimeoutMs,
    maxResponseLength,
    headersFor: (_method, sent) =>
      mergeHeaders(headers, {
        'X-Postrider-Delivery': stepExecutionId,
        'X-Postrider-Signature': sign(secret, sent, Math.floor(Date.now() / 1_000)),
      }),
  });
  const verdict = judge(answer, attempt);
  const statusCode = answer.kind === 'answer' ? answer.status : null;
  const output = {
    url,
    method,
    statusCode,
    success: verdict.kind === 'done' && verdict.success,
    response: recordedResponse(answer),
    attempts: attempt,
  };
  const answered = { statusCode, ms: Math.round(performance.now() - begun) };
  switch (verdict.kind) {
    case 'done':
      return { result: { ...made, status: 'COMPLETED', inMs: null, output, error: null }, answered };
    case 'failed':
      return { result: { ...made, status: 'FAILED', inMs: null, output, error: verdict.error }, answered };
    case 'retry':
      return { result: { ...made, status: 'RUNNING', inMs: verdict.afterMs, output, error: null }, answered };
  }
}

const sign = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
