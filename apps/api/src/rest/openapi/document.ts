import { version } from '../../version.ts';
import type { Endpoint } from '../endpoint.ts';
import { errorExample, errorExampleName } from './error-examples.ts';
import { errorEnvelope, flatError } from './error-schemas.ts';
import { errorsOf } from './errors.ts';
import { headerParameters, headers } from './headers.ts';
import { description } from './info.ts';
import { SchemaWriter } from './json-schema.ts';
import { pascalOf } from './named-components.ts';
import { type DocumentedOperation, type Paths, published } from './published.ts';
import { requestOf } from './request.ts';
import { refusalsOf, responsesOf } from './responses.ts';
import { credentialTexts, securityOf, securitySchemes } from './security.ts';
import { tagText } from './tags.ts';
import { titleOf } from './titles.ts';

interface Installation {
  /** the sandbox sender, which every project may use, so that the first request is accepted */
  sandboxFrom: string;
}

/** The OpenAPI 3.1 document of everything mounted, with the named schemas of core among its components. */
export function openApiOf(endpoints: readonly Endpoint[], installation: Installation) {
  const writer = new SchemaWriter();
  for (const [name, schema] of Object.entries({ ErrorEnvelope: errorEnvelope, FlatError: flatError }))
    writer.components[name] = writer.write(schema, 'output');
  const paths: Paths = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, writer, installation),
    };
  }
  return published({
    openapi: '3.1.0',
    info: {
      title: 'Postrider API',
      version,
      description,
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({
      name,
      description: tagText(name),
      'x-displayName': headingOf(name),
    })),
    paths,
    components: {
      securitySchemes,
      headers: Object.fromEntries(Object.entries(headers).map(([name, header]) => [pascalOf(name), header])),
      parameters: headerParameters,
      responses: refusalsOf(endpoints),
      examples: examplesOf(endpoints),
      schemas: writer.components,
    },
  });
}

/** How the API reference shows a tag: `sourceRefs` as "Source refs". */
const headingOf = (tag: string): string => {
  if (tag === 'graphql') return 'GraphQL';
  const words = tag.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const tagOf = ({ name }: Endpoint): string => name.split('.')[0] ?? name;

function operationOf(
  endpoint: Endpoint,
  writer: SchemaWriter,
  { sandboxFrom }: Installation,
): DocumentedOperation {
  const { name, summary, credential, risk } = endpoint;
  return {
    operationId: name,
    tags: [tagOf(endpoint)],
    summary: titleOf(name, summary),
    description: `${summary.replace(/\.$/, '')}.\n\n${credentialTexts[credential]}`,
    security: securityOf[credential],
    ...(risk === null ? {} : { 'x-risk': risk }),
    ...requestOf(endpoint, writer, name === 'sending.send' ? { from: sandboxFrom } : {}),
    responses: responsesOf(endpoint, writer),
  };
}

/** One example for every code and status that an endpoint answers, unless its refusals have a form of their own, with examples of theirs. */
function examplesOf(endpoints: readonly Endpoint[]): Record<string, object> {
  const examples: Record<string, object> = {
    Flat: { summary: 'A required field is missing', value: { error: 'email is required' } },
  };
  for (const endpoint of endpoints)
    for (const [status, codes] of endpoint.refusal ? [] : errorsOf(endpoint))
      for (const code of codes) examples[errorExampleName(code, status)] ??= errorExample(code, status);
  return examples;
}
