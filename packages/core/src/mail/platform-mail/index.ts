export { readPlatformFrom } from './platform-from.ts';
export { createPlatformMailer } from './platform-mailer.ts';
