import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { audienceText } from './audience-text.ts';
import { readCallable } from './callable.ts';
import { flatName, groupsText, operationsText } from './operations-text.ts';

/** `npm run generate`: the types and operations of the SDK, from the committed contract. */
const folder = new URL('../src/generated/', import.meta.url);
const callable = await readCallable();
const texts = {
  'operations.gen.ts': operationsText(callable),
  'groups.gen.ts': groupsText(callable),
  'audience.gen.ts': await audienceText(),
};
for (const { operationId, method, path } of callable.operations) {
  const operation = callable.document.paths[path]?.[method.toLowerCase()];
  if (operation) operation.operationId = flatName(operationId);
}
await createClient({
  input: callable.document as unknown as Record<string, unknown>,
  output: { path: fileURLToPath(folder), importFileExtension: '.ts', clean: true, entryFile: false },
  logs: { level: 'silent', file: false },
  plugins: [{ name: '@hey-api/typescript' }],
});
for (const [name, text] of Object.entries(texts)) await writeFile(new URL(name, folder), text);
