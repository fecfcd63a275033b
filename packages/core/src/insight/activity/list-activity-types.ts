import { feedTypes } from '../../base/event-types/event-types.rules.ts';
import { emptyObject, query } from '../../base/kernel/index.ts';
import { activityTypeList } from './activity.schema.ts';

export const listActivityTypes = query({
  name: 'activity.types',
  summary: 'Lists the types of items of the activity feed',
  permission: 'data:read',
  input: emptyObject,
  output: activityTypeList,
  async handler() {
    return { types: [...feedTypes] };
  },
});
