import { z } from 'zod';
import { isoDate, namedEnum, notGiven, uuid } from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';

export const currencies = ['usd', 'eur', 'gbp'] as const;
const currency = namedEnum('BillingCurrency', currencies);

const projectId = uuid.describe('Id of the project.');

export const billingInput = z.object({ id: projectId });

export const checkoutInput = z.object({
  id: projectId,
  currency: notGiven(currency)
    .transform((value) => value ?? 'usd')
    .describe('Currency of the subscription.'),
});

const largestCap = 2_147_483_647;

const cap = (what: string) =>
  z
    .int()
    .min(1)
    .max(largestCap)
    .nullish()
    .meta({
      description: `Most ${what} emails per calendar month; null for no limit. Unchanged when it is not given.`,
      examples: [10_000],
    });

export const setLimitsInput = z.object({
  id: projectId,
  workflows: cap('workflow'),
  campaigns: cap('campaign'),
  transactional: cap('transactional'),
});

const currencyText = z.string().meta({ description: 'ISO 4217 code in lower case.', examples: ['usd'] });
const amount = (what: string, example: number) =>
  z.int().meta({ description: `${what}, in the smallest unit of the currency.`, examples: [example] });

export const addressOutput = z.object({
  url: z.string().meta({
    description: 'Address to open in the browser.',
    examples: ['https://checkout.stripe.com/c/pay/cs_test_a1b2c3'],
  }),
});

const usage = z
  .object({
    limit: z
      .int()
      .nullable()
      .meta({ description: 'Most emails per calendar month; null for no limit.', examples: [10_000] }),
    usage: z
      .int()
      .meta({ description: 'Emails of this month; one with attachments counts 2.', examples: [8_200] }),
    percentage: z.number().meta({
      description: 'Usage in percent of the limit; 0 without a limit.',
      examples: [82],
    }),
    isWarning: z
      .boolean()
      .meta({ description: 'Whether at least 80 % of the limit are used.', examples: [true] }),
    isBlocked: z.boolean().meta({ description: 'Whether the limit is reached.', examples: [false] }),
  })
  .register(typeNames, { name: 'BillingUsage' });

export const limitsOutput = z.object({
  currency: currencyText,
  total: usage
    .nullable()
    .describe('All emails together; null unless the project has neither a subscription nor limits.'),
  workflows: usage.describe('Emails of workflows.'),
  campaigns: usage.describe('Emails of campaigns.'),
  transactional: usage.describe('Transactional emails.'),
});

export const usageCategories = ['workflows', 'campaigns', 'transactional'] as const;

const upcomingInvoice = z
  .object({
    amountDue: amount('Amount to be paid', 1_200),
    currency: currencyText,
    periodStart: isoDate.describe('Start of the billed period.'),
    periodEnd: isoDate.describe('End of the billed period.'),
    subtotal: amount('Amount before taxes and discounts', 1_000),
    total: amount('Amount after taxes and discounts', 1_200),
  })
  .register(typeNames, { name: 'UpcomingInvoice' });

export const consumptionOutput = z.object({
  period: z
    .object({
      start: isoDate.describe('First instant of the calendar month (UTC).'),
      end: isoDate.describe('First instant of the next month.'),
    })
    .describe('The present period.'),
  usage: z
    .object({
      total: z.int().meta({ description: 'Emails of all categories.', examples: [9_000] }),
      records: z
        .array(
          z.object({
            category: namedEnum('UsageCategory', usageCategories).describe('Kind of email.'),
            quantity: z
              .int()
              .meta({ description: 'Emails; one with attachments counts 2.', examples: [3_000] }),
          }),
        )
        .describe('Emails by category.'),
    })
    .describe('Usage of the period.'),
  credits: z
    .object({
      balance: z.int().meta({
        description:
          'Balance of the customer in the smallest unit of the currency: negative for credit, positive for debt.',
        examples: [-500],
      }),
      hasCredits: z.boolean().meta({ description: 'Whether there is credit.', examples: [true] }),
      creditAmount: amount('Credit', 500),
      currency: currencyText,
    })
    .register(typeNames, { name: 'BillingCredits' })
    .nullable()
    .describe('Credit of the customer; null without a customer.'),
  upcomingInvoice: upcomingInvoice
    .nullable()
    .describe('The next invoice, as it is now; null without a subscription.'),
});

const invoiceId = z.string().meta({ description: 'Id of the invoice.', examples: ['in_1a2b3c'] });
const invoiceNumber = z
  .string()
  .nullable()
  .meta({ description: 'Number on the invoice.', examples: ['A1B2C3-0001'] });
const hostedInvoiceUrl = z
  .string()
  .nullable()
  .meta({
    description: 'Page where the invoice can be paid.',
    examples: ['https://invoice.stripe.com/i/acct_1/test_1'],
  });

export const invoicesOutput = z.object({
  invoices: z
    .array(
      z
        .object({
          id: invoiceId,
          number: invoiceNumber,
          status: z.string().meta({
            description: 'State of the invoice: `draft`, `open`, `paid`, `uncollectible` or `void`.',
            examples: ['paid'],
          }),
          amountDue: amount('Amount to be paid', 1_200),
          amountPaid: amount('Amount that was paid', 1_200),
          currency: currencyText,
          created: isoDate.describe('When the invoice was made.'),
          periodStart: isoDate.describe('Start of the billed period.'),
          periodEnd: isoDate.describe('End of the billed period.'),
          hostedInvoiceUrl,
          invoicePdf: z
            .string()
            .nullable()
            .meta({
              description: 'The invoice as PDF.',
              examples: ['https://pay.stripe.com/invoice/acct_1/test_1/pdf'],
            }),
          subtotal: amount('Amount before taxes and discounts', 1_000),
          total: amount('Amount after taxes and discounts', 1_200),
          paid: z.boolean().meta({ description: 'Whether it is paid.', examples: [true] }),
        })
        .register(typeNames, { name: 'Invoice' }),
    )
    .describe('Invoices, newest first.'),
  hasUnpaidInvoices: z.boolean().meta({ description: 'Whether an invoice is open.', examples: [false] }),
  unpaidInvoices: z
    .array(
      z
        .object({
          id: invoiceId,
          number: invoiceNumber,
          amountDue: amount('Amount to be paid', 1_200),
          currency: currencyText,
          dueDate: isoDate.nullable().describe('When it is due; null when it is due at once.'),
          hostedInvoiceUrl,
        })
        .register(typeNames, { name: 'UnpaidInvoice' }),
    )
    .describe('Open invoices.'),
});

export const noticeInput = z.object({
  body: z.string().describe('The notification, as it was received.'),
  signature: z.string().describe('The header Stripe-Signature.'),
});

export const noticeOutput = z.object({ received: z.literal(true).describe('Always true.') });
