import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort, freePortFrom, PortTakenError, requireFreePort } from './ports.ts';

describe('ports', () => {
  it('are found outside the range of outgoing connections, each only once', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, freePort));
    expect(new Set(ports).size).toBe(50);
    for (const port of ports) expect(port).toBeLessThan(32_768);
  });

  it('that are in use are replaced by the next one that is free and not reserved', async () => {
    const taken = await freePort();
    const server = createServer().listen(taken, '127.0.0.1');
    await once(server, 'listening');
    const first = await freePortFrom(taken, new Set());
    expect(first).toBeGreaterThan(taken);
    expect(await freePortFrom(taken, new Set([first]))).toBeGreaterThan(first);
    server.close();
    await once(server, 'close');
  });

  it.each(['127.0.0.1', '0.0.0.0'])('in use on %s are named with their variable', async (host) => {
    const port = await freePort();
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    await expect(requireFreePort('PORT', port)).rejects.toThrow(PortTakenError);
    await expect(requireFreePort('PORT', port)).rejects.toThrow(
      `Port ${port} is already in use. Choose another one with PORT=<port>.`,
    );
    server.close();
    await once(server, 'close');
    await requireFreePort('PORT', port);
  });
});
