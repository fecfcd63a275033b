import { AcceptedBefore, type CallOptions, call } from './call.ts';
import type { Connection } from './connection.ts';
import { sendingSend } from './generated/operations.gen.ts';
import type { InputOf, OutputOf } from './operation.ts';

export type SendInput = InputOf<typeof sendingSend>;

export interface SendResult extends OutputOf<typeof sendingSend> {
  /**
   * True when the connection failed after the API had accepted the email, and the retry found that out: the email is sent
   * once, but `emails` is empty, because the ids were in the lost answer. `timestamp` is that of the acceptance.
   */
  answerLost: boolean;
}

/**
 * Sends a transactional email. Each call has an idempotency key, its own unless one is given, so that a retry never sends
 * twice.
 *
 * @throws ApiError when the API refuses it; ConnectionError or TimeoutError without an answer
 */
export async function send(
  connection: Connection,
  input: SendInput,
  options: CallOptions = {},
): Promise<SendResult> {
  const { idempotencyKey = crypto.randomUUID() } = options;
  try {
    const sent = await call(connection, sendingSend, input, { ...options, idempotencyKey });
    return { ...sent, answerLost: false };
  } catch (error) {
    if (error instanceof AcceptedBefore)
      return { emails: [], timestamp: String(error.details['originalRequestAt']), answerLost: true };
    throw error;
  }
}
