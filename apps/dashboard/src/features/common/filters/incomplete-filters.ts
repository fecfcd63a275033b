import type { Failure } from '../../../lib/failure.ts';
import { missingIn, type TreeDraft } from './filter-tree.rules.ts';

/** The failure of a form whose filters are not complete, found before a request is sent; null if they are. */
export function incompleteFilters(tree: TreeDraft, path: string): Failure | null {
  const fields = missingIn(tree, path);
  if (Object.keys(fields).length === 0) return null;
  return {
    message: 'Some filters are not complete',
    code: 'VALIDATION_ERROR',
    suggestion: 'The missing parts are marked below.',
    requestId: null,
    fields,
    position: null,
  };
}
