import type { TopicRow } from '../../audience/topics/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import type { FormRecord } from './forms.schema.ts';
import { type FormRow, topicKeysOf } from './forms.store.ts';

export const urlOfForm = ({ config }: Pick<Services, 'config'>, id: string): string =>
  `${config.LINKS_URL}/f/${id}`;

/** A form in the form of the API. @param topics those of its project */
export function presentForm(
  services: Pick<Services, 'config'>,
  form: FormRow,
  topics: readonly TopicRow[],
): FormRecord {
  const { guardedUntil } = form;
  return {
    ...form,
    url: urlOfForm(services, form.id),
    topics: topicKeysOf(topics, form.topics),
    guardedUntil: guardedUntil && guardedUntil > new Date() ? guardedUntil : null,
  };
}
