import { judge, mostAttempts } from '../runtime/webhook.rules.ts';

type Json = Record<string, unknown>;

/** How a WEBHOOK step is answered: as given, or as it was the last time for the contact. */
export type WebhookAnswer = 'LAST' | { statusCode: number; response?: unknown };

export interface Answered {
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error: string | null;
}

/**
 * What is recorded of a request that is not made: the answer that is given, else 200 without a body. One that is repeated until it fails has failed.
 *
 * @param recorded the output of the step when it last ran for the contact
 */
export function answerRequest(
  request: { url: string; method: string },
  given: WebhookAnswer | undefined,
  recorded: Json | undefined,
): Answered {
  const { statusCode, response } =
    given === 'LAST' ? lastOf(recorded) : { response: null, ...(given ?? { statusCode: 200 }) };
  const verdict =
    statusCode === null
      ? judge({ kind: 'failed', reason: 'there was no answer' }, mostAttempts)
      : judge({ kind: 'answer', status: statusCode, body: '', isCut: false }, mostAttempts);
  const failed = verdict.kind === 'failed';
  return {
    status: failed ? 'FAILED' : 'COMPLETED',
    output: {
      ...request,
      statusCode,
      success: verdict.kind === 'done' && verdict.success,
      response: response ?? null,
      attempts: failed ? mostAttempts : 1,
    },
    error: failed ? verdict.error : null,
  };
}

function lastOf(recorded: Json | undefined): { statusCode: number | null; response: unknown } {
  if (!recorded) return { statusCode: 200, response: null };
  const { statusCode, response } = recorded;
  return { statusCode: typeof statusCode === 'number' ? statusCode : null, response };
}
