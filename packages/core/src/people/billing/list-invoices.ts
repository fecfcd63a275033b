import { query } from '../../base/kernel/index.ts';
import { billingInput, invoicesOutput } from './billing.schema.ts';
import { requireBilling } from './require-billing.ts';

export const listInvoices = query({
  name: 'billing.invoices',
  summary: 'Returns the invoices of a project',
  permission: 'billing:read',
  errors: ['BILLING_DISABLED', 'PROJECT_ACCESS_DENIED'],
  input: billingInput,
  output: invoicesOutput,
  async handler(ctx, { id }) {
    const { payments, project } = await requireBilling(ctx, id);
    const invoices = project.customer === null ? [] : await payments.findInvoices(project.customer);
    const unpaidInvoices = invoices.filter(({ status }) => status === 'open');
    return {
      invoices: invoices.map((invoice) => ({ ...invoice, paid: invoice.status === 'paid' })),
      hasUnpaidInvoices: unpaidInvoices.length > 0,
      unpaidInvoices,
    };
  },
});
