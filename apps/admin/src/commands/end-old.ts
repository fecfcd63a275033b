import { endWorkflows } from '@postrider/core/adapters';
import { handOver } from '@postrider/core/automation/workflows';
import type { Command } from '../command.ts';

/** Ids are `execution/<id of the execution>`. */
const executionOf = (workflowId: string): string | undefined => workflowId.split('/')[1];

export const endOld: Command = {
  summary:
    'Ends the Temporal workflows that the version before had for each execution and for the events of each project. They would end by themselves when they wake, some of them in a year. Executions go on.',
  async run({ services, out }) {
    const {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      TEMPORAL_API_KEY: apiKey,
    } = services.config;
    const server = { address, namespace, apiKey };
    const executions = await endWorkflows(server, 'runExecution', async (workflowId) => {
      const id = executionOf(workflowId);
      if (id) await handOver(services, id);
    });
    const events = await endWorkflows(server, 'dispatchEvents', async () => undefined);
    out(`ended ${executions} of executions and ${events} of events`);
    return true;
  },
};
