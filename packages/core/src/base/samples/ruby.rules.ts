import { inRuby, literal } from './literal.rules.ts';
import { keyVariable, type SampleRequest } from './sample-request.rules.ts';

/** A program for Ruby with its own library. */
export function rubySample({ method, baseUrl, target, credential, key, json, form }: SampleRequest): string {
  const lines: string[] = [];
  if (credential === 'session')
    lines.push(
      `request['Cookie'] = "postrider_session=#{ENV.fetch('SESSION')}"`,
      "request['X-Project-Id'] = ENV.fetch('PROJECT_ID')",
    );
  else if (credential !== 'none')
    lines.push(
      key === undefined
        ? `request['Authorization'] = "Bearer #{ENV.fetch('${keyVariable(credential)}')}"`
        : `request['Authorization'] = ${literal(`Bearer ${key}`, inRuby)}`,
    );
  if (json !== undefined) {
    lines.push("request['Content-Type'] = 'application/json'");
    lines.push(`request.body = ${literal(json, inRuby)}.to_json`);
  }
  if (form?.some(({ file }) => file)) {
    const fields = form.map(({ name, value, file }) =>
      file ? `['${name}', File.open('${value}')]` : `['${name}', ${literal(value, inRuby)}]`,
    );
    lines.push(`request.set_form([${fields.join(', ')}], 'multipart/form-data')`);
  } else if (form)
    lines.push(
      `request.set_form_data(${literal(Object.fromEntries(form.map(({ name, value }) => [name, value])), inRuby)})`,
    );
  return [
    ...(json === undefined ? [] : ["require 'json'"]),
    "require 'net/http'",
    '',
    `uri = URI('${baseUrl}${target}')`,
    `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
    ...lines,
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
    'puts response.code, response.body',
  ].join('\n');
}
