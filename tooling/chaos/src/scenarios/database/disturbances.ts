import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseCluster } from '../../harness/database-cluster.ts';
import { fillConnections } from '../../harness/fill-connections.ts';

/** A fault of the database or of the way to it. Resolves when the harness has undone it. */
export type Disturbance = (cluster: DatabaseCluster) => Promise<void>;

const readOnlyMs = 20_000;
const fullMs = 6_000;

export const disturbances = {
  async 'restart (fast shutdown)'({ primary }) {
    await primary.restart();
  },
  async 'kill -9 and restart'({ primary }) {
    await primary.kill();
    await primary.start();
  },
  'failover to the promoted standby': (cluster) => cluster.failOver(),
  async 'half-open connections, the server is gone'({ proxy }) {
    proxy.freeze('closed');
  },
  async 'half-open connections, the server does not notice either'({ proxy }) {
    proxy.freeze('kept');
  },
  async 'read-only for 20 s'({ administer }) {
    await administer('ALTER SYSTEM SET default_transaction_read_only = on', 'SELECT pg_reload_conf()');
    await sleep(readOnlyMs);
    await administer('ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()');
  },
  async 'every connection taken by others'({ primary }) {
    await fillConnections(primary.url, fullMs);
  },
} as const satisfies Record<string, Disturbance>;

export type DisturbanceName = keyof typeof disturbances;
