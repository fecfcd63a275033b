import { useMemo, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { ConditionCode } from '../conditions/condition-code.tsx';
import { ConditionRows } from '../conditions/condition-rows.tsx';
import { testInWords, treeIn } from '../conditions/test-tree.rules.ts';
import { ChoiceControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    condition: typeof view;
  }
}

export const view: BlockView<'condition'> = {
  type: 'condition',
  group: 'section',
  content: '(block|columns|panel)+',
  insertions: [{ node: { type: 'condition', attrs: { test: '' }, content: [{ type: 'paragraph' }] } }],
  draw: ({ test, hides }) => [
    'div',
    { class: 'mail-condition', 'data-test': `${hides ? 'Unless' : 'If'} ${testInWords(test)}` },
    0,
  ],
  Panel: ConditionPanel,
};

function ConditionPanel({ values: { test, hides }, onChange }: BlockPanelProps<'condition'>) {
  /** What the rows made of the test; another test, such as one that was undone, makes new rows. */
  const [own, setOwn] = useState(test);
  const [base, setBase] = useState(test);
  if (test !== own) {
    setOwn(test);
    setBase(test);
  }
  const stored = useMemo(() => treeIn(base), [base]);
  const [isCode, setCode] = useState(stored === null);
  const change = (next: string) => {
    setOwn(next);
    onChange({ test: next });
  };
  const isCoded = isCode || stored === null;
  return (
    <>
      <ChoiceControl
        label="Shown to contacts"
        options={[
          { value: 'if', label: 'Who meet it' },
          { value: 'unless', label: 'Who do not' },
        ]}
        value={hides ? 'unless' : 'if'}
        onChange={(choice) => onChange({ hides: choice === 'unless' })}
      />
      {isCoded ? (
        <ConditionCode key={base} label="Show if" test={test} onChange={change} />
      ) : (
        <ConditionRows key={base} stored={stored} onChange={change} />
      )}
      {(!isCoded || treeIn(test) !== null) && (
        <div>
          <Button
            small
            kind="quiet"
            onClick={() => {
              setBase(test);
              setCode(!isCoded);
            }}
          >
            {isCoded ? 'Show as rows' : 'Write it as Liquid'}
          </Button>
        </div>
      )}
    </>
  );
}
