import { issueSession, sessionCookie } from '@postrider/core/people/users';
import { createTestProject, type TestProject, verifiedDomain } from '@postrider/core/testing';
import { type StripeStandIn, startStripeStandIn } from '@postrider/core/testing/stripe-stand-in.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, codeOf, type Send, startApp, type TestApp } from './harness.ts';

let stripe: StripeStandIn;
let test: TestApp;
let project: TestProject;
let owner: Send;

beforeAll(async () => {
  stripe = await startStripeStandIn();
  test = await startApp(stripe.env);
});
afterAll(async () => {
  await test.close();
  await stripe.close();
});

beforeEach(async () => {
  project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, `${project.id}.test`);
  owner = await sessionOf('OWNER');
  stripe.requests.length = 0;
});

async function sessionOf(role: 'OWNER' | 'ADMIN' | 'MEMBER'): Promise<Send> {
  const { actor } = await project.userCtx(role);
  if (actor.type !== 'user') throw new Error('userCtx gives a user');
  const cookie = `${sessionCookie}=${await issueSession(test.services, { id: actor.userId })}`;
  return (method, url, payload, headers = {}) =>
    test.anyone(method, url, payload, { cookie, 'sec-fetch-site': 'same-origin', ...headers });
}

const path = (rest: string): string => `/users/@me/projects/${project.id}/${rest}`;
const statusAndCode = (answer: Answer) => [answer.status, codeOf(answer)];
const now = (): number => Math.floor(Date.now() / 1000);

function notify(
  type: string,
  object: Record<string, unknown>,
  options?: Parameters<StripeStandIn['notice']>[2],
): Promise<Answer> {
  const { body, signature } = stripe.notice(type, object, options);
  return test.anyone('POST', '/webhooks/incoming/stripe', body, {
    'content-type': 'application/json',
    'stripe-signature': signature,
  });
}

const subscribe = (options?: Parameters<StripeStandIn['notice']>[2]) =>
  notify(
    'checkout.session.completed',
    { client_reference_id: project.id, customer: 'cus_1', subscription: 'sub_1', currency: 'eur' },
    options,
  );

const stored = async () => {
  const { customer, subscription, disabled, disabledReason } =
    await test.services.database.prisma.project.findUniqueOrThrow({ where: { id: project.id } });
  return { customer, subscription, disabled, disabledReason };
};

const endpoints = [
  ['POST', 'checkout'],
  ['POST', 'billing-portal'],
  ['GET', 'billing-limits'],
  ['PUT', 'billing-limits'],
  ['GET', 'billing-consumption'],
  ['GET', 'billing-invoices'],
] as const;

describe('without STRIPE_SECRET_KEY', () => {
  it('every endpoint is 404 BILLING_DISABLED: after the access to the project, before the role and the body', async () => {
    const off = await startApp();
    const member = await off.withSession('MEMBER');
    const malformed = { 'content-type': 'application/json' };
    for (const [method, rest] of endpoints) {
      const answer = await member(
        method,
        `/users/@me/projects/${off.project.id}/${rest}`,
        method === 'GET' ? undefined : '{',
        method === 'GET' ? {} : malformed,
      );
      expect(statusAndCode(answer)).toEqual([404, 'BILLING_DISABLED']);
      const elsewhere = await member(method, `/users/@me/projects/${project.id}/${rest}`);
      expect(statusAndCode(elsewhere)).toEqual([403, 'PROJECT_ACCESS_DENIED']);
    }
    const notice = await off.anyone('POST', '/webhooks/incoming/stripe', '{', malformed);
    expect(statusAndCode(notice)).toEqual([404, 'BILLING_DISABLED']);
    const config = await off.anyone('GET', '/config');
    expect(config.body.features.billing).toEqual({ enabled: false });
    await off.close();
  });
});

it('GET /config says that billing is enabled', async () => {
  expect((await test.anyone('GET', '/config')).body.features.billing).toEqual({ enabled: true });
});

describe('roles', () => {
  it('a member reads, and changes nothing; a secret key does neither', async () => {
    const member = await sessionOf('MEMBER');
    for (const [method, rest] of endpoints) {
      const answer = await member(method, path(rest), method === 'GET' ? undefined : {});
      expect(statusAndCode(answer)).toEqual(method === 'GET' ? [200, undefined] : [403, 'FORBIDDEN']);
      const byKey = await test.withKey(project.secretKey)(method, path(rest));
      expect(statusAndCode(byKey)).toEqual([401, 'UNAUTHORIZED']);
    }
  });

  it('checkout and portal work while the project is disabled, so that it can be paid for', async () => {
    await subscribe();
    await notify('invoice.payment_failed', { customer: 'cus_1', billing_reason: 'subscription_cycle' });
    const admin = await sessionOf('ADMIN');
    expect((await admin('POST', path('billing-portal'))).status).toBe(200);
    expect((await admin('POST', path('checkout'))).status).toBe(200);
  });
});

