/** `npm run build`: bundles the workflows ahead of the first start. */
import { workflowBundle } from './workflow-bundle.ts';

await workflowBundle({
  warn(details, message) {
    throw new Error(message, { cause: details });
  },
});
