import { continueAsNew, sleep, workflowInfo } from '@temporalio/workflow';
import { countSignals } from '../workflow-kit/count-signals.ts';
import { heartbeatingActivities } from '../workflow-kit/heartbeating-activities.ts';
import { retries } from '../workflow-kit/retries.ts';
import type { ContactActivities } from './contacts.activities.ts';

const { convertValues } = heartbeatingActivities<ContactActivities>({
  startToCloseTimeout: '3 minutes',
  retry: retries.endless,
});

/** Processes use the definitions that they know for two seconds: until then values arrive that are not converted. */
const untilKnown = '5 seconds';

/** The stored values of a defined field, a batch at a time. Its position is in the row of the definition. */
export async function convertField({ definitionId }: { definitionId: string }): Promise<void> {
  const signals = countSignals();
  let seen = 0;
  do {
    seen = signals.count;
    await sleep(untilKnown);
    while (await convertValues(definitionId)) {
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof convertField>({ definitionId });
    }
    // The type of the field may have changed since, which starts another conversion.
  } while (signals.count > seen);
}
