import { trackEvent } from '@postrider/core/events';
import type { Context } from '@postrider/core/kernel';
import { mutationField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const TrackedEvent = objectFromZod(trackEvent.output, 'TrackedEvent');

/** Tracking belongs to public keys; whoever holds the secret key of the project may do it in its name here. */
const asPublicKey = (ctx: Context): Context =>
  ctx.actor.type === 'key' ? { ...ctx, actor: { ...ctx.actor, key: 'public' } } : ctx;

mutationField('trackEvent', trackEvent, TrackedEvent, { as: asPublicKey });
