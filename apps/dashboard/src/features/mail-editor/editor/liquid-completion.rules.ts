import { liquidBlocks, liquidFilters, liquidTags } from '@postrider/core/content/templates/contract';

export interface LiquidOption {
  label: string;
  kind: 'variable' | 'filter' | 'tag';
  /** Nothing follows it within the markup. */
  isWhole?: true;
}

export interface LiquidCompletion {
  /** Where the text that an option replaces begins. */
  from: number;
  options: LiquidOption[];
  /** What ends the markup that the caret is in. */
  close: '}}' | '%}';
}

/**
 * What may be typed at the end of a text.
 *
 * @param before the text before the caret
 * @param variables names, each with or without a fallback (`name ?? there`), which only outputs take
 */
export function completeLiquid(before: string, variables: readonly string[]): LiquidCompletion | null {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  if (start < 0) return null;
  const isOutput = before[start + 1] === '{';
  const close = isOutput ? '}}' : '%}';
  const inner = before.slice(start + 2);
  if (inner.includes(close)) return null;
  const step = lastStep(inner);
  if (step === null) return null;
  const here = (text: string, options: LiquidOption[]): LiquidCompletion => ({
    from: before.length - text.length,
    options,
    close,
  });
  if (step.operator === '|') {
    const name = /^\s*(\w*)$/.exec(step.text);
    if (name) return here(name[1] ?? '', liquidFilters.map(asOption('filter')));
    return here(lastWord(step.text), namesOf(before, variables));
  }
  if (isOutput) {
    const outputs = [...new Set([...variables, ...localNames(before)])].map(asOption('variable'));
    return here(
      step.text.replace(/^-?\s*/, ''),
      outputs.map((option) => ({ ...option, isWhole: true })),
    );
  }
  const tag = /^-?\s*(\w*)$/.exec(inner);
  if (tag) return here(tag[1] ?? '', tagsAfter(before.slice(0, start)));
  return here(lastWord(step.text), namesOf(before, variables));
}

const asOption =
  (kind: LiquidOption['kind']) =>
  (label: string): LiquidOption => ({ label, kind });

const lastWord = (text: string): string => /[\w.-]*$/.exec(text)?.[0] ?? '';

const namesOf = (before: string, variables: readonly string[]): LiquidOption[] => {
  const names = variables.map((variable) => variable.replace(/\s*\?\?.*$/, ''));
  return [...new Set([...names, ...localNames(before)])].map(asOption('variable'));
};

const definitions =
  /\{%-?\s*(?:(?:assign|capture|increment|decrement)\s+([\w-]+)|(?:for|tablerow)\s+([\w-]+)\s+in\b)/g;

/** The names that the tags before the caret define. */
function localNames(before: string): string[] {
  const found = [...before.matchAll(definitions)].map(([, assigned, item]) => assigned ?? item ?? '');
  return openBlocks(before).includes('for')
    ? [...found, 'forloop.index', 'forloop.first', 'forloop.last']
    : found;
}

const tagNames = /\{%-?\s*(\w+)/g;

/** The blocks that the text begins and does not end, the innermost first. */
function openBlocks(text: string): string[] {
  const open: string[] = [];
  for (const [, name = ''] of text.matchAll(tagNames)) {
    const ended = open.findIndex((block) => name === `end${block}`);
    if (ended >= 0) open.splice(0, ended + 1);
    else if (Object.hasOwn(liquidBlocks, name)) open.unshift(name);
  }
  return open;
}

/** First what continues or ends the block around the tag. */
function tagsAfter(text: string): LiquidOption[] {
  const [block] = openBlocks(text);
  const own = block === undefined ? [] : [`end${block}`, ...(liquidBlocks[block] ?? [])];
  return [...own, ...liquidTags].map((label) => ({
    label,
    kind: 'tag',
    ...(isWholeTag(label) && { isWhole: true }),
  }));
}

const isWholeTag = (name: string): boolean => /^(?:end\w+|else|break|continue|comment|raw)$/.test(name);

interface Step {
  operator: '' | '|';
  text: string;
}

/** What follows the last `|` or `??`; null within quotes and in a fallback, which is a literal. */
function lastStep(inner: string): Step | null {
  let step: Step | null = { operator: '', text: '' };
  let from = 0;
  let quote = '';
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (/["']/.test(character) && !/[\p{L}\p{N}_]/u.test(inner.charAt(at - 1))) {
      quote = character;
    } else if (character === '|') {
      step = { operator: '|', text: '' };
      from = at + 1;
    } else if (inner.startsWith('??', at)) {
      step = null;
      from = at + 2;
      at++;
    }
  }
  return quote !== '' || step === null ? null : { ...step, text: inner.slice(from) };
}
