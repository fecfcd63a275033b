import type { Context } from './context.ts';
import { AppError } from './errors.ts';

/**
 * Lets a call of an agent pass, or keeps it for a person.
 *
 * @param raw the input as it was given
 * @throws AppError APPROVAL_REQUIRED, FORBIDDEN, and what the call itself would be refused with
 */
type AgentJudge = (ctx: Context, operation: string, raw: unknown) => Promise<void>;

export const closedToAgents = (): AppError =>
  new AppError('FORBIDDEN', 'A key of the scope agent may not do this', {
    suggestion: 'Ask a person to do it in the dashboard',
  });

/** Nothing passes before there is one. */
let judge: AgentJudge = async () => {
  throw closedToAgents();
};

/** Names the judge, which knows the areas above the kernel. */
export const judgeAgentsBy = (given: AgentJudge): void => {
  judge = given;
};

export const judgeAgent: AgentJudge = (...call) => judge(...call);
