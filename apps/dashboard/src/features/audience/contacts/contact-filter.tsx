import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useProjectPath } from '../../../lib/current.ts';
import { plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { FilterBuilder } from '../../common/filters/filter-builder.tsx';
import {
  countIn,
  missingIn,
  newTree,
  parseTree,
  type TreeDraft,
  toTree,
} from '../../common/filters/filter-tree.rules.ts';

interface ContactFilterProps {
  /** The filter tree of the list as JSON; empty without one. */
  condition: string;
  onChange: (condition: string) => void;
}

/** Filters the list of contacts by fields, events, email activity and segments. */
export function ContactFilter({ condition, onChange }: ContactFilterProps) {
  const [open, setOpen] = useState(false);
  const tree = parseTree(condition);
  return (
    <>
      <Button small icon="segment" onClick={() => setOpen(true)}>
        {tree ? plural(countIn(tree), 'condition') : 'Filter'}
      </Button>
      {open && (
        <FilterDialog
          initial={tree}
          onClose={() => setOpen(false)}
          onChange={(next) => {
            onChange(next);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

interface FilterDialogProps {
  initial: TreeDraft | null;
  onChange: (condition: string) => void;
  onClose: () => void;
}

function FilterDialog({ initial, onChange, onClose }: FilterDialogProps) {
  const to = useProjectPath();
  const navigate = useNavigate();
  const [tree, setTree] = useState(() => initial ?? newTree());
  const [missing, setMissing] = useState<Record<string, string>>({});
  const withCondition = (use: (condition: string) => void) => {
    const incomplete = missingIn(tree, 'filter');
    setMissing(incomplete);
    if (Object.keys(incomplete).length === 0) use(JSON.stringify(toTree(tree)));
  };
  const save = (condition: string) =>
    void navigate(to(`segments/new?condition=${encodeURIComponent(condition)}`));
  return (
    <Dialog title="Filter contacts" onClose={onClose} wide>
      <FilterBuilder tree={tree} onChange={setTree} path="filter" failures={missing} />
      <DialogActions>
        {initial && (
          <Button kind="quiet" onClick={() => onChange('')}>
            Remove filter
          </Button>
        )}
        <Button kind="quiet" onClick={() => withCondition(save)}>
          Save as a segment
        </Button>
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" onClick={() => withCondition(onChange)}>
          Apply
        </Button>
      </DialogActions>
    </Dialog>
  );
}
