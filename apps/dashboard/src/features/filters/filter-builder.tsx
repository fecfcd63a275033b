import { FilterChoicesContext, useLoadFilterChoices } from './filter-choices.ts';
import { FilterNode } from './filter-node.tsx';
import type { TreeDraft } from './filter-tree.rules.ts';
import { LiveCount } from './live-count.tsx';

interface FilterBuilderProps {
  tree: TreeDraft;
  onChange: (tree: TreeDraft) => void;
  /** The name of the tree in the API's messages: `condition`, `audienceCondition`. */
  path: string;
  /** The API's error messages by field. */
  failures: Readonly<Record<string, string>>;
  /** The segment that the condition belongs to. */
  segmentId?: string;
}

/** Edits a filter tree and shows how many contacts match it. */
export function FilterBuilder({ tree, onChange, path, failures, segmentId }: FilterBuilderProps) {
  const choices = useLoadFilterChoices(segmentId);
  return (
    <FilterChoicesContext value={choices}>
      <FilterNode node={tree} onChange={onChange} path={path} failures={failures} depth={1} label="Filter" />
      <LiveCount tree={tree} />
    </FilterChoicesContext>
  );
}
