import {
  getConsumption,
  getLimits,
  listInvoices,
  openCheckout,
  openPortal,
  setLimits,
} from '@postrider/core/people/billing';
import { asMutation, asQuery, t } from './trpc.ts';

export const billingRouter = t.router({
  checkout: asMutation(openCheckout),
  portal: asMutation(openPortal),
  limits: asQuery(getLimits),
  setLimits: asMutation(setLimits),
  consumption: asQuery(getConsumption),
  invoices: asQuery(listInvoices),
});
