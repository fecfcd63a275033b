import { z } from 'zod';
import {
  AppError,
  isoDate,
  logged,
  namedEnum,
  projectOf,
  query,
  typeNames,
  uuid,
} from '../../base/kernel/index.ts';
import { routeId } from '../../base/providers/index.ts';
import { findEmail, newestInteractions } from './emails.store.ts';
import { presentWaiting } from './present-email.ts';
import { emailRecord } from './sending.schema.ts';

export const emailNotFound = (): AppError => new AppError('RESOURCE_NOT_FOUND', 'Email not found');

const interactionLimit = 100;

const interactionType = namedEnum('EmailDetailsInteractionType', [
  'open',
  'click',
  'bounce',
  'complaint',
  'delay',
  'deferral',
  'auto_reply',
  'unknown',
]);

export const getEmail = query({
  name: 'sending.getEmail',
  summary: 'Returns one email with its opens, clicks, bounces and replies',
  permission: 'email:read',
  errors: ['RESOURCE_NOT_FOUND'],
  input: z.object({ id: uuid.describe('Id of the email.').register(logged, { as: 'email' }) }),
  output: emailRecord
    .extend({
      interactions: z
        .array(
          z.object({
            type: interactionType.describe('What happened.'),
            at: isoDate.describe('When it happened.'),
            link: z
              .string()
              .nullable()
              .meta({
                description: 'The link that was clicked; null for everything else.',
                examples: [null],
              }),
            detail: z
              .string()
              .nullable()
              .meta({
                description:
                  'The text of a bounce, complaint, delay, deferral or reply; null for opens and clicks.',
                examples: ['5.1.1 The mailbox does not exist'],
              }),
            bot: z.boolean().meta({
              description: 'Whether a scanner or prefetcher made it; then it is not counted.',
              examples: [false],
            }),
          }),
        )
        .describe(
          'The newest 100 opens, clicks, bounces, complaints, delays, deferrals (temporary refusals of an attempt) and replies.',
        ),
    })
    .register(typeNames, { name: 'EmailDetails' }),
  async handler(ctx, { id }) {
    const project = projectOf(ctx);
    const row = await findEmail(ctx.db, project.id, id, routeId(ctx.services.config));
    if (!row) throw emailNotFound();
    const interactions = await newestInteractions(ctx.db, project.id, id, interactionLimit);
    return { ...(await presentWaiting(ctx.services, project, ctx.db, row)), interactions };
  },
});
