import { type MailDesign, readDesign } from '@postrider/core/content/templates/contract';
import { codeNamed } from '../../../ui/code-handles.ts';
import type { DesignedContent } from '../content/content.rules.ts';
import { jumpToNode } from '../design/design-jump.ts';
import { type NodePath, pathAt, traceDesign } from '../design/trace-design.rules.ts';
import { type Finding, positionOf } from './finding.rules.ts';

interface Checked {
  content: DesignedContent;
  /** of the project */
  language: string;
  /** the form with the fields of the content */
  form: HTMLFormElement | null;
}

/** Shows the place of a finding: the block of a visual design, the line of the HTML, or the field. */
export function goToFinding({ field, offset }: Finding, { content, language, form }: Checked): void {
  if (field === null) return;
  const design = field === 'body' ? readDesign(content.design) : null;
  if (!design && !goToCode(content, field, offset)) goToField(form, field, offset);
  if (design) jumpToNode(pathOf(design, offset, { content, language }) ?? firstBlock);
}

const firstBlock = [0];

/** The block at an offset of the HTML; null for the whole email, and for HTML that an older version made. */
function pathOf(
  design: MailDesign,
  offset: number | null,
  { content, language }: Pick<Checked, 'content' | 'language'>,
): NodePath | null {
  if (offset === null) return null;
  const { html, ranges } = traceDesign(design, { subject: content.subject, language });
  return html === content.body ? pathAt(ranges, offset) : null;
}

/** @returns whether the field has an editor of code */
function goToCode(content: DesignedContent, field: string, offset: number | null): boolean {
  const code = field === 'body' ? codeNamed(field) : null;
  code?.jumpTo(positionOf(content.body, offset ?? 0));
  return code !== null;
}

/** Fields of the API that the form has under another name. */
const controls: Readonly<Record<string, string>> = { pace: 'careful' };

/** The control of a select is a button beside the element that is submitted. */
function goToField(form: HTMLFormElement | null, field: string, offset: number | null): void {
  const name = controls[field] ?? field;
  const control = form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"]`);
  const found = control ?? form?.elements.namedItem(name);
  if (!(found instanceof HTMLElement)) return;
  found.focus();
  found.scrollIntoView({ block: 'center' });
  if (found instanceof HTMLInputElement && offset !== null) found.setSelectionRange(offset, offset);
}
