import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useApi, useApiClient } from '../../../lib/api.ts';
import type { Failure } from '../../../lib/failure.ts';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { useField } from '../../../ui/field.tsx';
import { Form } from '../../../ui/form.tsx';

/** A segment that exists, or the name of one to be made. */
export type ChosenSegment = { id: string; name: string } | { id: null; name: string };

const made = 'new ';

interface ChooseSegmentProps {
  title: string;
  action: string;
  pending: boolean;
  failure: Failure | null;
  onChoose: (segment: ChosenSegment) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for a static segment, which may be a new one. */
export function ChooseSegment({
  title,
  action,
  pending,
  failure,
  onChoose,
  onClose,
  children,
}: ChooseSegmentProps) {
  const [chosen, setChosen] = useState<ChosenSegment | null>(null);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form label={title} failure={failure} onSubmit={() => chosen && onChoose(chosen)}>
        {children}
        <SegmentField chosen={chosen} onChange={setChosen} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={chosen === null} pending={pending}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function SegmentField({
  chosen,
  onChange,
}: {
  chosen: ChosenSegment | null;
  onChange: (segment: ChosenSegment) => void;
}) {
  const segments = useQuery(useApi().segments.list.queryOptions());
  const lists = (segments.data ?? []).filter(({ type }) => type === 'STATIC');
  const {
    control: { className: _, ...control },
    frame,
  } = useField({
    name: 'segmentId',
    label: 'Segment',
    hint: 'Static segments, which are lists kept by hand. Type a name to make a new one.',
  });
  return frame(
    <Combobox
      {...control}
      aria-label="Segment"
      isField
      groups={[{ label: 'Segments', options: lists.map(({ id, name }) => ({ value: id, label: name })) }]}
      create={(name) => ({ label: 'New segment', options: [{ value: `${made}${name}`, label: name }] })}
      value={chosen === null ? '' : (chosen.id ?? `${made}${chosen.name}`)}
      text={chosen?.name ?? ''}
      placeholder="Select a segment"
      onChange={(value) => {
        const known = lists.find(({ id }) => id === value);
        onChange(known ?? { id: null, name: value.slice(made.length) });
      }}
    />,
  );
}

/** The id of what was chosen; a new segment is made for it. */
export function useChosenSegment(): (segment: ChosenSegment) => Promise<string> {
  const { segments } = useApiClient();
  return async ({ id, name }) => id ?? (await segments.create.mutate({ name, type: 'STATIC' })).id;
}
