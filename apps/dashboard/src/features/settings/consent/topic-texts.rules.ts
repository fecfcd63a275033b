import type { Texts } from '@postrider/core/audience/topics/contract';
import { mailLanguage } from '@postrider/core/base/kernel/contract';
import type { FormValues } from '../../../ui/form.tsx';

export type MailLanguage = (typeof mailLanguage.options)[number];

/** The texts by language that fields of these names hold: `name.en`, `name.de`. One that is empty is not among them. */
export function textsIn(values: FormValues, field: string): Texts {
  const given = mailLanguage.options.flatMap((language): [MailLanguage, string][] => {
    const text = values[`${field}.${language}`]?.trim() ?? '';
    return text === '' ? [] : [[language, text]];
  });
  return Object.fromEntries(given) as Texts;
}

/** The languages that a topic has texts in; of a new one, that of the project. */
export function languagesOf(
  texts: readonly (Texts | null)[],
  language: MailLanguage,
): readonly MailLanguage[] {
  const used = mailLanguage.options.filter((each) => texts.some((text) => text?.[each] !== undefined));
  return used.length === 0 ? [language] : used;
}
