export { type ComposedServices, composeServices } from './compose.ts';
export { createSmtpTransport } from './smtp/index.ts';
export { createTemporalEngine } from './temporal/temporal-engine.ts';
