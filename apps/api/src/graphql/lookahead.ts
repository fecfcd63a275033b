import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/** Whether a field of the object that is being resolved was requested. */
export function isSelected({ fieldNodes, fragments }: GraphQLResolveInfo, field: string): boolean {
  const within = (selections: SelectionSetNode | undefined): boolean =>
    (selections?.selections ?? []).some((selection) => {
      if (selection.kind === Kind.FIELD) return selection.name.value === field;
      if (selection.kind === Kind.INLINE_FRAGMENT) return within(selection.selectionSet);
      return within(fragments[selection.name.value]?.selectionSet);
    });
  return fieldNodes.some(({ selectionSet }) => within(selectionSet));
}
