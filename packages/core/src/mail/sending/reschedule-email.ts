import { z } from 'zod';
import { command, invalid, projectOf, uuid } from '../../base/kernel/index.ts';
import { moveWaiting, notifyOutbox } from '../ledger/index.ts';
import { capBeyondToday, scheduledPastToday } from '../ramp/index.ts';
import { checkSendTimes, sendTimeFields, sendTimeOf } from './schedule.schema.ts';
import { emailRecord } from './sending.schema.ts';
import { assertScheduled, readChanged, requireWaiting } from './waiting-email.ts';

export const rescheduleEmail = command({
  name: 'sending.reschedule',
  summary: 'Moves a scheduled email to another time, or sends it at once',
  permission: 'mail:send',
  risk: 'mail',
  errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'CONFLICT', 'RATE_LIMIT_EXCEEDED'],
  input: z
    .object({
      id: uuid.describe('Id of the email.'),
      ...sendTimeFields(
        'Its new time. A time within the last minute sends it at once',
        '2027-01-31T09:30:00+01:00',
      ),
    })
    .superRefine(checkSendTimes),
  output: emailRecord,
  async handler(ctx, { id, ...times }) {
    const at = sendTimeOf(times);
    if (!at) throw invalid([{ field: 'scheduledAt', code: 'required', message: 'Required' }]);
    const waiting = await requireWaiting(ctx, id, 'rescheduled');
    assertScheduled(waiting);
    const { id: projectId } = projectOf(ctx);
    const cap = await capBeyondToday(ctx.services.config, ctx.db, projectId, at);
    if (cap !== null) throw scheduledPastToday(cap);
    await moveWaiting(ctx.db, waiting, at);
    ctx.audit({ targetType: 'email', targetId: id, changed: ['scheduledAt'] });
    ctx.afterCommit(() => notifyOutbox(ctx.services, projectId));
    return readChanged(ctx, id);
  },
});
