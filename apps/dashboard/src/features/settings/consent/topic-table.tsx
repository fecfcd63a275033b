import type { Topic } from '../../../lib/api.ts';
import { useProject } from '../../../lib/current.ts';
import { formatCount } from '../../../lib/format.ts';
import { Chip } from '../../../ui/chip.tsx';
import { Cell, Row, SecondLine, Table } from '../../../ui/table.tsx';
import { nameOfTopic, receiversInWords } from '../../common/topics/topic-words.rules.ts';
import { TopicActions } from './topic-actions.tsx';

/** Topics in the order in which recipients see them. */
export function TopicTable({ label, topics }: { label: string; topics: readonly Topic[] }) {
  const { language } = useProject();
  return (
    <Table
      label={label}
      columns={[
        { label: 'Name' },
        { label: 'Key', extra: true },
        { label: 'Who receives it', extra: true },
        { label: 'Recipients', numeric: true },
        { label: 'Actions', control: <span className="visually-hidden">Actions</span> },
      ]}
    >
      {topics.map((topic) => (
        <Row key={topic.id}>
          <Cell clip>
            {nameOfTopic(topic, language)}{' '}
            {topic.visibility === 'PRIVATE' && <Chip tone="calm">Not shown to recipients</Chip>}
            <SecondLine>{receiversInWords(topic)}</SecondLine>
          </Cell>
          <Cell clip extra faint>
            {topic.key}
          </Cell>
          <Cell clip extra faint>
            {receiversInWords(topic)}
          </Cell>
          <Cell numeric>{formatCount(topic.subscriberCount)}</Cell>
          <Cell numeric>
            <TopicActions topic={topic} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
