export {
  findEndpointReferences,
  findReferences,
  findTemplateReferences,
  hasUnreadTexts,
  type References,
  type Referrer,
} from './references.store.ts';
