import { createSegmentInput, updateSegmentInput } from '@postrider/core/audience/segments/contract';
import { textLimits, type Whole } from '@postrider/core/base/lib/contract';
import { type ReactNode, useMemo, useState } from 'react';
import type { Segment, SegmentInput } from '../../../lib/api.ts';
import { type Failure, withoutFields } from '../../../lib/failure.ts';
import type { FormDraft } from '../../../lib/use-draft.ts';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { FieldRow, Form, FormActions } from '../../../ui/form.tsx';
import { FilterBuilder } from '../../common/filters/filter-builder.tsx';
import { fromTree, isTree, newTree, type TreeDraft, toTree } from '../../common/filters/filter-tree.rules.ts';
import { incompleteFilters } from '../../common/filters/incomplete-filters.ts';
import styles from './segment-form.module.css';
import { segmentTypes } from './segment-type.tsx';

interface SegmentFormProps {
  label: string;
  /** Absent for a new segment. */
  segment?: Segment;
  /** The condition to begin with. */
  initial?: TreeDraft | null;
  failure: Failure | null;
  draft: FormDraft;
  /** The condition is undefined for a static segment. */
  onSubmit: (input: Whole<SegmentInput, undefined> & { slug?: string }) => void;
  /** The buttons of the form. */
  children: ReactNode;
}

export function SegmentForm({
  label,
  segment,
  initial,
  failure: refusal,
  draft,
  onSubmit,
  children,
}: SegmentFormProps) {
  const [type, setType] = useState<Segment['type']>(segment?.type ?? 'DYNAMIC');
  const [tree, setTree] = useState(() =>
    isTree(segment?.condition) ? fromTree(segment.condition) : (initial ?? newTree()),
  );
  const [own, setOwn] = useState<Failure | null>(null);
  const failure = own ?? refusal;
  const ofFields = useMemo(() => failure && withoutFields(failure, 'condition'), [failure]);
  const isDynamic = type === 'DYNAMIC';
  return (
    <Form
      label={label}
      failure={ofFields}
      draft={draft}
      extra={{ value: tree, restore: (value) => setTree(value as TreeDraft) }}
      onSubmit={({ name = '', description = '', slug, trackMembership }) => {
        const missing = isDynamic ? incompleteFilters(tree, 'condition') : null;
        setOwn(missing);
        if (missing) return;
        onSubmit({
          name,
          description: description.trim() === '' ? null : description,
          type,
          condition: isDynamic ? toTree(tree) : undefined,
          trackMembership: trackMembership === 'on',
          ...(slug !== undefined && slug !== segment?.slug && { slug }),
        });
      }}
    >
      <FieldRow>
        <TextField
          name="name"
          label="Name"
          defaultValue={segment?.name}
          {...textLimits(createSegmentInput, 'name')}
          required
          autoFocus={segment === undefined}
        />
        <TextField
          name="description"
          label="Description"
          defaultValue={segment?.description ?? ''}
          {...textLimits(createSegmentInput, 'description')}
        />
      </FieldRow>
      {segment && (
        <FieldRow>
          <TextField
            name="slug"
            label="Slug"
            defaultValue={segment.slug}
            {...textLimits(updateSegmentInput, 'slug')}
            required
            hint={`Names its events, such as segment.${segment.slug}.entry. It can't change while something uses them.`}
          />
        </FieldRow>
      )}
      {!segment && (
        <FieldRow>
          <SelectField
            name="type"
            label="Type"
            value={type}
            onChange={({ target }) => setType(target.value === 'STATIC' ? 'STATIC' : 'DYNAMIC')}
          >
            <option value="DYNAMIC">{segmentTypes.DYNAMIC.meaning}</option>
            <option value="STATIC">{segmentTypes.STATIC.meaning}</option>
          </SelectField>
        </FieldRow>
      )}
      {isDynamic && (
        <section className={styles.condition} aria-label="Condition">
          <h3>Condition</h3>
          <FilterBuilder
            tree={tree}
            onChange={setTree}
            path="condition"
            failures={failure?.fields ?? {}}
            {...(segment && { segmentId: segment.id })}
          />
        </section>
      )}
      <CheckField
        name="trackMembership"
        label="Track entries and exits"
        hint="Each one creates an event that can start a workflow."
        defaultChecked={segment?.trackMembership ?? false}
      />
      <FormActions>{children}</FormActions>
    </Form>
  );
}
