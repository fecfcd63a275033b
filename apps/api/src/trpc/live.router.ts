import { watchLists } from '@postrider/core/base/live';
import { listActivity } from '@postrider/core/insight/activity';
import { asSubscription, t } from './trpc.ts';

export const liveRouter = t.router({
  /** What changes in the project, so that a page reads again what it shows of it. */
  changes: asSubscription(listActivity, watchLists),
});
