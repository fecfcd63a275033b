import { z } from 'zod';
import { goalRecord } from '../../../automation/goals/goals.schema.ts';
import { recordId, typeNames, uuid } from '../../../base/kernel/schemas.ts';
import { campaignName, count, granularity, period } from '../analytics.schema.ts';

export const goalReportInput = z.object({ id: uuid.describe('Id of the goal.'), ...period });

const value = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null for a goal without a value.`, examples: [1240.5] });

const percent = (description: string, example: number) =>
  z
    .number()
    .min(0)
    .max(100)
    .meta({ description: `${description} in percent, at most two decimals.`, examples: [example] });

const totals = {
  conversions: count('Events that reached the goal.', 42),
  value: value('Sum of their values.'),
  credited: count('Of these, those that are credited to an email.', 30),
  creditedValue: value('Sum of the values of those.'),
};

const credit = {
  credited: count('Conversions that are credited to its emails.', 30),
  creditedValue: value('Sum of their values.'),
};

export const lift = z
  .object({
    recipients: count('Executions that went on at a SPLIT with a holdout.', 900),
    heldOut: count('Executions that were held out there.', 100),
    rate: percent('Of those that went on, those that reached the goal', 12.5),
    heldOutRate: percent('Of those that were held out, those that reached the goal', 9.8),
    ratio: z
      .number()
      .nullable()
      .meta({
        description:
          'The first rate divided by the second; null if nobody reached the goal that was held out.',
        examples: [1.28],
      }),
    low: z
      .number()
      .nullable()
      .meta({
        description:
          'Lower bound of the ratio. Both bounds hold at all times together with a probability of 95 %; null for no bound.',
        examples: [1.02],
      }),
    high: z
      .number()
      .nullable()
      .meta({ description: 'Upper bound of the ratio.', examples: [1.6] }),
    proven: z.boolean().describe('Whether a difference is proven.'),
  })
  .register(typeNames, { name: 'GoalLift' });

export const goalReport = z
  .object({
    goal: goalRecord.describe('The goal.'),
    granularity: granularity.describe('Length of a bucket: `hour` for up to two days, else `day`.'),
    totals: z.object(totals).register(typeNames, { name: 'GoalTotals' }).describe('The whole period.'),
    data: z
      .array(
        z
          .object({
            bucket: z.string().meta({
              description:
                'The hour or day in the time zone of the request: `2026-03-01T09:00`, `2026-03-01`.',
              examples: ['2026-03-01'],
            }),
            ...totals,
          })
          .register(typeNames, { name: 'GoalBucket' }),
      )
      .describe('The buckets of the period, oldest first.'),
    campaigns: z
      .array(
        z
          .object({ id: recordId.describe('Id of the campaign.'), name: campaignName, ...credit })
          .register(typeNames, { name: 'GoalCampaign' }),
      )
      .describe('Campaigns by the conversions of the period that are credited to them, at most 100.'),
    workflows: z
      .array(
        z
          .object({
            id: recordId.describe('Id of the workflow.'),
            name: z.string().meta({ description: 'Name of the workflow.', examples: ['Onboarding'] }),
            ...credit,
            entered: count('Executions that began in the period.', 1000),
            converted: count('Of these, those that reached the goal.', 122),
            rate: percent('Of these, those that reached the goal', 12.2),
            value: value('Sum of the values of those.'),
            lift: lift
              .nullable()
              .describe('What its emails change, by a SPLIT with a holdout; null without one.'),
          })
          .register(typeNames, { name: 'GoalWorkflow' }),
      )
      .describe('Workflows that have the goal, or to whose emails conversions are credited, at most 100.'),
  })
  .register(typeNames, { name: 'GoalReport' });
