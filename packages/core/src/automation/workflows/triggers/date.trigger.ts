import { z } from 'zod';
import { namedEnum, notGiven } from '../../../base/kernel/schemas.ts';
import { nameText } from '../../../base/lib/names.rules.ts';
import { defineTrigger, textIn } from './trigger.rules.ts';

const longestKey = 200;
const mostOffset = 365;

const field = z
  .string()
  .transform((text) => (text.trim() === text ? nameText(text) : text))
  .refine((text) => /^data\..+$/s.test(text) && text.length <= 'data.'.length + longestKey, {
    params: { code: 'unsupported_field' },
    message: 'Must be a custom field, data.<key>',
  });

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { message: 'Must be a time of the day, HH:mm' });

/** Starts an execution on a day that follows from a date of the contact (behaviour B14.5). */
export const dateTrigger = defineTrigger({
  type: 'DATE',
  label: 'Date of a contact',
  fields: {
    field: notGiven(field).meta({
      description: 'Field of the contact with the date, `data.<key>`. Required by `DATE`.',
      examples: ['data.birthday'],
    }),
    repeat: notGiven(namedEnum('WorkflowDateRepeat', ['ONCE', 'YEARLY'])).describe(
      'Whether it enters once, or each year from then on. Required by `DATE`.',
    ),
    offsetDays: notGiven(z.int().min(-mostOffset).max(mostOffset)).meta({
      description: 'Days after the date, −365 to 365; before it if negative. Default 0.',
      examples: [-7],
    }),
    at: notGiven(time).meta({
      description:
        'Time of the day, `HH:mm`, in the time zone of the contact, else of the workflow, else of the project. Default `09:00`.',
      examples: ['09:00'],
    }),
  },
  needed: 'field',
  defaults: { offsetDays: 0, at: '09:00' },
  subject: (config) => textIn(config, 'field'),
  events: () => [],
  isScheduled: false,
  reads: (config) => {
    const named = textIn(config, 'field');
    return named === undefined ? [] : [named];
  },
});
