import { hasWording, sayingOf, takeRequest, tooManyUnconfirmed } from '../../audience/consent/index.ts';
import { settledData } from '../../audience/contacts/index.ts';
import { readTopics } from '../../audience/topics/index.ts';
import {
  command,
  conflict,
  type FieldError,
  invalid,
  projectIdOf,
  senderRefused,
  suggestions,
} from '../../base/kernel/index.ts';
import { notifyOutbox } from '../ledger/index.ts';
import { findAsker } from './find-asker.ts';
import { presentRequest } from './present-request.ts';
import { requestSubscription } from './request-subscription.ts';
import { countRequest, findRequest } from './requests.store.ts';
import { createdRequest, createRequestInput } from './subscription-requests.schema.ts';

export const createSubscriptionRequest = command({
  name: 'subscriptionRequests.create',
  summary: 'Asks the owner of an address by email whether it is to be subscribed',
  permission: 'data:write',
  risk: 'mail',
  errors: ['CONFLICT', 'RATE_LIMIT_EXCEEDED', senderRefused],
  input: createRequestInput,
  output: createdRequest,
  async handler(ctx, input) {
    const projectId = projectIdOf(ctx);
    const asker = await findAsker(ctx.db, projectId);
    if (!asker) {
      throw conflict('The project has nobody who asks for confirmations', {
        suggestion: suggestions.CONFLICT.noConfirmation,
      });
    }
    const topics = await readTopics(ctx.db, projectId);
    const errors: FieldError[] = [];
    const chosen = input.topics.flatMap((key, index) => {
      const topic = topics.find((each) => each.key === key && !each.archived);
      if (!topic)
        errors.push({ field: `topics.${index}`, code: 'unknown_topic', message: `There is no topic ${key}` });
      return topic ?? [];
    });
    if (input.wordingId !== undefined && !(await hasWording(ctx.db, projectId, input.wordingId)))
      errors.push({
        field: 'wordingId',
        code: 'unknown_reference',
        message: 'The project has no such wording',
      });
    if (errors.length > 0) throw invalid(errors);
    const { set } = await settledData(ctx, input.data, 'strict');
    if (!(await takeRequest(ctx.db, projectId))) throw tooManyUnconfirmed(ctx.services.database, projectId);
    const { outcome, requestId, hasMail } = await requestSubscription(ctx.services, ctx.db, {
      ...asker,
      projectId,
      email: input.email,
      topics: chosen,
      data: Object.keys(set).length === 0 ? null : set,
      language: input.language ?? null,
      wordingId: input.wordingId ?? null,
      form: null,
      page: input.page ?? null,
      ip: input.ip ?? null,
      userAgent: input.userAgent ?? null,
      saying: sayingOf(ctx),
    });
    if (outcome !== 'sent') await countRequest(ctx.db, projectId, 'none');
    if (hasMail) ctx.afterCommit(() => notifyOutbox(ctx.services, projectId));
    const request = requestId === null ? null : await findRequest(ctx.db, projectId, requestId);
    if (request) ctx.audit({ targetType: 'subscriptionRequest', targetId: request.id });
    return { request: request && presentRequest(request, topics), outcome };
  },
});
