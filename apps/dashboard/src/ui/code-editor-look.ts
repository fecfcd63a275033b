import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    fontSize: 'var(--text-s)',
  },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0.5rem 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-gutters': {
    color: 'var(--ink-faint)',
    backgroundColor: 'var(--sunken)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0.3em 0.1rem 0' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--ink) 4%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--focus) 28%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--busy-tint)' },
  '&.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--good-tint)',
    outline: '1px solid var(--good)',
  },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--bad-tint)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textDecorationSkipInk: 'none',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-tint)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--warn) 35%, transparent)' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--sunken)', fontFamily: 'var(--font-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: '0.4rem 2rem 0.4rem 0.6rem' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    gap: '0.3rem',
    alignItems: 'center',
    fontSize: 'var(--text-xs)',
  },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)', fontSize: '1.1rem', padding: '0 0.4rem' },
  '.cm-textfield': {
    minHeight: '1.75rem',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius-s)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    fontSize: 'var(--text-s)',
  },
  '.cm-button': {
    minHeight: '1.75rem',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius-s)',
    color: 'var(--ink)',
    background: 'var(--surface)',
    fontSize: 'var(--text-s)',
  },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow-raised)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-text)',
    fontSize: 'var(--text-s)',
    maxHeight: '16rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '1rem',
    justifyContent: 'space-between',
    padding: '0.25rem 0.6rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--ink)',
    background: 'var(--busy-tint)',
  },
  '.cm-completionMatchedText': { color: 'var(--link)', fontWeight: '620', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--ink-faint)', fontStyle: 'normal' },
  '.cm-diagnostic': { padding: '0.35rem 0.6rem', fontFamily: 'var(--font-text)', fontSize: 'var(--text-s)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--state-clicked)' },
  { tag: tags.attributeName, color: 'var(--state-bounced)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--good)' },
  { tag: [tags.comment, tags.documentMeta, tags.processingInstruction], color: 'var(--ink-faint)' },
  { tag: [tags.number, tags.bool, tags.atom, tags.color, tags.unit], color: 'var(--state-complained)' },
  {
    tag: [tags.keyword, tags.definitionKeyword, tags.controlKeyword, tags.operatorKeyword],
    color: 'var(--bad)',
  },
  { tag: [tags.variableName, tags.propertyName, tags.brace], color: 'var(--link)' },
  { tag: [tags.function(tags.variableName), tags.className, tags.labelName], color: 'var(--warn)' },
  { tag: tags.invalid, color: 'inherit' },
]);

/** The editor in the colours of the tokens, in both themes. */
export const look: Extension = [theme, syntaxHighlighting(colours)];
