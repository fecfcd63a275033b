import { goSample, phpSample, pythonSample, rubySample } from '@postrider/core/base/samples/contract';
import type { ApiDocument, DocumentedOperation } from '../document/document.ts';
import type { Tab } from '../html/code.ts';
import { curlSample } from './curl.ts';
import { type SampleFolder, sampleLanguages, tabOf } from './languages.ts';
import { type OperationRequest, sampleRequest } from './request.ts';
import { typescriptSample } from './typescript.ts';

const writers: Readonly<Record<SampleFolder, (request: OperationRequest) => string>> = {
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
