import { type Mock, vi } from 'vitest';
import type { HandOver, MailTransport, OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import { createSmtpTransport, type SmtpTransportOptions } from './index.ts';

export const DATA = Buffer.from('From: a@example.com\r\nSubject: hello\r\n\r\nA line.\r\n');

export interface TestMessage extends Pick<OutgoingMessage, 'envelope' | 'data'> {
  begin: Mock<OutgoingMessage['begin']>;
  /** Called with the result before the promise of `send` resolves. */
  onEnded?: (result: HandOver) => void;
}

/** A message whose beginning is granted at once. */
export function message(data: Buffer = DATA, to = 'to@example.com'): TestMessage {
  return {
    envelope: { from: 'from@example.com', to },
    data,
    begin: vi.fn((granted) => granted(true)),
  };
}

/** A transport with a queue in front of it. It fails when a message ends twice. */
export class TestClient {
  readonly mail: MailTransport;
  /** Whether a message may be taken although its connection still waits for the reply to another. */
  chains = true;
  /** Called whenever the transport asks for a message. */
  onAsked: (chained: boolean) => void = () => {};
  readonly #queue: OutgoingMessage[] = [];

  constructor(url: string, options: Partial<SmtpTransportOptions> = {}) {
    this.mail = createSmtpTransport({
      url,
      connections: 1,
      // Longer than a test may take: no test passes because a connection that should have been closed timed out.
      socketTimeoutMs: 60_000,
      greetingTimeoutMs: 60_000,
      idleTimeoutMs: 60_000,
      ...options,
    });
    this.mail.serve((chained) => {
      this.onAsked(chained);
      return chained && !this.chains ? null : (this.#queue.shift() ?? null);
    });
  }

  send(given: TestMessage): Promise<HandOver> {
    return new Promise((resolve) => {
      let ended = false;
      this.#queue.push({
        ...given,
        ended: (result) => {
          if (ended) throw new Error(`A message ended twice: ${JSON.stringify(result)}`);
          ended = true;
          given.onEnded?.(result);
          resolve(result);
        },
      });
      this.mail.wake();
    });
  }

  sendAll(given: TestMessage[]): Promise<HandOver[]> {
    return Promise.all(given.map((each) => this.send(each)));
  }
}
