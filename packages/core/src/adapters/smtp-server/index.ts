export { ClientLimits, type LimitsPerClient } from './client-limits.ts';
export { ByteBudget, receiveMessage } from './receive-message.ts';
export { SmtpRefusal } from './refusal.ts';
export {
  type MessageStream,
  type SmtpLogin,
  type SmtpServer,
  type SmtpSession,
  startSmtpServer,
} from './smtp-server.ts';
