import { type CallOptions, callOnce, KeyUsed } from './call.ts';
import type { Connection } from './connection.ts';
import { sendingSend } from './generated/operations.gen.ts';
import type { InputOf, OutputOf } from './operation.ts';

export type SendInput = InputOf<typeof sendingSend>;

type Accepted = OutputOf<typeof sendingSend>;
type AcceptedEmail = Accepted['emails'][number];

/** One email of a send. `contact` is null once the contact is deleted, which only a repeated send can find. */
export type SentEmail = Omit<AcceptedEmail, 'contact'> & { contact: AcceptedEmail['contact'] | null };

export interface SendResult extends Omit<Accepted, 'emails'> {
  emails: SentEmail[];
  /**
   * True when the same request was accepted before, by this call or another one with its key, in whatever process. Nothing was sent now;
   * `emails` and `timestamp` are those of the first request, with the present state of the emails.
   */
  repeated: boolean;
  /** True when it was this call that had been accepted: the connection failed before its answer, and the retry found that out. */
  answerLost: boolean;
}

/**
 * Sends a transactional email. Each call has an idempotency key, its own unless one is given, so that a retry never sends
 * twice.
 *
 * @throws ConflictError when the key belongs to another request; ApiError when the API refuses it; ConnectionError or TimeoutError
 *   without an answer
 */
export async function send(
  connection: Connection,
  input: SendInput,
  options: CallOptions = {},
): Promise<SendResult> {
  const { idempotencyKey = crypto.randomUUID() } = options;
  try {
    const sent = await callOnce(connection, sendingSend, input, { ...options, idempotencyKey });
    return { ...sent, repeated: false, answerLost: false };
  } catch (error) {
    if (!(error instanceof KeyUsed)) throw error;
    const { emails = [], originalRequestAt } = error.details() as { emails?: SentEmail[] } & Record<
      string,
      unknown
    >;
    return {
      emails,
      timestamp: String(originalRequestAt),
      repeated: true,
      answerLost: error.wasUnsure,
    };
  }
}
