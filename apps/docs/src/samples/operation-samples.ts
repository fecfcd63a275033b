import type { ApiDocument, DocumentedOperation } from '../document/document.ts';
import type { Tab } from '../html/code.ts';
import { curlSample } from './curl.ts';
import { goSample } from './go.ts';
import { type SampleFolder, sampleLanguages, tabOf } from './languages.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import { type SampleRequest, sampleRequest } from './request.ts';
import { rubySample } from './ruby.ts';
import { typescriptSample } from './typescript.ts';

const writers: Readonly<Record<SampleFolder, (request: SampleRequest) => string>> = {
  typescript: typescriptSample,
  python: pythonSample,
  go: goSample,
  php: phpSample,
  ruby: rubySample,
  curl: curlSample,
};

/** The smallest request of an operation in every language. */
export function operationSamples(document: ApiDocument, operation: DocumentedOperation): Tab[] {
  const request = sampleRequest(document, operation);
  return sampleLanguages.map(({ folder }) => tabOf(folder, writers[folder](request)));
}
