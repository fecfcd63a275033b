import { useMemo } from 'react';
import styles from './filter-builder.module.css';
import { type ExecutionChoices, FilterChoicesContext, useLoadFilterChoices } from './filter-choices.ts';
import { FilterNode } from './filter-node.tsx';
import { FilterPlaces } from './filter-places.ts';
import { pathsIn, type TreeDraft } from './filter-tree.rules.ts';
import { TreeWords } from './filter-words.tsx';
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
  /** What a condition of a workflow can look at besides the contact, which nobody can be counted by. */
  execution?: ExecutionChoices;
}

/** Edits a filter tree and shows it in words, how many contacts match it and the newest of them. */
export function FilterBuilder({ tree, onChange, path, failures, segmentId, execution }: FilterBuilderProps) {
  const loaded = useLoadFilterChoices(segmentId);
  const choices = { ...loaded, execution };
  const places = useMemo(() => ({ paths: pathsIn(tree, path), failures }), [tree, path, failures]);
  return (
    <FilterChoicesContext value={choices}>
      <FilterPlaces value={places}>
        <div className={styles.builder}>
          <FilterNode node={tree} onChange={onChange} depth={1} label="Conditions" />
        </div>
      </FilterPlaces>
      <TreeWords tree={tree} {...(execution && { begin: 'If' })} />
      {!execution && <LiveCount tree={tree} />}
    </FilterChoicesContext>
  );
}
