export { composeServices } from './compose.ts';
export { createSmtpTransport } from './smtp/index.ts';
export { createTemporalClient } from './temporal/temporal-client.ts';
