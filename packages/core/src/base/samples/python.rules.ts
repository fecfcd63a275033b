import { inPython, literal } from './literal.rules.ts';
import { keyVariable, type SampleRequest } from './sample-request.rules.ts';

/** A program for Python with `requests`. */
export function pythonSample({
  method,
  baseUrl,
  target,
  credential,
  key,
  json,
  form,
}: SampleRequest): string {
  const lines: string[] = [];
  const usesKey = credential === 'secret' || credential === 'public';
  const reads = key === undefined && (usesKey || credential === 'session');
  if (usesKey)
    lines.push(
      key === undefined
        ? `headers={"Authorization": f"Bearer {os.environ['${keyVariable(credential)}']}"},`
        : `headers={"Authorization": ${JSON.stringify(`Bearer ${key}`)}},`,
    );
  if (credential === 'session') {
    lines.push('cookies={"postrider_session": os.environ["SESSION"]},');
    lines.push('headers={"X-Project-Id": os.environ["PROJECT_ID"]},');
  }
  if (json !== undefined) lines.push(`json=${literal(json, inPython, '    ')},`);
  const files = form?.filter(({ file }) => file) ?? [];
  const fields = form?.filter(({ file }) => !file) ?? [];
  if (files.length > 0)
    lines.push(`files={${files.map(({ name, value }) => `"${name}": open("${value}", "rb")`).join(', ')}},`);
  if (fields.length > 0)
    lines.push(
      `data={${fields.map(({ name, value }) => `"${name}": ${JSON.stringify(value)}`).join(', ')}},`,
    );
  return [
    ...(reads ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${baseUrl}${target}",`,
    ...lines.map((line) => `    ${line}`),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
}
