import { generalKey } from '@postrider/core/audience/topics/contract';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { SelectField } from '../../../ui/field.tsx';
import { nameOfTopic, receiversInWords } from './topic-words.rules.ts';

/** The topic of an email. Its value is the key, and empty for none; a project with `general` alone has nothing to choose. */
export function TopicField({
  topic,
  onChange,
}: {
  /** The key that is chosen at first. */
  topic: string | null;
  onChange?: (topic: string | null) => void;
}) {
  const { language } = useProject();
  const topics = useQuery(useApi().topics.list.queryOptions({}));
  const own = topics.data?.filter(({ key }) => key !== generalKey) ?? [];
  if (own.length === 0 && topic === null) return null;
  const general = topics.data?.find(({ key }) => key === generalKey);
  const isListed = topic === null || topic === generalKey || own.some(({ key }) => key === topic);
  return (
    <SelectField
      name="topic"
      label="Topic"
      defaultValue={topic === generalKey ? '' : (topic ?? '')}
      hint="Contacts who do not receive the topic are left out, and the footer names it."
      onChange={({ target }) => onChange?.(target.value === '' ? null : target.value)}
    >
      <option
        value=""
        title="Marketing email without a topic of its own. Transactional email then goes to everybody."
      >
        {general ? nameOfTopic(general, language) : 'None of its own'}
      </option>
      {own.map((each) => (
        <option key={each.key} value={each.key} title={receiversInWords(each)}>
          {nameOfTopic(each, language)}
        </option>
      ))}
      {!isListed && <option value={topic}>{topic}</option>}
    </SelectField>
  );
}
