import { Kind, parse, type SelectionSetNode } from 'graphql';
import { schema } from './schema.ts';

/** More are not looked for in one document. */
const most = 10;

/** The operations that the root fields of a document name, of one that is not run. Empty for a document that cannot be parsed. */
export function rootOperationsOf(query: string): string[] {
  try {
    const operations = parse(query).definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
      return namesIn(definition.selectionSet).flatMap((name) => fields[name]?.extensions['operation'] ?? []);
    });
    return operations.filter((name) => typeof name === 'string').slice(0, most);
  } catch {
    return [];
  }
}

/** Without those of fragments, which name the type that they are about. */
const namesIn = ({ selections }: SelectionSetNode): string[] =>
  selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
