import { command } from '../../base/kernel/index.ts';
import { newId } from '../../base/lib/index.ts';
import { addPendingMail } from './pending-mail.store.ts';
import { sendPendingMailSoon } from './pending-mail.ts';
import { countClientAttempt } from './sign-in-limits.ts';
import { requestPasswordResetInput, successOutput } from './users.schema.ts';

export const requestPasswordReset = command({
  name: 'auth.requestPasswordReset',
  summary: 'Sends a link to set a new password, if the address has an account.',
  permission: 'public',
  risk: 'closed',
  errors: ['RATE_LIMIT_EXCEEDED'],
  input: requestPasswordResetInput,
  output: successOutput,
  prepare: ({ services, request }) => countClientAttempt(services, request.ip),
  async handler(ctx, { email }) {
    // Whether the address has an account is looked up after the answer, which so is the same for all, also in time.
    await addPendingMail(ctx.db, { id: newId(), kind: 'PASSWORD_RESET', email });
    ctx.afterCommit(() => sendPendingMailSoon(ctx.services));
    return { success: true as const };
  },
});
