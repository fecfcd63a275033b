export { composeServices } from './compose.ts';
export { createDnsResolver } from './dns/index.ts';
export { watchEventLoop } from './event-loop/watch-event-loop.ts';
export { createInspections } from './inspections.ts';
export { createLog, type LogSource } from './log/create-log.ts';
export { assertMailTransport, createMailTransport } from './mail-transport.ts';
export { createSmtpTransport } from './smtp/index.ts';
export { endWorkflows } from './temporal/end-workflows.ts';
export { createTemporalClient } from './temporal/temporal-client.ts';
