import type { FilterTree } from '../../../audience/segments/filters.rules.ts';
import { readFilterTree } from '../../../audience/segments/filters.schema.ts';
import type { Db } from '../../../base/db/index.ts';
import type { FieldError } from '../../../base/kernel/index.ts';
import { type NamedReference, respellTrees } from './named-trees.rules.ts';
import { idsOfNames, namesOfReferences } from './names.store.ts';

/** A tree, or what has trees in it. */
interface Given {
  value: unknown;
  /** of the value in the document */
  path: string;
}

const kinds = ['segment', 'template', 'workflow'] as const;

/** Every reference of some trees. */
function referencesIn(given: readonly Given[]): NamedReference[] {
  const found: NamedReference[] = [];
  for (const { value, path } of given)
    respellTrees(value, path, (reference) => {
      found.push(reference);
      return reference.reference;
    });
  return found;
}

/**
 * Spells the references of stored trees as names.
 *
 * @param errors gets what has no name
 */
export async function namingOf(
  db: Db,
  projectId: string,
  given: readonly Given[],
  errors: FieldError[],
): Promise<(given: Given) => unknown> {
  const references = referencesIn(given);
  const names = new Map<string, string | null>();
  for (const kind of kinds) {
    const ids = references.flatMap((each) => (each.kind === kind ? [each.reference.toLowerCase()] : []));
    for (const [id, name] of await namesOfReferences(db, projectId, kind, [...new Set(ids)]))
      names.set(`${kind} ${id}`, name);
  }
  return ({ value, path }) =>
    respellTrees(value, path, ({ kind, reference, path: field }) => {
      const name = names.get(`${kind} ${reference.toLowerCase()}`);
      if (name !== undefined && name !== null) return `${kind}:${name}`;
      errors.push({
        field,
        code: 'required',
        message:
          kind === 'campaign'
            ? 'A campaign has no name that a document could have'
            : `The ${kind} ${reference} has no ${kind === 'segment' ? 'slug' : 'alias'}, by which a document names it`,
      });
      return reference;
    });
}

/** In the place of what the project does not have: the rest of the document is read all the same. */
const missingId = '00000000-0000-7000-8000-000000000000';

/**
 * Spells the names in trees of a document as the ids of what they stand for.
 *
 * @param errors gets unknown names
 */
export async function identifyingOf(
  db: Db,
  projectId: string,
  given: readonly Given[],
  errors: FieldError[],
): Promise<(given: Given) => unknown> {
  const references = referencesIn(given);
  const ids = new Map<string, string>();
  for (const kind of kinds) {
    const names = references.flatMap((each) =>
      each.kind === kind && each.reference.startsWith(`${kind}:`)
        ? [each.reference.slice(kind.length + 1)]
        : [],
    );
    for (const [name, id] of await idsOfNames(db, projectId, kind, [...new Set(names)]))
      ids.set(`${kind}:${name}`, id);
  }
  return ({ value, path }) =>
    respellTrees(value, path, ({ kind, reference, path: field }) => {
      const id = ids.get(reference);
      if (id === undefined)
        errors.push({
          field,
          code: 'unknown_reference',
          message: 'The project has nothing of this name',
          received: reference,
        });
      return kind === 'segment' ? `segment.${id ?? missingId}` : (id ?? missingId);
    });
}

/**
 * Reads a tree whose references are ids.
 *
 * @param errors gets what is wrong with it
 */
export function readIdentified({ value, path }: Given, errors: FieldError[]): FilterTree | null {
  const { tree, issues } = readFilterTree(value, { namesUnknown: true });
  for (const { path: at, code, message } of issues)
    errors.push({ field: [path, ...at].join('.'), code, message });
  return tree;
}
