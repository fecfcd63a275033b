import type { z } from 'zod';
import { version } from '../../version.ts';
import type { Endpoint } from '../endpoint.ts';
import { errorExample, errorExampleName } from './error-examples.ts';
import { errorEnvelope, flatError } from './error-schemas.ts';
import { errorsOf } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { SchemaWriter } from './json-schema.ts';
import type { Named } from './records.ts';
import { requestOf } from './request.ts';
import { responsesOf } from './responses.ts';
import { credentialTexts, securityOf, securitySchemes } from './security.ts';

/** The OpenAPI 3.1 document of everything mounted, with named schemas for the records that come back often. */
export function openApiOf(endpoints: readonly Endpoint[], records: Record<string, z.ZodType>) {
  const writer = new SchemaWriter();
  const named = new Map<string, string>();
  for (const [name, record] of Object.entries({ Error: errorEnvelope, FlatError: flatError, ...records })) {
    const schema = writer.write(record, 'output');
    named.set(JSON.stringify(schema), name);
    writer.components[name] = schema;
  }
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, writer, named) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postrider API',
      version,
      description: 'Transactional email, events, contacts, templates and campaigns of one project.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes,
      headers,
      parameters: headerParameters,
      examples: examplesOf(endpoints),
      schemas: writer.components,
    },
  };
}

const tagOf = ({ name }: Endpoint): string => name.split('.')[0] ?? name;

function operationOf(endpoint: Endpoint, writer: SchemaWriter, named: Named) {
  const { name, summary, credential } = endpoint;
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary,
    description: `${summary.replace(/\.$/, '')}. ${credentialTexts[credential]}`,
    security: securityOf[credential],
    ...requestOf(endpoint, writer),
    responses: responsesOf(endpoint, writer, named),
  };
}

/** One example for every code and status that some endpoint answers. */
function examplesOf(endpoints: readonly Endpoint[]): Record<string, object> {
  const examples: Record<string, object> = {
    FLAT: { summary: 'A required field is missing', value: { error: 'email is required' } },
  };
  for (const endpoint of endpoints)
    for (const [status, codes] of errorsOf(endpoint))
      for (const code of codes) examples[errorExampleName(code, status)] ??= errorExample(code, status);
  return examples;
}
