import { inPhp, literal } from './literal.rules.ts';
import { keyVariable, type SampleRequest } from './sample-request.rules.ts';

/** A program for PHP with its own functions. */
export function phpSample({ method, baseUrl, target, credential, key, json, form }: SampleRequest): string {
  const options = ['CURLOPT_RETURNTRANSFER => true,'];
  const headers: string[] = [];
  if (method !== 'GET') options.push(`CURLOPT_CUSTOMREQUEST => '${method}',`);
  if (credential === 'session') {
    headers.push("'X-Project-Id: ' . getenv('PROJECT_ID'),");
    options.push("CURLOPT_COOKIE => 'postrider_session=' . getenv('SESSION'),");
  } else if (credential !== 'none')
    headers.push(
      key === undefined
        ? `'Authorization: Bearer ' . getenv('${keyVariable(credential)}'),`
        : `${literal(`Authorization: Bearer ${key}`, inPhp)},`,
    );
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
