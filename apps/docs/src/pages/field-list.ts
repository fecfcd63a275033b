import type { Field, FieldGroup } from '../document/fields.ts';
import { escapeHtml } from '../html/escape.ts';
import { renderInline } from '../html/markdown.ts';

/** More values than these are folded. */
const shownValues = 12;

/** Of what is sent, required fields are marked; of what is received, those that may be absent. */
export type Direction = 'sent' | 'received';

export const fieldListHtml = (fields: readonly Field[], direction: Direction = 'sent'): string =>
  fields.length === 0
    ? ''
    : `<ul class="fields">${fields.map((field) => fieldHtml(field, direction)).join('')}</ul>`;

const presenceOf = ({ required }: Field, direction: Direction): string =>
  direction === 'sent' ? (required ? 'required' : '') : required ? '' : 'may be absent';

function fieldHtml(field: Field, direction: Direction): string {
  const { name, id, type, deprecated, description, values, preset, groups } = field;
  const presence = presenceOf(field, direction);
  const marks = [
    presence ? `<span class="${direction === 'sent' ? 'required' : 'absent'}">${presence}</span>` : '',
    deprecated ? '<span class="deprecated">deprecated</span>' : '',
    preset === null ? '' : `<span class="preset">default <code>${escapeHtml(preset)}</code></span>`,
  ];
  const paragraphs = description
    .split('\n\n')
    .filter(Boolean)
    .map((text) => `<p>${renderInline(text)}</p>`);
  return `<li id="${escapeHtml(id)}"><div class="field"><a class="field-name" href="#${escapeHtml(id)}"><code>${escapeHtml(name)}</code></a> <span class="type">${escapeHtml(type)}</span>${marks.join('')}</div>${paragraphs.join('')}${valuesHtml(values)}${groupsHtml(groups, direction)}</li>`;
}

function valuesHtml(values: readonly string[]): string {
  if (values.length === 0) return '';
  const list = values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ');
  if (values.length === 1) return `<p class="values">Always ${list}</p>`;
  if (values.length <= shownValues) return `<p class="values">One of ${list}</p>`;
  return `<details><summary>${values.length} values</summary><p class="values">${list}</p></details>`;
}

/** Objects inside a field, folded. Several of them have their names. */
export function groupsHtml(groups: readonly FieldGroup[], direction: Direction, open = false): string {
  return groups
    .map(({ title, fields, listedAt }) => {
      const words = groups.length === 1 ? 'Fields' : `Fields of ${title}`;
      if (listedAt !== null)
        return `<p class="values">${escapeHtml(words)}: <a href="#${escapeHtml(listedAt)}">as those of ${escapeHtml(nameAt(listedAt))}</a></p>`;
      if (fields.length === 0) return '';
      return `<details${open ? ' open' : ''}><summary>${escapeHtml(words)}</summary>${fieldListHtml(fields, direction)}</details>`;
    })
    .join('');
}

/** `reply.data.contact` → `data.contact`. */
const nameAt = (anchor: string): string => anchor.replace(/^(reply|query|header)\./, '');

export const fieldListText = (fields: readonly Field[], direction: Direction = 'sent', depth = 0): string =>
  fields.map((field) => fieldText(field, direction, depth)).join('\n');

function fieldText(field: Field, direction: Direction, depth: number): string {
  const { name, type, deprecated, description, values, preset, groups } = field;
  const facts = [
    type,
    presenceOf(field, direction),
    deprecated ? 'deprecated' : '',
    preset === null ? '' : `default ${preset}`,
  ];
  const oneOf = values.length > 0 ? ` One of ${values.map((value) => `\`${value}\``).join(', ')}.` : '';
  const line = `${'  '.repeat(depth)}- \`${name}\` (${facts.filter(Boolean).join(', ')}) ${description.replaceAll(/\s+/g, ' ')}${oneOf}`;
  return [line.trimEnd(), ...groups.map((group) => groupText(group, direction, depth + 1))]
    .filter(Boolean)
    .join('\n');
}

function groupText({ title, fields, listedAt }: FieldGroup, direction: Direction, depth: number): string {
  const pad = '  '.repeat(depth);
  if (listedAt !== null) return `${pad}- fields of ${title}: as those of \`${nameAt(listedAt)}\``;
  if (title === 'Fields') return fieldListText(fields, direction, depth);
  return fields.length === 0 ? '' : `${pad}- ${title}:\n${fieldListText(fields, direction, depth + 1)}`;
}
