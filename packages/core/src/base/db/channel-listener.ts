import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openClient } from './connect.ts';

const reconnectMs = 500;
const checkMs = 10_000;

export interface ChannelListenerOptions {
  url: string;
  /** a fixed name, never one from outside */
  channel: string;
  onPayload(payload: string): void;
  /** after each successful LISTEN: what was sent before it is lost */
  onListening?(): void;
  log: Logger;
  stopped: AbortSignal;
}

/** Listens to a channel of PostgreSQL (LISTEN), and connects again whenever the connection breaks. Ends when stopped. */
export async function listenToChannel(options: ChannelListenerOptions): Promise<void> {
  const { url, log, stopped } = options;
  while (!stopped.aborted) {
    const client = openClient({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      query_timeout: 10_000,
    });
    try {
      await listen(client, options);
    } catch (error) {
      log.debug({ err: error, channel: options.channel }, 'cannot listen to the channel at the moment');
    }
    await client.end().catch(() => undefined);
    await pause(reconnectMs, stopped);
  }
}

async function listen(
  client: pg.Client,
  { channel, onPayload, onListening, stopped }: ChannelListenerOptions,
): Promise<void> {
  client.on('notification', ({ payload = '' }) => onPayload(payload));
  const ended = new AbortController();
  client.once('end', () => ended.abort());
  const over = AbortSignal.any([stopped, ended.signal]);
  await client.connect();
  await client.query(`LISTEN ${channel}`);
  onListening?.();
  // A connection whose server has vanished would stay silent for ever.
  for (;;) {
    await pause(checkMs, over);
    if (over.aborted) return;
    await client.query('SELECT');
  }
}

async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stopped }).catch(() => undefined);
}
