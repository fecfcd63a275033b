import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  pickedCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { html, htmlCompletionSource } from '@codemirror/lang-html';
import { liquid } from '@codemirror/lang-liquid';
import { bracketMatching, indentOnInput } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { look } from './code-editor-look.ts';
import type { CodeCompletion, CodeOption } from './code-editor-types.ts';

interface Setup {
  attributes: () => Record<string, string>;
  placeholder: string;
  complete: (before: string) => CodeCompletion | null;
  onChange: (text: string) => void;
}

export const extensionsFor = (setup: Setup): Extension => [
  lineNumbers(),
  lintGutter(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  drawSelection(),
  history(),
  indentOnInput(),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  liquid({ base: html({ autoCloseTags: false }) }),
  skipPercent,
  // Without this list the languages would also offer the tags of other dialects of Liquid, which are refused here.
  autocompletion({ override: [liquidSource(setup.complete), htmlCompletionSource], icons: false }),
  placeholder(setup.placeholder),
  EditorView.lineWrapping,
  EditorState.tabSize.of(2),
  EditorState.phrases.of(phrases),
  EditorView.contentAttributes.of(setup.attributes),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) setup.onChange(state.doc.toString());
  }),
  // The view lets Tab leave for two seconds after Escape.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
  look,
];

/** Moves over the `%` of a `%}` that was closed automatically, where it is typed nevertheless. */
const skipPercent = EditorView.inputHandler.of((view, from, to, text) => {
  const isBeforeClose = from === to && view.state.sliceDoc(to, to + 2) === '%}';
  if (text !== '%' || !isBeforeClose || view.state.sliceDoc(from - 1, from) === '{') return false;
  view.dispatch({ selection: { anchor: to + 1 }, userEvent: 'input.type' });
  return true;
});

const phrases = {
  next: 'Next',
  previous: 'Previous',
  all: 'All',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close search',
};

/** Markup that is longer is not completed. */
const lookBack = 20_000;

const liquidSource =
  (complete: Setup['complete']) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const start = Math.max(0, pos - lookBack);
    const found = complete(state.sliceDoc(start, pos));
    if (found === null) return null;
    const options = found.options.map((option, index) => completionOf(option, found, index));
    // While only the name goes on, its options are narrowed down at once, so that Enter never meets an older list.
    return { from: start + found.from, options, validFor: /^[\w.-]*$/ };
  };

const mostBoost = 99;

/** Options keep their order where they match equally well. */
const completionOf = (
  { label, kind, isWhole }: CodeOption,
  { close }: CodeCompletion,
  index: number,
): Completion => ({
  label,
  type: kind,
  detail: kind,
  boost: Math.max(-mostBoost, mostBoost - index),
  apply(view, completion, from, to) {
    const after = view.state.sliceDoc(to, to + 40);
    const space = /\s$/.test(view.state.sliceDoc(Math.max(0, from - 1), from)) ? ' ' : '';
    const isClosed = new RegExp(`^\\s*-?${close}`).test(after);
    const ending = isClosed ? (after.startsWith(close) ? space : '') : space + close;
    const insert = isWhole ? label + ending : label;
    const behind = isWhole && isClosed ? after.indexOf(close) + close.length : 0;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length + behind },
      annotations: pickedCompletion.of(completion),
      userEvent: 'input.complete',
    });
  },
});
