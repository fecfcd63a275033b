import {
  createForm,
  createSubscriptionRequest,
  deleteForm,
  getForm,
  getFormFigures,
  listForms,
  listSubscriptionRequests,
  updateForm,
} from '@postrider/core/mail/forms';
import { asMutation, asQuery, t } from './trpc.ts';

export const formsRouter = t.router({
  list: asQuery(listForms),
  get: asQuery(getForm),
  create: asMutation(createForm),
  update: asMutation(updateForm),
  delete: asMutation(deleteForm),
  figures: asQuery(getFormFigures),
});

export const subscriptionRequestsRouter = t.router({
  list: asQuery(listSubscriptionRequests),
  create: asMutation(createSubscriptionRequest),
});
