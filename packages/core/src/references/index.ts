export {
  type CampaignReferrer,
  findReferences,
  findTemplateReferences,
  type References,
  type Referrer,
  type StepReferrer,
} from './references.store.ts';
