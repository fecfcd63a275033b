import { createWording, getWording, listWordings } from '@postrider/core/audience/consent';
import { getConsent, getConsentEvidence, listConsentActs } from '@postrider/core/audience/contacts';
import { mutationField, queryField, recordField } from './fields.ts';
import { connectionField } from './lists.ts';
import { objectFromZod } from './object-from-zod.ts';

const Wording = objectFromZod(getWording.output);

queryField('contactConsent', getConsent, objectFromZod(getConsent.output));
queryField('contactConsentEvidence', getConsentEvidence, objectFromZod(getConsentEvidence.output));
connectionField(
  'consentActs',
  listConsentActs,
  objectFromZod(listConsentActs.output.shape.data.element),
  () => '',
);
recordField('wording', getWording, Wording);
connectionField('wordings', listWordings, Wording, ({ createdAt }) => createdAt);
mutationField('createWording', createWording, objectFromZod(createWording.output));
