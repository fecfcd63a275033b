import { inTypescript, keyVariable, literal } from '@postrider/core/base/samples/contract';
import { baseUrl, type OperationRequest } from './request.ts';

/** With the SDK where a key may call the operation, else with `fetch`. */
export function typescriptSample(request: OperationRequest): string {
  const { credential, operation } = request;
  if (credential === 'secret' || credential === 'public' || operation.id === 'config.get')
    return withSdk(request);
  return withFetch(request);
}

/** These have functions of their own that give each call an idempotency key. */
const shortcuts: Readonly<Record<string, string>> = { 'sending.send': 'send', 'events.track': 'track' };

function withSdk({ operation, pathValues, queryValues, json, form, credential }: OperationRequest): string {
  const fields = {
    ...pathValues,
    ...queryValues,
    ...(typeof json === 'object' && json !== null ? json : {}),
  };
  const file = form?.find((field) => field.file);
  const text = form
    ? `{ ${form.map((field) => (field.file ? `${field.name}: await openAsBlob('${field.value}')` : `${field.name}: '${field.value}'`)).join(', ')} }`
    : literal(fields, inTypescript);
  const input = text === '{}' ? '' : text;
  const method = shortcuts[operation.id] ?? operation.id;
  return [
    ...(file ? ["import { openAsBlob } from 'node:fs';"] : []),
    "import { Postrider } from '@postrider/sdk';",
    '',
    'const postrider = new Postrider({',
    `  apiKey: process.env.${keyVariable(credential)} ?? '',`,
    `  baseUrl: '${baseUrl}',`,
    '});',
    `const result = await postrider.${method}(${input});`,
    'console.log(result);',
  ].join('\n');
}

function withFetch({ operation, target, credential, json, form }: OperationRequest): string {
  const options: string[] = [];
  const isPlain = json === undefined && !form;
  if (operation.method !== 'GET') options.push(`method: '${operation.method}',`);
  const headers: string[] = [];
  if (credential === 'session')
    headers.push(`Cookie: \`postrider_session=\${session}\`,`, "'X-Project-Id': projectId,");
  if (json !== undefined) headers.push("'Content-Type': 'application/json',");
  if (headers.length > 0)
    options.push(['headers: {', ...headers.map((line) => `  ${line}`), '},'].join('\n  '));
  if (json !== undefined) options.push(`body: JSON.stringify(${literal(json, inTypescript, '  ')}),`);
  if (form)
    options.push(
      `body: new URLSearchParams(${literal(Object.fromEntries(form.map(({ name, value }) => [name, value])), inTypescript, '  ')}),`,
    );
  const call =
    isPlain && options.length === 0
      ? `fetch('${baseUrl}${target}')`
      : `fetch('${baseUrl}${target}', {\n  ${options.join('\n  ')}\n})`;
  return [
    ...(credential === 'session'
      ? ["const session = process.env.SESSION ?? '';", "const projectId = process.env.PROJECT_ID ?? '';", '']
      : []),
    `const response = await ${call};`,
    'console.log(response.status, await response.text());',
  ].join('\n');
}
