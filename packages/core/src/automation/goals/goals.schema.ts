import { z } from 'zod';
import { eventName } from '../../audience/events/events.schema.ts';
import { optionalEventWhere, storedEventWhere } from '../../audience/segments/event-where.schema.ts';
import { longestKey } from '../../audience/segments/filters.rules.ts';
import {
  cursorListOf,
  cursorQuery,
  isoDate,
  namedEnum,
  notGiven,
  queryBoolean,
  recordId,
  requiredName,
  requiredText,
  typeNames,
  uuid,
} from '../../base/kernel/schemas.ts';

/** Goals of a project that are not archived. */
export const mostGoals = 20;
/** All goals of a project. */
export const mostGoalsEver = 200;
const goalNameLimit = 100;

export const goalAttribution = namedEnum('GoalAttribution', ['CLICK', 'OPEN', 'SENT']);
export type GoalAttribution = z.infer<typeof goalAttribution>;

const name = requiredName(goalNameLimit);

const currency = z
  .string()
  .trim()
  .transform((code) => code.toUpperCase())
  .refine((code) => /^[A-Z]{3}$/.test(code), {
    params: { code: 'invalid_string' },
    message: 'Must be a currency of ISO 4217, such as EUR',
  })
  .meta({ description: 'Currency of the values, by its code of ISO 4217.', examples: ['EUR'] });

const windowDays = z.int().min(1).max(30);

/** Emails of events about email would be credited to themselves. */
const goalEvent = eventName.refine((given) => !given.startsWith('email.'), {
  params: { code: 'custom' },
  message: 'Events about email cannot be goals',
});

const valueProperty = {
  description: "Property of the event's data that has the value: a key, else a dotted path into it.",
  examples: ['amount'],
};

export const goalRecord = z
  .object({
    id: recordId.describe('Id of the goal.'),
    projectId: recordId.describe('Id of the project.'),
    name: z.string().meta({ description: 'Name of the goal.', examples: ['Purchase'] }),
    eventName: z.string().meta({ description: 'Event that it counts.', examples: ['order.paid'] }),
    where: storedEventWhere.describe('Conditions on the data of the event, all of which must hold.'),
    value: z
      .object({
        property: z.string().meta(valueProperty),
        currency: z.string().meta({ description: 'Currency of the values.', examples: ['EUR'] }),
      })
      .register(typeNames, { name: 'GoalValue' })
      .nullable()
      .describe('Where its value is; null for a goal without one.'),
    attribution: goalAttribution.describe(
      'What credits a conversion to an email: its first click, its first open, or that it was sent.',
    ),
    windowDays: windowDays.meta({
      description: 'Days after that in which a conversion is credited.',
      examples: [7],
    }),
    archived: z.boolean().describe('Whether it counts nothing any more.'),
    createdAt: isoDate.describe('When it was created. Earlier events do not count.'),
    updatedAt: isoDate.describe('When it last changed.'),
  })
  .describe('A goal: an event that emails are meant to lead to.')
  .register(typeNames, { name: 'Goal' });

const goalId = uuid.describe('Id of the goal.');

export const goalIdInput = z.object({ id: goalId });

export const listGoalsInput = z.object({
  ...cursorQuery,
  archived: queryBoolean('archived').describe('Only archived goals, or only those that are not.'),
});

export const goalList = cursorListOf(goalRecord);

export const createGoalInput = z.object({
  name: name.meta({ description: 'Name of the goal, 1 to 100 characters.', examples: ['Purchase'] }),
  eventName: goalEvent.meta({
    description: 'Event that it counts, 1 to 255 characters. Events about email are refused.',
    examples: ['order.paid'],
  }),
  where: notGiven(optionalEventWhere).describe(
    'Conditions on the data of the event, at most 10, all of which must hold.',
  ),
  value: notGiven(
    z
      .object({ property: requiredText(longestKey).meta(valueProperty), currency })
      .register(typeNames, { name: 'GoalValueInput' }),
  ).describe('Where its value is. Default: it has none.'),
  attribution: notGiven(goalAttribution).describe(
    'What credits a conversion to an email: its first click, which is the default, its first open, or that it was sent.',
  ),
  windowDays: notGiven(windowDays).meta({
    description: 'Days after that in which a conversion is credited, 1 to 30. Default 7.',
    examples: [7],
  }),
});

export const updateGoalInput = z.object({
  id: goalId,
  name: notGiven(name).meta({
    description: 'New name, 1 to 100 characters. What a goal counts does not change.',
    examples: ['Purchase'],
  }),
  archived: notGiven(z.boolean()).describe(
    'Whether it counts nothing any more. Events of the time in which it is archived do not count later.',
  ),
});
