import { z } from 'zod';
import { disabledReason, isoDate, namedEnum, recordId, uuid } from '../../base/kernel/schemas.ts';
import { typeNames } from '../../base/kernel/type-names.ts';
import { levels } from './reputation.rules.ts';

export const securityInput = z.object({ id: uuid.describe('Id of the project.') });

const level = namedEnum('ReputationLevel', levels);

const count = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] });
const rate = (description: string, example: number) => z.number().meta({ description, examples: [example] });

const rates = z
  .object({
    total: count('Emails that were sent or bounced.', 1_200),
    bounces: count('Contacts whose email bounced permanently; emails, of deleted contacts.', 6),
    complaints: count('Contacts who marked an email as spam; emails, of deleted contacts.', 0),
    unprovenBounces: count('Bounces that are known from reports without a proof only.', 0),
    unprovenComplaints: count('Complaints that are known from reports without a proof only.', 0),
    bounceRate: rate('Bounces in percent of the total.', 0.5),
    complaintRate: rate('Complaints in percent of the total.', 0),
  })
  .register(typeNames, { name: 'ReputationRates' });

const sentences = (description: string, example: string) =>
  z.array(z.string()).meta({ description, examples: [[example]] });

export const securityOutput = z.object({
  status: z
    .object({
      projectId: recordId.describe('Id of the project.'),
      isHealthy: z.boolean().describe('Whether no limit is exceeded.'),
      shouldDisable: z.boolean().describe('Whether a critical limit is exceeded, by what is proven.'),
      twentyFourHour: rates.describe('The last 24 hours.'),
      sevenDay: rates.describe('The last 7 days.'),
      allTime: rates.describe('Since the project was created.'),
      refusals: z
        .object({
          sevenDay: z
            .object({
              blocked: count('Emails that were refused for the reputation of the sender, or by rate.', 3),
              authentication: count(
                'Emails that were refused because of SPF, DKIM, DMARC or reverse DNS.',
                0,
              ),
              content: count('Emails that were refused for their content.', 1),
              total: count('Emails that were sent or refused.', 1_200),
            })
            .register(typeNames, { name: 'RefusalCounts' })
            .describe('The last 7 days.'),
        })
        .register(typeNames, { name: 'Refusals' })
        .describe('What receiving servers refused for the sender. It is a warning at most.'),
      isNewProject: z.boolean().describe('Whether the project is younger than 30 days.'),
      violations: sentences(
        'Critical limits that are exceeded, by what is proven.',
        '12.0 % bounces in 7 days',
      ),
      warnings: sentences(
        'Limits to watch, and critical ones that are exceeded only with reports that are not proven.',
        '5.2 % bounces in total',
      ),
    })
    .register(typeNames, { name: 'ReputationStatus' })
    .describe('The figures and what follows from them.'),
  levels: z
    .object({
      bounce7Day: level.describe('Bounces of 7 days.'),
      bounceAllTime: level.describe('Bounces in total.'),
      complaint7Day: level.describe('Complaints of 7 days.'),
      complaintAllTime: level.describe('Complaints in total.'),
    })
    .register(typeNames, { name: 'ReputationLevels' })
    .describe('The level of each rate.'),
  isDisabled: z.boolean().meta({ description: 'Whether the project is disabled.', examples: [false] }),
  disabledReason: disabledReason
    .nullable()
    .meta({ description: 'Why the project is disabled; null unless it is.', examples: [null] }),
  recentSuspensions: z
    .array(
      z
        .object({
          reason: disabledReason.describe('Why the project was disabled.'),
          at: isoDate.describe('When it was disabled.'),
          liftedAt: isoDate.nullable().describe('When it was enabled again; null while it is disabled.'),
        })
        .register(typeNames, { name: 'Suspension' }),
    )
    .describe('The last times that the project was disabled, newest first.'),
});
