/** A planted leak for a soak: each request of an HTTP server leaves 1 kB in memory. */
import { subscribe } from 'node:diagnostics_channel';

const kept: Buffer[] = [];
subscribe('http.server.request.start', () => {
  // With content: pages that were never written take no memory.
  kept.push(Buffer.alloc(1_024, 1));
});
