import { type CallOptions, callOnce, KeyUsed } from './call.ts';
import { type Connection, isPublicKey } from './connection.ts';
import { eventsRecord, eventsTrack } from './generated/operations.gen.ts';
import type { InputOf } from './operation.ts';

export type TrackInput = InputOf<typeof eventsTrack>;

export interface TrackResult {
  /** Id of the contact, and of the event; null where what the first request made is not known, or the contact is deleted. */
  contact: string | null;
  event: string | null;
  timestamp: string;
  /** True when the same request was accepted before, by this call or another one with its key. Nothing was recorded now. */
  repeated: boolean;
  /** True when it was this call that had been accepted, and the answer was lost. */
  answerLost: boolean;
}

/**
 * Records an event of a contact. A public key uses `POST /v1/track`, a secret key `POST /events/track`; both take the same
 * input. Each call has an idempotency key, so that a retry never records twice.
 *
 * @throws ConflictError when the key belongs to another request; ApiError when the API refuses it; ConnectionError or TimeoutError
 *   without an answer
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
      return {
        ...(await callOnce(connection, eventsTrack, input, keyed)),
        repeated: false,
        answerLost: false,
      };
    const event = await callOnce(connection, eventsRecord, input, keyed);
    return {
      contact: event.contactId,
      event: event.id,
      timestamp: event.createdAt,
      repeated: false,
      answerLost: false,
    };
  } catch (error) {
    if (!(error instanceof KeyUsed)) throw error;
    const { contact, event, originalRequestAt } = error.details();
    return {
      contact: typeof contact === 'string' ? contact : null,
      event: typeof event === 'string' ? event : null,
      timestamp: String(originalRequestAt),
      repeated: true,
      answerLost: error.wasUnsure,
    };
  }
}
