import type { MessageStream } from './smtp-server.ts';

/** Bytes that all messages together may occupy. */
export class ByteBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}

type Received = { message: Buffer; release(): void } | { refusal: 'too large' | 'busy' };

/**
 * Reads a message into memory, as far as it and all others fit. What does not fit is read to its end without being kept.
 *
 * @param budget of all messages together; by default only the limit of the server counts
 * @returns the message, to be released when it is stored
 * @throws Error when the connection ends before the message does
 */
export async function receiveMessage(
  stream: MessageStream,
  budget = new ByteBudget(Number.POSITIVE_INFINITY),
): Promise<Received> {
  const chunks: Buffer[] = [];
  let taken = 0;
  let fits = true;
  const release = (): void => {
    chunks.length = 0;
    budget.giveBack(taken);
    taken = 0;
  };
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      fits &&= !stream.sizeExceeded && budget.take(chunk.length);
      if (!fits) release();
      else {
        taken += chunk.length;
        chunks.push(chunk);
      }
    }
  } catch (error) {
    release();
    throw error;
  }
  if (fits && !stream.sizeExceeded) return { message: Buffer.concat(chunks), release };
  release();
  return { refusal: stream.sizeExceeded ? 'too large' : 'busy' };
}
