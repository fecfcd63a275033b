import { inPython, literal } from './literal.ts';
import { baseUrl, keyVariable, type SampleRequest } from './request.ts';

export function pythonSample({ operation, target, credential, json, form }: SampleRequest): string {
  const lines: string[] = [];
  const usesKey = credential === 'secret' || credential === 'public';
  if (usesKey) lines.push(`headers={"Authorization": f"Bearer {os.environ['${keyVariable(credential)}']}"},`);
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
    ...(usesKey || credential === 'session' ? ['import os', ''] : []),
    'import requests',
    '',
    `response = requests.${operation.method.toLowerCase()}(`,
    `    "${baseUrl}${target}",`,
    ...lines.map((line) => `    ${line}`),
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n');
}
