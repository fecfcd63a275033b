import { keyVariable } from '@postrider/core/base/samples/contract';
import { isChange, type OperationRequest } from './request.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export function curlSample(request: OperationRequest): string {
  const { operation, baseUrl, target, credential, json, form } = request;
  const parts: string[] = [];
  const url = `${baseUrl}${target}`;
  const address = /[?&<>{}]/.test(url) ? quoted(url) : url;
  const defaultMethod = json !== undefined || form ? 'POST' : 'GET';
  parts.push(
    operation.method === defaultMethod ? `curl ${address}` : `curl -X ${operation.method} ${address}`,
  );
  if (credential === 'session')
    parts.push('--cookie "postrider_session=$SESSION"', '-H "X-Project-Id: $PROJECT_ID"');
  else if (credential !== 'none') parts.push(`-H "Authorization: Bearer $${keyVariable(credential)}"`);
  if (json !== undefined) {
    parts.push('-H "Content-Type: application/json"');
    parts.push(`-d ${quoted(JSON.stringify(json, null, 2).replaceAll('\n', '\n  '))}`);
  } else if (form) {
    for (const { name, value, file } of form)
      parts.push(`-F ${quoted(`${name}=${file ? '@' : ''}${value}`)}`);
  } else if (isChange(request) && operation.method === 'POST') parts[0] = `curl -X POST ${address}`;
  return parts.join(' \\\n  ');
}