describe('POST checkout', () => {
  it('opens a page of the provider for a subscription that names the project', async () => {
    const answer = await owner('POST', path('checkout?currency=gbp'));
    expect([answer.status, answer.body]).toEqual([
      200,
      { url: 'https://checkout.stripe.com/c/pay/cs_test_1' },
    ]);
    const [price, session] = stripe.requests;
    expect(price?.fields).toMatchObject({ 'lookup_keys[0]': 'postrider_gbp', active: 'true' });
    expect(session?.fields).toMatchObject({
      mode: 'subscription',
      client_reference_id: project.id,
      'subscription_data[metadata][projectId]': project.id,
      'line_items[0][price]': 'price_1',
      customer_email: expect.stringContaining('@people.test'),
    });
    // A metered price has no quantity.
    expect(session?.fields).not.toHaveProperty('line_items[0][quantity]');
  });

  it('a project keeps its customer; another currency is 422', async () => {
    await subscribe();
    await owner('POST', path('checkout'));
    expect(stripe.requests.at(-1)?.fields).toMatchObject({ customer: 'cus_1' });
    const answer = await owner('POST', path('checkout?currency=sek'));
    expect(statusAndCode(answer)).toEqual([422, 'VALIDATION_ERROR']);
  });
});

describe('POST billing-portal', () => {
  it('is 400 without a customer, and an address with one', async () => {
    expect(statusAndCode(await owner('POST', path('billing-portal')))).toEqual([400, 'BAD_REQUEST']);
    await subscribe();
    const answer = await owner('POST', path('billing-portal'));
    expect([answer.status, answer.body]).toEqual([
      200,
      { url: 'https://billing.stripe.com/p/session/test_1' },
    ]);
  });
});

const usage = (limit: number | null, used = 0) => ({
  limit,
  usage: used,
  percentage: limit === null ? 0 : (used / limit) * 100,
  isWarning: false,
  isBlocked: false,
});

describe('billing-limits', () => {
  it('without a subscription 1,000 emails a month in total, and no limits of one’s own', async () => {
    const answer = await owner('GET', path('billing-limits'));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        currency: 'usd',
        total: usage(1000),
        workflows: usage(null),
        campaigns: usage(null),
        transactional: usage(null),
      },
    ]);
    const refused = await owner('PUT', path('billing-limits'), { campaigns: 5 });
    expect(statusAndCode(refused)).toEqual([400, 'BAD_REQUEST']);
  });

  it('with a subscription missing ones stay, null clears, and no total is left', async () => {
    await subscribe();
    const first = await owner('PUT', path('billing-limits'), { campaigns: 50, workflows: 20 });
    expect([first.status, first.body]).toEqual([
      200,
      {
        currency: 'eur',
        total: null,
        workflows: usage(20),
        campaigns: usage(50),
        transactional: usage(null),
      },
    ]);
    const second = await owner('PUT', path('billing-limits'), { workflows: null, transactional: 7 });
    expect(second.body).toEqual((await owner('GET', path('billing-limits'))).body);
    expect(second.body).toMatchObject({
      workflows: usage(null),
      campaigns: usage(50),
      transactional: usage(7),
    });
  });

  it.each([0, -1, 1.5, '5'])('%j is no limit: 422', async (campaigns) => {
    await subscribe();
    const answer = await owner('PUT', path('billing-limits'), { campaigns });
    expect(statusAndCode(answer)).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.error.errors[0].field).toBe('campaigns');
  });
});

