import { cleanExpression, expressionOf, partsOf, textOf } from '@postrider/core/content/templates/contract';
import { InputRule } from '@tiptap/core';
import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { TextControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    variable: typeof view;
  }
}

/** A variable. Typing `{{name}}` makes one, and the menus of variables do. */
export const view: BlockView<'variable'> = {
  type: 'variable',
  group: 'inline',
  content: null,
  insertions: [],
  draw({ expression }) {
    const { name, fallback } = partsOf(expression);
    const attributes = { class: 'mail-variable', ...(fallback !== '' && { 'data-fallback': fallback }) };
    return ['span', attributes, name || 'variable'];
  },
  Panel: VariablePanel,
  node: {
    renderText: ({ node }) => `{{${textOf(node.attrs['expression'])}}}`,
    addInputRules() {
      const { type } = this;
      return [
        new InputRule({
          find: /\{\{([^{}]+)\}\}$/,
          handler({ state, range, match }) {
            const expression = cleanExpression(match[1] ?? '');
            if (expression !== '') state.tr.replaceWith(range.from, range.to, type.create({ expression }));
          },
        }),
      ];
    },
  },
};

function VariablePanel({ values, onChange }: BlockPanelProps<'variable'>) {
  const { name, fallback } = partsOf(values.expression);
  return (
    <>
      <TextControl
        label="Name"
        value={name}
        onChange={(next) => onChange({ expression: expressionOf(next, fallback) })}
      />
      <TextControl
        label="If it is empty"
        placeholder="there"
        value={fallback}
        onChange={(next) => onChange({ expression: expressionOf(name, next) })}
      />
    </>
  );
}
