import { AppError, command, userIdOf } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { accessDenied, environmentOf } from '../projects/index.ts';
import { addressOutput, checkoutInput } from './billing.schema.ts';
import { findUserAddress } from './billing.store.ts';
import { requireBilling } from './require-billing.ts';

export const openCheckout = command({
  name: 'billing.checkout',
  summary: 'Opens a page of the payment provider where a subscription for the project is started',
  permission: 'billing:write',
  risk: 'closed',
  outside: true,
  errors: ['BILLING_DISABLED', 'PROJECT_ACCESS_DENIED', 'BAD_REQUEST'],
  allowDisabled: true,
  input: checkoutInput,
  output: addressOutput,
  async prepare(ctx, { id, currency }) {
    const { payments, project } = await requireBilling(ctx, id);
    if ((await environmentOf(ctx.db, id)) === 'TEST') {
      throw new AppError('BAD_REQUEST', 'A test project has no billing', {
        suggestion: 'Start the subscription in a live project. The email of a test project never leaves',
      });
    }
    const email = await findUserAddress(ctx.db, userIdOf(ctx));
    if (email === null) throw accessDenied();
    const page = projectPage(ctx.services.config, id, 'billing');
    return payments.openCheckout({
      projectId: id,
      customer: project.customer,
      email,
      currency,
      successUrl: `${page}?checkout=completed`,
      cancelUrl: page,
    });
  },
  async handler(ctx, { id }, url) {
    ctx.audit({ targetType: 'project', targetId: id, projectId: id });
    return { url };
  },
});
