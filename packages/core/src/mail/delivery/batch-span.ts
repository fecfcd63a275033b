import type { RouteReason } from '../../base/kernel/ports/mail-transport.ts';
import { noteSpan, type Span } from '../../base/kernel/traces.ts';
import type { ClaimedEmail } from '../ledger/index.ts';
import type { Kind } from '../ledger/ledger.rules.ts';

interface Transfer {
  name: 'smtp.transaction' | 'ses.request';
  route: string;
  /** when the first of its batch began */
  since: number;
  count: number;
  bytes: number;
  hasFailed: boolean;
}

/** An attempt that has ended. */
interface HandedOver {
  begunAt: number;
  email: ClaimedEmail;
  data: Buffer;
}

/**
 * The span of a batch for as long as this process holds it, with those of what it is made of (behaviour B11.13): a part of the trace of its
 * request. With a batch of a campaign a trace begins.
 */
export class BatchTrace {
  readonly #span: Span;
  readonly #kind: Kind;
  /** of a campaign: all hand-overs of the batch together */
  #transfer: Transfer | null = null;

  constructor(span: Span, kind: Kind) {
    this.#span = span;
    this.#kind = kind;
    // Its email waits for connections, and for the pace of its route.
    span.patient();
  }

  run<Result>(work: () => Result): Result {
    return this.#span.run(work);
  }

  /** A connection was opened, or refused, while email of the batch waited for it. */
  connected(since: number, { route, outcome }: { route: string; outcome: 'open' | RouteReason }): void {
    const attributes = { 'postrider.route': route, 'postrider.outcome': outcome };
    noteSpan(this.#span, 'smtp.session', attributes, {
      since,
      kind: 'client',
      hasFailed: outcome !== 'open',
    });
  }

  handedOver(
    name: Transfer['name'],
    { begunAt, email, data }: HandedOver,
    { route, outcome }: { route: string; outcome: string },
  ): void {
    // A server that refuses a message has done its part.
    const hasFailed = !/^[2-5]xx$/.test(outcome);
    if (this.#kind === 'direct') {
      const attributes = {
        'postrider.email_id': email.id,
        'postrider.route': route,
        'postrider.outcome': outcome,
        'postrider.bytes': data.length,
        'postrider.attempt': email.attempts + 1,
        'postrider.waited_ms': Math.max(0, Math.round(begunAt - email.dueAt)),
      };
      noteSpan(this.#span, name, attributes, { since: begunAt, kind: 'client', hasFailed });
      return;
    }
    this.#transfer ??= { name, route, since: begunAt, count: 0, bytes: 0, hasFailed: false };
    this.#transfer.since = Math.min(this.#transfer.since, begunAt);
    this.#transfer.count += 1;
    this.#transfer.bytes += data.length;
    this.#transfer.hasFailed ||= hasFailed;
  }

  /** The process no longer holds the batch. */
  end(): void {
    if (this.#span.hasEnded) return;
    if (this.#transfer) {
      const { name, route, since, count, bytes, hasFailed } = this.#transfer;
      const attributes = { 'postrider.route': route, 'postrider.count': count, 'postrider.bytes': bytes };
      noteSpan(this.#span, name, attributes, { since, kind: 'client', hasFailed });
    }
    this.#span.end();
  }
}
