import type { ApiDocument, DocumentedOperation } from '../document/document.ts';
import { hasField, reaches } from '../document/find-field.ts';

/** The names that pages may use. */
export interface Known {
  operation(id: string): DocumentedOperation | null;
  isWebhook(kind: string): boolean;
  isError(code: string): boolean;
  isVariable(name: string): boolean;
  /** a method and a path such as `GET /emails/:id`, with names or values in place of its parameters */
  isPath(method: string, path: string): boolean;
  /** such as `sending.send.attachments.contentType`, or `email.bounce.bounceType` of the data of a webhook */
  isField(path: string): boolean;
  /** a word in capitals that is a code, a variable of the environment or a value of the API */
  isConstant(word: string): boolean;
}

export function knownNames(document: ApiDocument, readme: string): Known {
  const operations = new Map(document.operations.map((operation) => [operation.id, operation]));
  const webhooks = new Map(document.webhooks.map((webhook) => [webhook.kind, webhook]));
  const errors = new Set(document.errors.map(({ code }) => code));
  const variables = variablesIn(readme);
  const paths = [
    ...document.operations.map(({ method, path }) => [method, path] as const),
    // Other programs of the installation, such as the mailbox, have their paths in the README.
    ...pathsIn(readme),
  ].map(([method, path]) => ({ method, segments: path.split('/') }));
  return {
    operation: (id) => operations.get(id) ?? null,
    isWebhook: (kind) => webhooks.has(kind),
    isError: (code) => errors.has(code),
    isVariable: (name) => variables.has(name),
    isPath: (method, path) => {
      const given = (path.split('?')[0] ?? '').split('/');
      return paths.some((each) => each.method === method && fits(each.segments, given));
    },
    isField(path) {
      const parts = path.split('.');
      return parts.some((_part, index) => {
        const name = parts.slice(0, index + 1).join('.');
        const field = parts.slice(index + 1);
        if (field.length === 0) return false;
        const operation = operations.get(name);
        if (operation && hasField(document, operation, field.join('.'))) return true;
        const webhook = webhooks.get(name);
        return (
          webhook !== undefined &&
          [field, ['data', ...field]].some((each) => reaches(document, webhook.schema, each))
        );
      });
    },
    isConstant: (word) => errors.has(word) || variables.has(word) || document.constants.has(word),
  };
}

/** The words in code marks of the section about the configuration. */
function variablesIn(readme: string): Set<string> {
  const [, section = ''] = readme.split(/^## Configuration$/m);
  const [table = ''] = section.split(/^## /m);
  return new Set([
    'NODE_ENV',
    ...[...table.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/g)].map(([, name = '']) => name),
  ]);
}

const pathsIn = (readme: string): (readonly [string, string])[] =>
  [...readme.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/[^`\s?]*)/g)].map(
    ([, method = '', path = '']) => [method, path] as const,
  );

const isParameter = (segment: string): boolean => /^(:|\{)/.test(segment);

const fits = (segments: readonly string[], given: readonly string[]): boolean =>
  segments.length === given.length &&
  segments.every((segment, index) => {
    const stated = given[index] ?? '';
    return isParameter(segment) ? stated !== '' : segment === stated;
  });
