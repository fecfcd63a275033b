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
import { requestRecord } from '@postrider/core/mail/forms/contract';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Form = objectFromZod(getForm.output);
const FormFigures = objectFromZod(getFormFigures.output);
const CreatedSubscriptionRequest = objectFromZod(createSubscriptionRequest.output);
const SubscriptionRequest = objectFromZod(requestRecord);

recordField('form', getForm, Form);
connectionField('forms', listForms, Form, ({ createdAt }) => createdAt);
queryField('formFigures', getFormFigures, FormFigures);
mutationField('createForm', createForm, Form);
mutationField('updateForm', updateForm, Form);
deletionField('deleteForm', deleteForm);
connectionField(
  'subscriptionRequests',
  listSubscriptionRequests,
  SubscriptionRequest,
  ({ requestedAt }) => requestedAt,
);
mutationField('createSubscriptionRequest', createSubscriptionRequest, CreatedSubscriptionRequest);
