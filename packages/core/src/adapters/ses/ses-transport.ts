import { GetAccountCommand, type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { HandOver, MailTransport, OutgoingMessage } from '../../base/kernel/ports/mail-transport.ts';
import { emailIdTag } from '../../base/providers/index.ts';
import { SendRate } from './send-rate.ts';
import { handOverOf, isRateLimit } from './ses-answer.ts';
import { createSesClient, type SesClientOptions } from './ses-client.ts';

export interface SesTransportOptions extends SesClientOptions {
  /** names where SES reports what becomes of the messages */
  configurationSet?: string | undefined;
  /** share of the account's rate that this process may use */
  rateShare: number;
}

const rateKeptForMs = 300_000;

const accountFailed = (error: string): HandOver => ({
  kind: 'route',
  error,
  reason: 'unavailable',
  code: null,
  othersWork: false,
});

/** Hands messages to Amazon SES, a request each. */
export function createSesTransport(options: SesTransportOptions): MailTransport {
  return new SesTransport(createSesClient(options), options);
}

class SesTransport implements MailTransport {
  readonly connections: number;
  readonly eightBit = true;
  readonly #client: SESv2Client;
  readonly #configurationSet: string | undefined;
  readonly #rateShare: number;
  readonly #rate = new SendRate();
  readonly #underWay = new Set<Promise<void>>();
  #next: (chained: boolean) => OutgoingMessage | null = () => null;
  #closing = false;
  #filling = false;
  #wakeTimer: NodeJS.Timeout | null = null;
  #rateTimer: NodeJS.Timeout | null = null;

  constructor(client: SESv2Client, { connections, configurationSet, rateShare }: SesTransportOptions) {
    this.#client = client;
    this.connections = connections;
    this.#configurationSet = configurationSet;
    this.#rateShare = rateShare;
  }

  get allowed(): number {
    return this.connections;
  }

  get free(): number {
    return Math.max(0, this.connections - this.#underWay.size);
  }

  /** The provider limits the rate, not the number of requests at once. */
  want(): void {}

  resume(): void {
    this.wake();
  }

  /** Reads the account, which says whether it may send at all and whether its quota of the day is used up. */
  async probe(): Promise<HandOver> {
    try {
      const { SendingEnabled, SendQuota } = await this.#client.send(new GetAccountCommand({}));
      const { Max24HourSend: most = -1, SentLast24Hours: sent = 0 } = SendQuota ?? {};
      if (SendingEnabled === false) return accountFailed('Sending is disabled for the account');
      if (most >= 0 && sent >= most) return accountFailed('The quota of the day is used up');
      return { kind: 'accepted', response: 'The account may send' };
    } catch (error) {
      // A permission to read the account is not necessary for sending: then a message has to find out.
      if (error instanceof Error && error.name.startsWith('AccessDenied'))
        return { kind: 'accepted', response: 'The account may not be read' };
      return handOverOf(error, false);
    }
  }

  serve(next: (chained: boolean) => OutgoingMessage | null): void {
    this.#next = next;
    void this.#learnRate();
    this.#rateTimer = setInterval(() => void this.#learnRate(), rateKeptForMs).unref();
    this.wake();
  }

  wake(): void {
    if (this.#filling) return;
    this.#filling = true;
    try {
      while (!this.#closing && this.free > 0) {
        if (!this.#rate.take(performance.now())) {
          this.#wakeLater();
          break;
        }
        const message = this.#next(false);
        if (!message) {
          this.#rate.giveBack();
          break;
        }
        this.#carry(message);
      }
    } finally {
      this.#filling = false;
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    if (this.#wakeTimer) clearTimeout(this.#wakeTimer);
    if (this.#rateTimer) clearInterval(this.#rateTimer);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    this.#client.destroy();
  }

  #wakeLater(): void {
    this.#wakeTimer ??= setTimeout(
      () => {
        this.#wakeTimer = null;
        this.wake();
      },
      Math.ceil(this.#rate.waitMs(performance.now())) + 1,
    );
  }

  #carry(message: OutgoingMessage): void {
    const carried = this.#handOver(message).then((result) => {
      this.#underWay.delete(carried);
      message.ended(this.#judge(result));
      this.wake();
    });
    this.#underWay.add(carried);
  }

  /** A rate that was exceeded for a moment is waited for here; other failures of the account are those of the route. */
  #judge(result: HandOver): HandOver {
    if (result.kind === 'accepted') this.#rate.accepted();
    if (result.kind !== 'route' || !isRateLimit(result)) return result;
    return { ...result, othersWork: this.#rate.refused(performance.now()) };
  }

  async #handOver(message: OutgoingMessage): Promise<HandOver> {
    const granted = await new Promise<boolean>((resolve) => {
      queueMicrotask(() => message.begin(resolve));
    });
    if (!granted) return { kind: 'withheld' };
    const { envelope, data, emailId } = message;
    const command = new SendEmailCommand({
      Destination: { ToAddresses: [envelope.to] },
      Content: { Raw: { Data: data } },
      ConfigurationSetName: this.#configurationSet,
      EmailTags: emailId === undefined ? undefined : [{ Name: emailIdTag, Value: emailId }],
    });
    let written = false;
    // Behind credentials and signature, before the socket: what fails earlier was not sent.
    command.middlewareStack.add(
      (next) => (args) => {
        written = true;
        return next(args);
      },
      { step: 'deserialize', name: 'noteWritten', priority: 'high' },
    );
    try {
      const { MessageId: providerId } = await this.#client.send(command);
      return providerId
        ? { kind: 'accepted', response: providerId, providerId }
        : { kind: 'unknown', error: 'The answer of SES has no message id' };
    } catch (error) {
      return handOverOf(error, written);
    }
  }

  /** Without an answer the last known rate stays; a permission to read it is not necessary for sending. */
  async #learnRate(): Promise<void> {
    const account = await this.#client.send(new GetAccountCommand({})).catch(() => null);
    const rate = account?.SendQuota?.MaxSendRate;
    if (rate === undefined || rate <= 0) return;
    this.#rate.perSecond = rate * this.#rateShare;
    this.wake();
  }
}
