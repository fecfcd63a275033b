import { z } from 'zod';
import { goalRecord } from '../../../automation/goals/goals.schema.ts';
import { recordId, typeNames, uuid } from '../../../base/kernel/schemas.ts';
import { campaignName, count, granularity, period } from '../analytics.schema.ts';
import { liftBetween, percent } from './lift.schema.ts';

export const goalReportInput = z.object({ id: uuid.describe('Id of the goal.'), ...period });

const value = (description: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${description} Null for a goal without a value.`, examples: [1240.5] });

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

export const lift = liftBetween({
  recipients: 'Executions that went on at a SPLIT with a holdout.',
  heldOut: 'Executions that were held out there.',
  rate: 'Of those that went on, those that reached the goal',
  heldOutRate: 'Of those that were held out, those that reached the goal',
}).register(typeNames, { name: 'GoalLift' });

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
