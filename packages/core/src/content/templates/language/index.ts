export { TemplateSyntaxError } from './errors.ts';
export { MAX_SOURCE_LENGTH } from './limits.ts';
export { keysNamedIn } from './named-keys.ts';
export { SYSTEM_URLS } from './output.ts';
export {
  type CompiledTemplate,
  type FlatTemplate,
  literalTemplate,
  parseTemplate,
  type Rendering,
  type Variables,
} from './parse-template.ts';
export { escapeHtml } from './values.ts';
export { buildVariables, type VariableSources } from './variables.ts';
