import type Stripe from 'stripe';
import type { Invoice, Payments } from '../../base/kernel/ports/payments.ts';
import { noticeOf } from './notices.ts';

export interface StripeOptions {
  secretKey: string;
  /** without it no notification is valid */
  webhookSecret: string | undefined;
  /** Default: Stripe's own */
  apiBase: string | undefined;
}

/** Lookup key of the price for each currency, and the name of the meter's event (decision 020). */
const lookupKeyOf = (currency: string): string => `postrider_${currency}`;
const meterEvent = 'postrider_emails';

/** Oldest signature that counts, in seconds. */
const signatureTolerance = 300;
const mostInvoices = 100;

/** The payment provider Stripe. Its library is loaded with the first call. */
export function createStripePayments({ secretKey, webhookSecret, apiBase }: StripeOptions): Payments {
  let client: Promise<Stripe> | undefined;
  const stripe = (): Promise<Stripe> => {
    client ??= import('stripe').then(
      ({ default: Library }) =>
        new Library(secretKey, {
          ...serverOf(apiBase),
          timeout: 20_000,
          maxNetworkRetries: 2,
          telemetry: false,
        }),
    );
    return client;
  };

  return {
    async openCheckout({ projectId, customer, email, currency, successUrl, cancelUrl }) {
      const { prices, checkout } = await stripe();
      const { data } = await prices.list({ lookup_keys: [lookupKeyOf(currency)], active: true, limit: 1 });
      const [price] = data;
      if (!price) throw new Error(`Stripe has no active price with the lookup key ${lookupKeyOf(currency)}`);
      const metadata = { projectId };
      const session = await checkout.sessions.create({
        mode: 'subscription',
        client_reference_id: projectId,
        line_items: [
          // A metered price has no quantity.
          price.recurring?.usage_type === 'metered' ? { price: price.id } : { price: price.id, quantity: 1 },
        ],
        ...(customer === null ? { customer_email: email } : { customer }),
        metadata,
        subscription_data: { metadata },
        success_url: successUrl,
        cancel_url: cancelUrl,
      });
      if (!session.url) throw new Error('Stripe made a checkout session without an address');
      return session.url;
    },

    async openPortal({ customer, returnUrl }) {
      const { billingPortal } = await stripe();
      return (await billingPortal.sessions.create({ customer, return_url: returnUrl })).url;
    },

    async findInvoices(customer) {
      const { invoices } = await stripe();
      const { data } = await invoices.list({ customer, limit: mostInvoices });
      return data.map(invoiceOf);
    },

    async findUpcomingInvoice(customer, subscription) {
      const { invoices } = await stripe();
      try {
        return invoiceOf(await invoices.createPreview({ customer, subscription }));
      } catch (error) {
        // A subscription that ends has no further invoice.
        if (isRefusal(error, 'invoice_upcoming_none', 'resource_missing')) return null;
        throw error;
      }
    },

    async findCredits(customer) {
      const { customers } = await stripe();
      const found = await customers.retrieve(customer);
      return found.deleted ? null : { balance: found.balance, currency: found.currency ?? 'usd' };
    },

    async endSubscription(subscription) {
      const { subscriptions } = await stripe();
      try {
        await subscriptions.cancel(subscription);
      } catch (error) {
        if (!isRefusal(error, 'resource_missing')) throw error;
      }
    },

    async countsUsage() {
      const { billing } = await stripe();
      const { data } = await billing.meters.list({ status: 'active', limit: 100 });
      return data.some(({ event_name }) => event_name === meterEvent);
    },

    async reportUsage({ customer, quantity, identifier, at }) {
      const { billing } = await stripe();
      await billing.meterEvents.create(
        {
          event_name: meterEvent,
          identifier,
          timestamp: Math.floor(at.getTime() / 1000),
          payload: { stripe_customer_id: customer, value: String(quantity) },
        },
        { idempotencyKey: identifier },
      );
    },

    async readNotice(body, signature) {
      if (webhookSecret === undefined) return null;
      const { webhooks } = await stripe();
      try {
        return noticeOf(
          await webhooks.constructEventAsync(body, signature, webhookSecret, signatureTolerance),
        );
      } catch (error) {
        if (error instanceof SyntaxError || isSignatureError(error)) return null;
        throw error;
      }
    },
  };
}

function serverOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
  };
}

const date = (seconds: number): Date => new Date(seconds * 1000);

const invoiceOf = (invoice: Stripe.Invoice): Invoice => ({
  id: invoice.id,
  number: invoice.number ?? null,
  status: invoice.status ?? 'draft',
  amountDue: invoice.amount_due,
  amountPaid: invoice.amount_paid,
  currency: invoice.currency,
  created: date(invoice.created),
  periodStart: date(invoice.period_start),
  periodEnd: date(invoice.period_end),
  dueDate: invoice.due_date == null ? null : date(invoice.due_date),
  hostedInvoiceUrl: invoice.hosted_invoice_url ?? null,
  invoicePdf: invoice.invoice_pdf ?? null,
  subtotal: invoice.subtotal,
  total: invoice.total,
});

const isRefusal = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));

const isSignatureError = (error: unknown): boolean =>
  error instanceof Error && 'type' in error && error.type === 'StripeSignatureVerificationError';
