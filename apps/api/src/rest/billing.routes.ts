import { type Services, systemContext } from '@postrider/core/base/kernel';
import {
  getConsumption,
  getLimits,
  listInvoices,
  noticeOutput,
  openCheckout,
  openPortal,
  paymentsOf,
  receiveNotice,
  setLimits,
} from '@postrider/core/people/billing';
import type { RestDoor } from './door.ts';
import { mount } from './mount.ts';
import { rawRoute } from './raw-route.ts';

/** Notifications are small; Stripe names no limit. */
const noticeLimit = 1024 * 1024;

export function mountBilling(door: RestDoor): void {
  const path = '/users/@me/projects/:id';
  const options = { project: 'id', assertOffered: (services: Services) => void paymentsOf(services) };
  mount(door, 'POST', `${path}/checkout`, openCheckout, { ...options, from: 'query' });
  mount(door, 'POST', `${path}/billing-portal`, openPortal, options);
  mount(door, 'GET', `${path}/billing-limits`, getLimits, options);
  mount(door, 'PUT', `${path}/billing-limits`, setLimits, options);
  mount(door, 'GET', `${path}/billing-consumption`, getConsumption, options);
  mount(door, 'GET', `${path}/billing-invoices`, listInvoices, options);
  mountNotices(door);
}

/** The signature is that of the bytes of the body, so they are not parsed here. */
function mountNotices({ app, services, endpoints }: RestDoor): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<string>(
      '*',
      { parseAs: 'string', bodyLimit: noticeLimit },
      (_request, body, done) => done(null, body),
    );
    rawRoute({ app: scope, services, endpoints }, 'POST', '/webhooks/incoming/stripe', {
      name: 'billing.receive',
      summary: 'Takes notifications of the payment provider, which signs them.',
      output: noticeOutput,
      errors: receiveNotice.errors,
      handler({ headers, body, id, ip }) {
        paymentsOf(services);
        const signature = headers['stripe-signature'];
        return receiveNotice.run(
          { ...systemContext(services), request: { id, ip } },
          {
            body: typeof body === 'string' ? body : '',
            signature: typeof signature === 'string' ? signature : '',
          },
        );
      },
    });
  });
}
