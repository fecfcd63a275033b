import { startChaosStack } from './src/harness/chaos-stack.ts';
import { createProject } from './src/harness/project.store.ts';
import { measureWakeLatency, untilOutboxIsIdle } from './src/harness/wake-latency.ts';
const chaos = await startChaosStack({ env: { DELIVERY_LEASE_SECONDS: '60', RECONCILE_SECONDS: '60', DELIVERY_LINGER_SECONDS: '0.2', MAIL_WORKERS: process.argv[2] ?? '2', LOG_LEVEL: 'debug' } });
try {
const project = await createProject(chaos.db, { appSecret: chaos.stack.env.APP_SECRET ?? '', signed: true });
const ms = await measureWakeLatency(chaos, project, { samples: 40, before: () => untilOutboxIsIdle(chaos, project.id) });
console.log(ms.map((x) => Math.round(x)).join(' '));
} finally { await chaos.stop({keepFolder: true}); console.log(chaos.folder); }
process.exit(0);
