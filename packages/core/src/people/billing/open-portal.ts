import { badRequest, command } from '../../base/kernel/index.ts';
import { projectPage } from '../../base/kernel/project-page.ts';
import { addressOutput, billingInput } from './billing.schema.ts';
import { requireBilling } from './require-billing.ts';

export const openPortal = command({
  name: 'billing.portal',
  summary: 'Opens the page of the payment provider where the subscription of the project is managed',
  permission: 'billing:write',
  risk: 'closed',
  outside: true,
  errors: ['BAD_REQUEST', 'BILLING_DISABLED', 'PROJECT_ACCESS_DENIED'],
  allowDisabled: true,
  input: billingInput,
  output: addressOutput,
  async prepare(ctx, { id }) {
    const { payments, project } = await requireBilling(ctx, id);
    if (project.customer === null)
      throw badRequest('This project has no customer at the payment provider', {
        suggestion: 'Start a subscription first',
      });
    const returnUrl = projectPage(ctx.services.config, id, 'billing');
    return payments.openPortal({ customer: project.customer, returnUrl });
  },
  async handler(ctx, { id }, url) {
    ctx.audit({ targetType: 'project', targetId: id, projectId: id });
    return { url };
  },
});