describe('billing-consumption and billing-invoices', () => {
  it('without a customer there is usage and nothing else', async () => {
    const { body } = await owner('GET', path('billing-consumption'));
    expect(body).toEqual({
      period: {
        start: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
        end: expect.stringMatching(/-01T00:00:00\.000Z$/),
      },
      usage: {
        total: 0,
        records: [
          { category: 'workflows', quantity: 0 },
          { category: 'campaigns', quantity: 0 },
          { category: 'transactional', quantity: 0 },
        ],
      },
      credits: null,
      upcomingInvoice: null,
    });
    expect((await owner('GET', path('billing-invoices'))).body).toEqual({
      invoices: [],
      hasUnpaidInvoices: false,
      unpaidInvoices: [],
    });
  });

  it('with one, what the provider knows', async () => {
    await subscribe();
    const consumption = await owner('GET', path('billing-consumption'));
    expect(consumption.body).toMatchObject({
      credits: { balance: -500, hasCredits: true, creditAmount: 500, currency: 'usd' },
      upcomingInvoice: {
        amountDue: 1200,
        currency: 'usd',
        periodStart: '2025-12-01T00:00:00.000Z',
        periodEnd: '2026-01-01T00:00:00.000Z',
        subtotal: 1000,
        total: 1200,
      },
    });
    const { body } = await owner('GET', path('billing-invoices'));
    expect(body.invoices.map(({ id, paid }: { id: string; paid: boolean }) => [id, paid])).toEqual([
      ['in_draft', false],
      ['in_open', false],
      ['in_paid', true],
    ]);
    expect(body).toMatchObject({
      hasUnpaidInvoices: true,
      unpaidInvoices: [
        {
          id: 'in_open',
          number: 'POST-0001',
          amountDue: 1200,
          currency: 'usd',
          dueDate: '2026-01-08T00:00:00.000Z',
          hostedInvoiceUrl: 'https://invoice.stripe.com/i/acct_1/test_1',
        },
      ],
    });
  });
});

