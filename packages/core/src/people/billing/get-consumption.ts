import { query } from '../../base/kernel/index.ts';
import { monthOf } from './billing.rules.ts';
import { billingInput, consumptionOutput, usageCategories } from './billing.schema.ts';
import { requireBilling } from './require-billing.ts';
import { readUsage } from './usage.store.ts';

export const getConsumption = query({
  name: 'billing.consumption',
  summary: 'Returns the usage of the present month, and what the next invoice will be',
  permission: 'billing:read',
  errors: ['BILLING_DISABLED', 'PROJECT_ACCESS_DENIED'],
  input: billingInput,
  output: consumptionOutput,
  async handler(ctx, { id }) {
    const { payments, project } = await requireBilling(ctx, id);
    const { customer, subscription } = project;
    const [usage, credits, upcomingInvoice] = await Promise.all([
      readUsage(ctx.db, id),
      customer === null ? null : payments.findCredits(customer),
      customer === null || subscription === null
        ? null
        : payments.findUpcomingInvoice(customer, subscription),
    ]);
    return {
      period: monthOf(new Date()),
      usage: {
        total: usage.workflows + usage.campaigns + usage.transactional,
        records: usageCategories.map((category) => ({ category, quantity: usage[category] })),
      },
      credits: credits && {
        ...credits,
        hasCredits: credits.balance < 0,
        creditAmount: Math.max(0, -credits.balance),
      },
      upcomingInvoice,
    };
  },
});
