export {
  findEndpointReferences,
  findReferences,
  findTemplateReferences,
  type References,
  type Referrer,
} from './references.store.ts';
