import type { ShownRequest, samplePage } from '@postrider/core/mail/forms';
import type { RecipientPage } from '@postrider/core/mail/forms/contract';
import type { z } from 'zod';
import { confirmPage } from './confirm-pages.ts';
import { formPage, receivedPage } from './form-pages.ts';
import type { Look } from './look.ts';
import type { Page } from './page.ts';
import {
  donePage,
  managePage,
  type Preferences,
  subscribePage,
  unsubscribePage,
} from './preference-pages.ts';

export type Sample = z.output<typeof samplePage.output>;

/** Links and forms of a page that is only looked at lead to the page itself. */
const nowhere = '#';

/** A page of recipients as a person sees it who does not exist. The same functions make it that make those behind links. */
export const pageOfSample = (sample: Sample, look: Look): Page => pages[sample.page](sample, look);

const pages: Record<RecipientPage, (sample: Sample, look: Look) => Page> = {
  form: (sample, look) => formPage(formIn(sample), { look, action: nowhere, isFramed: false }),
  received: (sample, look) => receivedPage(formIn(sample), look, sample.email),
  confirm: (sample, look) => confirmPage(requestOf(sample, 'open'), confirmPlace(look)),
  confirmed: (sample, look) =>
    confirmPage(requestOf(sample, 'confirmed'), confirmPlace(look), { isNew: true }),
  preferences: (sample, look) => managePage(preferencesOf(sample, 'subscribed'), { look, base: nowhere }),
  unsubscribe: (sample, look) =>
    unsubscribePage(preferencesOf(sample, 'subscribed'), { look, base: nowhere }),
  unsubscribed: (sample, look) => donePage(preferencesOf(sample, 'unsubscribed'), { look, base: nowhere }),
  subscribe: (sample, look) => subscribePage(preferencesOf(sample, 'unsubscribed'), { look, base: nowhere }),
};

const confirmPlace = (look: Look) => ({ look, action: nowhere, manage: nowhere });

function formIn({ form }: Sample): NonNullable<Sample['form']> {
  if (!form) throw new Error('a sample of a form has none');
  return form;
}

const preferencesOf = (
  { email, language, project, topics }: Sample,
  status: 'subscribed' | 'unsubscribed',
): Preferences => ({
  ...{ kind: 'contact', email, status, language, project, topics },
  ...{ snoozedUntil: null, emailTopic: null, inert: false },
});

const requestOf = (
  { email, language, project, topics, form }: Sample,
  state: ShownRequest['state'],
): ShownRequest => ({
  ...{ state, email, language, project },
  topics: (form?.topics ?? topics).map(({ name }) => name),
  wording: form?.consentText ?? null,
  ...{ formUrl: null, confirmedUrl: null, preferences: '' },
});
