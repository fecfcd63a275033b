export {
  findReferences,
  findTemplateReferences,
  type References,
} from './references.store.ts';
