import { badRequest, command } from '../../base/kernel/index.ts';
import { limitsOutput, setLimitsInput } from './billing.schema.ts';
import { changeCaps } from './billing.store.ts';
import { presentLimits } from './present-limits.ts';
import { requireBilling } from './require-billing.ts';

export const setLimits = command({
  name: 'billing.setLimits',
  summary: 'Sets caps on the emails of a project per calendar month',
  permission: 'billing:write',
  risk: 'closed',
  errors: ['BAD_REQUEST', 'BILLING_DISABLED', 'PROJECT_ACCESS_DENIED'],
  allowDisabled: true,
  input: setLimitsInput,
  output: limitsOutput,
  async handler(ctx, { id, ...given }) {
    const { project } = await requireBilling(ctx, id);
    if (project.subscription === null)
      throw badRequest('Limits can only be set with a subscription', {
        suggestion: 'Start a subscription first',
      });
    const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    await changeCaps(ctx.db, id, change);
    ctx.audit({ targetType: 'project', targetId: id, projectId: id, changed: Object.keys(change) });
    return presentLimits(ctx.db, { ...project, caps: { ...project.caps, ...change } });
  },
});
