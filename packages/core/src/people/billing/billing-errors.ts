import { AppError, type Payments, type Services } from '../../base/kernel/index.ts';

/** What exceeds a cap of its project (behaviour B4.18). Nothing of the request is stored. */
export const billingLimitExceeded = (): AppError =>
  new AppError('BILLING_LIMIT_EXCEEDED', 'This would exceed the billing limit of this month', {
    suggestion: 'Raise the limit under Billing, or start a subscription',
  });

/** The payment provider. @throws AppError BILLING_DISABLED when this installation has none */
export function paymentsOf({ payments }: Pick<Services, 'payments'>): Payments {
  if (payments) return payments;
  throw new AppError('BILLING_DISABLED', 'Billing is not enabled in this installation', {
    suggestion: 'Set STRIPE_SECRET_KEY to enable it',
  });
}
