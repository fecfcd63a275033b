import { query } from '../../base/kernel/index.ts';
import { billingInput, limitsOutput } from './billing.schema.ts';
import { presentLimits } from './present-limits.ts';
import { requireBilling } from './require-billing.ts';

export const getLimits = query({
  name: 'billing.limits',
  summary: 'Returns the caps of a project and its usage of this month',
  permission: 'billing:read',
  errors: ['BILLING_DISABLED', 'PROJECT_ACCESS_DENIED'],
  input: billingInput,
  output: limitsOutput,
  async handler(ctx, { id }) {
    const { project } = await requireBilling(ctx, id);
    return presentLimits(ctx.db, project);
  },
});
