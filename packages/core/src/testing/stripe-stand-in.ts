import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Record<string, string>;
type Json = Record<string, unknown>;

export interface StripeRequest {
  method: string;
  path: string;
  /** query and body, with the names as Stripe writes them: `line_items[0][price]` */
  fields: Fields;
  idempotencyKey: string | undefined;
}

export interface StripeStandIn {
  /** the environment of services that use it */
  env: Record<'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_BASE', string>;
  requests: StripeRequest[];
  /** answers that replace the usual one, by `METHOD /path` */
  answers: Map<string, { status: number; body: Json }>;
  /** A notification with its `Stripe-Signature`. */
  notice(
    type: string,
    object: Json,
    options?: { id?: string; created?: number; signedAt?: number; secret?: string },
  ): { body: string; signature: string };
  close(): Promise<void>;
}

const secretKey = 'sk_test_standin';
const webhookSecret = 'whsec_standin';
const seconds = (): number => Math.floor(Date.now() / 1000);
const list = (data: Json[], url: string): Json => ({ object: 'list', data, has_more: false, url });

const invoice = (fields: Json): Json => ({
  id: 'in_paid',
  object: 'invoice',
  number: 'POST-0001',
  status: 'paid',
  amount_due: 1200,
  amount_paid: 1200,
  currency: 'usd',
  created: 1_767_225_600,
  period_start: 1_764_547_200,
  period_end: 1_767_225_600,
  due_date: null,
  hosted_invoice_url: 'https://invoice.stripe.com/i/acct_1/test_1',
  invoice_pdf: 'https://pay.stripe.com/invoice/acct_1/test_1/pdf',
  subtotal: 1000,
  total: 1200,
  ...fields,
});

const answers: Record<string, (fields: Fields) => Json> = {
  'GET /v1/prices': (fields) =>
    list(
      [
        {
          id: 'price_1',
          object: 'price',
          active: true,
          lookup_key: fields['lookup_keys[0]'] ?? null,
          recurring: { interval: 'month', usage_type: 'metered' },
        },
      ],
      '/v1/prices',
    ),
  'POST /v1/checkout/sessions': () => ({
    id: 'cs_test_1',
    object: 'checkout.session',
    url: 'https://checkout.stripe.com/c/pay/cs_test_1',
  }),
  'POST /v1/billing_portal/sessions': () => ({
    id: 'bps_1',
    object: 'billing_portal.session',
    url: 'https://billing.stripe.com/p/session/test_1',
  }),
  'GET /v1/invoices': () =>
    list(
      [
        invoice({ id: 'in_draft', status: 'draft', number: null }),
        invoice({ id: 'in_open', status: 'open', amount_paid: 0, due_date: 1_767_830_400 }),
        invoice({}),
      ],
      '/v1/invoices',
    ),
  'POST /v1/invoices/create_preview': () => invoice({ id: 'upcoming_in_1', status: 'draft' }),
  'GET /v1/customers/cus_1': () => ({ id: 'cus_1', object: 'customer', balance: -500, currency: 'usd' }),
  'DELETE /v1/subscriptions/sub_1': () => ({ id: 'sub_1', object: 'subscription', status: 'canceled' }),
  'GET /v1/billing/meters': () =>
    list([{ id: 'mtr_1', object: 'billing.meter', event_name: 'postrider_emails' }], '/v1/billing/meters'),
  'POST /v1/billing/meter_events': () => ({ object: 'billing.meter_event' }),
};

/**
 * A server that answers as Stripe's API does, with the shapes of its objects; it keeps no state. It is used instead of stripe-mock, which
 * would have to be downloaded or compiled on every new machine.
 */
export async function startStripeStandIn(): Promise<StripeStandIn> {
  const requests: StripeRequest[] = [];
  const replaced: StripeStandIn['answers'] = new Map();
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '/', 'http://stripe.test');
    const method = request.method ?? 'GET';
    const fields = Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)]);
    const key = request.headers['idempotency-key'];
    const idempotencyKey = Array.isArray(key) ? key[0] : key;
    requests.push({ method, path: url.pathname, fields, idempotencyKey });
    const name = `${method} ${url.pathname}`;
    const made = answers[name]?.(fields);
    const { status, body } =
      request.headers.authorization !== `Bearer ${secretKey}`
        ? { status: 401, body: { error: { type: 'invalid_request_error', message: 'Invalid API Key' } } }
        : (replaced.get(name) ??
          (made
            ? { status: 200, body: made }
            : { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let notices = 0;
  return {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    },
    requests,
    answers: replaced,
    notice(type, object, { id, created = seconds(), signedAt = seconds(), secret = webhookSecret } = {}) {
      notices += 1;
      const event = { id: id ?? `evt_${notices}`, object: 'event', type, created, data: { object } };
      const body = JSON.stringify(event);
      const mac = createHmac('sha256', secret).update(`${signedAt}.${body}`).digest('hex');
      return { body, signature: `t=${signedAt},v1=${mac}` };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
