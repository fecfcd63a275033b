import { listActivity } from '@postrider/core/activity';
import { watchLists } from '@postrider/core/live';
import { asSubscription, t } from './trpc.ts';

export const liveRouter = t.router({
  /** What changes in the project, so that a page reads again what it shows of it. */
  changes: asSubscription(listActivity, watchLists),
});
