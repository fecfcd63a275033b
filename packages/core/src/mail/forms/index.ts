export { answerSubscriptionRequest, type ShownRequest, showRequest } from './answer-request.ts';
export { challengeForm } from './challenge-form.ts';
export { createForm } from './create-form.ts';
export { createSubscriptionRequest } from './create-subscription-request.ts';
export { deleteForm } from './delete-form.ts';
export { expireSubscriptionRequests } from './expire-requests.ts';
export { findFormTroubles } from './forms.store.ts';
export { getForm } from './get-form.ts';
export { getFormFigures } from './get-form-figures.ts';
export { listForms } from './list-forms.ts';
export { listSubscriptionRequests } from './list-subscription-requests.ts';
export {
  processSubmissions,
  startSubmissions,
  submissionsProcessed,
  sweepSubmissions,
} from './process-submissions.ts';
export { samplePage } from './sample-page.ts';
export { type ShownForm, showForm } from './show-form.ts';
export { submitForm } from './submit-form.ts';
export { sweepUnconfirmed } from './sweep-unconfirmed.ts';
export { updateForm } from './update-form.ts';
