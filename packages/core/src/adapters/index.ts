export { composeServices } from './compose.ts';
export { createLog } from './log/create-log.ts';
export { assertMailTransport, createMailTransport } from './mail-transport.ts';
export { createSmtpTransport } from './smtp/index.ts';
export { createTemporalClient } from './temporal/temporal-client.ts';
