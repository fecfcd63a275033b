import type { BlockPanelProps, BlockView } from '../block-view.ts';
import { CodeControl } from '../inspector-controls.tsx';

declare module '../block-view.ts' {
  interface ViewsOfBlocks {
    html: typeof view;
  }
}

const shownCode = 400;

/** HTML that the editor does not take apart; its code is shown. */
export const view: BlockView<'html'> = {
  type: 'html',
  group: 'block',
  content: null,
  insertions: [{ node: { type: 'html' } }],
  draw: ({ html }) => [
    'pre',
    { class: 'mail-html', 'data-label': 'HTML' },
    html.slice(0, shownCode) || 'Write HTML beside the email',
  ],
  Panel: HtmlPanel,
};

function HtmlPanel({ values, onChange }: BlockPanelProps<'html'>) {
  return <CodeControl label="Code" value={values.html} onChange={(html) => onChange({ html })} />;
}
