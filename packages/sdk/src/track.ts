import { AcceptedBefore, type CallOptions, call } from './call.ts';
import { type Connection, isPublicKey } from './connection.ts';
import { eventsRecord, eventsTrack } from './generated/operations.gen.ts';
import type { InputOf } from './operation.ts';

export type TrackInput = InputOf<typeof eventsTrack>;

export interface TrackResult {
  /** Id of the contact, and of the event; null with `answerLost`. */
  contact: string | null;
  event: string | null;
  timestamp: string;
  /** True when the event was stored and the answer with its ids was lost. */
  answerLost: boolean;
}

/**
 * Records an event of a contact. A public key uses `POST /v1/track`, a secret key `POST /events/track`; both take the same
 * input. Each call has an idempotency key, so that a retry never records twice.
 *
 * @throws ApiError when the API refuses it; ConnectionError or TimeoutError without an answer
 */
export async function track(
  connection: Connection,
  input: TrackInput,
  options: CallOptions = {},
): Promise<TrackResult> {
  const { idempotencyKey = crypto.randomUUID() } = options;
  const keyed = { ...options, idempotencyKey };
  try {
    if (isPublicKey(connection.apiKey))
      return { ...(await call(connection, eventsTrack, input, keyed)), answerLost: false };
    const event = await call(connection, eventsRecord, input, keyed);
    return { contact: event.contactId, event: event.id, timestamp: event.createdAt, answerLost: false };
  } catch (error) {
    if (!(error instanceof AcceptedBefore)) throw error;
    return {
      contact: null,
      event: null,
      timestamp: String(error.details['originalRequestAt']),
      answerLost: true,
    };
  }
}
