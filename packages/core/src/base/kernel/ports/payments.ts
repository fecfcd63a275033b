export type Currency = 'usd' | 'eur' | 'gbp';

export interface CheckoutRequest {
  projectId: string;
  /** the project's customer, if it has one; otherwise the provider makes one */
  customer: string | null;
  /** address of the buyer, for a new customer */
  email: string;
  currency: Currency;
  successUrl: string;
  cancelUrl: string;
}

/** Amounts are in the smallest unit of the currency. */
export interface Invoice {
  id: string;
  number: string | null;
  status: string;
  amountDue: number;
  amountPaid: number;
  currency: string;
  created: Date;
  periodStart: Date;
  periodEnd: Date;
  dueDate: Date | null;
  hostedInvoiceUrl: string | null;
  invoicePdf: string | null;
  subtotal: number;
  total: number;
}

export type UpcomingInvoice = Pick<
  Invoice,
  'amountDue' | 'currency' | 'periodStart' | 'periodEnd' | 'subtotal' | 'total'
>;

/** What a customer has in credit: `balance` as the provider counts it, negative for credit. */
export interface Credits {
  balance: number;
  currency: string;
}

/** Whom a notification is about; null where it does not say. */
interface Subject {
  projectId: string | null;
  customer: string | null;
  subscription: string | null;
}

/** A notification of the provider, reduced to what the product acts on. */
export type PaymentNotice = { id: string; at: Date } & (
  | ({ kind: 'checkout'; currency: string | null } & Subject)
  /** `ended`: for good */
  | ({ kind: 'subscription'; status: string; ended: boolean; currency: string | null } & Subject)
  /** `isFirst`: of the invoice that starts a subscription */
  | ({ kind: 'payment'; paid: boolean; isFirst: boolean } & Subject)
  | { kind: 'other' }
);

export interface UsageReport {
  customer: string;
  quantity: number;
  /** the same for every repetition of a report; the provider counts it once */
  identifier: string;
  at: Date;
}

/** The payment provider. Failures of the provider itself are thrown as they are. */
export interface Payments {
  /** @returns the address of a page where the buyer starts a subscription */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** @returns the address of a page where the customer manages the subscription */
  openPortal(request: { customer: string; returnUrl: string }): Promise<string>;
  /** Newest first, at most 100. */
  findInvoices(customer: string): Promise<Invoice[]>;
  findUpcomingInvoice(customer: string, subscription: string): Promise<UpcomingInvoice | null>;
  findCredits(customer: string): Promise<Credits | null>;
  /** Ends a subscription at once; one that has ended already, or is unknown, stays as it is. */
  endSubscription(subscription: string): Promise<void>;
  /** Whether the provider counts usage, so that it is to be reported. */
  countsUsage(): Promise<boolean>;
  reportUsage(report: UsageReport): Promise<void>;
  /**
   * Reads a notification after checking its signature, which may be at most 5 minutes old.
   *
   * @returns null when the signature or the notification is not valid
   */
  readNotice(body: string, signature: string): Promise<PaymentNotice | null>;
}
