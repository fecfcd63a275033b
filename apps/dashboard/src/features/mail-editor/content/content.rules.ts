import {
  type Design,
  type EmailContent,
  type TemplateField,
  templateFields,
} from '@postrider/core/content/templates/contract';
import { given } from '../../../lib/given.ts';
import { keysOf } from '../../../lib/keys-of.ts';
import type { FormValues } from '../../../ui/form.tsx';
import { parseDesign } from '../design/parse-design.ts';
import { emailTypeOf } from './email-types.ts';

/** The content that the dashboard edits: with the design that the body was made from. */
export interface DesignedContent extends EmailContent {
  design: Design | null;
}

/** Empty content. @param from the suggested sender */
export const blankContent = (from: string, type: EmailContent['type']): EmailContent => ({
  subject: '',
  preheader: null,
  body: '',
  text: null,
  from,
  fromName: null,
  replyTo: null,
  type,
});

/** Reads the values of `ContentFields`. */
export const readContent = (values: FormValues): DesignedContent => ({
  subject: values.subject ?? '',
  preheader: given(values.preheader) ?? null,
  body: values.body ?? '',
  // Blanks at its ends belong to it.
  text: given(values.text) === undefined ? null : (values.text ?? null),
  design: parseDesign(values.design ?? ''),
  from: values.from ?? '',
  fromName: given(values.fromName) ?? null,
  replyTo: given(values.replyTo) ?? null,
  type: emailTypeOf(values.type),
});

/** The names of the fields that may hold variables. */
export const templateFieldNames = keysOf(templateFields);

/** The texts that may hold variables. */
export const templateTexts = (content: Pick<EmailContent, TemplateField>): string[] =>
  templateFieldNames.map((field) => content[field] ?? '');
