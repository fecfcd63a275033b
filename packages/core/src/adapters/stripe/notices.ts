import { z } from 'zod';
import type { PaymentNotice } from '../../base/kernel/ports/payments.ts';

/*
 * Notifications have the API version of the webhook endpoint, not that of the library: these schemas take the few fields that
 * are needed, from where any version has them.
 */
const reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .transform((value) => value ?? null);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);
const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((values) => (typeof values?.['projectId'] === 'string' ? values['projectId'] : null));

const checkoutSession = z.object({
  client_reference_id: text,
  metadata,
  customer: reference,
  subscription: reference,
  currency: text,
});

const subscription = z.object({
  id: z.string(),
  customer: reference,
  status: text,
  metadata,
  currency: text,
});

const details = z.object({ subscription: reference, metadata }).nullish();

const invoice = z.object({
  customer: reference,
  billing_reason: text,
  metadata,
  subscription: reference,
  subscription_details: details,
  parent: z.object({ subscription_details: details }).nullish(),
});

const event = z.object({
  id: z.string().min(1),
  type: z.string(),
  created: z.number().optional(),
  data: z.object({ object: z.unknown() }).optional(),
});

const endedStates = ['canceled', 'incomplete_expired'];

/** @returns null for something that is not a notification */
export function noticeOf(raw: unknown): PaymentNotice | null {
  const parsed = event.safeParse(raw);
  if (!parsed.success) return null;
  const { id, type, created, data } = parsed.data;
  const at = created === undefined ? new Date() : new Date(created * 1000);
  return { id, at, ...bodyOf(type, data?.object) };
}

type Body = PaymentNotice extends infer Notice
  ? Notice extends unknown
    ? Omit<Notice, 'id' | 'at'>
    : never
  : never;

const other: Body = { kind: 'other' };

function bodyOf(type: string, object: unknown): Body {
  switch (type) {
    case 'checkout.session.completed': {
      const session = checkoutSession.safeParse(object).data;
      if (!session) return other;
      const { client_reference_id, metadata: named, customer, subscription, currency } = session;
      return { kind: 'checkout', projectId: client_reference_id ?? named, customer, subscription, currency };
    }
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const found = subscription.safeParse(object).data;
      if (!found) return other;
      const { id, customer, metadata: projectId, currency } = found;
      const isDeleted = type === 'customer.subscription.deleted';
      const status = isDeleted ? 'canceled' : (found.status ?? 'active');
      const ended = endedStates.includes(status);
      return { kind: 'subscription', projectId, customer, subscription: id, status, ended, currency };
    }
    case 'invoice.paid':
    case 'invoice.payment_failed': {
      const found = invoice.safeParse(object).data;
      if (!found) return other;
      const of = found.parent?.subscription_details ?? found.subscription_details;
      return {
        kind: 'payment',
        paid: type === 'invoice.paid',
        isFirst: found.billing_reason === 'subscription_create',
        projectId: of?.metadata ?? found.metadata,
        customer: found.customer,
        subscription: of?.subscription ?? found.subscription,
      };
    }
    default:
      return other;
  }
}
