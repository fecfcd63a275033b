import type { WebhookFormat } from '@postrider/core/insight/webhook-endpoints/contract';

/** What the requests of an endpoint look like, in words. */
export const formatLabels: Readonly<Record<WebhookFormat, string>> = {
  POSTRIDER: 'Postrider',
  RESEND: 'Resend',
  POSTMARK: 'Postmark',
  SENDGRID: 'SendGrid',
  MAILGUN: 'Mailgun',
};
