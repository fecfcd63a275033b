import { clientNetwork, type Share, whole } from '../../base/lib/index.ts';

/** What one client may do, an IPv6 network of 64 bits counting as one. */
export interface LimitsPerClient {
  connections: number;
  messagesPerMinute: number;
  /** refused recipients within `refusalsMs`, after which the client is refused for as long */
  refusals: number;
  refusalsMs: number;
}

const minuteMs = 60_000;

interface Client {
  open: number;
  minute: { endsAt: number; messages: number };
  refused: { endsAt: number; recipients: number };
  blockedUntil: number;
}

/** Counts what each client does, in memory, for as long as it matters. */
export class ClientLimits {
  readonly #limits: LimitsPerClient;
  readonly #share: Share;
  readonly #clients = new Map<string, Client>();
  #pruneAt = 0;

  /** @param share the part of the limits that this process has */
  constructor(limits: LimitsPerClient, share = whole) {
    this.#limits = limits;
    this.#share = share;
  }

  /** Clients that are remembered. */
  get size(): number {
    return this.#clients.size;
  }

  opened(address: string, now: number): void {
    this.#prune(now);
    this.#of(address, now).open += 1;
  }

  closed(address: string, now: number): void {
    this.#of(address, now).open -= 1;
  }

  hasTooManyConnections(address: string, now: number): boolean {
    return this.#of(address, now).open > this.#share(this.#limits.connections);
  }

  isBlocked(address: string, now: number): boolean {
    return this.#of(address, now).blockedUntil > now;
  }

  /** Counts a message. @returns whether it may come now */
  takeMessage(address: string, now: number): boolean {
    const { minute } = this.#of(address, now);
    if (minute.messages >= this.#share(this.#limits.messagesPerMinute)) return false;
    minute.messages += 1;
    return true;
  }

  /** Counts a refused recipient. @returns whether the client is blocked from now on */
  refuseRecipient(address: string, now: number): boolean {
    const client = this.#of(address, now);
    client.refused.recipients += 1;
    if (client.refused.recipients < this.#share(this.#limits.refusals)) return false;
    client.blockedUntil = now + this.#limits.refusalsMs;
    return true;
  }

  #of(address: string, now: number): Client {
    const network = clientNetwork(address);
    let client = this.#clients.get(network);
    if (!client) {
      client = {
        open: 0,
        minute: { endsAt: 0, messages: 0 },
        refused: { endsAt: 0, recipients: 0 },
        blockedUntil: 0,
      };
      this.#clients.set(network, client);
    }
    if (client.minute.endsAt <= now) client.minute = { endsAt: now + minuteMs, messages: 0 };
    if (client.refused.endsAt <= now)
      client.refused = { endsAt: now + this.#limits.refusalsMs, recipients: 0 };
    return client;
  }

  #prune(now: number): void {
    if (now < this.#pruneAt) return;
    this.#pruneAt = now + minuteMs;
    for (const [network, { open, minute, refused, blockedUntil }] of this.#clients) {
      const hasCounts = minute.messages > 0 || refused.recipients > 0;
      const counts = hasCounts && Math.max(minute.endsAt, refused.endsAt) > now;
      if (open <= 0 && !counts && blockedUntil <= now) this.#clients.delete(network);
    }
  }
}
