import { z } from 'zod';
import { command, uuid } from '../../base/kernel/index.ts';
import { cancelWaiting } from '../ledger/index.ts';
import { emailRecord } from './sending.schema.ts';
import { readChanged, requireWaiting } from './waiting-email.ts';

export const cancelEmail = command({
  name: 'sending.cancel',
  summary: 'Cancels an email that waits: no message of it is begun after the reply',
  permission: 'mail:send',
  risk: 'none',
  errors: ['FORBIDDEN', 'RESOURCE_NOT_FOUND', 'CONFLICT'],
  input: z.object({ id: uuid.describe('Id of the email.') }),
  output: emailRecord,
  async handler(ctx, { id }) {
    await cancelWaiting(ctx.db, await requireWaiting(ctx, id, 'cancelled'));
    ctx.audit({ targetType: 'email', targetId: id, changed: ['status'] });
    return readChanged(ctx, id);
  },
});
