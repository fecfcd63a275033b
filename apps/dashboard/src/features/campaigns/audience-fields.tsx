import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Campaign, useApi } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { SelectField } from '../../ui/field.tsx';
import { FieldRow } from '../../ui/form.tsx';
import { Segments } from '../../ui/segments.tsx';
import { FilterBuilder } from '../common/filters/filter-builder.tsx';
import { isComplete, type TreeDraft } from '../common/filters/filter-tree.rules.ts';
import styles from './audience-fields.module.css';
import { lineOf, linesOfTree, treeOfLines } from './audience-lines.rules.ts';
import { AudienceLines } from './audience-lines.tsx';
import { audienceTypeOf } from './campaign-input.rules.ts';

const audienceTypes: Readonly<Record<Campaign['audienceType'], string>> = {
  ALL: 'All contacts',
  SEGMENT: 'A segment',
  FILTERED: 'Contacts matching a filter',
};

interface AudienceFieldsProps {
  type: Campaign['audienceType'];
  onType: (type: Campaign['audienceType']) => void;
  segmentId: string | null;
  tree: TreeDraft;
  onTree: (tree: TreeDraft) => void;
  failures: Readonly<Record<string, string>>;
}

/** The audience of a campaign. The type of the email then decides whether contacts who are not subscribed receive it. */
export function AudienceFields({ type, onType, segmentId, tree, onTree, failures }: AudienceFieldsProps) {
  return (
    <>
      <FieldRow>
        <SelectField
          name="audienceType"
          label="Send to"
          value={type}
          onChange={({ target }) => onType(audienceTypeOf(target.value))}
          hint="Locked when sending starts."
        >
          {Object.entries(audienceTypes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {type === 'SEGMENT' && <SegmentField segmentId={segmentId} />}
      </FieldRow>
      {type === 'FILTERED' && (
        <section className={styles.filter} aria-label="Audience filter">
          <Filtered tree={tree} onTree={onTree} failures={failures} />
        </section>
      )}
    </>
  );
}

const views = [
  { value: 'lines', label: 'Include and exclude' },
  { value: 'builder', label: 'Filter' },
] as const;
type View = (typeof views)[number]['value'];

/** Whom a filter reaches: as segments and campaigns that are included and excluded, or as any conditions. */
function Filtered({ tree, onTree, failures }: Pick<AudienceFieldsProps, 'tree' | 'onTree' | 'failures'>) {
  const lines = linesOfTree(tree);
  const [wanted, setWanted] = useState<View>(lines ? 'lines' : 'builder');
  const [before, setBefore] = useState<TreeDraft | null>(null);
  const view = lines ? wanted : 'builder';
  const change = (next: View) => {
    setWanted(next);
    // Conditions that are no lines come back unless lines were chosen instead.
    if (next === 'builder' && before && !isComplete(tree)) onTree(before);
    if (next === 'builder' || lines) return;
    setBefore(tree);
    onTree(treeOfLines({ include: [lineOf('include', 'segment', '')], exclude: [] }));
  };
  return (
    <>
      <div className={styles.views}>
        <Segments label="How to choose contacts" options={views} value={view} onChange={change} />
      </div>
      {view === 'lines' && lines ? (
        <AudienceLines lines={lines} onChange={onTree} problems={Object.values(failures)} />
      ) : (
        <FilterBuilder tree={tree} onChange={onTree} path="audienceCondition" failures={failures} />
      )}
    </>
  );
}

function SegmentField({ segmentId }: { segmentId: string | null }) {
  const to = useProjectPath();
  const segments = useQuery(useApi().segments.list.queryOptions());
  return (
    <SelectField
      name="segmentId"
      label="Segment"
      defaultValue={segmentId ?? ''}
      required
      hint={
        segments.data?.length === 0 && (
          <>
            No segments yet. <Link to={to('segments/new')}>Create one</Link>
          </>
        )
      }
    >
      <option value="">Select a segment</option>
      {segmentId !== null && !segments.data && <option value={segmentId}>Loading…</option>}
      {segments.data?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
