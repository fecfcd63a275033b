export {
  findEndpointReferences,
  findReferences,
  findTemplateReferences,
  hasUnreadTexts,
  type References,
  type Referrer,
} from './references.store.ts';
export { assertNotReferenced, isUsed, stillUsed } from './still-used.ts';
