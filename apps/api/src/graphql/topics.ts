import { createTopic, deleteTopic, getTopic, listTopics, updateTopic } from '@postrider/core/audience/topics';
import { deletionField, mutationField, queryField, recordField } from './fields.ts';
import { objectFromZod } from './object-from-zod.ts';

const Topic = objectFromZod(getTopic.output);

recordField('topic', getTopic, Topic);
queryField('topics', listTopics, [Topic]);
mutationField('createTopic', createTopic, Topic);
mutationField('updateTopic', updateTopic, Topic);
deletionField('deleteTopic', deleteTopic);
