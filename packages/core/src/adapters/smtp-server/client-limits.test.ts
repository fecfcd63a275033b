import { expect, it } from 'vitest';
import { dividedAmong } from '../../base/lib/index.ts';
import { ClientLimits } from './client-limits.ts';

const limits = () =>
  new ClientLimits({ connections: 2, messagesPerMinute: 2, refusals: 2, refusalsMs: 600_000 });

it('addresses of one /64 are one client, those of another network another one', () => {
  const clients = limits();
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3']) clients.opened(address, 0);
  expect(clients.hasTooManyConnections('2001:db8::9', 0)).toBe(true);
  expect(clients.hasTooManyConnections('2001:db8:0:1::1', 0)).toBe(false);
  clients.opened('::ffff:192.0.2.1', 0);
  clients.opened('192.0.2.1', 0);
  clients.opened('192.0.2.1', 0);
  expect(clients.hasTooManyConnections('192.0.2.1', 0)).toBe(true);
});

it('messages count for a minute, refused recipients and the block after them for ten', () => {
  const clients = limits();
  const take = (now: number) => clients.takeMessage('192.0.2.1', now);
  expect([take(0), take(1), take(59_999), take(60_001)]).toEqual([true, true, false, true]);
  expect(clients.refuseRecipient('192.0.2.1', 0)).toBe(false);
  expect(clients.refuseRecipient('192.0.2.1', 599_999)).toBe(true);
  expect(clients.isBlocked('192.0.2.1', 1_199_998)).toBe(true);
  expect(clients.isBlocked('192.0.2.1', 1_199_999)).toBe(false);
  expect(clients.refuseRecipient('192.0.2.1', 1_300_000)).toBe(false);
});

it('clients are forgotten when nothing of them counts any more', () => {
  const clients = limits();
  for (let n = 0; n < 1_000; n += 1) {
    const address = `198.51.${n >> 8}.${n & 255}`;
    clients.opened(address, 0);
    clients.closed(address, 1);
  }
  clients.opened('192.0.2.1', 0);
  clients.refuseRecipient('192.0.2.2', 0);
  clients.opened('203.0.113.1', 120_000);
  expect(clients.size).toBe(3);
});

it('each of several processes has a part of the limits, as many as there are now, and at least 1', () => {
  let processes = 1;
  const clients = new ClientLimits(
    { connections: 4, messagesPerMinute: 4, refusals: 4, refusalsMs: 600_000 },
    dividedAmong(() => processes),
  );
  const messages = (address: string): number => {
    let taken = 0;
    while (clients.takeMessage(address, 0)) taken += 1;
    return taken;
  };
  expect(messages('192.0.2.1')).toBe(4);
  processes = 2;
  expect(messages('192.0.2.2')).toBe(2);
  clients.opened('192.0.2.2', 0);
  clients.opened('192.0.2.2', 0);
  expect(clients.hasTooManyConnections('192.0.2.2', 0)).toBe(false);
  clients.opened('192.0.2.2', 0);
  expect(clients.hasTooManyConnections('192.0.2.2', 0)).toBe(true);
  expect([1, 2].map(() => clients.refuseRecipient('192.0.2.2', 0))).toEqual([false, true]);
  processes = 9;
  expect(messages('192.0.2.3')).toBe(1);
});
