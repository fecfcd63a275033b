export { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts';
