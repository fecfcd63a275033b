import { inPhp, literal } from './literal.ts';
import { baseUrl, keyVariable, type SampleRequest } from './request.ts';

export function phpSample({ operation, target, credential, json, form }: SampleRequest): string {
  const options = ['CURLOPT_RETURNTRANSFER => true,'];
  const headers: string[] = [];
  if (operation.method !== 'GET') options.push(`CURLOPT_CUSTOMREQUEST => '${operation.method}',`);
  if (credential === 'session') {
    headers.push("'X-Project-Id: ' . getenv('PROJECT_ID'),");
    options.push("CURLOPT_COOKIE => 'postrider_session=' . getenv('SESSION'),");
  } else if (credential !== 'none')
    headers.push(`'Authorization: Bearer ' . getenv('${keyVariable(credential)}'),`);
  if (json !== undefined) headers.push("'Content-Type: application/json',");
  if (headers.length > 0)
    options.push(['CURLOPT_HTTPHEADER => [', ...headers.map((line) => `    ${line}`), '],'].join('\n    '));
  if (json !== undefined) options.push(`CURLOPT_POSTFIELDS => json_encode(${literal(json, inPhp, '    ')}),`);
  if (form) {
    const fields = form.map(({ name, value, file }) =>
      file ? `'${name}' => new CURLFile('${value}'),` : `'${name}' => ${literal(value, inPhp)},`,
    );
    options.push(['CURLOPT_POSTFIELDS => [', ...fields.map((line) => `    ${line}`), '],'].join('\n    '));
  }
  return [
    '<?php',
    `$request = curl_init('${baseUrl}${target}');`,
    'curl_setopt_array($request, [',
    ...options.map((line) => `    ${line}`),
    ']);',
    'echo curl_exec($request);',
  ].join('\n');
}
