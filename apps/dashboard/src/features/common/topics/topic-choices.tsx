import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { SelectField } from '../../../ui/field.tsx';
import { nameOfTopic } from './topic-words.rules.ts';

/**
 * A choice for each topic: yes, no, or none. Its fields are named `<prefix><key>`, and hold `yes`, `no` or nothing. A project whose only topic is
 * `general` has the subscription for it.
 */
export function TopicChoices({
  prefix,
  topics: chosen = {},
}: {
  prefix: string;
  /** Those that are made at first. */
  topics?: Readonly<Record<string, boolean>> | undefined;
}) {
  const { language } = useProject();
  const topics = useQuery(useApi().topics.list.queryOptions({}));
  const listed = (topics.data ?? []).map((topic) => ({ key: topic.key, name: nameOfTopic(topic, language) }));
  const isListed = new Set(listed.map(({ key }) => key));
  const others = Object.keys(chosen).flatMap((key) => (isListed.has(key) ? [] : [{ key, name: key }]));
  const shown = listed.length > 1 ? [...listed, ...others] : others;
  return shown.map(({ key, name }) => (
    <SelectField
      key={key}
      name={`${prefix}${key}`}
      label={`Topic: ${name}`}
      defaultValue={key in chosen ? (chosen[key] ? 'yes' : 'no') : ''}
    >
      <option value="">No change</option>
      <option value="yes">Yes</option>
      <option value="no">No</option>
    </SelectField>
  ));
}