describe('POST /webhooks/incoming/stripe', () => {
  it.each([
    ['no signature', { 'stripe-signature': '' }],
    ['a signature of something else', { 'stripe-signature': `t=${now()},v1=${'0'.repeat(64)}` }],
  ])('400: %s', async (_what, headers) => {
    const { body } = stripe.notice('invoice.paid', {});
    const answer = await test.anyone('POST', '/webhooks/incoming/stripe', body, headers);
    expect(statusAndCode(answer)).toEqual([400, 'BAD_REQUEST']);
  });

  it('400: another secret, or a signature older than 5 minutes', async () => {
    expect((await subscribe({ secret: 'whsec_other' })).status).toBe(400);
    expect((await subscribe({ signedAt: now() - 310 })).status).toBe(400);
    expect((await subscribe({ signedAt: now() - 280 })).status).toBe(200);
  });

  it('answers every signed notification, unknown kinds too', async () => {
    const answer = await notify('charge.refunded', { id: 'ch_1' });
    expect([answer.status, answer.body]).toEqual([200, { received: true }]);
    expect((await notify('invoice.paid', { customer: 'cus_of_no_project' })).status).toBe(200);
  });

  it('a checkout stores customer and subscription, and the setup state shows it', async () => {
    expect((await subscribe()).body).toEqual({ received: true });
    expect(await stored()).toMatchObject({ customer: 'cus_1', subscription: 'sub_1' });
    const state = await owner('GET', `/projects/${project.id}/setup-state`);
    expect(state.body.hasSubscription).toBe(true);
  });

  it('a deleted subscription ends; what is older than that does not bring it back', async () => {
    const metadata = { projectId: project.id };
    const subscription = { id: 'sub_1', customer: 'cus_1', metadata };
    const ended = await notify(
      'customer.subscription.deleted',
      { ...subscription, status: 'canceled' },
      { created: now() },
    );
    expect(ended.status).toBe(200);
    await subscribe({ created: now() - 60 });
    await notify('customer.subscription.updated', { ...subscription, status: 'active' }, { created: now() });
    expect(await stored()).toMatchObject({ customer: 'cus_1', subscription: null });
  });

  it('a failed payment disables the project, a paid invoice enables it; an older failure changes nothing', async () => {
    await subscribe();
    const invoice = {
      customer: 'cus_1',
      billing_reason: 'subscription_cycle',
      parent: { subscription_details: { subscription: 'sub_1', metadata: { projectId: project.id } } },
    };
    await notify('invoice.payment_failed', { ...invoice, billing_reason: 'subscription_create' });
    expect(await stored()).toMatchObject({ disabled: false });
    await notify('invoice.payment_failed', invoice, { id: 'evt_once', created: now() - 20 });
    expect(await stored()).toMatchObject({ disabled: true, disabledReason: 'PAYMENT_FAILED' });
    await notify('invoice.paid', invoice, { created: now() - 10 });
    expect(await stored()).toMatchObject({ disabled: false, disabledReason: null });
    await notify('invoice.payment_failed', invoice, { created: now() - 15 });
    await notify('invoice.payment_failed', invoice, { id: 'evt_once', created: now() });
    expect(await stored()).toMatchObject({ disabled: false });
    const suspensions = await test.services.database.prisma.suspension.findMany({
      where: { projectId: project.id },
    });
    expect(suspensions).toMatchObject([{ reason: 'PAYMENT_FAILED', liftedAt: expect.any(Date) }]);
  });

  it('a paid invoice lifts no other suspension', async () => {
    await subscribe();
    await test.services.database.prisma.project.update({
      where: { id: project.id },
      data: { disabled: true, disabledReason: 'MANUAL' },
    });
    await notify('invoice.paid', { customer: 'cus_1', parent: null, metadata: { projectId: project.id } });
    expect(await stored()).toMatchObject({ disabled: true, disabledReason: 'MANUAL' });
  });

  it('20 deliveries of one notification at once have one effect', async () => {
    await subscribe();
    const invoice = { metadata: { projectId: project.id }, billing_reason: 'subscription_cycle' };
    const one = stripe.notice('invoice.payment_failed', invoice);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        test.anyone('POST', '/webhooks/incoming/stripe', one.body, { 'stripe-signature': one.signature }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const count = await test.services.database.prisma.suspension.count({ where: { projectId: project.id } });
    expect(count).toBe(1);
  });
});

describe('402 BILLING_LIMIT_EXCEEDED', () => {
  const mail = () => ({ subject: 'S', body: '<p>B</p>', from: `a@${project.id}.test` });
  const sendTo = (to: string | string[], more: object = {}) =>
    test.withKey(project.secretKey)('POST', '/v1/send', { ...mail(), to, ...more });

  it('/v1/send at the cap: nothing is stored, and the idempotency key stays free', async () => {
    await subscribe();
    await owner('PUT', path('billing-limits'), { transactional: 3 });
    expect((await sendTo(['a@people.test', 'b@people.test'])).status).toBe(200);
    const key = { 'idempotency-key': 'again' };
    const refused = await test.withKey(project.secretKey)(
      'POST',
      '/v1/send',
      { ...mail(), to: ['c@people.test', 'd@people.test'] },
      key,
    );
    expect(statusAndCode(refused)).toEqual([402, 'BILLING_LIMIT_EXCEEDED']);
    expect(await test.services.database.prisma.contact.count({ where: { projectId: project.id } })).toBe(2);
    const smaller = await test.withKey(project.secretKey)(
      'POST',
      '/v1/send',
      { ...mail(), to: 'c@people.test' },
      key,
    );
    expect(smaller.status).toBe(200);
    const { transactional } = (await owner('GET', path('billing-limits'))).body;
    expect(transactional).toEqual({
      limit: 3,
      usage: 3,
      percentage: 100,
      isWarning: true,
      isBlocked: true,
    });
  });

  it('an email with attachments counts 2', async () => {
    await subscribe();
    await owner('PUT', path('billing-limits'), { transactional: 3 });
    const attachments = [{ filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }];
    expect((await sendTo('a@people.test', { attachments })).status).toBe(200);
    expect(statusAndCode(await sendTo('a@people.test', { attachments }))).toEqual([
      402,
      'BILLING_LIMIT_EXCEEDED',
    ]);
    expect((await sendTo('a@people.test')).status).toBe(200);
  });

  it('a campaign that would exceed it, sent now or scheduled for this month', async () => {
    await subscribe();
    await owner('PUT', path('billing-limits'), { campaigns: 1 });
    const key = test.withKey(project.secretKey);
    for (const email of ['a@people.test', 'b@people.test']) await key('POST', '/contacts', { email });
    const draft = { name: 'N', ...mail(), audienceType: 'ALL' };
    const { id } = (await key('POST', '/campaigns', draft)).body.data;
    const refused = await key('POST', `/campaigns/${id}/send`);
    expect(statusAndCode(refused)).toEqual([402, 'BILLING_LIMIT_EXCEEDED']);
    expect((await key('GET', `/campaigns/${id}`)).body.status).toBe('DRAFT');
    await owner('PUT', path('billing-limits'), { campaigns: 2 });
    expect((await key('POST', `/campaigns/${id}/send`)).status).toBe(200);
    expect((await owner('GET', path('billing-limits'))).body.campaigns).toMatchObject({ usage: 2 });
    const copy = (await key('POST', `/campaigns/${id}/duplicate`)).body.id;
    expect((await key('POST', `/campaigns/${copy}/send`)).status).toBe(402);
    // What has not begun is given back.
    await key('POST', `/campaigns/${id}/cancel`);
    expect((await owner('GET', path('billing-limits'))).body.campaigns).toMatchObject({ usage: 0 });
  });
});
