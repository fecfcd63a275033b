export { goSample } from './go.rules.ts';
export { inTypescript, literal } from './literal.rules.ts';
export { phpSample } from './php.rules.ts';
export { pythonSample } from './python.rules.ts';
export { rubySample } from './ruby.rules.ts';
export { type Credential, type FormField, keyVariable, type SampleRequest } from './sample-request.rules.ts';
